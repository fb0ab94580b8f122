#include "table/table_private.h"

#include "base/num_format.h"
#include "json/string.h"
#include "base/num_parse.h"

#include <math.h>

enum {
	DECIMALS = 3, /* at most, of numbers of 1 and more */
};

/* --- what a cell looks like --- */

/* Appends text with what would break the line or the terminal made visible. */
static void add_visible(const struct table *t, struct buf *to, struct str s)
{
	static const char hex[] = "0123456789abcdef";
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
			buf_char(to, hex[code >> 4]);
			buf_char(to, hex[code & 15]);
		} else {
			/* In Markdown <unnamed> would be taken for a tag and not be seen. */
			if (md && (code == '|' || (code == '<' && s.n > 1)))
				buf_char(to, '\\');
			buf_add(to, s.p, n);
		}
	}
}

/* Three digits, for units by which digits do not only move. */
static int few_decimals(struct str number, const struct num_unit *unit)
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
	const struct column *c = &t->columns[i];
	char *p, *end = NULL;
	int decimals = c->decimals;

	/* Numbers that come after the columns were measured may need more. */
	if (t->row[i].type == VALUE_REAL && t->started && decimals < DECIMALS)
		decimals = DECIMALS;
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

struct str table_shown(struct table *t, size_t i, bool whole)
{
	const struct column *c = &t->columns[i];
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
				text = field_short_name(text, &t->brief);
		}
		add_visible(t, &t->two, text);
	}
	return (struct str){t->two.p, t->two.n};
}

static int decimals_of(const char *p, const char *end)
{
	const char *point = memchr(p, '.', (size_t)(end - p));

	return point && !memchr(p, 'e', (size_t)(end - p)) ? (int)(end - point - 1) : 0;
}

/* How many decimals are worth showing: three, and of small numbers four digits. */
static int most_decimals(double largest)
{
	int decimals = DECIMALS;

	for (; largest > 0 && largest < 1 && decimals < 12; largest *= 10)
		decimals++;
	return decimals;
}

/* --- holding rows back and measuring them --- */

static void hold(struct table *t)
{
	size_t i, head;

	for (i = 0; i < t->n; i++) {
		head = t->row[i].n << 4 | (size_t)t->row[i].approx << 3 | t->row[i].type;
		buf_add(&t->held, &head, sizeof head);
		buf_add(&t->held, table_cell(t, i).p, t->row[i].n);
	}
	t->n_held++;
}

void table_for_held(struct table *t, void (*visit)(struct table *t))
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

static void measure_sizes(struct table *t)
{
	double v;
	size_t i;

	for (i = 0; i < t->n; i++) {
		struct column *c = &t->columns[i];

		if (!table_is_number(t->row[i].type)) {
			c->strings |= t->row[i].type != VALUE_NONE;
			continue;
		}
		c->numbers = true;
		if (num_double(table_cell(t, i), &v) && fabs(v) > c->largest)
			c->largest = fabs(v);
	}
}

static void measure_decimals(struct table *t)
{
	char text[NUM_ROOM];
	size_t i;

	for (i = 0; i < t->n; i++) {
		struct column *c = &t->columns[i];
		int decimals;

		if (!table_is_number(t->row[i].type) || t->row[i].approx)
			continue;
		decimals = decimals_of(text, table_put_number(text, table_cell(t, i), c->unit, -1));
		if (decimals > c->decimals)
			c->decimals = decimals;
	}
}

static void measure_widths(struct table *t)
{
	size_t i, width;

	for (i = 0; i < t->n; i++) {
		width = utf8_width(table_shown(t, i, t->options.wide));
		if (width > t->columns[i].cells)
			t->columns[i].cells = width;
	}
}

/* The largest unit that leaves at least two digits before the point of the largest number. */
static const struct num_unit *choose_unit(const struct column *c)
{
	static const char *const times[] = {"s", "ms", "us", "ns"}, *const sizes[] = {"GB", "MB", "kB", "B"};
	const struct num_unit *unit = NULL;
	size_t i;

	for (i = 0; i < 4; i++) {
		unit = num_unit(str_of(c->kind == COLUMN_TIME ? times[i] : sizes[i]));
		if (c->largest >= 10 * (double)unit->factor)
			break;
	}
	return unit;
}

/* Once the decimals that a column's numbers have are known: how many it shows. `more`: rows follow. */
static void choose_decimals(struct column *c, bool more)
{
	int most = DECIMALS;

	if (c->kind == COLUMN_STAMP) {
		most = c->unit ? table_power_of_ten(c->unit->factor) : 0;
		c->decimals = most > 0 ? most : c->decimals;
		return;
	}
	if (c->kind == COLUMN_ANY || c->kind == COLUMN_NAME)
		most = most_decimals(c->largest);
	if (c->decimals > most || (more && c->unit && c->unit->factor > 1))
		c->decimals = most;
}

