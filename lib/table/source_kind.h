/* source_kind: the kind of the records of a stream, and which of their members are times, sizes and shares. */
#ifndef SOURCE_KIND_H
#define SOURCE_KIND_H

#include "record/event.h"

enum column_kind {
	COLUMN_ANY,   /* any values: right-aligned if all cells are numbers */
	COLUMN_TIME,  /* a duration: human formats choose a unit, the same for all columns of a field, and show it */
	COLUMN_STAMP, /* a point in time: never rounded, and scaled only by -u */
	COLUMN_SIZE,  /* bytes: human formats choose a unit as for COLUMN_TIME */
	COLUMN_SHARE, /* a fraction: human formats show a percentage */
	COLUMN_NAME,  /* kernel and function names: human formats shorten them unless `wide` is set */
};

/*
 * The members of a kind of records that are times, sizes and shares. Lists of names are separated by spaces; NULL is an
 * empty list.
 */
struct member_kinds {
	const char *name; /* the kind; NULL for foreign records, whose kind is absent or unknown */
	bool report;      /* one of our reports writes these records: any name in them can contain a unit */
	bool one_field;   /* all columns are aggregates of the same field, and their names do not contain it */
	const char *times, *stamps, *sizes, *shares;
};

/*
 * The reports of scripts; a row without a name ends them. The build makes the array from the lines `# columns:` of the
 * scripts.
 */
extern const struct member_kinds script_reports[];

/*
 * The kind of the records of a stream. Zero-initialise. The records are foreign until one of them has a kind that our
 * programs write.
 */
struct source_kind {
	const struct member_kinds *fields; /* NULL: no record was examined */
	bool report;                       /* one of our reports wrote the records */
	unsigned looked;                   /* number of records that were examined */
};

/*
 * To be called with the first records of a stream until it returns true. The first record with a kind other than meta
 * determines the kind of all records. If none of the first 64 records has such a kind, the records are foreign.
 */
bool source_kind_look(struct source_kind *s, struct event *e);

/* Appends the name of a source as a JSON string; sets a source from a name, or returns false for an unknown name. */
void source_kind_write(const struct source_kind *s, struct buf *json);
bool source_kind_read(struct source_kind *s, struct str name);

/*
 * Compares how much two sources say about the records, for parts of a stream: negative, 0 or positive as for qsort(). A
 * kind that our programs write says more than ts, ts says more than other members, and these say more than no record.
 */
int source_kind_compare(const struct source_kind *a, const struct source_kind *b);

/* Returns whether the records have a kind that our programs write: a report, or a kind of events(5). */
bool source_kind_is_ours(const struct source_kind *s);

/* Returns the kind of a member of that name; COLUMN_ANY for unknown names. */
enum column_kind source_kind_member(const struct source_kind *s, struct str name);

/*
 * Appends the kind of a summary of the records, as a JSON string: "groupby/KIND" if our programs write records of that
 * KIND, otherwise "groupby".
 */
void source_kind_summary(const struct source_kind *s, struct buf *json);

#endif
