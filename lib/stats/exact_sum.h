/* exact_sum: adds doubles, or products of two doubles, without rounding. The state does not depend on their order. */
#ifndef EXACT_SUM_H
#define EXACT_SUM_H

#include "stats/exact_number.h"

/*
 * Zero-initialise. The memory is 16 bytes for each power of 2^32 that occurs: about 64 bytes for numbers of similar
 * size, at most 2.2 KiB.
 */
struct exact_sum {
	/* private */
	int128 *chunks; /* chunks[i] has the weight 2^(32 * (low + i)) */
	int low;
	uint32_t added; /* no chunk is larger than added * 2^96 */
	size_t n;
};

/* v must be finite. */
void exact_sum_add(struct exact_sum *s, double v);

void exact_sum_add_product(struct exact_sum *s, double a, double b);

/* Adds a product of integers. */
void exact_sum_add_int(struct exact_sum *s, int128 v);

void exact_sum_add_number(struct exact_sum *s, const struct exact_number *x);
void exact_sum_merge(struct exact_sum *s, const struct exact_sum *from);

void exact_sum_get(const struct exact_sum *s, struct exact_number *x);

/*
 * Adds the sum that exact_write() wrote. Returns false when the text is anything else, or when a digit has a weight
 * below 2^(32 * lowest) or from 2^(32 * end) on.
 */
bool exact_sum_read(struct exact_sum *s, struct str array, int lowest, int end);

void exact_sum_free(struct exact_sum *s);

#endif
