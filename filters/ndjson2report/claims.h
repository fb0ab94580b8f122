/* claims: the lines of a report for programs, JSON objects: what is claimed, and the command that computes it. */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "record.h"

/* Returns the first line, from the record of the verdict. */
struct str claims_head(const struct record *verdict);

/*
 * Returns the line of a record of the kind report/claim: a finding, or a question that cannot be answered. The arena of
 * the record owns it.
 */
struct str claims_line(const struct record *claim);

/* Appends the last line: the numbers of lines, of findings that were left out, and whether records were lost. */
void claims_end(struct buf *to, size_t findings, size_t cannot, size_t left, bool lost);

#endif
