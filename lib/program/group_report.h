/* group_report: options and main loop of programs that read all records and print a table at the end. */
#ifndef GROUP_REPORT_H
#define GROUP_REPORT_H

#include "program/opt_fields.h"
#include "program/input_options.h"
#include "program/table_options.h"
#include "stats/groups.h"
#include "record/event_queue.h"

/* Records are stored before the fields are known (see `find_fields`), at most so many records and bytes of records. */
enum { GROUP_REPORT_LOOK = 1000, GROUP_REPORT_LOOK_BYTES = 16 << 20 };

/*
 * The options -g, -f, -o, --cycle, --every, --exact, --partial, --merge and --piece, and the options for tables and
 * input. They set members of struct group_report.
 */
#define GROUP_REPORT_OPTIONS(r)                                                                                        \
	{group_report_rows, r, group_report_take}, TABLE_OPTIONS(&(r)->table), UNIT_OPTIONS(&(r)->table.units),        \
	    PIECE_OPTIONS(&(r)->in), INPUT_OPTIONS(&(r)->in)
extern const struct opt group_report_rows[];
void group_report_take(void *report, const struct opt_value *v);

/*
 * Steps of use: (1) call group_report_init(); (2) call opt_read() with GROUP_REPORT_OPTIONS; (3) call
 * group_report_open(); (4) request the aggregates from aggs, unless `request_aggregates` does this; (5) call
 * group_report_run().
 */
struct group_report {
	struct groups groups;
	struct aggregate_set aggs;
	size_t *fields; /* the fields given with -f, as indexes of fields in aggs */
	size_t n_fields;
	struct table_options table;
	struct source_kind source; /* the kind of the records; an argument of column_meaning_of() */
	struct out out;
	struct input in;
	bool human;    /* the format is for people to read: md, table or list */
	bool partial;  /* --partial: a partial result is written instead of the result */
	bool merge;    /* --merge: the input is partial results */
	uint64_t part; /* N of --partial=N; 0 if it was not given */
	char **operands;
	bool chosen_aggregates; /* set by programs whose request_aggregates() requests the same for any fields */
	/* Writes the result so far to out. `arg` is the argument of group_report_init(). */
	void (*print)(struct group_report *r, void *arg);
	/*
	 * `find_fields` is NULL, or for programs whose fields depend on the records: it is called with each record
	 * until it returns true, or until the limits of GROUP_REPORT_LOOK. `request_aggregates` may be NULL; it is
	 * called once the fields are known, to request aggregates from aggs, which include the records that
	 * `find_fields` has seen.
	 */
	bool (*find_fields)(struct group_report *r, struct event *e, void *arg);
	void (*request_aggregates)(struct group_report *r, void *arg);
	void *arg;
	/* private */
	size_t fields_cap;
	bool numbered; /* N of --partial=N was given */
	uint64_t cycle;
	int64_t every; /* interval of --every in ns; 0 if not given */
	bool exact;
	struct event_queue first;   /* the records stored until the fields are known, and where they were read */
	uint64_t first_bytes;       /* their size */
	size_t keep;                /* an argument of aggregate_begin() */
	size_t too_large;           /* number of results that are absent because they are beyond the range of double */
	struct buf first_too_large; /* the name of the first one, and its group */
	bool begun, ended;          /* ended: all records were read */
	bool source_known;          /* `source` is final, or source_part is set */
	uint64_t source_part;       /* with --merge: the part that determined the kind of the records */
	/* read from the partial result so far: the groups, the sum of their counts, and the lines of the next group */
	size_t *merged, n_merged, merged_cap;
	uint64_t merged_records, merged_lines;
	uint64_t *seen; /* for each group: the number of the last partial result that has it */
	size_t seen_cap;
};

void group_report_init(struct group_report *r, void (*print)(struct group_report *r, void *arg), void *arg);

/* Adds a field given with -f, unless it was added before. Exits when spec is not a valid field. */
void group_report_field(struct group_report *r, struct str spec);

/*
 * Handles -a: requests the aggregates of a comma-separated list of AGG:FIELD or AGG, which stands for AGG of each field
 * of -f, or of dur. "count" is the number of records, and comes before the other items. "wmean" needs a FIELD; its
 * weights are the first field of -f, or dur. Exits at the first invalid item.
 */
void group_report_ask(struct group_report *r, const char *list);

/*
 * To be called after all options were read: exits if options exclude each other. `asked` and `printed` are further
 * options of the program, as for opt_given(): `asked` change the groups or aggregates, `printed` are for printing.
 */
void group_report_check(const struct group_report *r, const char *asked, const char *printed);

/* To be called after all options were read: opens input and output, and sets r->human. */
void group_report_open(struct group_report *r, char **operands);

/*
 * Reads all records and prints the result at the end. With --every, also prints the result so far after each interval.
 * Returns the exit status. For `keep`, see aggregate_begin(); it is QUANTILE_KEEP if there are keys, and --exact
 * overrides both.
 */
int group_report_run(struct group_report *r, size_t keep);

/* Sets a cell to the result of an aggregate in a group. A result that is too large is absent, and counted as lost. */
void group_report_result(struct group_report *r, struct table *t, size_t cell, size_t column, size_t group);

/* Returns the meaning of a field that was given with -f; `field` is its index in `fields`. */
struct column_meaning group_report_meaning(const struct group_report *r, size_t field);

/*
 * Returns the meaning of a column `name` with aggregates of all fields given with -f, in one row for each field. The
 * kind is COLUMN_ANY when the fields differ in their kind or unit.
 */
struct column_meaning group_report_common_meaning(const struct group_report *r, struct str name);

/* Frees all members except out and in, which group_report_run() has already closed. */
void group_report_free(struct group_report *r);

#endif
