/*
 * perf_table: reads the outputs of perf that are tables: perf report --stdio, the frames of perf top --stdio, and perf
 * stat, as lines of fields (-x) or as one object per line (-j).
 */
#ifndef PERF_TABLE_H
#define PERF_TABLE_H

#include "perf_sample.h"

/* Whether `line`, the first one that is not a comment, shows this layout; `next` follows it, or is empty at the end. */
bool perf_csv_is(struct str line);
bool perf_jsonl_is(struct str line);
bool perf_report_is(struct str line, struct str next);

/* The columns of a report. Zero-initialise; perf_report_free(). */
struct perf_report {
	char separator; /* 0 when the columns are at fixed positions */
	struct perf_column {
		struct str name;
		size_t start; /* offset of the column in the comment line, counted after "# " */
	} * columns;
	size_t n, cap;
	struct buf header; /* the line of the names, which are views of it */
	struct buf event;
	int64_t frame; /* number of frames of perf top so far */
};

bool perf_report_heads(struct str comment); /* whether a comment has the names of the columns */

/*
 * Reads a report's comment that contains the column names, their positions, or the name of the event. Returns true for
 * a comment with the column names or their positions; such a comment does not become a record.
 */
bool perf_report_comment(struct perf_report *p, struct str text);

/* Each of these functions reads a line, and returns 1 when *e is a record. */
int perf_report_line(struct perf_report *p, struct reader *r, const struct line *line, struct event *e);
int perf_csv_line(struct reader *r, const struct line *line, struct event *e);
/* `text` is valid JSON; `room` is scratch memory. */
int perf_jsonl_line(struct reader *r, struct buf *room, struct str text, struct event *e);

void perf_report_free(struct perf_report *p);

#endif
