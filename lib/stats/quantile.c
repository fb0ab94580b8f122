#include "stats/quantile.h"

#include "base/mem.h"
#include "base/int_math.h"
#include "base/num_format.h"
#include "base/num_parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- slots --- */

/*
 * The bits of positive doubles, read as integers, have the same order as the doubles. The bits of negative doubles have
 * the same order after all bits except the sign are inverted.
 */
static int64_t slot_of(double v)
{
	int64_t bits;

	v += 0.0; /* -0 becomes 0 */
	memcpy(&bits, &v, sizeof bits);
	return bits < 0 ? bits ^ INT64_MAX : bits;
}

double quantile_slot_value(const struct quantile *q, int64_t slot)
{
	double v;

	if (!q->reals)
		return (double)slot;
	slot = slot < 0 ? slot ^ INT64_MAX : slot;
	memcpy(&v, &slot, sizeof v);
	return v;
}

void quantile_become_reals(struct quantile *q)
{
	uint64_t i;

	if (q->reals)
		return;
	for (i = 0; i < q->n && !q->counted; i++)
		q->kept[i] = slot_of((double)q->kept[i]);
	q->min = slot_of((double)q->min);
	q->max = slot_of((double)q->max);
	q->reals = true;
}

/* --- adding --- */

/* Moves the stored values to the sketch. */
static void spill(struct quantile *q)
{
	uint64_t i;

	for (i = 0; i < q->n; i++)
		sketch_add(&q->sketch, quantile_slot_value(q, q->kept[i]), 1);
	free(q->kept);
	q->kept = NULL;
	q->kept_cap = 0;
	q->counted = true;
}

static void widen(struct quantile *q, int64_t min, int64_t max)
{
	if (q->n == 0 || min < q->min)
		q->min = min;
	if (q->n == 0 || max > q->max)
		q->max = max;
}

static void add(struct quantile *q, int64_t slot, size_t keep)
{
	widen(q, slot, slot);
	if (q->n >= keep && !q->counted)
		spill(q);
	if (q->counted) {
		sketch_add(&q->sketch, quantile_slot_value(q, slot), 1);
	} else {
		if (q->n == q->kept_cap)
			q->kept = mem_grow(q->kept, &q->kept_cap, (size_t)q->n + 1, sizeof *q->kept);
		q->kept[q->n] = slot;
	}
	q->n++;
}

void quantile_add_int(struct quantile *q, int64_t v, size_t keep)
{
	add(q, q->reals ? slot_of((double)v) : v, keep);
}

/* All doubles of magnitude 2^53 or more are integers. */
static bool is_whole(double v)
{
	return fabs(v) >= 0x1p53 || (double)(int64_t)v == v;
}

void quantile_add_real(struct quantile *q, double v, size_t keep)
{
	quantile_become_reals(q);
	q->fractions |= !is_whole(v);
	add(q, slot_of(v), keep);
}

void quantile_merge(struct quantile *q, const struct quantile *from, size_t keep)
{
	uint64_t i;

	if (!from->n)
		return;
	if (from->reals)
		quantile_become_reals(q);
	q->fractions |= from->fractions;
	if (from->counted) {
		if (!q->counted)
			spill(q);
		widen(q, q->reals ? slot_of(quantile_slot_value(from, from->min)) : from->min,
		    q->reals ? slot_of(quantile_slot_value(from, from->max)) : from->max);
		sketch_merge(&q->sketch, &from->sketch);
		q->n += from->n;
		return;
	}
	for (i = 0; i < from->n; i++)
		add(q, q->reals ? slot_of(quantile_slot_value(from, from->kept[i])) : from->kept[i], keep);
}

/* --- ranks of stored values --- */

static void swap(int64_t *a, int64_t *b)
{
	int64_t t = *a;

	*a = *b;
	*b = t;
}

/*
 * Hoare's selection in v[low] .. v[high]: afterwards v[k] has the value that it would have if all were sorted, no value
 * before it is greater, and no value after it is less. The pivots are selected by a pseudo-random generator with a
 * fixed start. So the speed does not depend on the order of the input, and every run with the same input does the same
 * steps.
 */
