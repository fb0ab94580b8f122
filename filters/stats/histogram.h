/* histogram: prints histograms of a report's fields, for each of its groups. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "cli/group_report.h"
#include "histogram_options.h"

/*
 * Prints the histogram of every field of -f for every group; `order` has the r->groups.n groups in the order to print.
 * A quantile of each field must have been requested. Prints a table with bars for human readers, else rows with these
 * cells: the keys, field, from, to, count.
 */
void histogram_print(struct group_report *r, const struct histogram_options *options, const size_t *order);

#endif
