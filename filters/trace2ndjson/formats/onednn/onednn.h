/* onednn: the functions and types that the files of the reader of oneDNN's verbose output share. */
#ifndef ONEDNN_H
#define ONEDNN_H

#include "trace2ndjson/formats/format.h"

/* The part of a verbose line that precedes the fields. All views are of the line. */
struct onednn_line {
	bool old;             /* by its marker: from a version before 1.1, which has other fields */
	bool graph;           /* by its marker or component */
	struct str version;   /* "v1"; n == 0 when not printed, as for the next three: */
	struct str time;      /* "1693533460193.346924", ms since 1970 */
	struct str component; /* "primitive" */
	struct str op;        /* "exec", "create:cache_hit" */
	struct str rest;      /* the fields that follow */
	enum onednn_type {
		ONEDNN_INFO,
		ONEDNN_EXEC,
		ONEDNN_CREATE,
		ONEDNN_DIAG, /* without a time */
	} type;
	bool nested;      /* its time is part of another line's time, or includes the times of others */
	struct str cache; /* of a creation: "hit", "miss", "kernel_cache_hit"; n == 0 when not printed */
};

/* --- onednn_line.c: splits a line --- */

/* Returns where the next marker in the text begins; text.n when there is no marker. */
size_t onednn_find(struct str text);

/* Splits a text that begins with a marker: false when the text after it is not an operation of oneDNN. */
bool onednn_split(struct onednn_line *l, struct str text);

/* --- onednn_field.c: converts the fields to a name and members of args (which is open) --- */

/*
 * Converts the fields of a timed line, without the time; false when they are not the fields of its version. *name is a
 * view of the fields.
 */
bool onednn_describe(const struct onednn_line *l, struct str fields, struct str *name, struct buf *args);

/* The maximum number of fields of a line. */
enum { ONEDNN_FIELDS = 16 };

/*
 * Splits at commas outside of braces. Returns the number of fields; ONEDNN_FIELDS + 1 when there are more than fit in
 * f[].
 */
size_t onednn_fields(struct str s, struct str *f);

/* Whether s is the name of an engine: "cpu", "gpu", "gpu:0", "cpu2gpu". */
bool onednn_is_engine(struct str s);

/* Adds a member, unless the text is empty. */
void onednn_put_some(struct buf *args, const char *key, struct str text);

/* Adds prim, impl, prop, mds, attr, aux, shape: the fields of primitives in all versions; n == 0 for absent ones. */
void onednn_put_primitive(struct buf *args, struct str engine, const struct str f[7]);

/* --- onednn_other.c: lines without a time --- */

/* Converts the fields of a line of the header. *name is static text. */
void onednn_info(struct str fields, struct str *name, struct buf *args);

/*
 * Converts the fields of a line without a time; false when there are no fields. *name is a view of the fields, or n ==
 * 0.
 */
bool onednn_diag(const struct onednn_line *l, struct str fields, struct str *name, struct buf *args);

#endif
