#include "rows.h"

#include "expression/arithmetic.h"
#include "program/filter.h"

#include <stdlib.h>

static const char *const all_rows[] = {"sum", "max", "min", "first", "last", NULL};

static bool is(const struct row_value *v, const char *key)
{
	return str_eq(v->line->key, str_of(key));
}

/* Names in expressions about rows are members of the rows, not figures. */
static void show_figures(struct section_figures *f, bool show)
{
	size_t i;

	for (i = 0; i < f->scope.n_names; i++)
		f->scope.names[i].visible = show;
}

void rows_init(struct rows *r, struct section_figures *f, const struct answer *a, const struct section_block *b)
{
	const struct result absent = {.type = RESULT_ABSENT};
	struct buf text = {0};
	size_t i;

	*r = (struct rows){.figures = f, .answer = a};
	show_figures(f, false);
	for (i = 0; i < b->n; i++) {
		const struct section_line *line = &b->lines[i];
		const bool row = str_eq(line->key, STR("row"));
		struct str name, expression;

		if (!row && !str_in(line->key, all_rows))
			continue;
		name = figures_split(f, line->text, &expression);
		r->values = mem_grow(r->values, &r->cap, r->n + 1, sizeof *r->values);
		text.n = 0;
		figures_expand(f, &text, expression, FIGURES_EXPRESSION);
		r->values[r->n] = (struct row_value){.line = line, .x = figures_compile(f, buf_str(&text))};
		if (row)
			figures_set(f, name, &absent);
		r->values[r->n++].name = expression_scope_name(&f->scope, name);
	}
	buf_free(&text);
}

static void keep(struct row_value *v, const struct result *value)
{
	v->text.n = 0;
	result_write(&v->text, value);
}

/* Adds the value of a row to the result of all rows. */
static void add(struct row_value *v, const struct result *value)
{
	const struct result before =
	    v->text.n ? result_json(buf_str(&v->text)) : (struct result){.type = RESULT_ABSENT};
	const struct result number = result_as_number(value);

	v->any = true;
	if (is(v, "sum"))
		running_sum_add(&v->sum, value);
	else if (is(v, "last") || before.type == RESULT_ABSENT) {
		keep(v, value);
	} else if (!is(v, "first") && result_is_number(&number)) {
		const int order = arithmetic_compare(&number, &before);

		if (is(v, "max") ? order > 0 : order < 0)
			keep(v, &number);
	}
}

/* Computes the values of a row. */
static void compute(struct rows *r, struct event *e, bool sum_up)
{
	struct expression_scope *s = &r->figures->scope;
	size_t i;

	s->record++;
	for (i = 0; i < r->n; i++) {
		struct row_value *v = &r->values[i];
		const bool row = is(v, "row");
		struct result value;

		if (!row && !sum_up)
			continue;
		value = expression_value(v->x, s, e);
		if (value.type == RESULT_FAILED)
			value.type = RESULT_ABSENT;
		if (row) {
			s->names[v->name].value = value;
			s->names[v->name].record = s->record;
		} else if (value.type != RESULT_ABSENT) {
			add(v, &value);
		}
	}
}

static void read_all(struct rows *r, bool sum_up, void (*take)(void *arg, struct event *row), void *arg)
{
	char *operands[] = {(char *)r->answer->path, NULL};
	struct input in = {.report = filter_report};
	struct out none = {0};
	struct event e;
	size_t i;

	input_open(&in, operands, &none);
	while (input_next(&in, &e)) {
		compute(r, &e, sum_up);
		if (take)
			take(arg, &e);
	}
	input_close(&in);
	for (i = 0; i < r->n; i++) {
		if (is(&r->values[i], "row"))
			r->figures->scope.names[r->values[i].name].value.type = RESULT_ABSENT;
	}
}

void rows_read(struct rows *r, void (*take)(void *arg, struct event *row), void *arg)
{
	read_all(r, false, take, arg);
}

void rows_sum_up(struct rows *r)
{
	struct result value;
	size_t i;

	for (i = 0; i < r->n && is(&r->values[i], "row"); i++)
		;
	if (i == r->n)
		return;
	read_all(r, true, NULL, NULL);
	for (i = 0; i < r->n; i++) {
		struct row_value *v = &r->values[i];

		if (is(v, "row") || !v->any)
			continue;
		value = is(v, "sum") ? running_sum_get(&v->sum) : result_json(buf_str(&v->text));
		figures_set(r->figures, r->figures->scope.names[v->name].name, &value);
	}
}

struct expression *rows_compile_member(struct rows *r, struct str name)
{
	struct buf quoted = {0};
	struct expression *x;

	field_quote(&quoted, name);
	x = figures_compile(r->figures, buf_str(&quoted));
	buf_free(&quoted);
	return x;
}

void rows_free(struct rows *r)
{
	size_t i;

	show_figures(r->figures, true);
	for (i = 0; i < r->n; i++) {
		expression_free(r->values[i].x);
		running_sum_free(&r->values[i].sum);
		buf_free(&r->values[i].text);
	}
	free(r->values);
}
