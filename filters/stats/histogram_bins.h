/* histogram_bins: the edges of a histogram: round numbers, in even steps, or 1 2 5 10 20 ... where values span decades. */
#ifndef HISTOGRAM_BINS_H
#define HISTOGRAM_BINS_H

#include "stats/quantile.h"

enum { HISTOGRAM_BINS_MOST = 20 };

/* counts[i] values are in [edges[i], edges[i + 1]); the limits of all are in the first and the last one. */
struct histogram_bins {
	double *edges; /* n + 1, rising */
	uint64_t *counts;
	size_t n;
};

/*
 * Edges for values from min to max, both finite, without counts. `whole`: they are whole numbers, so steps
 * are not below 1. Where the values span more than two decades (from 0 on, when they are whole), bins grow
 * with them: 1 2 5 10; else they are up to HISTOGRAM_BINS_MOST even ones.
 */
void histogram_bins_edges(struct histogram_bins *b, double min, double max, bool whole);

/* Those of what q has, with counts; none when it has no value. */
void histogram_bins_of(struct histogram_bins *b, const struct quantile *q);

void histogram_bins_free(struct histogram_bins *b);

#endif
