#include "rows.h"

#include "expression/arithmetic.h"
#include "expression/running_sums.h"
#include "program/filter.h"

#include <stdlib.h>

static const struct rows_expression *add_expression(struct rows *r, struct str text, bool member)
{
	struct buf expanded = {0};
	struct rows_expression *e;

	if (member)
		field_quote(&expanded, text);
	else
		figures_expand(r->figures, &expanded, text, FIGURES_EXPRESSION, NULL);
	r->list = mem_grow(r->list, &r->cap, r->n + 1, sizeof *r->list);
	e = &r->list[r->n++];
	*e = (struct rows_expression){.text = text, .member = member};
	e->x = figures_compile(r->figures, &r->scope, buf_str(&expanded));
	buf_free(&expanded);
	return e;
}

static void add_named(struct rows *r, struct str name, struct str expression)
{
	add_expression(r, expression, false);
	r->list[r->n_values].name = expression_scope_name(&r->scope, name);
	r->scope.names[r->list[r->n_values++].name].visible = true;
}

/* Adds the figures of a list of names as values. A figure without a value counts as 0. */
static void add_figures(struct rows *r, struct str names)
{
	struct str name;
	struct buf text = {0};

	while ((name = section_word(&names)).n) {
		text.n = 0;
		buf_lit(&text, "default({");
		buf_add(&text, name.p, name.n);
		buf_lit(&text, "},0)");
		add_named(r, name, buf_str(&text));
	}
	buf_free(&text);
}

void rows_open(struct rows *r, struct figures *f, const struct answer *a, const struct section_block *b)
{
	struct str name, expression;
	size_t i;

	*r = (struct rows){.figures = f, .operands = {(char *)a->path}, .input.report = filter_report};
	for (i = 0; i < b->n; i++) {
		if (!str_eq(b->lines[i].key, STR("row")))
			continue;
		if (field_span(b->lines[i].text, "=") == b->lines[i].text.n) {
			add_figures(r, b->lines[i].text);
			continue;
		}
		name = figures_split(f, b->lines[i].text, &expression);
		add_named(r, name, expression);
	}
	input_open(&r->input, r->operands, &r->out);
}

static struct result evaluate(struct rows *r, struct expression *x)
{
	const struct result value = expression_value(x, &r->scope, &r->row);

	return value.type == RESULT_FAILED ? result_absent() : value;
}

bool rows_next(struct rows *r)
{
	size_t i;

	if (!input_next(&r->input, &r->row))
		return false;
	r->scope.record++;
	for (i = 0; i < r->n_values; i++) {
		struct expression_name *name = &r->scope.names[r->list[i].name];

		name->value = evaluate(r, r->list[i].x);
		name->record = r->scope.record;
	}
	return true;
}

/* Compiles an expression, or the name of a member, when it is first needed. */
static struct result row_value(struct rows *r, struct str text, bool member)
{
	size_t i = r->n_values;

	while (i < r->n && !(r->list[i].member == member && str_eq(r->list[i].text, text)))
		i++;
	return evaluate(r, (i < r->n ? &r->list[i] : add_expression(r, text, member))->x);
}

struct result rows_member(struct rows *r, struct str name)
{
	return row_value(r, name, true);
}

void rows_close(struct rows *r)
{
	size_t i;

	input_close(&r->input);
	for (i = 0; i < r->n; i++)
		expression_free(r->list[i].x);
	free(r->list);
	expression_scope_free(&r->scope);
}

/* --- figures of all rows --- */

/* A line that sets figures. */
struct total {
	enum total_kind { TOTAL_MEMBERS, TOTAL_NAMED, TOTAL_FIRST, TOTAL_SUM, TOTAL_MIN, TOTAL_KINDS } kind;
	struct str name, expression;
	bool any; /* a row had a value, and the figure is the result so far */
	struct running_sum sum;
};

static const char *const total_keys[] = {"members", "named", "first", "sum", "min"};

/* Sets the figure of a line if the row changes it. */
static void add_row(struct total *t, struct rows *r)
{
	struct result value, number, name;
	struct buf room = {0};

	if (t->kind == TOTAL_MEMBERS && !t->any)
		figures_set_members(r->figures, r->row.raw);
	value = t->kind == TOTAL_MEMBERS ? result_int(1) : row_value(r, t->expression, false);
	if (value.type == RESULT_ABSENT)
		return;
	switch (t->kind) {
	case TOTAL_NAMED:
		name = rows_member(r, t->name);
		figures_set(r->figures, result_as_text(&name, &room), value);
		buf_free(&room);
		return;
	case TOTAL_SUM:
		running_sum_add(&t->sum, &value);
		value = running_sum_get(&t->sum);
		break;
	case TOTAL_MIN:
		number = result_as_number(&value);
		value = figures_get(r->figures, t->name);
		if (t->any && arithmetic_compare(&number, &value) >= 0)
			return;
		value = number;
		break;
	default:
		if (t->any)
			return;
	}
	t->any = true;
	if (t->kind != TOTAL_MEMBERS)
		figures_set(r->figures, t->name, value);
}

void rows_sum_up(struct figures *f, const struct answer *a, const struct section_block *b)
{
	struct total *totals = mem_zero(b->n, sizeof *totals);
	size_t n = 0, i, kind;
	struct rows r;

	for (i = 0; i < b->n; i++) {
		for (kind = 0; kind < TOTAL_KINDS && !str_eq(b->lines[i].key, str_of(total_keys[kind])); kind++)
			;
		if (kind == TOTAL_KINDS)
			continue;
		totals[n].kind = (enum total_kind)kind;
		if (kind != TOTAL_MEMBERS)
			totals[n].name = figures_split(f, b->lines[i].text, &totals[n].expression);
		n++;
	}
	if (n) {
		for (rows_open(&r, f, a, b); rows_next(&r);) {
			for (i = 0; i < n; i++)
				add_row(&totals[i], &r);
		}
		rows_close(&r);
	}
	for (i = 0; i < n; i++)
		running_sum_free(&totals[i].sum);
	free(totals);
}
