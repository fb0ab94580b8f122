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

/* --- interpolation --- */

#define BILLION 1000000000u
#define PARTS (100 * (uint64_t)BILLION) /* number of parts into which the step from a rank to the next one is divided */

void quantile_ratio(const struct quantile_value *v, struct exact_number *x, struct exact_number *y)
{
	struct exact_number number, weight;

	number_exact(&v->low, &number);
	exact_int(&weight, (int128)(PARTS - v->part));
	exact_multiply(x, &number, &weight);
	number_exact(&v->high, &number);
	exact_int(&weight, (int128)v->part);
	exact_multiply(y, &number, &weight);
	exact_add(x, y);
	exact_int(y, (int128)PARTS);
}

static struct quantile_value interpolated(struct number low, struct number high, uint64_t part)
{
	struct quantile_value v = {.low = low, .high = high, .part = part};
	struct exact_number x, y;

	quantile_ratio(&v, &x, &y);
	v.d = exact_ratio(&x, &y);
	return v;
}

static struct quantile_value between_ints(int64_t low, int64_t high, uint64_t part)
{
	const int128 sum = (int128)low * (int128)PARTS + ((int128)high - low) * (int128)part;
	int128 whole = sum / (int128)PARTS;
	const int128 rest = sum % (int128)PARTS, exact = (int128)1 << 53;

	if (rest != 0 && whole < exact && whole > -exact)
		return interpolated(number_of_int(low), number_of_int(high), part);
	if (rest * 2 >= (int128)PARTS)
		whole++;
	else if (rest * 2 <= -(int128)PARTS)
		whole--;
	return (struct quantile_value){.whole = true, .i = (int64_t)whole};
}

static struct quantile_value between(const struct quantile *q, int64_t low, int64_t high, uint64_t part)
{
	if (!q->reals)
		return between_ints(low, high, part);
	return interpolated(
	    number_of_real(quantile_slot_value(q, low)), number_of_real(quantile_slot_value(q, high)), part);
}

static struct quantile_value stored_at(struct quantile *q, uint64_t k, uint64_t part)
{
	int64_t at, next;

	if (q->counts.n)
		neighbours_counts(q, k, &at, &next);
	else
		neighbours_kept(q, k, &at, &next);
	return between(q, at, next, part);
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
	if (at.reach > 0)
		return (struct quantile_value){.approx = true, .d = at.v};
	return interpolated(number_of_real(at.v), number_of_real(at.v), 0);
}

/* --- results --- */

struct quantile_value quantile_at(struct quantile *q, double percent)
{
	/*
	 * The rank is computed in integers: 99.9 is not exact as a double, and the error would be visible where
	 * neighbouring values are far apart.
	 */
	const uint128 rank = (uint128)llround(percent * BILLION) * (q->n - 1);
	const uint64_t k = (uint64_t)(rank / PARTS), part = (uint64_t)(rank % PARTS);

	if (rank == 0 || q->min == q->max)
		return between(q, q->min, q->min, 0);
	if (k >= q->n - 1)
		return between(q, q->max, q->max, 0);
	if (q->counted)
		return counted_at(q, k, (double)part / (double)PARTS);
	return stored_at(q, k, part);
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
