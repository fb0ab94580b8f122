#include "stats/aggregate_private.h"
#include "base/int_math.h"

#include <stdlib.h>
#include <string.h>

/* Defines the layout of a group's row: the number of its records, followed by the parts of each field. */
void aggregate_begin(struct aggregate_set *a, size_t keep)
{
	size_t i;
	enum accumulator_part part;

	a->keep = keep;
	a->stride = 16;
	for (i = 0; i < a->n_fields; i++) {
		for (part = 0; part < ACCUMULATOR_PARTS; part++) {
			a->fields[i].at[part] = a->stride;
			if (a->fields[i].parts >> part & 1)
				a->stride += accumulator_size(part);
		}
	}
}

/* --- adding --- */

char *aggregate_row(const struct aggregate_set *a, size_t group)
{
	return a->rows + group * a->stride;
}

static void *part_in(const struct aggregate_field *f, const char *row, enum accumulator_part part)
{
	return f->parts >> part & 1 ? (char *)row + f->at[part] : NULL;
}

static void *part_of(
    const struct aggregate_set *a, const struct aggregate_field *f, size_t group, enum accumulator_part part)
{
	return part_in(f, aggregate_row(a, group), part);
}

static inline struct accumulator acc_in(const struct aggregate_field *f, const char *row)
{
	return (struct accumulator){
	    part_in(f, row, ACCUMULATOR_NUMBERS),
	    part_in(f, row, ACCUMULATOR_SPREAD),
	    part_in(f, row, ACCUMULATOR_EDGES),
	    part_in(f, row, ACCUMULATOR_VALUES),
	    part_in(f, row, ACCUMULATOR_DISTINCT),
	    part_in(f, row, ACCUMULATOR_QUANTILE),
	    part_in(f, row, ACCUMULATOR_LIST),
	    part_in(f, row, ACCUMULATOR_WEIGHTED),
	};
}

struct accumulator aggregate_accumulator(const struct aggregate_field *f, const char *row)
{
	return acc_in(f, row);
}

static inline struct accumulator acc_of(const struct aggregate_set *a, const struct aggregate_field *f, size_t group)
{
	return acc_in(f, a->rows + group * a->stride);
}

void aggregate_add_groups(struct aggregate_set *a, size_t n)
{
	a->rows = mem_grow(a->rows, &a->rows_cap, n, a->stride);
	memset(aggregate_row(a, a->n), 0, (n - a->n) * a->stride);
	a->n = n;
}

static void add_record(struct aggregate_set *a, const uint32_t *groups, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (groups[i] >= a->n)
			aggregate_add_groups(a, (size_t)groups[i] + 1);
		++*(uint64_t *)aggregate_row(a, groups[i]);
	}
	a->records++;
}

void aggregate_add_distinct(struct aggregate_field *f, uint32_t group, uint32_t value, uint64_t *distinct)
{
	const uint32_t pair[2] = {group, value};
	size_t known = f->pairs.n;

	*distinct += map_put(&f->pairs, (struct str){(const char *)pair, sizeof pair}) == known;
}

static void add_rest(struct aggregate_set *a, struct aggregate_field *f, uint32_t group, const struct value *v)
{
	struct accumulator acc = acc_of(a, f, group);

	accumulator_add_rest(&acc, v, (struct record_place){a->part, a->records}, a->keep);
	if (acc.weighted)
		accumulator_add_weighted(acc.weighted, v, &a->weight);
	if (acc.distinct)
		aggregate_add_distinct(f, group, (uint32_t)value_ids_put(&f->values, v->text), &acc.distinct->n);
}

static inline void add_value(struct aggregate_set *a, struct aggregate_field *f, uint32_t group, const struct value *v)
{
	struct accumulator_numbers *numbers = part_of(a, f, group, ACCUMULATOR_NUMBERS);

	if (v->type == VALUE_INT)
		accumulator_add_int(numbers, v->i);
	else if (v->type == VALUE_REAL)
		accumulator_add_real(numbers, v);
	if (f->parts != 1u << ACCUMULATOR_NUMBERS)
		add_rest(a, f, group, v);
}

bool aggregate_add(struct aggregate_set *a, struct event *e, const uint32_t *groups, size_t n)
{
	struct aggregate_field *f;
	struct value v;
	bool good = true;
	size_t field, i, g;

	add_record(a, groups, n);
	a->weight.type = VALUE_NONE;
	for (field = 0; field < a->n_fields; field++) {
		f = &a->fields[field];
		for (i = 0; field_get(&f->field, e, i, &v); i++) {
			if (f->weighs && !i && (v.type == VALUE_INT || v.type == VALUE_REAL))
				a->weight = v;
			if (value_is_huge(&v))
				good = false;
			else
				for (g = 0; g < n; g++)
					add_value(a, f, groups[g], &v);
			if (!f->field.each)
				break;
		}
	}
	return good;
}

/* --- results --- */

uint64_t aggregate_records(const struct aggregate_set *a, size_t group)
{
	return *(const uint64_t *)aggregate_row(a, group);
}

