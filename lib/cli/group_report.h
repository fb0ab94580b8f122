/* group_report: programs that read all records and answer in a table at the end: their options and their loop. */
#ifndef GROUP_REPORT_H
#define GROUP_REPORT_H

#include "record/input.h"
#include "stats/groups.h"
#include "table/top_rows.h"

/* Records that are stored at most until the fields are known; see report.learn. */
enum { GROUP_REPORT_LOOK = 1000 };

enum {
	GROUP_REPORT_CYCLE = INPUT_OPTION_END,
	GROUP_REPORT_EVERY,
	GROUP_REPORT_EXACT,
	GROUP_REPORT_WIDE,
	GROUP_REPORT_OPTION_END
};

/* Rows for their option tables; group_report_option() takes them. */
#define GROUP_REPORT_OPTIONS                                                                                           \
	{'g', "group", "KEY,...",                                                                                      \
	    "group by these fields; FIELD/WIDTH is a bucket (ts/10ms),\n"                                              \
	    "FIELD[] every element of an array"},                                                                      \
	    {'f', "field", "FIELD,...", "fields to look at (dur; stats without any: all numbers)"},                    \
	    {'u', "unit", "UNIT",                                                                                      \
		"ns us ms s for times, B kB MB GB KiB MiB GiB for sizes;\n"                                            \
		"ndjson, csv and tsv stay in ns and B"},                                                               \
	    {'o', "output", "FORMAT",                                                                                  \
		"ndjson csv tsv md table list raw; default: table on a terminal,\n"                                    \
		"else ndjson"},                                                                                        \
	    {GROUP_REPORT_CYCLE, "cycle", "N", "group by the ordinal of the record modulo N as well"},                 \
	    {GROUP_REPORT_EVERY, "every", "T", "show the state so far every T (2s, 500ms; at least 1ms)"},             \
	    {GROUP_REPORT_EXACT, "exact", NULL, "keep all values, for exact percentiles"},                             \
	    {GROUP_REPORT_WIDE, "wide", NULL, "names in full, columns not fitted to the terminal"}, INPUT_OPTIONS

/* Use: group_report_init(); group_report_option() for each option; ask aggs for what is wanted; group_report_run(). */
struct group_report {
	struct groups groups;
	struct aggregate_set aggs;
	size_t *fields;      /* of -f, numbers of aggs.fields */
	size_t n_fields, fields_cap;
	struct field **ahead; /* those that are read of each record */
	size_t n_ahead, ahead_cap;
	struct table_options table;
	struct out out;
	struct input in;
	uint64_t cycle;
	int64_t every;       /* 0: not */
	bool exact;
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
	/* its own */
	struct top_rows first;   /* the records until then */
	size_t spare;
	bool begun;
};

void group_report_init(struct group_report *r, void (*print)(struct group_report *r, void *arg), void *arg);

/* False when `letter` is none of GROUP_REPORT_OPTIONS. */
bool group_report_option(struct group_report *r, int letter, const char *arg);

/* One more field of -f; one that is given twice is not a new one. Ends the program, naming the option, when it is none. */
void group_report_field(struct group_report *r, const char *option, struct str spec);

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
