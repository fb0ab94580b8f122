/* onednn_field: converts the fields of a line of oneDNN's verbose output to a name and to members of args. */
#ifndef ONEDNN_FIELD_H
#define ONEDNN_FIELD_H

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

/* --- the fields of a line; args is an open object --- */

/*
 * Converts the fields of a timed line, without the time. False when the version of the line does not have such fields.
 * *name is a view of the fields.
 */
bool onednn_describe(const struct onednn_line *l, struct str fields, struct str *name, struct buf *args);

/* Converts the fields of a line of oneDNN's header. *name is static text. */
void onednn_info(struct str fields, struct str *name, struct buf *args);

/*
 * Converts the fields of a line without a time. False when there are no fields. *name is a view of the fields; n is 0
 * when there is no name.
 */
bool onednn_diag(const struct onednn_line *l, struct str fields, struct str *name, struct buf *args);

#endif
