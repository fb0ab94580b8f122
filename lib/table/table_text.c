/* table_text: writes rows in the human formats (md table list), with aligned columns. */
#include "table/table_private.h"

#include "table/text_cut.h"
#include "table/text_width.h"

/* Appends text padded to `width` columns; longer text is not cut. */
static void add_padded(struct buf *line, struct str s, size_t width, bool right)
{
	size_t have = text_width(s), at;

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

static void add_cell(struct table *t, size_t i, struct str text)
{
	const struct table_column *c = &t->columns[i];
	bool md = t->options.format == TABLE_MD;

	if (md)
		buf_add(&t->line, i ? " | " : "| ", i ? 3 : 2);
	else
		add_padded(&t->line, STR(""), t->line.n ? GAP : 0, false);
	if (table_is_fitted(t) && !table_at_right(c)) {
		t->one.n = 0;
		text_cut_middle(&t->one, text, c->width);
		text = buf_str(&t->one);
	}
	add_padded(&t->line, text, c->width, table_at_right(c));
	if (md && i + 1 == t->n)
		buf_lit(&t->line, " |");
}

static void add_list_cell(struct table *t, size_t i)
{
	struct str text = table_distinct_form(t, i);

	if (!text.n)
		text = table_display_cell(t, i, t->options.wide);
	if (t->as_list) {
		t->one.n = 0;
		text_cut_middle(&t->one, text, t->columns[i].width);
		text = buf_str(&t->one);
	}
	buf_add(&t->line, text.p, text.n);
}

static void write_list(struct table *t)
{
	size_t i;

	if (t->list_row)
		out_char(t->out, '\n');
	t->list_row = true;
	for (i = 0; i < t->n; i++) {
		const struct table_column *c = &t->columns[i];

		if (t->row[i].type == VALUE_NONE && !c->none)
			continue;
		add_padded(&t->line, buf_str(&c->head), t->head_width + GAP, false);
		add_list_cell(t, i);
		end_line(t);
	}
}

static void write_human(struct table *t)
{
	struct str text;
	size_t i;

	if (t->options.format == TABLE_LIST || t->as_list) {
		write_list(t);
		return;
	}
	for (i = 0; i < t->n; i++) {
		if (t->columns[i].hidden)
			continue;
		text = table_distinct_form(t, i);
		add_cell(t, i, text.n ? text : table_display_cell(t, i, t->options.wide));
	}
	end_line(t);
}

/* If there are hidden columns, writes a line with their names and values. */
static void write_hidden(struct table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct table_column *c = &t->columns[i];

		if (!c->hidden)
			continue;
		add_padded(&t->line, STR(""), t->line.n ? GAP : 0, false);
		buf_add(&t->line, c->head.p, c->head.n);
		buf_char(&t->line, ' ');
		buf_add(&t->line, c->first.p, c->first.n);
	}
	if (t->line.n)
		end_line(t);
}

/* Returns the line with the index `line` of the column's name; empty if the name has fewer lines. */
static struct str name_line(const struct table *t, const struct table_column *c, size_t line)
{
	struct str rest = {c->name_lines.p, c->name_lines.n}, text = {NULL, 0};
	size_t i;

	if (!rest.n)
		return line ? text : (struct str){c->head.p, t->stacked ? c->head_name : c->head.n};
	for (i = 0; i <= line; i++) {
		if (!str_split(&rest, '\n', &text))
			return STR("");
	}
	return text;
}

static void write_rule(struct table *t)
{
	size_t i, k;

	for (i = 0; i < t->n; i++) {
		t->two.n = 0;
		for (k = 0; k < t->columns[i].width; k++)
			buf_char(&t->two, table_at_right(&t->columns[i]) && k + 1 == t->columns[i].width ? ':' : '-');
		add_cell(t, i, buf_str(&t->two));
	}
	end_line(t);
}

static void write_heads(struct table *t)
{
	size_t i, k;

	write_hidden(t);
	for (k = 0; k == 0 || k < t->head_lines; k++) {
		for (i = 0; i < t->n; i++) {
			if (!t->columns[i].hidden)
				add_cell(t, i, name_line(t, &t->columns[i], k));
		}
		end_line(t);
	}
	for (i = 0; i < t->n && t->stacked; i++) {
		const struct table_column *c = &t->columns[i];

		if (!c->hidden)
			add_cell(t, i, str_from(buf_str(&c->head), c->head_name + 1));
	}
	if (t->stacked)
		end_line(t);
	if (t->options.format == TABLE_MD)
		write_rule(t);
}

/* Decides the units, decimals and widths of the columns from the rows held back, and writes these rows. */
static void release(struct table *t, bool more)
{
	table_measure_columns(t, more);
	if (table_is_fitted(t))
		table_fit(t, more);
	if (t->options.format != TABLE_LIST && !t->as_list)
		write_heads(t);
	table_measure_each(t, write_human);
	buf_free(&t->held);
	t->n_held = 0;
	t->started = true;
}

void table_text_row(struct table *t)
{
	if (t->started) {
		write_human(t);
		return;
	}
	table_measure_hold(t);
	if (t->options.look && t->n_held > t->options.look)
		release(t, true);
}

void table_text_end(struct table *t)
{
	if (!t->started && t->n)
		release(t, false);
}
