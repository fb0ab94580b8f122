/* aggregate_ask: the fields and columns of a set, from the text of options. */
#include "stats/aggregate.h"

#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

size_t aggregate_field(struct aggregate_set *a, const char *option, struct str spec)
{
	size_t i;

	for (i = 0; i < a->n_fields; i++) {
		if (str_eq(spec, str_of(a->fields[i].spec)))
			return i;
	}
	a->fields = mem_grow(a->fields, &a->fields_cap, a->n_fields + 1, sizeof *a->fields);
	a->fields[i] = (struct aggregate_field){.spec = str_dup(spec), .parts = 1u << ACCUMULATOR_NUMBERS};
	field_option(&a->fields[i].field, option, a->fields[i].spec);
	a->n_fields++;
	return i;
}

static char *column_name(const struct aggregate_set *a, struct str name, size_t field)
{
	struct buf b = {0};

	if (field != AGGREGATE_RECORDS) {
		const char *spec = a->fields[field].spec;

		buf_add(&b, spec, strlen(spec));
		buf_char(&b, '_');
	}
	buf_add(&b, name.p, name.n);
	buf_char(&b, '\0');
	return b.p;
}

size_t aggregate_ask(struct aggregate_set *a, const char *option, struct str name, size_t field)
{
	struct aggregate_column c = {.field = field};
	size_t i;

	c.function = aggregate_function_find(name, &c.percent);
	if (!c.function)
		opt_unknown(option, "aggregate", name, aggregate_function_name);
	c.name = column_name(a, name, field);
	for (i = 0; i < a->n_columns; i++) {
		if (str_eq(str_of(a->columns[i].name), str_of(c.name))) {
			free(c.name);
			return i;
		}
	}
	if (field != AGGREGATE_RECORDS) {
		a->fields[field].parts |= c.function->needs;
		a->fields[field].field.numeric |=
		    !(c.function->needs & (1u << ACCUMULATOR_VALUES | 1u << ACCUMULATOR_EDGES));
	}
	a->columns = mem_grow(a->columns, &a->columns_cap, a->n_columns + 1, sizeof *a->columns);
	a->columns[a->n_columns] = c;
	return a->n_columns++;
}

static void ask_of_all(struct aggregate_set *a, const char *option, struct str name, const size_t *fields, size_t n)
{
	size_t i;

	if (n == 0)
		aggregate_ask(a, option, name, aggregate_field(a, option, STR("dur")));
	for (i = 0; i < n; i++)
		aggregate_ask(a, option, name, fields[i]);
}

void aggregate_ask_list(struct aggregate_set *a, const char *option, const char *list, const size_t *fields, size_t n)
{
	struct str piece, name;
	struct buf item = {0};
	const char *rest;

	for (rest = list; opt_item(&rest, &item);) {
		piece = (struct str){item.p, item.n};
		if (str_eq(piece, STR("count")))
			aggregate_ask(a, option, piece, AGGREGATE_RECORDS);
	}
	for (rest = list; opt_item(&rest, &item);) {
		piece = (struct str){item.p, item.n};
		name = str_head(piece, str_find(piece, STR(":")));
		if (name.n < piece.n)
			aggregate_ask(a, option, name, aggregate_field(a, option, str_from(piece, name.n + 1)));
		else if (!str_eq(name, STR("count")))
			ask_of_all(a, option, name, fields, n);
	}
	buf_free(&item);
}
