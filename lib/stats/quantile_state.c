#include "stats/quantile_state.h"

#include <stdlib.h>

static int compare_slots(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static bool next_bucket(const struct quantile *q, size_t *cursor, struct quantile_item *item)
{
	struct sketch_bucket bucket;

	if (!sketch_next(&q->sketch, cursor, !q->fractions, &bucket))
		return false;
	*item = (struct quantile_item){.bucket = true, .i = bucket.number, .count = bucket.count};
	return true;
}

static bool next_count(struct quantile *q, size_t *cursor, struct quantile_item *item)
{
	const struct value_count *next;

	value_counts_sort(&q->counts);
	if (*cursor == q->counts.n)
		return false;
	next = &q->counts.list[(*cursor)++];
	*item = (struct quantile_item){
	    .whole = !q->reals, .i = next->value, .d = quantile_slot_value(q, next->value), .count = next->count};
	return true;
}

static bool next_kept(struct quantile *q, size_t *cursor, struct quantile_item *item)
{
	int64_t slot;

	if (*cursor == q->n)
		return false;
	if (!*cursor)
		qsort(q->kept, q->n, sizeof *q->kept, compare_slots);
	slot = q->kept[*cursor];
	*item = (struct quantile_item){.whole = !q->reals, .i = slot, .d = quantile_slot_value(q, slot)};
	for (; *cursor < q->n && q->kept[*cursor] == slot; ++*cursor)
		item->count++;
	return true;
}

bool quantile_next(struct quantile *q, size_t *cursor, struct quantile_item *item)
{
	if (q->counted)
		return next_bucket(q, cursor, item);
	return q->counts.n ? next_count(q, cursor, item) : next_kept(q, cursor, item);
}

static bool put_bucket(struct quantile *q, const struct quantile_item *item)
{
	if ((q->n && !q->counted) || item->i < INT32_MIN || item->i > INT32_MAX ||
	    !sketch_add_bucket(&q->sketch, (int32_t)item->i, item->count))
		return false;
	q->counted = true;
	return !__builtin_add_overflow(q->n, item->count, &q->n);
}

bool quantile_put(struct quantile *q, const struct quantile_item *item, size_t keep)
{
	if (!item->count)
		return false;
	if (item->bucket)
		return put_bucket(q, item);
	if (q->counted || q->n > keep || item->count > keep - q->n)
		return false;
	if (item->whole)
		quantile_add_int_times(q, item->i, item->count, keep);
	else
		quantile_add_real_times(q, item->d, item->count, keep);
	return true;
}

bool quantile_complete(struct quantile *q, const struct quantile_numbers *numbers, size_t keep)
{
	struct quantile limits = {0};
	bool same;

	if (q->n != numbers->n || q->counted != (numbers->n > keep) || (q->reals && !numbers->reals))
		return false;
	if (!q->n)
		return true;
	if (numbers->reals) {
		quantile_become_reals(q);
		quantile_add_real(&limits, numbers->real_min, 2);
		quantile_add_real(&limits, numbers->real_max, 2);
	} else {
		quantile_add_int(&limits, numbers->min, 2);
		quantile_add_int(&limits, numbers->max, 2);
	}
	if (q->counted) {
		q->fractions = numbers->fractions;
		q->min = limits.min;
		q->max = limits.max;
		same = sketch_has_limits(&q->sketch, quantile_slot_value(q, q->min), quantile_slot_value(q, q->max));
	} else {
		same = q->min == limits.min && q->max == limits.max;
	}
	quantile_free(&limits);
	return same;
}