static void select_rank(int64_t *v, int64_t low, int64_t high, int64_t k)
{
	uint64_t random = 1;
	int64_t i, j, pivot;

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

/*
 * Moves the value of rank k to q->kept[k]. Percentiles are usually requested in ascending order, so the values up to
 * the rank of the last call stay where they are.
 */
static void rank_kept(struct quantile *q, uint64_t k)
{
	int64_t low = 0, high = (int64_t)q->n - 1;

	if (q->ranked_n == q->n) {
		if (k == q->ranked)
			return;
		if (k > q->ranked)
			low = (int64_t)q->ranked + 1;
		else
			high = (int64_t)q->ranked - 1;
	}
	select_rank(q->kept, low, high, (int64_t)k);
	q->ranked_n = q->n;
	q->ranked = k;
}

/* Gets the slots of the ranks k and k + 1. */
static void neighbours_kept(struct quantile *q, uint64_t k, int64_t *at, int64_t *next)
{
	uint64_t i;

	rank_kept(q, k);
	*at = q->kept[k];
	*next = q->kept[k + 1];
	for (i = k + 2; i < q->n; i++)
		*next = q->kept[i] < *next ? q->kept[i] : *next;
}

/* Interpolates between two integers: the result is at + (next - at) * part / parts. */
static struct quantile_value between(int64_t at, int64_t next, uint64_t part, uint64_t parts)
{
	const int128 sum = (int128)at * (int128)parts + ((int128)next - at) * (int128)part;
	int128 whole = sum / (int128)parts;
	const int128 rest = sum % (int128)parts, exact = (int128)1 << 53;

	if (rest != 0 && whole < exact && whole > -exact)
		return (struct quantile_value){
		    .d = (double)((long double)whole + (long double)rest / (long double)parts)};
	if (rest * 2 >= (int128)parts)
		whole++;
	else if (rest * 2 <= -(int128)parts)
		whole--;
	return (struct quantile_value){.whole = true, .i = (int64_t)whole};
}

static struct quantile_value stored_at(struct quantile *q, uint64_t k, uint64_t part, uint64_t parts)
{
	int64_t at, next;
	double low;

	neighbours_kept(q, k, &at, &next);
	if (!q->reals)
		return between(at, next, part, parts);
	low = quantile_slot_value(q, at);
	return (struct quantile_value){
	    .d = low + (quantile_slot_value(q, next) - low) * ((double)part / (double)parts)};
}

/* --- ranks in a sketch --- */

/* A number v with a maximum error of `reach`; if `reach` is 0, the number is exact. */
struct estimate {
	double v, reach;
};

/*
 * Returns the estimate of the values in a bucket: the middle of the bucket. If the bucket extends beyond the minimum or
 * the maximum of all values, returns the middle of the part that lies between these.
 */
static struct estimate estimate_of(const struct quantile *q, const struct sketch_bucket *b)
{
	struct estimate e;
	double low, high;

	quantile_limits(q, &low, &high);
	low = b->low > low ? b->low : low;
	high = b->high < high ? b->high : high;
	e.reach = (high - low) / 2;
	e.v = low + e.reach;
	if (!q->fractions && e.reach > 0 && e.reach < 1)
		e.reach = 1;
	return e;
}

/* Rounds e.v to the position of the first digit of e.reach; this adds an error of up to half a unit of that digit. */
static double known_digits(struct estimate e)
{
	const int digits = (int)floor(log10(fabs(e.v))) - (int)floor(log10(e.reach)) + 1;
	char text[NUM_ROOM];
	double rounded = 0;
	int n;

	if (digits < 1)
		return 0;
	n = snprintf(text, sizeof text, "%.*e", digits - 1, e.v);
	num_double((struct str){text, (size_t)n}, &rounded);
	return rounded;
}

static struct quantile_value counted_at(const struct quantile *q, uint64_t k, double part)
{
	struct sketch_bucket b;
	struct estimate at = {0, 0}, next = {0, 0};
	uint64_t below = 0; /* number of values in the buckets read so far */
	size_t cursor = 0;

	while (below <= k + 1 && sketch_next(&q->sketch, &cursor, !q->fractions, &b)) {
		if (below <= k)
			at = estimate_of(q, &b);
		below += b.count;
		next = estimate_of(q, &b);
	}
	at.v += (next.v - at.v) * part;
	at.reach += (next.reach - at.reach) * part;
	if (at.reach > 0 && at.v != 0)
		at.v = known_digits(at);
	return (struct quantile_value){.approx = at.reach > 0, .d = at.v};
}

/* --- results --- */

static struct quantile_value value_of_slot(const struct quantile *q, int64_t slot)
{
	return (struct quantile_value){.whole = !q->reals, .i = slot, .d = quantile_slot_value(q, slot)};
}

struct quantile_value quantile_at(struct quantile *q, double percent)
{
	/*
	 * The rank is computed in integers: 99.9 is not exact as a double, and the error would be visible where
	 * neighbouring values are far apart.
	 */
	const uint64_t billion = 1000000000, parts = 100 * billion;
	const uint128 rank = (uint128)llround(percent * (double)billion) * (q->n - 1);
	const uint64_t k = (uint64_t)(rank / parts), part = (uint64_t)(rank % parts);

	if (rank == 0 || q->min == q->max)
		return value_of_slot(q, q->min);
	if (k >= q->n - 1)
		return value_of_slot(q, q->max);
	if (q->counted)
		return counted_at(q, k, (double)part / (double)parts);
	return stored_at(q, k, part, parts);
}

void quantile_limits(const struct quantile *q, double *min, double *max)
{
	*min = quantile_slot_value(q, q->min);
	*max = quantile_slot_value(q, q->max);
}

/* Adds `times` to the count of the interval that contains v. */
static void spread(const double *edges, size_t n, uint64_t *counts, double v, uint64_t times)
{
	size_t low = 0, high = n, mid;

	if (v < edges[0] || v > edges[n])
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
	struct sketch_bucket b;
	size_t cursor = 0;
	uint64_t i;

	while (sketch_next(&q->sketch, &cursor, !q->fractions, &b))
		spread(edges, n, counts, estimate_of(q, &b).v, b.count);
	for (i = 0; i < q->n && !q->counted; i++)
		spread(edges, n, counts, quantile_slot_value(q, q->kept[i]), 1);
}

void quantile_free(struct quantile *q)
{
	sketch_free(&q->sketch);
	free(q->kept);
	*q = (struct quantile){0};
}
