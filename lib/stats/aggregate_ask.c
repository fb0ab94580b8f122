/* aggregate_ask: finds and adds the fields and columns of a set by their names. */
#include "stats/aggregate_private.h"

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
		a->fields[field].field.numeric |= !(
		    c.function->needs & (1u << ACCUMULATOR_VALUES | 1u << ACCUMULATOR_EDGES | 1u << ACCUMULATOR_LIST));
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
