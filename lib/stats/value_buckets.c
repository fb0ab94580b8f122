#include "stats/value_buckets.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The number of a bucket is an integer; buckets of greater values have greater numbers. It is made from the sign, the
 * exponent and the first seven bits of the fraction of a double. The buckets of one power of two form a block.
 */
enum { BLOCK = 128, CUT = 52 - 7 };

struct value_block {
	int32_t power; /* bucket / BLOCK, rounded down */
	uint64_t *counts;
};

static int32_t bucket_of(double v)
{
	double size = fabs(v);
	uint64_t bits;
	int32_t bucket;

	memcpy(&bits, &size, sizeof bits);
	bucket = (int32_t)(bits >> CUT);
	return v < 0 && bucket ? ~bucket : bucket;
}

static int32_t power_of(int32_t bucket)
{
	return bucket >> 7; /* rounds down */
}

static struct value_block *block_of(struct value_buckets *s, int32_t power)
{
	size_t i = s->n ? (size_t)((int64_t)power - s->blocks[0].power) : 0;

	/* The powers of two that occur are usually all powers between the smallest and the largest value. */
	if (i < s->n && s->blocks[i].power == power)
		return &s->blocks[i];
	for (i = 0; i < s->n && s->blocks[i].power < power; i++)
		;
	if (i < s->n && s->blocks[i].power == power)
		return &s->blocks[i];
	s->blocks = mem_grow(s->blocks, &s->cap, s->n + 1, sizeof *s->blocks);
	memmove(&s->blocks[i + 1], &s->blocks[i], (s->n - i) * sizeof *s->blocks);
	s->blocks[i] = (struct value_block){power, mem_zero(BLOCK, sizeof *s->blocks[i].counts)};
	s->n++;
	return &s->blocks[i];
}

void value_buckets_add(struct value_buckets *s, double v, uint64_t times)
{
	int32_t bucket = bucket_of(v), power = power_of(bucket);

	block_of(s, power)->counts[bucket - power * BLOCK] += times;
}

void value_buckets_merge(struct value_buckets *s, const struct value_buckets *from)
{
	struct value_block *to;
	size_t b, i;

	for (b = 0; b < from->n; b++) {
		to = block_of(s, from->blocks[b].power);
		for (i = 0; i < BLOCK; i++)
			to->counts[i] += from->blocks[b].counts[i];
	}
}

/* `bucket` must be >= 0; for the bucket after the last one, the result is infinite. */
static double lower_edge(int32_t bucket)
{
	uint64_t bits = (uint64_t)bucket << CUT;
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

static void set_limits(struct value_bucket *b, int32_t bucket, bool whole)
{
	int32_t size = bucket < 0 ? ~bucket : bucket;
	double low = lower_edge(size), high = lower_edge(size + 1);

	if (size == 0) /* the bucket of 0 and of numbers below 2^-1022 / 128, with either sign */
		high = 0;
	if (whole && size) {
		low = ceil(low);
		high = ceil(high) - 1;
	}
	b->low = bucket < 0 ? -high : low;
	b->high = bucket < 0 ? -low : high;
	b->inner = bucket < 0 ? -low : low;
}

bool value_buckets_next(const struct value_buckets *s, size_t *cursor, bool whole, struct value_bucket *b)
{
	for (; *cursor / BLOCK < s->n; ++*cursor) {
		const struct value_block *block = &s->blocks[*cursor / BLOCK];
		const int32_t within = (int32_t)(*cursor % BLOCK);

		b->count = block->counts[within];
		if (b->count) {
			set_limits(b, block->power * BLOCK + within, whole);
			++*cursor;
			return true;
		}
	}
	return false;
}

void value_buckets_free(struct value_buckets *s)
{
	size_t b;

	for (b = 0; b < s->n; b++)
		free(s->blocks[b].counts);
	free(s->blocks);
	*s = (struct value_buckets){0};
}
