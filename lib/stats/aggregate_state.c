#include "stats/aggregate_state.h"

#include "base/order.h"
#include "json/iter.h"
#include "json/write.h"
#include "stats/accumulator_state.h"
#include "stats/aggregate_private.h"
#include "stats/state_refused.h"

#include <stdlib.h>

/* --- writing --- */

/* The different values of a field in all groups: those of group i are ids[starts[i]] .. ids[starts[i + 1] - 1]. */
struct aggregate_distinct {
	size_t *starts;
	uint32_t *ids;
};

static void pair_at(const struct aggregate_field *f, size_t i, uint32_t pair[2])
{
	memcpy(pair, map_key(&f->pairs, i).p, 2 * sizeof *pair);
}

static struct aggregate_distinct index_distinct(const struct aggregate_field *f, size_t groups)
{
	struct aggregate_distinct d = {mem_zero(groups + 2, sizeof *d.starts), mem_zero(f->pairs.n + 1, sizeof *d.ids)};
	uint32_t pair[2];
	size_t i;

	/*
	 * First, starts[i + 2] counts the values of group i; then starts[i + 1] is where the next value of group i
	 * goes.
	 */
	for (i = 0; i < f->pairs.n; i++) {
		pair_at(f, i, pair);
		d.starts[pair[0] + 2]++;
	}
	for (i = 2; i < groups + 2; i++)
		d.starts[i] += d.starts[i - 1];
	for (i = 0; i < f->pairs.n; i++) {
		pair_at(f, i, pair);
		d.ids[d.starts[pair[0] + 1]++] = pair[1];
	}
	return d;
}

void aggregate_writer_begin(struct aggregate_writer *w, struct aggregate_set *a, struct out *out)
{
	size_t i;

	*w = (struct aggregate_writer){a, out, mem_zero(a->n_fields + 1, sizeof *w->distinct)};
	for (i = 0; i < a->n_fields; i++) {
		if (a->fields[i].parts >> ACCUMULATOR_DISTINCT & 1)
			w->distinct[i] = index_distinct(&a->fields[i], a->n);
	}
}

struct distinct_order {
	const struct value_ids *values;
	const uint32_t *ids;
};

static int compare_distinct(const void *arg, size_t a, size_t b)
{
	const struct distinct_order *order = arg;

	return str_cmp(value_ids_text(order->values, order->ids[a]), value_ids_text(order->values, order->ids[b]));
}

static void put_distinct(const struct aggregate_distinct *d, const struct value_ids *values, size_t group,
    struct buf *object, struct state_array *w)
{
	const struct distinct_order by = {values, d->ids + d->starts[group]};
	const size_t n = d->starts[group + 1] - d->starts[group];
	size_t *order = order_sort(n, compare_distinct, &by), i;

	state_array_begin(w, "set");
	for (i = 0; i < n; i++) {
		state_array_item(w);
		json_write_json(&w->items, NULL, value_ids_text(values, by.ids[order[i]]));
	}
	state_array_end(w, object);
	free(order);
}

void aggregate_writer_group(struct aggregate_writer *w, size_t group, struct buf *object)
{
	struct state_array array = {.out = w->out};
	struct accumulator acc;

	json_write_int(object, "count", (int64_t)aggregate_records(w->set, group));
	json_write_begin(object, "fields", '[');
	for (; array.field < w->set->n_fields; array.field++) {
		const struct aggregate_field *f = &w->set->fields[array.field];

		acc = aggregate_accumulator(f, aggregate_row(w->set, group));
		json_write_begin(object, NULL, '{');
		accumulator_put(&acc, object, &array);
		if (acc.distinct)
			put_distinct(&w->distinct[array.field], &f->values, group, object, &array);
		json_write_end(object, '}');
	}
	json_write_end(object, ']');
	if (array.lines)
		json_write_int(object, "lines", (int64_t)array.lines);
	buf_free(&array.items);
	buf_free(&array.line);
}

void aggregate_writer_end(struct aggregate_writer *w)
{
	size_t i;

	for (i = 0; i < w->set->n_fields; i++) {
		free(w->distinct[i].starts);
		free(w->distinct[i].ids);
	}
	free(w->distinct);
}

