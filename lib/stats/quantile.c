#include "base/order.h"
#include "stats/quantile.h"

#include "base/int_math.h"
#include "base/mem.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "base/select.h"
#include "json/iter.h"
#include "json/write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- values with counts --- */

static int compare_value_counts(const void *a, const void *b)
{
	return int_compare(((const struct value_count *)a)->value, ((const struct value_count *)b)->value);
}

/* Sorts the list: afterwards the values ascend, and each of them occurs once. */
static void value_counts_sort(struct value_counts *c)
{
	size_t i, n = 0;

	if (c->sorted == c->n)
		return;
	qsort(c->list, c->n, sizeof *c->list, compare_value_counts);
	for (i = 1; i < c->n; i++) {
		if (c->list[i].value == c->list[n].value)
			c->list[n].count += c->list[i].count;
		else
			c->list[++n] = c->list[i];
	}
	c->n = c->sorted = n + 1;
}

/* Adds to the count of a value. The sum of all counts must fit in a uint64_t. */
static void value_counts_add(struct value_counts *c, int64_t value, uint64_t count)
{
	if (c->n == c->cap) { /* makes room by joining equal values; if few are equal, the room doubles */
		value_counts_sort(c);
		if (c->n >= c->cap / 2)
			c->list = mem_grow(c->list, &c->cap, c->cap + 1, sizeof *c->list);
	}
	if (c->sorted == c->n && (!c->n || value > c->list[c->n - 1].value))
		c->sorted++;
	c->list[c->n++] = (struct value_count){value, count};
}

static void value_counts_free(struct value_counts *c)
{
	free(c->list);
	*c = (struct value_counts){0};
}

/* --- buckets --- */

/*
 * The number of a bucket is an integer; buckets of greater values have greater numbers. It is made from the sign, the
 * exponent and the first seven bits of the fraction of a double. The buckets of one power of two form a block.
 */
enum { BLOCK = 128, CUT = 52 - 7 };

/*
 * Doubles have about 2,046 powers of two with either sign, so the memory of all blocks is limited
 * to about 4 MiB for any input.
 */
struct value_block {
	int32_t power; /* bucket / BLOCK, rounded down */
	uint64_t *counts;
};

/* The number of values from `low` to `high`. If `low` and `high` are equal, all these values are equal to them. */
struct value_bucket {
	double low, high;
	double inner; /* the limit that is nearer to 0; this bucket contains it, and no other one */
	uint64_t count;
};

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

/* Adds the finite number v, `times` times. */
static void value_buckets_add(struct value_buckets *s, double v, uint64_t times)
{
	const double size = fabs(v);
	int32_t bucket, power;
	uint64_t bits;

	memcpy(&bits, &size, sizeof bits);
	bucket = (int32_t)(bits >> CUT);
	bucket = v < 0 && bucket ? ~bucket : bucket;
	power = bucket >> 7; /* rounds down */
	block_of(s, power)->counts[bucket - power * BLOCK] += times;
}