uint64_t aggregate_numbers(const struct aggregate_set *a, size_t group, size_t field)
{
	return accumulator_count(part_of(a, &a->fields[field], group, ACCUMULATOR_NUMBERS));
}

struct quantile *aggregate_quantile(const struct aggregate_set *a, size_t group, size_t field)
{
	return part_of(a, &a->fields[field], group, ACCUMULATOR_QUANTILE);
}

static void sum_of(
    const struct aggregate_set *a, const struct aggregate_column *c, size_t group, struct exact_number *sum)
{
	accumulator_sum(part_of(a, &a->fields[c->field], group, ACCUMULATOR_NUMBERS), sum);
}

void aggregate_totals(struct aggregate_set *a, const size_t *parents)
{
	struct exact_number sum;
	struct aggregate_column *c;
	size_t group;

	a->parents = parents;
	for (c = a->columns; c < a->columns + a->n_columns; c++) {
		exact_int(&c->total, 0);
		for (group = 0; c->function->unit == AGGREGATE_FRACTION && group < a->n; group++) {
			if (parents && parents[group] != SIZE_MAX)
				continue;
			sum_of(a, c, group, &sum);
			exact_add(&c->total, &sum);
		}
	}
}

void aggregate_result(const struct aggregate_set *a, size_t column, size_t group, struct aggregate_scale scale,
    struct aggregate_result *r)
{
	const struct aggregate_column *c = &a->columns[column];
	struct aggregate_function_input t = {.percent = c->percent, .scale = scale, .total = &c->total};
	struct exact_number total;

	*r = (struct aggregate_result){.type = AGGREGATE_ABSENT};
	if (c->field == AGGREGATE_RECORDS) {
		r->type = AGGREGATE_NUMBER;
		r->number = number_of_int((int128)aggregate_records(a, group));
		return;
	}
	t.acc = acc_of(a, &a->fields[c->field], group);
	if (c->function->unit == AGGREGATE_FRACTION && a->parents && a->parents[group] != SIZE_MAX) {
		sum_of(a, c, a->parents[group], &total);
		t.total = &total;
	}
	c->function->done(&t, r);
}

enum aggregate_unit aggregate_unit(const struct aggregate_set *a, size_t column)
{
	return a->columns[column].function->unit;
}

bool aggregate_is_sum(const struct aggregate_set *a, size_t column)
{
	return aggregate_function_is_sum(a->columns[column].function);
}

/* --- folding --- */

/* Returns the number of distinct values in all folded groups together. */
static uint64_t distinct_in(const struct aggregate_field *f, const bool *folded)
{
	bool *seen = mem_zero(f->values.n + 1, sizeof *seen);
	uint32_t pair[2];
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < f->pairs.n; i++) {
		memcpy(pair, map_key(&f->pairs, i).p, sizeof pair);
		if (folded[pair[0]] && !seen[pair[1]]) {
			seen[pair[1]] = true;
			n++;
		}
	}
	free(seen);
	return n;
}

/* Joins the parts of a list, so that the lists of the groups follow each other in the list of all groups. */
static void fold_list(struct value_list *l)
{
	value_list_join(l);
	if (l->n)
		l->segments[0].part = 0;
}

size_t aggregate_fold(struct aggregate_set *a, const size_t *groups, size_t n)
{
	bool *folded = mem_zero(a->n + 1, sizeof *folded);
	size_t i, field, to = a->n;

	aggregate_add_groups(a, a->n + 1);
	for (i = 0; i < n; i++) {
		folded[groups[i]] = true;
		*(uint64_t *)aggregate_row(a, to) += aggregate_records(a, groups[i]);
	}
	for (field = 0; field < a->n_fields; field++) {
		struct aggregate_field *f = &a->fields[field];
		struct accumulator sum = acc_of(a, f, to);

		for (i = 0; i < n; i++) {
			struct accumulator one = acc_of(a, f, groups[i]);

			if (one.list)
				fold_list(one.list);
			accumulator_merge(&sum, &one, a->keep);
		}
		if (sum.distinct)
			sum.distinct->n = distinct_in(f, folded);
	}
	free(folded);
	return to;
}

void aggregate_unfold(struct aggregate_set *a)
{
	size_t field;

	a->n--;
	for (field = 0; field < a->n_fields; field++) {
		struct accumulator acc = acc_of(a, &a->fields[field], a->n);

		accumulator_free(&acc);
	}
}

void aggregate_free(struct aggregate_set *a)
{
	size_t i;

	while (a->n)
		aggregate_unfold(a);
	for (i = 0; i < a->n_fields; i++) {
		field_free(&a->fields[i].field);
		free(a->fields[i].spec);
		value_ids_free(&a->fields[i].values);
		map_free(&a->fields[i].pairs);
	}
	for (i = 0; i < a->n_columns; i++)
		free(a->columns[i].name);
	free(a->fields);
	free(a->columns);
	free(a->rows);
	*a = (struct aggregate_set){0};
}
