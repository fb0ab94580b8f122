/* group_report: options and main loop of programs that read all records and print a table at the end. */
#ifndef GROUP_REPORT_H
#define GROUP_REPORT_H

#include "cli/opt_record.h"
#include "cli/input_options.h"
#include "cli/table_options.h"
#include "stats/groups.h"
#include "table/top_rows.h"

/* The maximum number of records that are stored until the fields are known; see report.learn. */
enum { GROUP_REPORT_LOOK = 1000 };

/* -g, -f, -o, --cycle, --every, --exact, and the options of tables and of input, which set struct group_report. */
#define GROUP_REPORT_OPTIONS(r)                                                                                        \
	{group_report_rows, r, group_report_take}, TABLE_OPTIONS(&(r)->table), UNIT_OPTIONS(&(r)->table.units),        \
	    INPUT_OPTIONS(&(r)->in)
extern const struct opt group_report_rows[];
void group_report_take(void *report, const struct opt_value *v);

/*
 * Use: group_report_init(); GROUP_REPORT_OPTIONS for opt_read(); request the aggregates from aggs; group_report_run().
 */
struct group_report {
	struct groups groups;
	struct aggregate_set aggs;
	size_t *fields; /* the fields of -f, as numbers of fields of aggs */
	size_t n_fields;
	struct table_options table;
	struct out out;
	struct input in;
	bool human; /* the format is one for people: md table list */
	/* Writes the result so far to out. `arg` is the caller's. */
	void (*print)(struct group_report *r, void *arg);
	/*
	 * NULL, or for programs whose fields depend on the records: `learn` is called with each record until it
	 * returns true, for at most GROUP_REPORT_LOOK records; then `ask` is called once and requests the aggregates
	 * from aggs. The records read until then are counted too.
	 */
	bool (*learn)(struct group_report *r, struct event *e, void *arg);
	void (*ask)(struct group_report *r, void *arg);
	void *arg;
	/* private */
	size_t fields_cap;
	struct field **ahead; /* the fields that are read in each record */
	size_t n_ahead, ahead_cap;
	uint64_t cycle;
	int64_t every; /* interval of --every in ns, 0: not given */
	bool exact;
	struct top_rows first; /* the records stored until the fields are known */
	size_t spare;
	bool begun;
};

void group_report_init(struct group_report *r, void (*print)(struct group_report *r, void *arg), void *arg);

/* Adds a field of -f, unless it was added before. Exits when spec is not a field. */
void group_report_field(struct group_report *r, struct str spec);

/*
 * -a: requests AGG and AGG:FIELD for each item of a comma-separated list. An aggregate without its own field is
 * requested for each field of -f, or for dur when there is no -f; "count" counts records, and comes first. Exits at
 * the first item that is neither.
 */
void group_report_ask(struct group_report *r, const char *list);

/* To be called when all options are read: opens input and output, and sets r->human. */
void group_report_open(struct group_report *r, char **operands);

/*
 * Reads all records and prints the result, with --every also every r->every; returns the exit status. `spare` is as
 * for aggregate_begin(); --exact overrides it.
 */
int group_report_run(struct group_report *r, size_t spare);

/* Returns the kind of column for values of the fields of -f, COLUMN_ANY when the fields differ in kind. */
enum column_kind group_report_kind(const struct group_report *r);

/* Frees all members except out and in, which group_report_run() closed. */
void group_report_free(struct group_report *r);

#endif
