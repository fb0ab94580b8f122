#include "quantile.h"

#include "mem.h"
#include "num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A bucket is the sign, the exponent and the first seven bits behind the point of a double, as one
 * number that rises with the value. Those of one power of two are counted in one block.
 */
enum { BLOCK = 128, CUT = 52 - 7 };

struct quantile_block {
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
	return v < 0 ? ~bucket : bucket;
}

static double lower_edge(int32_t bucket) /* of one >= 0; infinite behind the last */
{
	uint64_t bits = (uint64_t)bucket << CUT;
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* The middle, of whole numbers that of the ones that are in it: up to 256 there is but one. */
static double middle(const struct quantile *q, int32_t bucket)
{
	int32_t size = bucket < 0 ? ~bucket : bucket;
	double low = lower_edge(size), high = lower_edge(size + 1), v;

	if (size == 0)
		return 0;
	if (!q->fractions) {
		low = ceil(low);
		high = ceil(high) - 1;
	}
	v = low + (high - low) / 2;
	v = bucket < 0 ? -v : v;
	return v < q->min ? q->min : v > q->max ? q->max : v;
}

static int32_t power_of(int32_t bucket)
{
	return bucket >= 0 ? bucket / BLOCK : -(-(bucket + 1) / BLOCK) - 1;
}

static struct quantile_block *block_of(struct quantile *q, int32_t power)
{
	size_t i = q->last;

	if (i < q->n_blocks && q->blocks[i].power == power)
		return &q->blocks[i];
	for (i = 0; i < q->n_blocks && q->blocks[i].power < power; i++)
		;
	q->last = i;
	if (i < q->n_blocks && q->blocks[i].power == power)
		return &q->blocks[i];
	q->blocks = mem_grow(q->blocks, &q->blocks_cap, q->n_blocks + 1, sizeof *q->blocks);
	memmove(&q->blocks[i + 1], &q->blocks[i], (q->n_blocks - i) * sizeof *q->blocks);
	q->blocks[i] = (struct quantile_block){power, mem_zero(BLOCK, sizeof *q->blocks[i].counts)};
	q->n_blocks++;
	return &q->blocks[i];
}

static void count(struct quantile *q, double v, uint64_t times)
{
	int32_t bucket = bucket_of(v), power = power_of(bucket);

	block_of(q, power)->counts[bucket - power * BLOCK] += times;
}

/* From kept values to buckets. */
static void spill(struct quantile *q, size_t *spare)
{
	uint64_t i;

	for (i = 0; i < q->n; i++)
		count(q, q->kept[i], 1);
	if (q->n > QUANTILE_KEEP && *spare != SIZE_MAX)
		*spare += (size_t)q->n - QUANTILE_KEEP;
	free(q->kept);
	q->kept = NULL;
	q->kept_cap = 0;
}

static void widen(struct quantile *q, double v)
{
	if (q->n == 0 || v < q->min)
		q->min = v;
	if (q->n == 0 || v > q->max)
		q->max = v;
}

/* Doubles from 2^53 on have no fraction. */
static bool is_whole(double v)
{
	return fabs(v) >= 0x1p53 || (double)(int64_t)v == v;
}

void quantile_add(struct quantile *q, double v, size_t *spare)
{
	widen(q, v);
	q->fractions |= !is_whole(v);
	if (!q->n_blocks && q->n >= QUANTILE_KEEP) {
		if (*spare == 0)
			spill(q, spare);
		else if (*spare != SIZE_MAX)
			--*spare;
	}
	if (q->n_blocks) {
		count(q, v, 1);
	} else {
		q->kept = mem_grow(q->kept, &q->kept_cap, (size_t)q->n + 1, sizeof *q->kept);
		q->kept[q->n] = v;
	}
	q->n++;
}

void quantile_merge(struct quantile *q, const struct quantile *from, size_t *spare)
{
	size_t b, i;

	if (!from->n_blocks) {
		for (i = 0; i < from->n; i++)
			quantile_add(q, from->kept[i], spare);
		return;
	}
	if (!q->n_blocks)
		spill(q, spare);
	widen(q, from->min);
	q->n += from->n;
	widen(q, from->max);
	q->fractions |= from->fractions;
	for (b = 0; b < from->n_blocks; b++) {
		struct quantile_block *to = block_of(q, from->blocks[b].power);

		for (i = 0; i < BLOCK; i++)
			to->counts[i] += from->blocks[b].counts[i];
	}
}

static void swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

/*
 * Hoare's selection: afterwards v[k] is what it would be if all were sorted, nothing before it is
 * greater and nothing behind it is less. Pivots are drawn by a fixed generator, so that no order of
 * the input is a bad one and every run is the same.
 */
static void select_rank(double *v, int64_t n, int64_t k)
{
	int64_t low = 0, high = n - 1, i, j;
	uint64_t random = 1;
	double pivot;

	while (low < high) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		pivot = v[low + (int64_t)(random >> 33) % (high - low + 1)];
		for (i = low, j = high; i <= j;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i <= j)
				swap(&v[i++], &v[j--]);
		}
		if (k > j && k < i)
			break;
		if (k <= j)
			high = j;
		else
			low = i;
	}
}

