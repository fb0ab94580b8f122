#include "table/table_display.h"

#include "base/escape.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/string.h"
#include "record/cxx_short_name.h"

#include <math.h>

enum {
	DECIMALS = 3,       /* maximum number of decimals, except for small numbers */
	MOST_DECIMALS = 12, /* maximum number of decimals of small numbers */
};

/* --- the texts of cells --- */

static void display_text(const struct table_data *d, struct buf *to, struct str s)
{
	escape_text(to, d->options->format == TABLE_MD ? ESCAPE_CELL : ESCAPE_PLAIN, s);
}

/* Returns the number of decimals with which a number has three significant digits in the column's unit. */
static int significant_decimals(const struct table_column *c, struct str number)
{
	double v = 0;
	int decimals = 0;

	num_double(number, &v);
	for (v = fabs(v) * table_column_scale(c); v > 0 && v < 100 && decimals < MOST_DECIMALS; v *= 10)
		decimals++;
	return decimals;
}

/* Returns the number of decimals of a number with all its digits; 0 if it has an exponent. */
static int exact_decimals(const struct table_column *c, struct str number)
{
	char text[NUM_ROOM];
	const char *end = table_column_put(text, c, number, -1), *point = memchr(text, '.', (size_t)(end - text));

	return point && !memchr(text, 'e', (size_t)(end - text)) ? (int)(end - point - 1) : 0;
}

static void add_number(struct table_data *d, size_t i, struct str number)
{
	const struct table_column *c = &d->columns[i];
	int decimals = d->columns[i].decimals, needed, exact;
	char *p, *end = NULL;

	/* The rows that follow those held back were not measured. */
	if (d->row[i].type == VALUE_REAL && !d->n_held && decimals < DECIMALS)
		decimals = DECIMALS;
	needed = c->unit && c->kind != COLUMN_STAMP ? significant_decimals(c, number) : 0;
	if (needed > DECIMALS) { /* a small time or size would have less than three significant digits */
		exact = exact_decimals(c, number);
		needed = exact < needed ? exact : needed;
		decimals = needed > decimals ? needed : decimals;
	}
	if (d->row[i].approx) {
		buf_lit(&d->shown, "≈");
		decimals = table_column_decimals(c) < 0 ? significant_decimals(c, number) : -1;
	}
	p = buf_room(&d->shown, NUM_ROOM);
	if (c->kind == COLUMN_SHARE)
		end = num_put_scaled(p, number, -2, 1);
	if (!end)
		end = table_column_put(p, c, number, decimals);
	d->shown.n += (size_t)(end - p);
}

struct str table_display_cell(struct table_data *d, size_t i, bool whole)
{
	const struct table_column *c = &d->columns[i];
	struct str text = table_data_text(d, i);
	double v;

	d->shown.n = 0;
	if (d->row[i].type == VALUE_NONE)
		return str_of(c->none ? c->none : "");
	if (table_data_is_number(d, i)) {
		add_number(d, i, text);
		return buf_str(&d->shown);
	}
	/* In a column with numbers, a text that reads as a number keeps its quotes: "200" does not look like 200. */
	if (d->row[i].type == VALUE_STRING && !(c->numbers && num_double(json_inner(text), &v))) {
		d->decoded.n = 0;
		json_unescape(&d->decoded, json_inner(text));
		text = buf_str(&d->decoded);
		if (c->kind == COLUMN_NAME && !whole)
			text = cxx_short_name(text, &d->brief);
	}
	display_text(d, &d->shown, text);
	return buf_str(&d->shown);
}

/* --- columns --- */

static void measure_sizes(struct table_data *d)
{
	double v;
	size_t i;

	for (i = 0; i < d->n; i++) {
		struct table_column *c = &d->columns[i];

		if (!table_data_is_number(d, i)) {
			c->strings |= d->row[i].type != VALUE_NONE;
			continue;
		}
		c->numbers = true;
		if (!num_double(table_data_text(d, i), &v))
			continue;
		v = fabs(v) * (c->from ? (double)c->from->factor : 1);
		c->largest = v > c->largest ? v : c->largest;
	}
}

