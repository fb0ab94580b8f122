/* table_display: makes the text that the human formats (md table list) show for a cell. */
#include "table/table_private.h"

#include "json/string.h"
#include "record/cxx_short_name.h"
#include "base/escape.h"
#include "base/num_parse.h"
#include "base/num_format.h"

#include <math.h>
#include <string.h>

void table_display_text(const struct table *t, struct buf *to, struct str s)
{
	escape_text(to, t->options.format == TABLE_MD ? ESCAPE_CELL : ESCAPE_PLAIN, s);
}

/*
 * Returns the number of decimals with which a number has three significant digits in the column's unit, at most `most`.
 */
static int significant_decimals(const struct table_column *c, struct str number, int most)
{
	double v = 0;
	int decimals = 0;

	num_double(number, &v);
	for (v = fabs(v) * table_scale(c); v > 0 && v < 100 && decimals < most; v *= 10)
		decimals++;
	return decimals;
}

/*
 * Returns the number of decimals of a time or size. It is that of the column, or higher if a small number would
 * otherwise have less than three significant digits.
 */
static int decimals_of(const struct table_column *c, struct str number, int decimals)
{
	int needed = significant_decimals(c, number, TABLE_MOST_DECIMALS), exact;
	char text[NUM_ROOM];

	if (needed <= TABLE_DECIMALS)
		return decimals;
	exact = table_decimals(text, table_put_number(text, number, c, -1));
	needed = exact < needed ? exact : needed;
	return needed > decimals ? needed : decimals;
}

static void add_number(const struct table *t, struct buf *to, size_t i, struct str text)
{
	const struct table_column *c = &t->columns[i];
	int decimals = c->decimals;
	char *p, *end = NULL;

	if (t->row[i].type == VALUE_REAL && t->started && decimals < TABLE_DECIMALS)
		decimals = TABLE_DECIMALS;
	if (c->unit && c->kind != COLUMN_STAMP)
		decimals = decimals_of(c, text, decimals);
	if (t->row[i].approx) {
		buf_lit(to, "≈");
		decimals = table_exact_decimals(c) < 0 ? significant_decimals(c, text, TABLE_MOST_DECIMALS) : -1;
	}
	p = buf_room(to, NUM_ROOM);
	if (c->kind == COLUMN_SHARE)
		end = num_put_scaled(p, text, -2, 1);
	if (!end)
		end = table_put_number(p, text, c, decimals);
	to->n += (size_t)(end - p);
}

struct str table_display_cell(struct table *t, size_t i, bool whole)
{
	const struct table_column *c = &t->columns[i];
	struct str text = table_cell(t, i);

	t->two.n = 0;
	if (t->row[i].type == VALUE_NONE)
		return str_of(c->none ? c->none : "");
	if (table_is_number(t->row[i].type)) {
		add_number(t, &t->two, i, text);
	} else {
		if (t->row[i].type == VALUE_STRING) {
			t->one.n = 0;
			json_unescape(&t->one, json_inner(text));
			text = buf_str(&t->one);
			if (c->kind == COLUMN_NAME && !whole)
				text = cxx_short_name(text, &t->brief);
		}
		table_display_text(t, &t->two, text);
	}
	return buf_str(&t->two);
}