/* --- reading --- */

/* The states of a field that are read. */
struct aggregate_read_field {
	uint32_t *ids; /* the different values in the state that is being read, as ids in aggregate_field.values */
	size_t n, cap;
	uint64_t numbers, others; /* the sums of the counts of all states that were merged */
};

void aggregate_reader_begin(struct aggregate_reader *r, struct aggregate_set *a)
{
	*r = (struct aggregate_reader){a, mem_zero(1, a->stride), mem_zero(a->n_fields + 1, sizeof *r->fields), 0};
}

static bool read_distinct(struct aggregate_read_field *read, struct value_ids *values, struct str array)
{
	struct str value;
	struct iter w;

	if (!iter_array(&w, array))
		return false;
	while (iter_element(&w, &value)) {
		read->ids = mem_grow(read->ids, &read->cap, read->n + 1, sizeof *read->ids);
		read->ids[read->n++] = (uint32_t)value_ids_put(values, value);
	}
	return true;
}

bool aggregate_reader_member(struct aggregate_reader *r, size_t field, struct str name, struct str value)
{
	struct aggregate_field *f = &r->set->fields[field];
	const struct accumulator acc = aggregate_accumulator(f, r->row);

	if (acc.distinct && str_eq(name, STR("set")))
		return read_distinct(&r->fields[field], &f->values, value);
	return accumulator_read(&acc, name, value, r->set->keep);
}

/* Adds a count to the sum of the counts in all groups. Returns false when that is not in the range of int64. */
static bool add_count(uint64_t *sum, uint64_t count)
{
	if (count > INT64_MAX - *sum)
		return false;
	*sum += count;
	return true;
}

/* Checks the state of a field that was read. Returns NULL, or the reason for a refusal. */
static const char *check_field(struct aggregate_reader *r, size_t field, uint64_t count)
{
	const struct aggregate_field *f = &r->set->fields[field];
	const struct accumulator acc = aggregate_accumulator(f, r->row);
	struct aggregate_read_field *read = &r->fields[field];

	if (!accumulator_complete(&acc, r->set->keep) || (!f->field.each && accumulator_count(acc.numbers) > count))
		return "the members of a field contradict each other";
	if (!add_count(&read->numbers, accumulator_count(acc.numbers)) ||
	    !add_count(&read->others, acc.values ? acc.values->others : 0))
		return STATE_REFUSED_VALUES;
	return NULL;
}

static void merge_field(struct aggregate_reader *r, size_t field, size_t group)
{
	struct aggregate_field *f = &r->set->fields[field];
	const struct accumulator acc = aggregate_accumulator(f, r->row);
	const struct accumulator sum = aggregate_accumulator(f, aggregate_row(r->set, group));
	struct aggregate_read_field *read = &r->fields[field];
	size_t i;

	accumulator_merge(&sum, &acc, r->set->keep);
	for (i = 0; i < read->n; i++)
		aggregate_add_distinct(f, (uint32_t)group, read->ids[i], &sum.distinct->n);
	read->n = 0;
	accumulator_free(&acc);
}

const char *aggregate_reader_merge(struct aggregate_reader *r, size_t group, uint64_t count)
{
	struct aggregate_set *a = r->set;
	const char *why = NULL;
	size_t i;

	if (!add_count(&r->records, count))
		return STATE_REFUSED_RECORDS;
	for (i = 0; i < a->n_fields && !why; i++)
		why = check_field(r, i, count);
	if (why)
		return why;
	if (group >= a->n)
		aggregate_add_groups(a, group + 1);
	*(uint64_t *)aggregate_row(a, group) += count;
	for (i = 0; i < a->n_fields; i++)
		merge_field(r, i, group);
	memset(r->row, 0, a->stride);
	return NULL;
}

void aggregate_reader_end(struct aggregate_reader *r)
{
	struct accumulator acc;
	size_t i;

	for (i = 0; i < r->set->n_fields; i++) {
		acc = aggregate_accumulator(&r->set->fields[i], r->row);
		accumulator_free(&acc);
		free(r->fields[i].ids);
	}
	free(r->fields);
	free(r->row);
}