/* The values of rank k and k + 1 (of the last one again when there is none behind it). */
static void neighbours_kept(const struct quantile *q, uint64_t k, double *at, double *next)
{
	uint64_t i;

	select_rank(q->kept, (int64_t)q->n, (int64_t)k);
	*at = q->kept[k];
	*next = k + 1 < q->n ? q->kept[k + 1] : *at;
	for (i = k + 2; i < q->n; i++)
		*next = q->kept[i] < *next ? q->kept[i] : *next;
}

static void neighbours_counted(const struct quantile *q, uint64_t k, double *at, double *next)
{
	uint64_t below = 0; /* up to and with this bucket */
	bool found = false;
	size_t b, i;

	for (b = 0; b < q->n_blocks; b++) {
		for (i = 0; i < BLOCK; i++) {
			if (!q->blocks[b].counts[i])
				continue;
			below += q->blocks[b].counts[i];
			if (below <= k)
				continue;
			*next = middle(q, q->blocks[b].power * BLOCK + (int32_t)i);
			if (!found)
				*at = *next;
			found = true;
			if (below > k + 1)
				return;
		}
	}
}

double quantile_at(struct quantile *q, double percent)
{
	/* In integers: 99.9 is no double, and what it lacks would show where neighbours lie far apart. */
	const uint64_t billion = 1000000000;
	num_u128 rank = (num_u128)llround(percent * (double)billion) * (q->n - 1);
	uint64_t k = (uint64_t)(rank / (100 * billion));
	double part = (double)(uint64_t)(rank % (100 * billion)) / (double)(100 * billion), at = 0, next = 0;

	if (rank == 0)
		return q->min;
	if (k >= q->n - 1)
		return q->max;
	if (q->n_blocks)
		neighbours_counted(q, k, &at, &next);
	else
		neighbours_kept(q, k, &at, &next);
	return at + (next - at) * part;
}

/* Adds `times` to the last interval that begins at or below v. */
static void spread(const double *edges, size_t n, uint64_t *counts, double v, uint64_t times)
{
	size_t low = 0, high = n, mid;

	if (v < edges[0] || v >= edges[n])
		return;
	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (v < edges[mid])
			high = mid;
		else
			low = mid;
	}
	counts[low] += times;
}

void quantile_spread(const struct quantile *q, const double *edges, size_t n, uint64_t *counts)
{
	size_t b, i;

	for (b = 0; b < q->n_blocks; b++) {
		for (i = 0; i < BLOCK; i++) {
			if (q->blocks[b].counts[i])
				spread(edges, n, counts, middle(q, q->blocks[b].power * BLOCK + (int32_t)i),
				    q->blocks[b].counts[i]);
		}
	}
	for (i = 0; !q->n_blocks && i < q->n; i++)
		spread(edges, n, counts, q->kept[i], 1);
}

void quantile_free(struct quantile *q)
{
	size_t b;

	for (b = 0; b < q->n_blocks; b++)
		free(q->blocks[b].counts);
	free(q->blocks);
	free(q->kept);
	*q = (struct quantile){0};
}
