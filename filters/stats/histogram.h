/* histogram: prints histograms of a report's fields, for each of its groups. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "cli/group_report.h"

/*
 * Prints the histogram of every field of -f in every group, in the order of order[0 .. r->groups.n). A quantile of each
 * field must have been requested. Prints a table with bars for human readers, else rows of the keys, field, from, to
 * and count.
 */
void histogram_print(struct group_report *r, const size_t *order);

#endif
