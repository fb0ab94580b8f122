#include "stats/aggregate.h"

#include "base/int_math.h"
#include "base/num_parse.h"
#include "base/order.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "record/value_ids.h"
#include "stats/state_text.h"

#include <stdlib.h>
#include <string.h>

/* A field with requested aggregates. */
struct aggregate_field {
	struct field field;
	char *spec;          /* its text */
	unsigned components; /* the components that groups store, as bits 1u << enum accumulator_component */
	size_t at[ACCUMULATOR_COMPONENTS]; /* offset of each component in a group's row */
	bool weighs;                       /* the field has the weights of `wmean` */
	/* for the aggregate `distinct`: all values, and the pairs of group and value that occurred */
	struct value_ids values;
	struct map pairs;
	size_t *sorted_pairs; /* in the order of groups, then of values; NULL before a state is written */
	uint32_t *read;       /* the different values in the state that is being read, as ids in `values` */
	size_t n_read, read_cap;
	uint64_t read_numbers, read_others; /* the sums of the counts of all states that were read */
};

/* --- fields and columns --- */

size_t aggregate_field(struct aggregate_set *a, struct str spec, struct fault *fault)
{
	size_t i;

	for (i = 0; i < a->n_fields; i++) {
		if (str_eq(spec, str_of(a->fields[i].spec)))
			return i;
	}
	a->fields = mem_grow(a->fields, &a->fields_cap, a->n_fields + 1, sizeof *a->fields);
	a->fields[i] = (struct aggregate_field){.spec = str_dup(spec), .components = 1u << ACCUMULATOR_NUMBERS};
	if (!field_compile(&a->fields[i].field, str_of(a->fields[i].spec), fault)) {
		free(a->fields[i].spec);
		return AGGREGATE_NONE;
	}
	return a->n_fields++;
}

size_t aggregate_request(struct aggregate_set *a, struct str name, size_t field)
{
	struct aggregate_column c = {.field = field};
	struct buf text = {0};
	size_t i;

	c.function = aggregate_function_find(name, &c.percent);
	if (!c.function)
		return AGGREGATE_NONE;
	if (field != AGGREGATE_RECORDS) {
		buf_add(&text, a->fields[field].field.spec, strlen(a->fields[field].field.spec));
		buf_char(&text, '_');
	}
	buf_add(&text, name.p, name.n);
	buf_char(&text, '\0');
	c.name = text.p;
	for (i = 0; i < a->n_columns; i++) {
		if (strcmp(a->columns[i].name, c.name) == 0) {
			free(c.name);
			return i;
		}
	}
	if (field != AGGREGATE_RECORDS) {
		a->fields[field].components |= c.function->needs;
		a->fields[0].weighs |= c.function->needs >> ACCUMULATOR_WEIGHTED & 1;
		a->fields[field].field.numeric |=
		    !(c.function->needs & (1u << ACCUMULATOR_OTHERS | 1u << ACCUMULATOR_DISTINCT |
					      1u << ACCUMULATOR_EDGES | 1u << ACCUMULATOR_LIST));
	}
	a->columns = mem_grow(a->columns, &a->columns_cap, a->n_columns + 1, sizeof *a->columns);
	a->columns[a->n_columns] = c;
	return a->n_columns++;
}

struct field *aggregate_field_at(const struct aggregate_set *a, size_t field)
{
	return &a->fields[field].field;
}

/* Defines the layout of a group's row: the number of its records, followed by the components of each field. */
void aggregate_begin(struct aggregate_set *a, size_t keep)
{
	size_t i;
	enum accumulator_component component;

	a->keep = keep;
	a->stride = 16;
	for (i = 0; i < a->n_fields; i++) {
		for (component = 0; component < ACCUMULATOR_COMPONENTS; component++) {
			a->fields[i].at[component] = a->stride;
			if (a->fields[i].components >> component & 1)
				a->stride += accumulator_size(component);
		}
	}
	a->read = mem_zero(1, a->stride);
}

/* --- adding --- */

/* Returns the row of a group: the number of its records, as a uint64_t, and the components of all accumulators. */
static char *row_of(const struct aggregate_set *a, size_t group)
{
	return a->rows + group * a->stride;
}

static void *component_in(const struct aggregate_field *f, const char *row, enum accumulator_component component)
{
	return f->components >> component & 1 ? (char *)row + f->at[component] : NULL;
}

