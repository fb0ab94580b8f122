/* bins: the edges of a histogram: round numbers, in even steps, or 1 2 5 10 20 ... where values span decades. */
#ifndef BINS_H
#define BINS_H

#include "stats/quantile.h"

enum { BINS_MOST = 20 };

/* counts[i] values are in [edges[i], edges[i + 1]); the limits of all are in the first and the last one. */
struct bins {
	double *edges; /* n + 1, rising */
	uint64_t *counts;
	size_t n;
};

/*
 * Edges for values from min to max, both finite, without counts. `whole`: they are whole numbers, so steps
 * are not below 1. Where the values span more than two decades (from 0 on, when they are whole), bins grow
 * with them: 1 2 5 10; else they are up to BINS_MOST even ones.
 */
void bins_edges(struct bins *b, double min, double max, bool whole);

/* Those of what q has, with counts; none when it has no value. */
void bins_of(struct bins *b, const struct quantile *q);

void bins_free(struct bins *b);

#endif
