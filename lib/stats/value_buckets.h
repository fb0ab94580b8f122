/*
 * value_buckets: counts numbers in buckets, so that the value at any rank can be estimated within 0.4 %, for any number
 * of values.
 */
#ifndef VALUE_BUCKETS_H
#define VALUE_BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value_block;

/*
 * Zero-initialise. Each power of two has 128 buckets. The state depends on the numbers and not on their order: if a set
 * of numbers is split into parts, merging the buckets of the parts gives the buckets of the whole set. The memory used
 * is 1 KiB for each power of two that occurs.
 */
struct value_buckets {
	/* private */
	struct value_block *blocks; /* the blocks with values, in ascending order */
	size_t n, cap;
};

/* The number of values from `low` to `high`. If `low` and `high` are equal, all these values are equal to them. */
struct value_bucket {
	double low, high;
	double inner; /* the limit that is nearer to 0; this bucket contains it, and no other one */
	uint64_t count;
};

/* Adds the finite number v, `times` times. */
void value_buckets_add(struct value_buckets *s, double v, uint64_t times);

void value_buckets_merge(struct value_buckets *s, const struct value_buckets *from);

/*
 * Gets the next bucket that has values, in ascending order. Returns false after the last bucket. *cursor must be 0 at
 * the first call. `whole` means that all numbers are integers: then the limits are integers too, and each number
 * between -256 and 256 has a bucket of its own.
 */
bool value_buckets_next(const struct value_buckets *s, size_t *cursor, bool whole, struct value_bucket *b);

void value_buckets_free(struct value_buckets *s);

#endif
