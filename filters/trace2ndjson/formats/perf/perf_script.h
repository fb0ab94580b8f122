/*
 * perf_script: reads the output of perf script. Each sample has a header line, the frames from the leaf to the root,
 * and a blank line. Without callchains, the only frame is on the header line, and no blank line follows.
 */
#ifndef PERF_SCRIPT_H
#define PERF_SCRIPT_H

#include "perf_sample.h"

/* Zero-initialise. */
struct perf_script {
	struct perf_sample sample; /* the sample that is being read */
	bool any_header;           /* at least one sample with a header was read */
	bool again;                /* the last line must be read again: it ended the preceding sample */
	uint64_t last_line;        /* the line number of the preceding line */
};

/* Whether `line` is the header of a sample; `next` is the following line, which is empty at the end of the file. */
bool perf_script_is(struct str line, struct str next);

/* Reads a line. Returns 1 when *e is a record. */
int perf_script_line(struct perf_script *p, struct reader *r, const struct line *line, struct event *e);

/* Ends the sample, if one is being read. Returns 1 when *e is its record. */
int perf_script_end(struct perf_script *p, struct reader *r, struct event *e);

#endif
