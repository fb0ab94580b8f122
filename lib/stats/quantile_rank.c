/* quantile_rank: finds the values at ranks. */
#include "stats/quantile.h"

#include "base/int_math.h"
#include "base/num_format.h"
#include "base/num_parse.h"

#include <math.h>
#include <stdio.h>

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

/* The same for values in q->counts. */
static void neighbours_counts(struct quantile *q, uint64_t k, int64_t *at, int64_t *next)
{
	const struct value_count *item;
	uint64_t below; /* number of values up to and including *item */

	value_counts_sort(&q->counts);
	item = q->counts.list;
	for (below = item->count; below <= k; below += item->count)
		item++;
	*at = item->value;
	*next = below > k + 1 ? item->value : item[1].value;
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

	if (q->counts.n)
		neighbours_counts(q, k, &at, &next);
	else
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
	for (i = 0; q->kept && i < q->n; i++)
		spread(edges, n, counts, quantile_slot_value(q, q->kept[i]), 1);
	for (i = 0; i < q->counts.n; i++)
		spread(edges, n, counts, quantile_slot_value(q, q->counts.list[i].value), q->counts.list[i].count);
}