static void make_head(struct table *t, struct column *c)
{
	const char *unit = c->unit ? c->unit->name : c->kind == COLUMN_SHARE ? "%" : c->kind == COLUMN_STAMP ? "ns" : NULL;

	c->head.n = 0;
	add_visible(t, &c->head, str_of(c->name));
	c->head_name = c->head.n;
	if (unit && (c->numbers || table_given_unit(t, c->kind))) {
		buf_lit(&c->head, " (");
		buf_add(&c->head, unit, strlen(unit));
		buf_char(&c->head, ')');
	}
	c->width = utf8_width((struct str){c->head.p, c->head.n});
	if (t->options.format == TABLE_MD && c->width < 3)
		c->width = 3;
}

/* --- writing md, table, list --- */

/* Text in `width` columns, or as many as it has. */
static void add_padded(struct buf *line, struct str s, size_t width, bool right)
{
	size_t have = utf8_width(s), at;

	for (at = have; right && at < width; at++)
		buf_char(line, ' ');
	buf_add(line, s.p, s.n);
	for (at = have; !right && at < width; at++)
		buf_char(line, ' ');
}

static void end_line(struct table *t)
{
	while (t->line.n && t->line.p[t->line.n - 1] == ' ')
		t->line.n--;
	buf_char(&t->line, '\n');
	out_add(t->out, t->line.p, t->line.n);
	t->line.n = 0;
}

static bool is_fitted(const struct table *t)
{
	return t->options.format == TABLE_TABLE && t->options.width && !t->options.wide;
}

static void add_cell(struct table *t, size_t i, struct str text)
{
	const struct column *c = &t->columns[i];
	bool md = t->options.format == TABLE_MD;

	if (md)
		buf_add(&t->line, i ? " | " : "| ", i ? 3 : 2);
	else
		add_padded(&t->line, STR(""), i ? GAP : 0, false);
	if (is_fitted(t) && !table_at_right(c)) {
		t->one.n = 0;
		table_cut(&t->one, text, c->width);
		text = (struct str){t->one.p, t->one.n};
	}
	add_padded(&t->line, text, c->width, table_at_right(c));
	if (md && i + 1 == t->n)
		buf_lit(&t->line, " |");
}

static void write_list(struct table *t)
{
	struct str text;
	size_t i;

	if (t->list_row)
		out_char(t->out, '\n');
	t->list_row = true;
	for (i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];

		if (t->row[i].type == VALUE_NONE && !c->none)
			continue;
		add_padded(&t->line, (struct str){c->head.p, c->head.n}, t->head_width + GAP, false);
		text = table_shown(t, i, t->options.wide);
		buf_add(&t->line, text.p, text.n);
		end_line(t);
	}
}

static void write_human(struct table *t)
{
	struct str text;
	size_t i;

	if (t->options.format == TABLE_LIST) {
		write_list(t);
		return;
	}
	for (i = 0; i < t->n; i++) {
		text = table_form(t, i);
		add_cell(t, i, text.n ? text : table_shown(t, i, t->options.wide));
	}
	end_line(t);
}

static void write_heads(struct table *t)
{
	size_t i, k;

	for (i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];

		add_cell(t, i, (struct str){c->head.p, t->stacked ? c->head_name : c->head.n});
	}
	end_line(t);
	for (i = 0; i < t->n && t->stacked; i++) {
		const struct column *c = &t->columns[i];

		add_cell(t, i, str_from((struct str){c->head.p, c->head.n}, c->head_name + 1));
	}
	if (t->stacked)
		end_line(t);
	if (t->options.format != TABLE_MD)
		return;
	for (i = 0; i < t->n; i++) {
		t->two.n = 0;
		for (k = 0; k < t->columns[i].width; k++)
			buf_char(&t->two, table_at_right(&t->columns[i]) && k + 1 == t->columns[i].width ? ':' : '-');
		add_cell(t, i, (struct str){t->two.p, t->two.n});
	}
	end_line(t);
}

/* The rows held back decide on the columns and are written. */
static void release(struct table *t, bool more)
{
	size_t i;

	table_for_held(t, measure_sizes);
	for (i = 0; i < t->n; i++) {
		struct column *c = &t->columns[i];

		if (!c->unit && c->numbers && (c->kind == COLUMN_TIME || c->kind == COLUMN_SIZE))
			c->unit = choose_unit(c);
	}
	table_for_held(t, measure_decimals);
	for (i = 0; i < t->n; i++) {
		choose_decimals(&t->columns[i], more);
		make_head(t, &t->columns[i]);
		if (t->columns[i].width > t->head_width)
			t->head_width = t->columns[i].width;
	}
	if (t->options.format != TABLE_LIST) {
		table_for_held(t, measure_widths);
		for (i = 0; i < t->n; i++) {
			if (t->columns[i].cells > t->columns[i].width)
				t->columns[i].width = t->columns[i].cells;
		}
		if (is_fitted(t))
			table_fit(t);
		write_heads(t);
	}
	table_for_held(t, write_human);
	buf_free(&t->held);
	t->n_held = 0;
	t->started = true;
}

void table_human_row(struct table *t)
{
	if (t->started) {
		write_human(t);
		return;
	}
	hold(t);
	if (t->options.look && t->n_held > t->options.look)
		release(t, true);
}

void table_human_end(struct table *t)
{
	if (!t->started && t->n)
		release(t, false);
}
