/*
 * histogram_bins: computes the edges of a histogram's bins and counts the values in each bin. By default, the edges are
 * multiples of a simple step (such as 20 or 500) or, for values over several decades, 1 2 5 10 20 ...
 */
#ifndef HISTOGRAM_BINS_H
#define HISTOGRAM_BINS_H

#include "stats/quantile.h"

enum { HISTOGRAM_OPTIONS_BINS_MOST = 10000 };

/* Zero-initialise; free with histogram_options_free(). If all members are zero, the bins depend on the values only. */
struct histogram_options {
	size_t bins;   /* number of bins; 0: not given */
	double *edges; /* n_edges ascending edges; NULL: not given */
	size_t n_edges, edges_cap;
	bool log; /* edges grow by a factor, so bins do not have the same width */
};

enum { HISTOGRAM_BINS_MOST = 20 }; /* maximum number of bins of the same width that histogram_bins_edges() chooses */

/*
 * counts[i] values are in [edges[i], edges[i + 1]). edges[0] may be -INFINITY if the first bin has no lower limit;
 * edges[n] may be INFINITY if the last bin has no upper limit.
 */
struct histogram_bins {
	double *edges; /* n + 1 edges, ascending */
	uint64_t *counts;
	size_t n;
	/* private */
	size_t cap;
};

/*
 * Computes the edges, but not the counts, for values from min to max, which must be finite. `whole`: the values are
 * integers, so the default width of a bin is at least 1.
 * - With o->edges, these edges are used. If values are outside of them, one or two bins are added for these values.
 * - With o->bins, that many bins are made from min to max. They have the same width; with o->log, their edges grow by a
 *   constant factor. The last bin contains max.
 * - With o->log alone, the edges are 1 2 5 10 20 ...
 * - By default, the edges are 1 2 5 10 20 ... if the values span more than two decades, or if they are integers from 0
 *   to more than 100. Otherwise up to HISTOGRAM_BINS_MOST bins of the same width are made.
 * If edges grow by factors and some values are <= 0, the first bin contains all values < 1.
 */
void histogram_bins_edges(
    struct histogram_bins *b, const struct histogram_options *o, double min, double max, bool whole);

/* Computes the edges and counts for the values in q; there are no bins when q has no value. */
void histogram_bins_of(struct histogram_bins *b, const struct histogram_options *o, const struct quantile *q);

/* Returns the largest count, at least 1. */
uint64_t histogram_bins_most(const struct histogram_bins *b);

void histogram_bins_free(struct histogram_bins *b);

#endif
