/* group_report_private: partial results (--partial, --merge), for group_report.c and group_partial.c. */
#ifndef GROUP_REPORT_PRIVATE_H
#define GROUP_REPORT_PRIVATE_H

#include "cli/group_report.h"

/* --- group_report.c --- */

/* To be called when the fields are known: requests the program's aggregates, and begins the groups. */
void group_report_begin(struct group_report *r);

/* --- group_question.c --- */

/* Appends a line with everything that must be equal in partial results that are merged. */
void group_question_write(const struct group_report *r, struct buf *line);

/* Sets the question from such a line. Returns NULL, or what is wrong. */
const char *group_question_read(struct group_report *r, struct str line);

/* --- group_merge.c --- */

/*
 * Reads all partial results. Exits with a message at the first one that cannot be merged. Records that were lost when
 * the partial results were made are added to r->in.diagnostics.
 */
void group_merge(struct group_report *r);

/* --- group_partial.c --- */

/* The parts of the input, and what is known of all of them. */
struct group_parts {
	struct group_part {
		uint64_t number;
		const char *file; /* where it was read */
	} * list;
	size_t n, cap;
	struct map numbers; /* maps the number of a part to its index in list */
	uint64_t records, lost;
	uint64_t source_part; /* the part that determined the kind of the records */
};

/* Writes a partial result. */
void group_partial_write(struct group_report *r);

#endif
