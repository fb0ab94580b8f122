/* report_kind: knows which members of our records are times, sizes and shares, by the kind of the record. */
#ifndef REPORT_KIND_H
#define REPORT_KIND_H

#include "record/event.h"

enum column_kind {
	COLUMN_ANY,   /* any values: right-aligned if all cells are numbers */
	COLUMN_TIME,  /* a time: human formats choose one unit for the columns of a field and put it in the headers */
	COLUMN_STAMP, /* a point in time: never rounded, and scaled only by -u */
	COLUMN_SIZE,  /* bytes, as COLUMN_TIME */
	COLUMN_SHARE, /* a fraction: human formats show a percentage */
	COLUMN_NAME,  /* kernel and function names: human formats shorten them unless `wide` is set */
};

/* The members of one kind of records. Lists of names are separated by spaces; NULL is an empty list. */
struct report_kind {
	const char *name; /* the kind; NULL for foreign records, whose kind is absent or unknown */
	bool report;      /* one of our reports writes these records: any of its names can contain a unit */
	bool one_field;   /* its columns are aggregates of one field, whose name they do not contain */
	const char *times, *stamps, *sizes, *shares;
};

/* The kind of the records of a stream. Zero-initialise: the records are foreign until one has a kind that we write. */
struct report_source {
	const struct report_kind *fields; /* NULL: no record was looked at */
	bool report;                      /* one of our reports wrote the records */
	unsigned looked;
};

/*
 * Looks at one of the first records of a stream. Returns true when no more records are needed: the first record whose
 * kind is not meta decides, if it has a kind, or else the first of the 64 first records that has one.
 */
bool report_source_look(struct report_source *s, struct event *e);

/* Returns whether one of our programs wrote the records: a report, or events of events(5). */
bool report_source_is_ours(const struct report_source *s);

/* Returns what a member of that name holds; COLUMN_ANY for unknown names. */
enum column_kind report_source_member(const struct report_source *s, struct str name);

/*
 * Appends the kind of a summary of the records, as a JSON string: "groupby", or "groupby/KIND" for records of a kind
 * that we write. A summary of a summary has the same KIND.
 */
void report_source_summary(const struct report_source *s, struct buf *json);

#endif