static inline struct accumulator acc_in(const struct aggregate_field *f, const char *row)
{
	return (struct accumulator){
	    component_in(f, row, ACCUMULATOR_NUMBERS),
	    component_in(f, row, ACCUMULATOR_SPREAD),
	    component_in(f, row, ACCUMULATOR_EDGES),
	    component_in(f, row, ACCUMULATOR_OTHERS),
	    component_in(f, row, ACCUMULATOR_DISTINCT),
	    component_in(f, row, ACCUMULATOR_QUANTILE),
	    component_in(f, row, ACCUMULATOR_LIST),
	    component_in(f, row, ACCUMULATOR_WEIGHTED),
	};
}

/* Adds groups without records, so that there are n. */
static void add_groups(struct aggregate_set *a, size_t n)
{
	a->rows = mem_grow(a->rows, &a->rows_cap, n, a->stride);
	memset(row_of(a, a->n), 0, (n - a->n) * a->stride);
	a->n = n;
}

/* Counts a value, given by its id in f->values, unless it was counted in the group before. */
static void add_distinct(struct aggregate_field *f, uint32_t group, uint32_t value, uint64_t *distinct)
{
	const uint32_t pair[2] = {group, value};
	size_t known = f->pairs.n;

	*distinct += map_put(&f->pairs, (struct str){(const char *)pair, sizeof pair}) == known;
}

/* Adds a value to all components except the numbers. */
static void add_rest(struct aggregate_set *a, struct aggregate_field *f, uint32_t group, const struct value *v)
{
	struct accumulator acc = acc_in(f, row_of(a, group));

	accumulator_add_rest(&acc, v, (struct record_position){a->part, a->records}, a->keep);
	if (acc.weighted)
		accumulator_add_weighted(acc.weighted, v, &a->weight);
	if (acc.distinct)
		add_distinct(f, group, (uint32_t)value_ids_put(&f->values, v->text), acc.distinct);
}

static inline void add_value(struct aggregate_set *a, struct aggregate_field *f, uint32_t group, const struct value *v)
{
	struct accumulator_numbers *numbers = component_in(f, row_of(a, group), ACCUMULATOR_NUMBERS);

	if (v->type == VALUE_INT)
		accumulator_add_int(numbers, v->i);
	else if (v->type == VALUE_REAL)
		accumulator_add_real(numbers, v);
	if (f->components != 1u << ACCUMULATOR_NUMBERS)
		add_rest(a, f, group, v);
}

bool aggregate_add(struct aggregate_set *a, struct event *e, const uint32_t *groups, size_t n)
{
	struct aggregate_field *f;
	struct value v;
	bool good = true;
	size_t field, i, g;

	for (g = 0; g < n; g++) {
		if (groups[g] >= a->n)
			add_groups(a, (size_t)groups[g] + 1);
		++*(uint64_t *)row_of(a, groups[g]);
	}
	a->records++;
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
	return *(const uint64_t *)row_of(a, group);
}

uint64_t aggregate_numbers(const struct aggregate_set *a, size_t group, size_t field)
{
	return accumulator_count(component_in(&a->fields[field], row_of(a, group), ACCUMULATOR_NUMBERS));
}

struct quantile *aggregate_quantile(const struct aggregate_set *a, size_t group, size_t field)
{
	return component_in(&a->fields[field], row_of(a, group), ACCUMULATOR_QUANTILE);
}

static void sum_of(
    const struct aggregate_set *a, const struct aggregate_column *c, size_t group, struct exact_number *sum)
{
	accumulator_sum(component_in(&a->fields[c->field], row_of(a, group), ACCUMULATOR_NUMBERS), sum);
}

