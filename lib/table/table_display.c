/* table_display: makes the text that the human formats (md table list) show for a cell. */
#include "table/table_private.h"

#include "json/string.h"
#include "record/cxx_short_name.h"
#include "base/num_parse.h"
#include "base/num_format.h"

#include <math.h>

void table_display_text(const struct table *t, struct buf *to, struct str s)
{
	bool md = t->options.format == TABLE_MD;
	uint32_t code;
	size_t n;

	for (; s.n; s = str_from(s, n)) {
		n = utf8_decode(s, &code);
		if (!n) {
			n = 1;
			code = (unsigned char)*s.p;
		}
		if (md && code == '\n') {
			buf_lit(to, "<br>");
		} else if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
			buf_char(to, '\\');
			if (code == '\n' || code == '\t' || code == '\r') {
				buf_char(to, code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
				continue;
			}
			buf_char(to, 'x');
			buf_hex(to, &(unsigned char){(unsigned char)code}, 1);
		} else {
			/* Markdown would treat <unnamed> as a tag and not show it. */
			if (md && (code == '|' || (code == '<' && s.n > 1)))
				buf_char(to, '\\');
			buf_add(to, s.p, n);
		}
	}
}

/*
 * Returns the number of decimals needed to show three digits of a number in a unit whose factor is not a power of ten.
 */
static int few_decimals(struct str number, const struct unit *unit)
{
	double v = 0;
	int decimals = 0;

	num_double(number, &v);
	for (v = fabs(v) / (double)unit->factor; v > 0 && v < 100 && decimals < 12; v *= 10)
		decimals++;
	return decimals;
}

static void add_number(const struct table *t, struct buf *to, size_t i, struct str text)
{
	const struct table_column *c = &t->columns[i];
	char *p, *end = NULL;
	int decimals = c->decimals;

	/* A row that comes after the columns were measured can have a number that needs more decimals. */
	if (t->row[i].type == VALUE_REAL && t->started && decimals < TABLE_DECIMALS)
		decimals = TABLE_DECIMALS;
	if (t->row[i].approx) {
		buf_lit(to, "≈");
		decimals = c->unit && table_power_of_ten(c->unit->factor) < 0 ? few_decimals(text, c->unit) : -1;
	}
	p = buf_room(to, NUM_ROOM);
	if (c->kind == COLUMN_SHARE)
		end = num_put_scaled(p, text, -2, 1);
	if (!end)
		end = table_put_number(p, text, c->unit, decimals);
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
			text = (struct str){t->one.p, t->one.n};
			if (c->kind == COLUMN_NAME && !whole)
				text = cxx_short_name(text, &t->brief);
		}
		table_display_text(t, &t->two, text);
	}
	return (struct str){t->two.p, t->two.n};
}
