/* group_report_private: the groups in partial results, for group_report.c and group_partial.c. */
#ifndef GROUP_REPORT_PRIVATE_H
#define GROUP_REPORT_PRIVATE_H

#include "cli/group_report.h"
#include "cli/partial.h"

/* --- group_report.c --- */

/* To be called when the fields are known: requests the program's aggregates, and begins the groups. */
void group_report_begin(struct group_report *r);

/* Sets r->fields to all fields of r->aggs. */
void group_report_all_fields(struct group_report *r);

/* --- group_partial.c --- */

/* Set `report` and zero the others. */
struct group_partial {
	struct group_report *report;
	/* private */
	/* read from the partial result so far: the groups, the sum of their counts, and the lines of the next group */
	size_t *groups, n_groups, groups_cap;
	uint64_t records, lines;
	uint64_t *seen; /* for each group: the number of the last partial result that has it */
	size_t seen_cap;
	bool source_known;    /* source_part is set */
	uint64_t source_part; /* the part that determined the kind of the records */
};

/* The groups in partial results; the argument of its functions is a struct group_partial. */
extern const struct partial_state group_partial_state;

void group_partial_free(struct group_partial *g);

#endif
