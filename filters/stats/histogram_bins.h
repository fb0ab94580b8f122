/*
 * histogram_bins: computes the edges of a histogram's bins and counts the values in each bin. By default the edges are
 * round numbers in equal steps, or 1 2 5 10 20 ... over several decades.
 */
#ifndef HISTOGRAM_BINS_H
#define HISTOGRAM_BINS_H

#include "histogram_options.h"
#include "stats/quantile.h"

enum { HISTOGRAM_BINS_MOST = 20 }; /* maximum number of bins of the same width that histogram_bins_edges() chooses */

/*
 * counts[i] values are in [edges[i], edges[i + 1]). edges[0] may be -INFINITY and edges[n] INFINITY: the first and the
 * last bin then have no limit on this side.
 */
struct histogram_bins {
	double *edges; /* n + 1 edges, ascending */
	uint64_t *counts;
	size_t n;
};

/*
 * Computes the edges, but not the counts, for values from min to max, which must be finite. `whole`: the values are
 * integers, so the default steps are at least 1.
 * - Given edges are used unchanged, with a bin before and after them if values are beyond them.
 * - A given number of bins has equal steps from min to max or, with o->log, equal factors. The last bin contains max.
 * - o->log without a number of bins: the edges are 1 2 5 10 20 ...
 * - By default, the edges are 1 2 5 10 20 ... if the values span more than two decades, or if they are integers from 0 to
 *   more than 100; else there are up to HISTOGRAM_BINS_MOST bins of the same width.
 * With growing edges, values < 1 are in one bin if some of the values are <= 0.
 */
void histogram_bins_edges(
    struct histogram_bins *b, const struct histogram_options *o, double min, double max, bool whole);

/* Computes the edges and counts for the values in q; there are no bins when q has no value. */
void histogram_bins_of(struct histogram_bins *b, const struct histogram_options *o, const struct quantile *q);

void histogram_bins_free(struct histogram_bins *b);

#endif
