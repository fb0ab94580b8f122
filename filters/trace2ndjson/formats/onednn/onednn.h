/* What the parts of the reader of oneDNN's verbose output share. */
#ifndef ONEDNN_H
#define ONEDNN_H

#include "trace2ndjson/formats/format.h"

/* What stands before the fields of a verbose line. All views are of the line. */
struct onednn_line {
	bool old;             /* by its marker: from before version 1.1, with other fields */
	bool graph;           /* by its marker or component */
	struct str version;   /* "v1", n == 0 when not printed; so are: */
	struct str time;      /* "1693533460193.346924", ms since 1970 */
	struct str component; /* "primitive" */
	struct str op;        /* "exec", "create:cache_hit" */
	struct str rest;      /* the fields behind it */
	enum onednn_type {
		ONEDNN_INFO,
		ONEDNN_EXEC,
		ONEDNN_CREATE,
		ONEDNN_DIAG, /* without a time */
	} type;
	bool nested;          /* its time is part of another line's, or holds those of others */
	struct str cache;     /* of a creation: "hit", "miss", "kernel_cache_hit"; n == 0 when not printed */
};

/* --- onednn_line.c: what a line is made of --- */

/* Where in the text the next marker begins, text.n when there is none. */
size_t onednn_find(struct str text);

/* The text begins with a marker: false when what follows is no operation of oneDNN. */
bool onednn_split(struct onednn_line *l, struct str text);

/* --- onednn_field.c: the fields, as name and members of args (which is open) --- */

/*
 * The fields of a timed line, without the time; false when they are not those of its version. *name is a view
 * of the fields.
 */
bool onednn_describe(const struct onednn_line *l, struct str fields, struct str *name, struct buf *args);

/* The most fields that a line has. */
enum { ONEDNN_FIELDS = 16 };

/* Splits at commas outside of braces: how many there are, ONEDNN_FIELDS + 1 when that is too many. */
size_t onednn_fields(struct str s, struct str *f);

/* "cpu", "gpu", "gpu:0", "cpu2gpu" */
bool onednn_is_engine(struct str s);

/* A member, unless the text is empty. */
void onednn_put_some(struct buf *args, const char *key, struct str text);

/* prim, impl, prop, mds, attr, aux, shape: what primitives have of all versions; the absent have n == 0. */
void onednn_put_primitive(struct buf *args, struct str engine, const struct str f[7]);

/* --- onednn_other.c: lines without a time --- */

/* The fields of a line of the header. *name is static text. */
void onednn_info(struct str fields, struct str *name, struct buf *args);

/* The fields of a line without a time; false when there are none. *name is a view of the fields, or n == 0. */
bool onednn_diag(const struct onednn_line *l, struct str fields, struct str *name, struct buf *args);

#endif
