/*
 * sketch: counts numbers in buckets, so that the value at any rank can be estimated within 0.4 %, for any number of
 * values.
 */
#ifndef SKETCH_H
#define SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sketch_block;

/*
 * Zero-initialise. Each power of two has 128 buckets. The state depends on the numbers and not on their order: if a set
 * of numbers is split into parts, merging the sketches of the parts gives the sketch of the whole set. The memory used
 * is 1 KiB for each power of two that occurs.
 */
struct sketch {
	/* private */
	struct sketch_block *blocks; /* the blocks with values, in ascending order */
	size_t n, cap;
};

/* The number of values from `low` to `high`. If `low` and `high` are equal, all these values are equal to them. */
struct sketch_bucket {
	double low, high;
	uint64_t count;
	int32_t number; /* greater for greater values */
};

/* Adds the finite number v, `times` times. */
void sketch_add(struct sketch *s, double v, uint64_t times);

/* Adds to the count of a bucket. Returns false when no finite number is in a bucket of that number. */
bool sketch_add_bucket(struct sketch *s, int32_t number, uint64_t times);

/* Returns whether the first and the last bucket with values are those of min and max. */
bool sketch_has_limits(const struct sketch *s, double min, double max);

void sketch_merge(struct sketch *s, const struct sketch *from);

/*
 * Gets the next bucket that has values, in ascending order. Returns false after the last bucket. *cursor must be 0 at
 * the first call. `whole` means that all numbers are integers: then the limits are integers too, and each number
 * between -256 and 256 has a bucket of its own.
 */
bool sketch_next(const struct sketch *s, size_t *cursor, bool whole, struct sketch_bucket *b);

void sketch_free(struct sketch *s);

#endif
