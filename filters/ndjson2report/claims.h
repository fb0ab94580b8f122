/*
 * claims: a report for programs, as NDJSON: what is claimed, the most important first, and the command that computes
 * it.
 */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "record.h"

enum { CLAIMS_MOST = 4096 }; /* bytes of all lines together */

/* Zero-initialise, and free the list. The arena of the records owns all lines. */
struct claims {
	struct str head; /* the first line */
	struct claim {
		struct str line;
		bool cannot; /* a question that cannot be answered */
	} * list;
	size_t n;
	bool lost; /* the trace has lost records */
	/* private */
	size_t cap;
};

/* Makes the first line, from the record of the verdict. */
void claims_begin(struct claims *c, const struct record *verdict);

/* Adds the line of a record of the kind report/claim: a finding, or a question that cannot be answered. */
void claims_add(struct claims *c, const struct record *claim);

/*
 * Appends all lines; the last one has their numbers, and whether records were lost. If they exceed CLAIMS_MOST bytes,
 * leaves out the last findings, then the last questions.
 */
void claims_put(struct buf *to, const struct claims *c);

#endif