static void measure_decimals(struct table_data *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		int decimals;

		if (!table_data_is_number(d, i) || d->row[i].approx)
			continue;
		decimals = exact_decimals(&d->columns[i], table_data_text(d, i));
		if (decimals > d->columns[i].decimals)
			d->columns[i].decimals = decimals;
	}
}

/* Returns whether a column needs a unit that is the same as that of `first`, which needs one itself. */
static bool shares_unit(const struct table_data *d, size_t i, size_t first)
{
	const struct table_column *c = &d->columns[i], *f = &d->columns[first];

	return !c->unit && c->numbers && (c->kind == COLUMN_TIME || c->kind == COLUMN_SIZE) && c->kind == f->kind &&
	       str_eq(c->field, f->field);
}

/*
 * Chooses a unit for all columns of a field: not too small for the column with the largest numbers, and not too large
 * for the column with the smallest numbers.
 */
static void choose_units(struct table_data *d, size_t first)
{
	double most = 0, least = 0, largest, number;
	const struct unit *unit;
	size_t i;

	for (i = first; i < d->n; i++) {
		if (!shares_unit(d, i, first))
			continue;
		largest = d->columns[i].largest;
		most = largest > most ? largest : most;
		least = largest > 0 && (largest < least || least <= 0) ? largest : least;
	}
	/* At most a tenth of `most`, so that `most` has at least two digits before the point in the chosen unit. */
	number = sqrt(most) * sqrt(least);
	unit = units_fitting(d->columns[first].kind == COLUMN_SIZE, number < most / 10 ? number : most / 10);
	for (i = d->n; i-- > first;) {
		if (shares_unit(d, i, first))
			d->columns[i].unit = unit;
	}
}

/*
 * Chooses the number of decimals that a column shows. Before the call, c->decimals is the number of decimals that
 * its values need.
 */
static void choose_decimals(struct table_column *c, bool more)
{
	double largest = c->largest;
	int most = DECIMALS;

	if (c->kind == COLUMN_STAMP) {
		most = c->unit ? table_column_decimals(c) : 0;
		c->decimals = most > 0 ? most : c->decimals;
		return;
	}
	for (; (c->kind == COLUMN_ANY || c->kind == COLUMN_NAME) && largest > 0 && largest < 1 && most < MOST_DECIMALS;
	     largest *= 10)
		most++; /* more than three for numbers below 1 */
	if (c->decimals > most || (more && c->unit && c->unit->factor > 1))
		c->decimals = most;
}

/* Makes the header. A column without numbers has a unit only if the user gave it. */
static void make_head(const struct table_data *d, struct table_column *c)
{
	const bool utf8 = d->options->utf8;
	const char *unit = c->unit                   ? unit_label(c->unit, utf8)
			   : c->kind == COLUMN_SHARE ? "%"
			   : c->kind != COLUMN_STAMP ? NULL
			   : c->from                 ? unit_label(c->from, utf8)
						     : "ns";

	display_text(d, &c->head, str_of(c->name));
	c->head_name = c->head.n;
	if (!unit || !(c->numbers || table_options_unit(d->options, c->kind)))
		return;
	buf_lit(&c->head, " (");
	buf_add(&c->head, unit, strlen(unit));
	buf_char(&c->head, ')');
}

void table_display_measure(struct table_data *d, bool more)
{
	size_t row, i;

	for (row = 0; table_data_next(d, &row);)
		measure_sizes(d);
	for (i = 0; i < d->n; i++) {
		if (shares_unit(d, i, i))
			choose_units(d, i);
	}
	for (row = 0; table_data_next(d, &row);)
		measure_decimals(d);
	for (i = 0; i < d->n; i++) {
		struct table_column *c = &d->columns[i];

		choose_decimals(c, more);
		make_head(d, c);
		c->right = c->numbers && !c->strings;
	}
}
