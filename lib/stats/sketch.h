/* sketch: numbers counted in buckets, so that ranks of any number of them can be told within 0.4 %. */
#ifndef SKETCH_H
#define SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sketch_block;

/*
 * Zero-initialise. Buckets are 1/128 of a power of two. The state depends on the numbers and not on their order, so
 * that sketches of any parts merge to that of the whole. Memory: 1 KiB for each power of two that occurs.
 */
struct sketch {
	/* private */
	struct sketch_block *blocks; /* in ascending order, those that have any */
	size_t n, cap, last;
};

/* How many values are from `low` to `high`; where these are equal, each is that number. */
struct sketch_bucket {
	double low, high;
	uint64_t count;
};

/* Counts a finite number `times` times. */
void sketch_add(struct sketch *s, double v, uint64_t times);

void sketch_merge(struct sketch *s, const struct sketch *from);

/*
 * The next bucket in ascending order that has a value; false after the last one. *cursor begins as 0. `whole`: all
 * numbers are whole, so that limits are too, and a bucket up to 256 stands for one number.
 */
bool sketch_next(const struct sketch *s, size_t *cursor, bool whole, struct sketch_bucket *b);

void sketch_free(struct sketch *s);

#endif
