/* histogram: prints histograms of a report's fields, for each of its groups. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "program/group_report.h"
#include "program/histogram_options.h"

/*
 * Prints the histogram of every field given with -f, for every group. `order` lists the indices of all r->groups.n
 * groups in the order in which they are printed. The caller must have requested a quantile of each field. As a table,
 * draws the bins with bars; in other formats, prints rows with these cells: the keys, field, from, to, count.
 */
void histogram_print(struct group_report *r, const struct histogram_options *options, const size_t *order);

#endif
