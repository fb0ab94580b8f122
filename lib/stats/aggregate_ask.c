/* aggregate_ask: finds and adds the fields and columns of a set by their names. */
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "stats/aggregate_private.h"
#include "stats/aggregate_state.h"

#include "base/num_parse.h"

#include <stdlib.h>
#include <string.h>

size_t aggregate_field(struct aggregate_set *a, struct str spec, struct fault *fault)
{
	size_t i;

	for (i = 0; i < a->n_fields; i++) {
		if (str_eq(spec, str_of(a->fields[i].spec)))
			return i;
	}
	a->fields = mem_grow(a->fields, &a->fields_cap, a->n_fields + 1, sizeof *a->fields);
	a->fields[i] = (struct aggregate_field){.spec = str_dup(spec), .parts = 1u << ACCUMULATOR_NUMBERS};
	if (!field_compile(&a->fields[i].field, a->fields[i].spec, fault)) {
		free(a->fields[i].spec);
		return AGGREGATE_NONE;
	}
	return a->n_fields++;
}

static char *column_name(const struct aggregate_set *a, struct str name, size_t field)
{
	struct buf b = {0};

	if (field != AGGREGATE_RECORDS) {
		const char *spec = a->fields[field].field.spec;

		buf_add(&b, spec, strlen(spec));
		buf_char(&b, '_');
	}
	buf_add(&b, name.p, name.n);
	buf_char(&b, '\0');
	return b.p;
}

size_t aggregate_ask(struct aggregate_set *a, struct str name, size_t field)
{
	struct aggregate_column c = {.field = field};
	size_t i;

	c.function = aggregate_function_find(name, &c.percent);
	if (!c.function)
		return AGGREGATE_NONE;
	c.name = column_name(a, name, field);
	for (i = 0; i < a->n_columns; i++) {
		if (str_eq(str_of(a->columns[i].name), str_of(c.name))) {
			free(c.name);
			return i;
		}
	}
	if (field != AGGREGATE_RECORDS) {
		a->fields[field].parts |= c.function->needs;
		a->fields[0].weighs |= c.function->needs >> ACCUMULATOR_WEIGHTED & 1;
		a->fields[field].field.numeric |=
		    !(c.function->needs & (1u << ACCUMULATOR_VALUES | 1u << ACCUMULATOR_DISTINCT |
					      1u << ACCUMULATOR_EDGES | 1u << ACCUMULATOR_LIST));
	}
	a->columns = mem_grow(a->columns, &a->columns_cap, a->n_columns + 1, sizeof *a->columns);
	a->columns[a->n_columns] = c;
	return a->n_columns++;
}

const struct field *aggregate_column_field(const struct aggregate_set *a, size_t column)
{
	return aggregate_field_at(a, a->columns[column].field);
}

const char *aggregate_column_name(const struct aggregate_set *a, size_t column)
{
	return a->columns[column].name;
}

struct field *aggregate_field_at(const struct aggregate_set *a, size_t field)
{
	return &a->fields[field].field;
}

/* --- as JSON --- */

void aggregate_ask_write(const struct aggregate_set *a, bool columns, struct buf *object)
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

static bool read_aggregate(struct aggregate_set *a, struct str pair, struct buf *text)
{
	struct str json, name;
	struct iter w;
	uint64_t field;

	if (!iter_array(&w, pair) || !iter_element(&w, &json) || !json_name(text, json, &name))
		return false;
	if (!iter_element(&w, &json))
		return str_eq(name, STR("count")) && aggregate_ask(a, name, AGGREGATE_RECORDS) != AGGREGATE_NONE;
	return num_count(json, &field) && field < a->n_fields &&
	       aggregate_ask(a, name, (size_t)field) != AGGREGATE_NONE;
}

bool aggregate_ask_read(struct aggregate_set *a, struct str fields, struct str aggregates)
{
	struct buf text = {0};
	struct str json, spec;
	struct fault fault;
	struct iter w;
	bool good = iter_array(&w, fields);

	while (good && iter_element(&w, &json))
		good = json_name(&text, json, &spec) && aggregate_field(a, spec, &fault) != AGGREGATE_NONE;
	good = good && iter_array(&w, aggregates);
	while (good && iter_element(&w, &json))
		good = read_aggregate(a, json, &text);
	buf_free(&text);
	return good;
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
