/*
 * histogram_bins: computes edges of a histogram: round numbers in equal steps, or 1 2 5 10 20 ... over several decades.
 */
#ifndef HISTOGRAM_BINS_H
#define HISTOGRAM_BINS_H

#include "stats/quantile.h"

enum { HISTOGRAM_BINS_MOST = 20 };

/* counts[i] values are in [edges[i], edges[i + 1]); the minimum and maximum are in the first and the last bin. */
struct histogram_bins {
	double *edges; /* n + 1 edges, ascending */
	uint64_t *counts;
	size_t n;
};

/*
 * Computes the edges, but not the counts, for values from min to max, which must be finite. `whole`: the values are
 * integers, so steps are at least 1. If the values span more than two decades, or if they are integers from 0 to more
 * than 100, the edges are 1 2 5 10 20 ...; else there are up to HISTOGRAM_BINS_MOST bins of the same width.
 */
void histogram_bins_edges(struct histogram_bins *b, double min, double max, bool whole);

/* Computes the edges and counts for the values in q; there are no bins when q has no value. */
void histogram_bins_of(struct histogram_bins *b, const struct quantile *q);

void histogram_bins_free(struct histogram_bins *b);

#endif
