#include "stats/quantile.h"

#include "base/mem.h"

#include <math.h>
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
	for (i = 0; q->kept && i < q->n; i++)
		q->kept[i] = slot_of((double)q->kept[i]);
	for (i = 0; i < q->counts.n; i++)
		q->counts.list[i].value = slot_of((double)q->counts.list[i].value);
	q->counts.sorted = 0; /* different integers can be the same double */
	q->min = slot_of((double)q->min);
	q->max = slot_of((double)q->max);
	q->reals = true;
}

/* --- adding --- */

static void free_kept(struct quantile *q)
{
	free(q->kept);
	q->kept = NULL;
	q->kept_cap = 0;
}

/* Moves the stored values to the sketch. */
static void spill(struct quantile *q)
{
	uint64_t i;

	for (i = 0; q->kept && i < q->n; i++)
		sketch_add(&q->sketch, quantile_slot_value(q, q->kept[i]), 1);
	for (i = 0; i < q->counts.n; i++)
		sketch_add(&q->sketch, quantile_slot_value(q, q->counts.list[i].value), q->counts.list[i].count);
	free_kept(q);
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

/* Adds a value for which there is no room in `kept`. */
static void add_elsewhere(struct quantile *q, int64_t slot, size_t keep)
{
	if (q->n >= keep && !q->counted)
		spill(q);
	if (q->counted) {
		sketch_add(&q->sketch, quantile_slot_value(q, slot), 1);
	} else if (q->counts.n) {
		value_counts_add(&q->counts, slot, 1);
	} else {
		q->kept = mem_grow(q->kept, &q->kept_cap, (size_t)q->n + 1, sizeof *q->kept);
		q->kept[q->n] = slot;
	}
}

static void add(struct quantile *q, int64_t slot, size_t keep)
{
	widen(q, slot, slot);
	if (q->n < q->kept_cap && q->n < keep)
		q->kept[q->n] = slot;
	else
		add_elsewhere(q, slot, keep);
	q->n++;
}

/* Moves the values from `kept` to `counts`. */
static void count_kept(struct quantile *q)
{
	uint64_t i;

	for (i = 0; q->kept && i < q->n; i++)
		value_counts_add(&q->counts, q->kept[i], 1);
	free_kept(q);
}

static void add_times(struct quantile *q, int64_t slot, uint64_t times, size_t keep)
{
	widen(q, slot, slot);
	if (!q->counted && times > keep - q->n)
		spill(q);
	if (q->counted) {
		sketch_add(&q->sketch, quantile_slot_value(q, slot), times);
	} else {
		count_kept(q);
		value_counts_add(&q->counts, slot, times);
	}
	q->n += times;
}

void quantile_add_int(struct quantile *q, int64_t v, size_t keep)
{
	add(q, q->reals ? slot_of((double)v) : v, keep);
}

void quantile_add_int_times(struct quantile *q, int64_t v, uint64_t times, size_t keep)
{
	add_times(q, q->reals ? slot_of((double)v) : v, times, keep);
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

void quantile_add_real_times(struct quantile *q, double v, uint64_t times, size_t keep)
{
	quantile_become_reals(q);
	q->fractions |= !is_whole(v);
	add_times(q, slot_of(v), times, keep);
}

/* Returns the slot in q of the value that has the slot `slot` in `from`. */
static int64_t slot_from(const struct quantile *q, const struct quantile *from, int64_t slot)
{
	return q->reals == from->reals ? slot : slot_of(quantile_slot_value(from, slot));
}

static void merge_sketch(struct quantile *q, const struct quantile *from)
{
	if (!q->counted)
		spill(q);
	widen(q, slot_from(q, from, from->min), slot_from(q, from, from->max));
	sketch_merge(&q->sketch, &from->sketch);
	q->n += from->n;
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
		merge_sketch(q, from);
		return;
	}
	for (i = 0; from->kept && i < from->n; i++)
		add(q, slot_from(q, from, from->kept[i]), keep);
	for (i = 0; i < from->counts.n; i++)
		add_times(q, slot_from(q, from, from->counts.list[i].value), from->counts.list[i].count, keep);
}

void quantile_free(struct quantile *q)
{
	sketch_free(&q->sketch);
	value_counts_free(&q->counts);
	free(q->kept);
	*q = (struct quantile){0};
}
