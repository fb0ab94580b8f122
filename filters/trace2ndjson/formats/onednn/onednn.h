/* onednn: functions and types that the files of the oneDNN reader (verbose output) share. */
#ifndef ONEDNN_H
#define ONEDNN_H

#include "trace2ndjson/formats/format.h"

/* The part of a verbose line that precedes the fields. All texts are views of the line. */
struct onednn_line {
	bool old;             /* the marker shows a version before 1.1, whose fields are different */
	bool graph;           /* the marker or the component indicates the graph API */
	struct str version;   /* "v1". In this text and the next three, n == 0 means that oneDNN did not print it. */
	struct str time;      /* "1693533460193.346924", ms since 1970 */
	struct str component; /* "primitive" */
	struct str op;        /* "exec", "create:cache_hit" */
	struct str rest;      /* the text after `op`: the fields */
	enum onednn_type {
		ONEDNN_INFO,
		ONEDNN_EXEC,
		ONEDNN_CREATE,
		ONEDNN_DIAG, /* without a time */
	} type;
	bool nested;      /* the line's time is part of another line's time, or includes the times of other lines */
	struct str cache; /* for a creation: "hit", "miss", "kernel_cache_hit"; n == 0 when it was not printed */
};

/* --- onednn_line.c: splits a line --- */

/* Returns the offset of the next marker in the text; text.n when there is no marker. */
size_t onednn_find(struct str text);

/* Splits a text that begins with a marker. False when no operation of oneDNN follows the marker. */
bool onednn_split(struct onednn_line *l, struct str text);

/* --- onednn_field.c: converts the fields to a name and to members of the open object args --- */

/*
 * Converts the fields of a timed line, without the time. False when the version of the line does not have such fields.
 * *name is a view of the fields.
 */
bool onednn_describe(const struct onednn_line *l, struct str fields, struct str *name, struct buf *args);

/* The maximum number of fields of a line. */
enum { ONEDNN_FIELDS = 16 };

/*
 * Splits a text at its commas, except those inside braces. Returns the number of fields; ONEDNN_FIELDS + 1 when the
 * text has more fields than f[] can hold.
 */
size_t onednn_fields(struct str s, struct str *f);

/* Whether s is the name of an engine: "cpu", "gpu", "gpu:0", "cpu2gpu". */
bool onednn_is_engine(struct str s);

/* Adds a member, unless the text is empty. */
void onednn_put_some(struct buf *args, const char *key, struct str text);

/*
 * Adds the fields that primitives have in all versions: prim, impl, prop, mds, attr, aux, shape. n is 0 for an absent
 * field.
 */
void onednn_put_primitive(struct buf *args, struct str engine, const struct str f[7]);

/* --- onednn_other.c: lines without a time --- */

/* Converts the fields of a line of oneDNN's header. *name is static text. */
void onednn_info(struct str fields, struct str *name, struct buf *args);

/*
 * Converts the fields of a line without a time. False when there are no fields. *name is a view of the fields; n is 0
 * when there is no name.
 */
bool onednn_diag(const struct onednn_line *l, struct str fields, struct str *name, struct buf *args);

#endif