void aggregate_totals(struct aggregate_set *a, const size_t *parents)
{
	struct exact_number sum;
	struct aggregate_column *c;
	size_t group;

	a->parents = parents;
	for (c = a->columns; a->n_columns && c < a->columns + a->n_columns; c++) {
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
	struct aggregate_function_input t = {
	    .percent = c->percent, .variant = c->function->variant, .scale = scale, .total = &c->total};
	struct exact_number total;

	*r = (struct aggregate_result){.type = AGGREGATE_ABSENT};
	if (c->field == AGGREGATE_RECORDS) {
		r->type = AGGREGATE_NUMBER;
		r->number = number_of_int((int128)aggregate_records(a, group));
		return;
	}
	t.acc = acc_in(&a->fields[c->field], row_of(a, group));
	if (c->function->unit == AGGREGATE_FRACTION && a->parents && a->parents[group] != SIZE_MAX) {
		sum_of(a, c, a->parents[group], &total);
		t.total = &total;
	}
	c->function->done(&t, r);
}

bool aggregate_is_ordered(const struct aggregate_set *a)
{
	size_t i;

	for (i = 0; i < a->n_columns; i++) {
		if (a->columns[i].function->needs & (1u << ACCUMULATOR_EDGES | 1u << ACCUMULATOR_LIST))
			return true;
	}
	return false;
}

/* --- folding --- */

/* Gets the pair i of a group and a value. */
static void get_pair(const struct aggregate_field *f, size_t i, uint32_t pair[2])
{
	memcpy(pair, map_key(&f->pairs, i).p, 2 * sizeof *pair);
}

size_t aggregate_fold(struct aggregate_set *a, const size_t *groups, size_t n)
{
	bool *folded = mem_zero(a->n + 1, sizeof *folded), *seen;
	size_t i, field, to = a->n;
	uint32_t pair[2];

	add_groups(a, a->n + 1);
	for (i = 0; i < n; i++) {
		folded[groups[i]] = true;
		*(uint64_t *)row_of(a, to) += aggregate_records(a, groups[i]);
	}
	for (field = 0; field < a->n_fields; field++) {
		struct aggregate_field *f = &a->fields[field];
		struct accumulator sum = acc_in(f, row_of(a, to));

		for (i = 0; i < n; i++) {
			struct accumulator one = acc_in(f, row_of(a, groups[i]));

			if (one.list)
				accumulator_join(one.list); /* the lists follow each other */
			accumulator_merge(&sum, &one, a->keep);
		}
		if (!sum.distinct)
			continue;
		seen = mem_zero(f->values.n + 1, sizeof *seen);
		for (i = 0; i < f->pairs.n; i++) {
			get_pair(f, i, pair);
			if (folded[pair[0]] && !seen[pair[1]])
				++*sum.distinct;
			seen[pair[1]] |= folded[pair[0]];
		}
		free(seen);
	}
	free(folded);
	return to;
}

static void free_row(struct aggregate_set *a, const char *row)
{
	struct accumulator acc;
	size_t i;

	for (i = 0; i < a->n_fields; i++) {
		acc = acc_in(&a->fields[i], row);
		accumulator_free(&acc);
	}
}

void aggregate_unfold(struct aggregate_set *a)
{
	free_row(a, row_of(a, --a->n));
}

/* --- the question in partial results --- */

void aggregate_write_question(const struct aggregate_set *a, bool columns, struct buf *object)
{
	const struct aggregate_column *c;
	const char *name;
	size_t i;

	json_write_begin(object, "fields", '[');
	for (i = 0; i < a->n_fields; i++)
		json_write_text(object, NULL, str_of(a->fields[i].spec));
	json_write_end(object, ']');
	if (!columns)
		return;
	json_write_begin(object, "aggregates", '[');
	for (i = 0; i < a->n_columns; i++) {
		c = &a->columns[i];
		name = c->name + (c->field == AGGREGATE_RECORDS ? 0 : strlen(a->fields[c->field].field.spec) + 1);
		json_write_begin(object, NULL, '[');
		json_write_text(object, NULL, str_of(name));
		if (c->field != AGGREGATE_RECORDS)
			json_write_int(object, NULL, (int64_t)c->field);
		json_write_end(object, ']');
	}
	json_write_end(object, ']');
}

bool aggregate_read_question(struct aggregate_set *a, struct str fields, struct str aggregates)
{
	struct buf text = {0};
	struct str json, spec;
	uint64_t field = AGGREGATE_RECORDS;
	struct fault fault;
	struct iter w, pair;
	bool good = iter_array(&w, fields);

	while (good && iter_element(&w, &json))
		good = json_name(&text, json, &spec) && aggregate_field(a, spec, &fault) != AGGREGATE_NONE;
	good = good && iter_array(&w, aggregates);
	while (good && iter_element(&w, &json)) { /* ["sum",0]: an aggregate and its field; ["count"]: of records */
		good = iter_array(&pair, json) && iter_element(&pair, &json) && json_name(&text, json, &spec);
		if (good && iter_element(&pair, &json))
			good = num_count(json, &field) && field < a->n_fields;
		else
			good = good && str_eq(spec, STR("count"));
		good = good && aggregate_request(a, spec, (size_t)field) != AGGREGATE_NONE;
		field = AGGREGATE_RECORDS;
	}
	buf_free(&text);
	return good;
}

/* --- writing states --- */

/* Compares pairs by their groups, then by their values. */
static int compare_pairs(const void *field, size_t a, size_t b)
{
	const struct aggregate_field *f = field;
	uint32_t left[2], right[2];

	get_pair(f, a, left);
	get_pair(f, b, right);
	if (left[0] != right[0])
		return left[0] < right[0] ? -1 : 1;
	return str_cmp(value_ids_text(&f->values, left[1]), value_ids_text(&f->values, right[1]));
}

/* Writes the different values of a field in a group. */
static void write_distinct(struct aggregate_field *f, size_t group, struct buf *object, struct state_array *w)
{
	size_t low = 0, high = f->pairs.n, mid;
	uint32_t pair[2];

	if (!f->sorted_pairs)
		f->sorted_pairs = order_sort(f->pairs.n, compare_pairs, f);
	while (low < high) { /* finds the first pair of the group */
		mid = low + (high - low) / 2;
		get_pair(f, f->sorted_pairs[mid], pair);
		if (pair[0] < group)
			low = mid + 1;
		else
			high = mid;
	}
	state_array_begin(w, "set");
	for (; low < f->pairs.n; low++) {
		get_pair(f, f->sorted_pairs[low], pair);
		if (pair[0] != group)
			break;
		json_write_json(state_array_item(w), NULL, value_ids_text(&f->values, pair[1]));
	}
	state_array_end(w, object);
}

void aggregate_write_state(struct aggregate_set *a, size_t group, struct buf *object, struct out *lines)
{
	struct state_array array = {.out = lines};
	struct accumulator acc;

	json_write_int(object, "count", (int64_t)aggregate_records(a, group));
	json_write_begin(object, "fields", '[');
	for (; array.field < a->n_fields; array.field++) {
		acc = acc_in(&a->fields[array.field], row_of(a, group));
		json_write_begin(object, NULL, '{');
		accumulator_write(&acc, object, &array);
		if (acc.distinct)
			write_distinct(&a->fields[array.field], group, object, &array);
		json_write_end(object, '}');
	}
	json_write_end(object, ']');
	if (array.lines)
		json_write_int(object, "lines", (int64_t)array.lines);
	bufs_free(&array.items, &array.line);
}

/* --- reading states --- */

bool aggregate_read_member(struct aggregate_set *a, size_t field, struct str name, struct str value)
{
	struct aggregate_field *f = &a->fields[field];
	const struct accumulator acc = acc_in(f, a->read);
	struct str element;
	struct iter w;

	if (!acc.distinct || !str_eq(name, STR("set")))
		return accumulator_read(&acc, name, value, a->keep);
	if (!iter_array(&w, value))
		return false;
	while (iter_element(&w, &element)) {
		f->read = mem_grow(f->read, &f->read_cap, f->n_read + 1, sizeof *f->read);
		f->read[f->n_read++] = (uint32_t)value_ids_put(&f->values, element);
	}
	return true;
}

/* Adds a count to the sum of the counts in all groups. Returns false when that is not in the range of int64. */
static bool add_count(uint64_t *sum, uint64_t count)
{
	if (count > INT64_MAX - *sum)
		return false;
	*sum += count;
	return true;
}

const char *aggregate_merge_state(struct aggregate_set *a, size_t group, uint64_t count)
{
	struct accumulator acc, sum;
	struct aggregate_field *f;
	size_t i;

	if (!add_count(&a->read_records, count))
		return STATE_REFUSED_RECORDS;
	for (f = a->fields; a->n_fields && f < a->fields + a->n_fields; f++) {
		acc = acc_in(f, a->read);
		if (!accumulator_complete(&acc) || (!f->field.each && accumulator_count(acc.numbers) > count))
			return "the members of a field contradict each other";
		if (!add_count(&f->read_numbers, accumulator_count(acc.numbers)) ||
		    !add_count(&f->read_others, acc.others ? *acc.others : 0))
			return STATE_REFUSED_VALUES;
	}
	if (group >= a->n)
		add_groups(a, group + 1);
	*(uint64_t *)row_of(a, group) += count;
	for (f = a->fields; a->n_fields && f < a->fields + a->n_fields; f++) {
		acc = acc_in(f, a->read);
		sum = acc_in(f, row_of(a, group));
		accumulator_merge(&sum, &acc, a->keep);
		for (i = 0; i < f->n_read; i++)
			add_distinct(f, (uint32_t)group, f->read[i], sum.distinct);
		f->n_read = 0;
		accumulator_free(&acc);
	}
	memset(a->read, 0, a->stride);
	return NULL;
}

void aggregate_free(struct aggregate_set *a)
{
	size_t i;

	while (a->n)
		aggregate_unfold(a);
	if (a->read)
		free_row(a, a->read);
	for (i = 0; i < a->n_fields; i++) {
		field_free(&a->fields[i].field);
		mem_free(a->fields[i].spec, a->fields[i].sorted_pairs, a->fields[i].read);
		value_ids_free(&a->fields[i].values);
		map_free(&a->fields[i].pairs);
	}
	for (i = 0; i < a->n_columns; i++)
		free(a->columns[i].name);
	mem_free(a->fields, a->columns, a->rows, a->read);
	*a = (struct aggregate_set){0};
}