/* `bucket` must be >= 0; for the bucket after the last one, the result is infinite. */
static double lower_edge(int32_t bucket)
{
	uint64_t bits = (uint64_t)bucket * (UINT64_C(1) << CUT);
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/*
 * Gets the next bucket that has values, in ascending order. Returns false after the last bucket. *cursor must be 0 at
 * the first call. `whole` means that all numbers are integers: then the limits are integers too, and each number
 * between -256 and 256 has a bucket of its own.
 */
static bool value_buckets_next(const struct value_buckets *s, size_t *cursor, bool whole, struct value_bucket *b)
{
	for (; *cursor / BLOCK < s->n; ++*cursor) {
		const struct value_block *block = &s->blocks[*cursor / BLOCK];
		const size_t within = *cursor % BLOCK;
		const int32_t bucket = block->power * BLOCK + (int32_t)within, size = bucket < 0 ? ~bucket : bucket;
		double low, high;

		b->count = block->counts[within];
		if (!b->count)
			continue;
		low = lower_edge(size);
		high =
		    size ? lower_edge(size + 1) : 0; /* 0: of 0 and of numbers below 2^-1022 / 128, with either sign */
		if (whole && size) {
			low = ceil(low);
			high = ceil(high) - 1;
		}
		b->low = bucket < 0 ? -high : low;
		b->high = bucket < 0 ? -low : high;
		b->inner = bucket < 0 ? -low : low;
		++*cursor;
		return true;
	}
	return false;
}

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

/* Returns the value of a slot. */
static double slot_value(const struct quantile *q, int64_t slot)
{
	double v;

	if (!q->reals)
		return (double)slot;
	slot = slot < 0 ? slot ^ INT64_MAX : slot;
	memcpy(&v, &slot, sizeof v);
	return v;
}

/*
 * Makes all slots the bits of doubles. Integers from 2^53 on are rounded: a set with other numbers
 * has the precision of doubles.
 */
static void become_reals(struct quantile *q)
{
	uint64_t i;

	if (q->reals)
		return;
	for (i = 0; q->values && i < q->n; i++)
		q->values[i] = slot_of((double)q->values[i]);
	for (i = 0; i < q->counts.n; i++)
		q->counts.list[i].value = slot_of((double)q->counts.list[i].value);
	q->counts.sorted = 0; /* different integers can be the same double */
	q->min = slot_of((double)q->min);
	q->max = slot_of((double)q->max);
	q->reals = true;
}

/* --- adding --- */

static void free_values(struct quantile *q)
{
	free(q->values);
	q->values = NULL;
	q->values_cap = 0;
}

/*
 * Moves the stored values to the buckets. From now on, the memory does not grow with the number of
 * values, and results are estimates. The values cannot be restored, so there is no way back.
 */
static void move_to_buckets(struct quantile *q)
{
	uint64_t i;

	for (i = 0; q->values && i < q->n; i++)
		value_buckets_add(&q->buckets, slot_value(q, q->values[i]), 1);
	for (i = 0; i < q->counts.n; i++)
		value_buckets_add(&q->buckets, slot_value(q, q->counts.list[i].value), q->counts.list[i].count);
	free_values(q);
	value_counts_free(&q->counts);
	q->counted = true;
}

static void widen(struct quantile *q, int64_t min, int64_t max)
{
	if (q->n == 0 || min < q->min)
		q->min = min;
	if (q->n == 0 || max > q->max)
		q->max = max;
}

/*
 * Adds a slot. The values begin as a list of slots; the first slot with a count above 1 makes it a
 * list of slots with counts; more than `keep` values make it buckets. In each form, q->n is the
 * number of values and not of items.
 */
static void add_times(struct quantile *q, int64_t slot, uint64_t times, size_t keep)
{
	uint64_t i;

	widen(q, slot, slot);
	if (!q->counted && times > keep - q->n)
		move_to_buckets(q);
	if (q->counted) {
		value_buckets_add(&q->buckets, slot_value(q, slot), times);
	} else if (times == 1 && !q->counts.n) {
		q->values = mem_grow(q->values, &q->values_cap, (size_t)q->n + 1, sizeof *q->values);
		q->values[q->n] = slot;
	} else {
		for (i = 0; q->values && i < q->n; i++)
			value_counts_add(&q->counts, q->values[i], 1);
		free_values(q);
		value_counts_add(&q->counts, slot, times);
	}
	q->n += times;
}

/*
 * The usual case is a free place in the list of slots. Without such a list, values_cap is 0.
 */
static void add_to_slot(struct quantile *q, int64_t slot, size_t keep)
{
	if (q->n >= q->values_cap || q->n >= keep) {
		add_times(q, slot, 1, keep);
		return;
	}
	widen(q, slot, slot);
	q->values[q->n++] = slot;
}

void quantile_add_int(struct quantile *q, int64_t v, size_t keep)
{
	add_to_slot(q, q->reals ? slot_of((double)v) : v, keep);
}

/* Returns the slot of a value that is going to be added. */
static int64_t real_slot(struct quantile *q, double v)
{
	become_reals(q);
	q->fractions |= fabs(v) < 0x1p53 && (double)(int64_t)v != v; /* larger doubles are integers */
	return slot_of(v);
}

void quantile_add_real(struct quantile *q, double v, size_t keep)
{
	add_to_slot(q, real_slot(q, v), keep);
}

/* Returns the slot in q of the value that has the slot `slot` in `from`. */
static int64_t slot_from(const struct quantile *q, const struct quantile *from, int64_t slot)
{
	return q->reals == from->reals ? slot : slot_of(slot_value(from, slot));
}

void quantile_merge(struct quantile *q, const struct quantile *from, size_t keep)
{
	const struct value_block *block;
	struct value_block *to;
	uint64_t i;

	if (!from->n)
		return;
	if (from->reals)
		become_reals(q);
	q->fractions |= from->fractions;
	if (from->counted) {
		if (!q->counted)
			move_to_buckets(q);
		widen(q, slot_from(q, from, from->min), slot_from(q, from, from->max));
		for (block = from->buckets.blocks; from->buckets.n && block < from->buckets.blocks + from->buckets.n;
		     block++) {
			to = block_of(&q->buckets, block->power);
			for (i = 0; i < BLOCK; i++)
				to->counts[i] += block->counts[i];
		}
		q->n += from->n;
		return;
	}
	for (i = 0; from->values && i < from->n; i++)
		add_to_slot(q, slot_from(q, from, from->values[i]), keep);
	for (i = 0; i < from->counts.n; i++)
		add_times(q, slot_from(q, from, from->counts.list[i].value), from->counts.list[i].count, keep);
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

/*
 * Interpolates between two slots. Integers are interpolated in 128 bits, because times in ns since
 * 1970 have more digits than a double. The result is a double only if it has a fraction and is
 * small enough for a double to show it; otherwise it is rounded to an integer, away from 0 if it is
 * halfway.
 */
static struct quantile_value between(const struct quantile *q, int64_t low, int64_t high, uint64_t part)
{
	const int128 sum = (int128)low * (int128)PARTS + ((int128)high - low) * (int128)part;
	const int128 rest = sum % (int128)PARTS, exact = (int128)1 << 53;
	int128 whole = sum / (int128)PARTS;

	if (q->reals)
		return interpolated(number_of_real(slot_value(q, low)), number_of_real(slot_value(q, high)), part);
	if (rest != 0 && whole < exact && whole > -exact)
		return interpolated(number_of_int(low), number_of_int(high), part);
	whole += (rest * 2 >= (int128)PARTS) - (rest * 2 <= -(int128)PARTS);
	return (struct quantile_value){.whole = true, .i = (int64_t)whole};
}

static struct quantile_value stored_at(struct quantile *q, uint64_t k, uint64_t part)
{
	const struct value_count *item = q->counts.list;
	struct select_pair pair;
	uint64_t below, from; /* below: number of values up to and including *item */

	if (q->counts.n) {
		value_counts_sort(&q->counts);
		for (below = item->count; below <= k; below += item->count)
			item++;
		return between(q, item->value, below > k + 1 ? item->value : item[1].value, part);
	}
	/*
	 * Percentiles are usually requested in ascending order, so the values up to the rank of the last call stay
	 * where they are.
	 */
	from = q->ranked_n == q->n && k > q->ranked ? q->ranked + 1 : 0;
	pair = select_pair(q->values + from, (size_t)(q->n - from), (size_t)(k - from));
	q->ranked_n = q->n;
	q->ranked = k;
	return between(q, pair.value, pair.next, part);
}

/* --- ranks in buckets --- */

/* A number v with a maximum error of `reach`; if `reach` is 0, the number is exact. */
struct estimate {
	double v, reach;
};

/*
 * Returns the estimate of the values in a bucket: the middle of the bucket. If the bucket extends beyond the minimum or
 * the maximum of all values, returns the middle of the part that lies between these.
 */
static struct estimate estimate_of(const struct quantile *q, const struct value_bucket *b)
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

static struct quantile_value counted_at(const struct quantile *q, uint64_t k, double part)
{
	struct value_bucket b;
	struct estimate at = {0, 0}, next = {0, 0};
	uint64_t below = 0; /* number of values in the buckets read so far */
	size_t cursor = 0;
	char text[NUM_ROOM];
	int digits, n;

	while (below <= k + 1 && value_buckets_next(&q->buckets, &cursor, !q->fractions, &b)) {
		if (below <= k)
			at = estimate_of(q, &b);
		below += b.count;
		next = estimate_of(q, &b);
	}
	at.v += (next.v - at.v) * part;
	at.reach += (next.reach - at.reach) * part;
	if (at.reach > 0 && at.v != 0) {
		/* Rounds to the first digit of the error, which adds an error of up to half a unit of that digit. */
		digits = (int)floor(log10(fabs(at.v))) - (int)floor(log10(at.reach)) + 1;
		n = digits < 1 ? 0 : snprintf(text, sizeof text, "%.*e", digits - 1, at.v);
		at.v = 0;
		num_double((struct str){text, (size_t)n}, &at.v);
	}
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
	*min = slot_value(q, q->min);
	*max = slot_value(q, q->max);
}

/* Adds `times` to the count of the interval that contains v. */
static void count_in_interval(const double *edges, size_t n, uint64_t *counts, double v, uint64_t times)
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
	struct value_bucket b;
	size_t cursor = 0;
	uint64_t i;

	while (value_buckets_next(&q->buckets, &cursor, !q->fractions, &b))
		count_in_interval(edges, n, counts, estimate_of(q, &b).v, b.count);
	for (i = 0; q->values && i < q->n; i++)
		count_in_interval(edges, n, counts, slot_value(q, q->values[i]), 1);
	for (i = 0; i < q->counts.n; i++)
		count_in_interval(edges, n, counts, slot_value(q, q->counts.list[i].value), q->counts.list[i].count);
}

/* --- in partial results --- */

static void write_item(const struct quantile *q, struct state_array *w, int64_t slot, uint64_t count)
{
	const struct number n = q->reals ? number_of_real(slot_value(q, slot)) : number_of_int(slot);
	struct buf *item;

	if (!count)
		return;
	item = state_array_item(w);
	json_write_begin(item, NULL, '[');
	state_number_write(item, NULL, &n);
	json_write_int(item, NULL, (int64_t)count);
	json_write_end(item, ']');
}

/* Returns the slot of a value that is in no other bucket. */
static int64_t slot_in(const struct quantile *q, const struct value_bucket *b)
{
	if (b->inner <= slot_value(q, q->min))
		return q->min;
	if (b->inner >= slot_value(q, q->max))
		return q->max;
	return q->reals ? slot_of(b->inner) : (int64_t)b->inner;
}

/* Writes the minimum, the maximum, and a value in each bucket with the count of all others in it. */
static void write_buckets(const struct quantile *q, struct state_array *w)
{
	struct value_bucket b;
	uint64_t n = 0;
	size_t cursor = 0;

	write_item(q, w, q->min, 1);
	while (value_buckets_next(&q->buckets, &cursor, !q->fractions, &b)) {
		n += b.count;
		write_item(q, w, slot_in(q, &b), b.count - (n == b.count) - (n == q->n));
	}
	write_item(q, w, q->max, 1);
}

void quantile_write(struct quantile *q, struct buf *object, struct state_array *w)
{
	uint64_t i, n;

	if (q->counted && q->fractions)
		json_write_bool(object, "frac", true);
	state_array_begin(w, "vals");
	value_counts_sort(&q->counts);
	for (i = 0; i < q->counts.n; i++)
		write_item(q, w, q->counts.list[i].value, q->counts.list[i].count);
	if (q->counted)
		write_buckets(q, w);
	else if (q->values)
		qsort(q->values, q->n, sizeof *q->values, order_int64s);
	for (i = 0; q->values && i < q->n; i += n) {
		for (n = 1; i + n < q->n && q->values[i + n] == q->values[i]; n++)
			;
		write_item(q, w, q->values[i], n);
	}
	state_array_end(w, object);
}

bool quantile_read(struct quantile *q, struct str array, size_t keep)
{
	struct str pair, text, times;
	struct iter w, in;
	struct value v;
	uint64_t count;

	if (!iter_array(&w, array))
		return false;
	while (iter_element(&w, &pair)) {
		if (!iter_array(&in, pair) || !iter_element(&in, &text) || !iter_element(&in, &times) ||
		    !num_count(times, &count) || !count || count > INT64_MAX - q->n)
			return false;
		value_of(&v, text);
		if (v.type == VALUE_INT)
			add_times(q, q->reals ? slot_of((double)v.i) : v.i, count, keep);
		else if (v.type == VALUE_REAL)
			add_times(q, real_slot(q, v.d), count, keep);
		else
			return false;
	}
	return true;
}

void quantile_free(struct quantile *q)
{
	size_t i;

	for (i = 0; i < q->buckets.n; i++)
		free(q->buckets.blocks[i].counts);
	mem_free(q->buckets.blocks, q->values);
	value_counts_free(&q->counts);
	*q = (struct quantile){0};
}
