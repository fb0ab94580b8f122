/* table_measure: holds rows back, and decides the columns' units, decimals, headers and widths from them. */
#include "table/table_private.h"
#include "base/num_parse.h"
#include "base/num_format.h"
#include "table/text_width.h"

#include <math.h>
#include <string.h>

/* --- rows held back --- */

void table_measure_hold(struct table *t)
{
	size_t i, head;

	for (i = 0; i < t->n; i++) {
		head = t->row[i].n << 4 | (size_t)t->row[i].approx << 3 | t->row[i].type;
		buf_add(&t->held, &head, sizeof head);
		buf_add(&t->held, table_cell(t, i).p, t->row[i].n);
	}
	t->n_held++;
}

void table_measure_each(struct table *t, void (*visit)(struct table *t))
{
	const char *p = t->held.p;
	size_t r, i, head;

	for (r = 0; r < t->n_held; r++) {
		table_clear_row(t);
		for (i = 0; i < t->n; i++) {
			memcpy(&head, p, sizeof head);
			p += sizeof head;
			table_set_cell(t, i, (enum value_type)(head & 7), (struct str){p, head >> 4});
			t->row[i].approx = head >> 3 & 1;
			p += head >> 4;
		}
		visit(t);
	}
	table_clear_row(t);
}

/* --- measuring the rows --- */

int table_decimals(const char *p, const char *end)
{
	const char *point = memchr(p, '.', (size_t)(end - p));

	return point && !memchr(p, 'e', (size_t)(end - p)) ? (int)(end - point - 1) : 0;
}

/* Returns the maximum number of decimals to show: three, or more for numbers below 1. */
static int most_decimals(double largest)
{
	int decimals = TABLE_DECIMALS;

	for (; largest > 0 && largest < 1 && decimals < TABLE_MOST_DECIMALS; largest *= 10)
		decimals++;
	return decimals;
}

static void measure_sizes(struct table *t)
{
	double v;
	size_t i;

	for (i = 0; i < t->n; i++) {
		struct table_column *c = &t->columns[i];

		if (!table_is_number(t->row[i].type)) {
			c->strings |= t->row[i].type != VALUE_NONE;
			continue;
		}
		c->numbers = true;
		if (!num_double(table_cell(t, i), &v))
			continue;
		v = fabs(v) * (c->from ? (double)c->from->factor : 1);
		c->largest = v > c->largest ? v : c->largest;
	}
}

static void measure_decimals(struct table *t)
{
	char text[NUM_ROOM];
	size_t i;

	for (i = 0; i < t->n; i++) {
		struct table_column *c = &t->columns[i];
		int decimals;

		if (!table_is_number(t->row[i].type) || t->row[i].approx)
			continue;
		decimals = table_decimals(text, table_put_number(text, table_cell(t, i), c, -1));
		if (decimals > c->decimals)
			c->decimals = decimals;
	}
}

static void measure_widths(struct table *t)
{
	size_t i, width;

	for (i = 0; i < t->n; i++) {
		width = text_width(table_display_cell(t, i, t->options.wide));
		if (width > t->columns[i].cells)
			t->columns[i].cells = width;
	}
}

static bool needs_unit(const struct table_column *c)
{
	return !c->unit && c->numbers && (c->kind == COLUMN_TIME || c->kind == COLUMN_SIZE);
}

/*
 * Chooses a unit for all columns of a field: not too small for the column with the largest numbers, and not too large
 * for the column with the smallest numbers.
 */
static void choose_units(struct table *t, size_t first)
{
	const struct table_column *c = &t->columns[first];
	double most = 0, least = 0, largest, number;
	const struct unit *unit;
	size_t i;

	for (i = first; i < t->n; i++) {
		largest = t->columns[i].largest;
		if (!needs_unit(&t->columns[i]) || t->columns[i].kind != c->kind ||
		    !str_eq(t->columns[i].field, c->field))
			continue;
		most = largest > most ? largest : most;
		least = largest > 0 && (largest < least || least <= 0) ? largest : least;
	}
	/* At most a tenth of `most`, so that `most` has at least two digits before the point in the chosen unit. */
	number = sqrt(most) * sqrt(least);
	unit = units_fitting(c->kind == COLUMN_SIZE, number < most / 10 ? number : most / 10);
	for (i = t->n; i-- > first;) {
		if (needs_unit(&t->columns[i]) && t->columns[i].kind == c->kind &&
		    str_eq(t->columns[i].field, c->field))
			t->columns[i].unit = unit;
	}
}

/*
 * Chooses the number of decimals that a column shows. Before the call, c->decimals is the number of decimals that its
 * values need. `more`: more rows follow.
 */
static void choose_decimals(struct table_column *c, bool more)
{
	int most = TABLE_DECIMALS;

	if (c->kind == COLUMN_STAMP) {
		most = c->unit ? table_exact_decimals(c) : 0;
		c->decimals = most > 0 ? most : c->decimals;
		return;
	}
	if (c->kind == COLUMN_ANY || c->kind == COLUMN_NAME)
		most = most_decimals(c->largest);
	if (c->decimals > most || (more && c->unit && c->unit->factor > 1))
		c->decimals = most;
}

static void make_head(struct table *t, struct table_column *c)
{
	const char *unit = c->unit                   ? c->unit->name
			   : c->kind == COLUMN_SHARE ? "%"
			   : c->kind != COLUMN_STAMP ? NULL
			   : c->from                 ? c->from->name
						     : "ns";

	c->head.n = 0;
	table_display_text(t, &c->head, str_of(c->name));
	c->head_name = c->head.n;
	if (unit && (c->numbers || table_given_unit(t, c->kind))) {
		buf_lit(&c->head, " (");
		buf_add(&c->head, unit, strlen(unit));
		buf_char(&c->head, ')');
	}
	c->width = text_width(buf_str(&c->head));
	if (t->options.format == TABLE_MD && c->width < 3)
		c->width = 3;
}

void table_measure_columns(struct table *t, bool more)
{
	size_t i;

	table_measure_each(t, measure_sizes);
	for (i = 0; i < t->n; i++) {
		if (needs_unit(&t->columns[i]))
			choose_units(t, i);
	}
	table_measure_each(t, measure_decimals);
	for (i = 0; i < t->n; i++) {
		choose_decimals(&t->columns[i], more);
		make_head(t, &t->columns[i]);
		if (t->columns[i].width > t->head_width)
			t->head_width = t->columns[i].width;
	}
	if (t->options.format == TABLE_LIST)
		return;
	table_measure_each(t, measure_widths);
	for (i = 0; i < t->n; i++) {
		if (t->columns[i].cells > t->columns[i].width)
			t->columns[i].width = t->columns[i].cells;
	}
}
