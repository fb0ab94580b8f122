/* group_merge: reads partial results (--merge) line by line. */
#ifndef GROUP_MERGE_H
#define GROUP_MERGE_H

#include "cli/group_report_private.h"
#include "stats/aggregate_state.h"

/* The members are private, except in tests. */
struct group_merge {
	struct group_report *report;
	struct buf question; /* the first line of all partial results */
	const char *first;   /* the file of the first one */
	struct aggregate_reader reader;
	bool open; /* the last line of a partial result is still to come */
	/* of the partial result that is being read */
	uint64_t number, groups, records;
	uint64_t *seen; /* for each group: `number` of the last partial result that has it */
	size_t seen_cap;
	struct fault_place lost; /* the first partial result that lost records */
};

void group_merge_begin(struct group_merge *m, struct group_report *r);

/*
 * Reads a line, which can be any text. Returns NULL, or what is wrong; after that, only group_merge_end() may be
 * called.
 */
const char *group_merge_line(struct group_merge *m, struct str line);

/* Adds the records that were lost when the partial results were made to the diagnostics of the report. */
void group_merge_end(struct group_merge *m);

#endif
