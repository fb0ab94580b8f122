/* group_report: programs that read all records and answer in a table at the end: their options and their loop. */
#ifndef GROUP_REPORT_H
#define GROUP_REPORT_H

#include "cli/opt_record.h"
#include "cli/input_options.h"
#include "cli/table_options.h"
#include "stats/groups.h"
#include "table/top_rows.h"

/* Records that are stored at most until the fields are known; see report.learn. */
enum { GROUP_REPORT_LOOK = 1000 };

/* -g, -f, -o, --cycle, --every, --exact, and those of tables and of input, in struct group_report. */
#define GROUP_REPORT_OPTIONS(r)                                                                                        \
	{group_report_rows, r, group_report_take}, TABLE_OPTIONS(&(r)->table), UNIT_OPTIONS(&(r)->table.units), INPUT_OPTIONS(&(r)->in)
extern const struct opt group_report_rows[];
void group_report_take(void *report, const struct opt_value *v);

/* Use: group_report_init(); GROUP_REPORT_OPTIONS for opt_read(); ask aggs for what is wanted; group_report_run(). */
struct group_report {
	struct groups groups;
	struct aggregate_set aggs;
	size_t *fields;      /* of -f, numbers of fields of aggs */
	size_t n_fields;
	struct table_options table;
	struct out out;
	struct input in;
	bool human;          /* the format is for reading: md table list */
	/* Writes the state so far to out. `arg` is the caller's. */
	void (*print)(struct group_report *r, void *arg);
	/*
	 * NULL, or for programs whose fields depend on the records: `learn` is called with each record until it returns
	 * true, for GROUP_REPORT_LOOK of them at most; then `ask`, once, which asks aggs for what is wanted. No record is
	 * missed.
	 */
	bool (*learn)(struct group_report *r, struct event *e, void *arg);
	void (*ask)(struct group_report *r, void *arg);
	void *arg;
	/* private */
	size_t fields_cap;
	struct field **ahead;    /* those that are read of each record */
	size_t n_ahead, ahead_cap;
	uint64_t cycle;
	int64_t every;           /* 0: not */
	bool exact;
	struct top_rows first;   /* the records until then */
	size_t spare;
	bool begun;
};

void group_report_init(struct group_report *r, void (*print)(struct group_report *r, void *arg), void *arg);

/* One more field of -f, unless it is one already. Ends the program when it is not a field. */
void group_report_field(struct group_report *r, struct str spec);

/*
 * -a: asks for AGG and AGG:FIELD of a list with commas. An aggregate without its own field is asked of each field of
 * -f, of dur when there is none; "count" is that of the records, and comes first. Ends the program at the first item
 * that is neither.
 */
void group_report_ask(struct group_report *r, const char *list);

/* All options are read: input and output are ready, r->human is set. */
void group_report_open(struct group_report *r, char **operands);

/*
 * Reads all records and prints, also every r->every; returns the exit status. `spare` is as for
 * aggregate_begin(), unless there was --exact.
 */
int group_report_run(struct group_report *r, size_t spare);

/* The kind of column that values of the fields of -f make, COLUMN_ANY when they differ. */
enum column_kind group_report_kind(const struct group_report *r);

/* Frees all but out and in, which group_report_run() closed. */
void group_report_free(struct group_report *r);

#endif
