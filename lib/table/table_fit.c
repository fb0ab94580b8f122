/* table_fit: narrows columns to fit a terminal. */
#include "table/table_private.h"

#include "table/text_width.h"

enum {
	NARROW = 20,  /* minimum width of columns of text */
	TIGHT = 12,   /* minimum width of columns of text other than names, if the line is too long with NARROW */
	HEAD = 6,     /* minimum width of a column whose name is split into lines */
	MIN_ROWS = 2, /* minimum number of rows for which constant columns are hidden */
};

static size_t total_width(const struct table *t)
{
	size_t total = 0, i;

	for (i = 0; i < t->n; i++)
		total += t->columns[i].hidden ? 0 : t->columns[i].width + GAP;
	return total ? total - GAP : 0;
}

/* Returns the width to which a column can be narrowed; `tight` is the minimum for columns of text other than names. */
static size_t least_width(const struct table_column *c, size_t tight)
{
	size_t least = c->kind == COLUMN_NAME ? NARROW : tight;

	return table_at_right(c) || c->width < least ? c->width : least;
}

/* Returns whether the line fits if all columns of text are as narrow as possible. */
static bool can_fit(const struct table *t, size_t tight)
{
	size_t excess = 0, i;

	for (i = 0; i < t->n; i++)
		excess += t->columns[i].hidden ? 0 : t->columns[i].width - least_width(&t->columns[i], tight);
	return total_width(t) <= (size_t)t->options.width + excess;
}

/* Moves units below the names of their columns where this makes the line shorter. */
static void stack_heads(struct table *t)
{
	size_t i, name, unit;

	for (i = 0; i < t->n; i++) {
		struct table_column *c = &t->columns[i];

		if (c->head_name == c->head.n)
			continue;
		name = text_width((struct str){c->head.p, c->head_name});
		unit = c->head.n - c->head_name - 1; /* the unit is ASCII; the space before it is left out */
		name = name > unit ? name : unit;
		name = name > c->cells ? name : c->cells;
		t->stacked |= name < c->width;
		c->width = name;
	}
}

/* Returns the length of the first part of a name; a line may end after each part. */
static size_t next_part(struct str name)
{
	size_t n;

	for (n = 0; n < name.n && name.p[n] != '_' && name.p[n] != ' '; n++)
		;
	return n < name.n ? n + 1 : n;
}

/* Splits the name of a column into lines that are as wide as the cells, or as the longest part of the name. */
static void split_name(struct table *t, struct table_column *c)
{
	struct str name = {c->head.p, c->head_name}, rest, line;
	size_t unit = c->head.n > c->head_name ? c->head.n - c->head_name - 1 : 0, lines = 1;
	size_t width = c->cells > unit ? c->cells : unit;

	width = width > HEAD ? width : HEAD;
	for (rest = name; rest.n; rest = str_from(rest, next_part(rest)))
		width = next_part(rest) > width ? next_part(rest) : width;
	for (rest = name, line = str_head(name, 0); rest.n; rest = str_from(rest, next_part(rest))) {
		if (line.n && line.n + next_part(rest) > width) {
			buf_add(&c->name_lines, line.p, line.n);
			buf_char(&c->name_lines, '\n');
			line = str_head(rest, 0);
			lines++;
		}
		line.n += next_part(rest);
	}
	buf_add(&c->name_lines, line.p, line.n);
	buf_char(&c->name_lines, '\n');
	c->width = width;
	t->head_lines = lines > t->head_lines ? lines : t->head_lines;
}

static void split_heads(struct table *t)
{
	struct table_column *c;
	size_t name;

	for (c = t->columns; c < t->columns + t->n; c++) {
		name = text_width((struct str){c->head.p, c->head_name});
		if (table_at_right(c) && name > c->cells && name > HEAD)
			split_name(t, c);
	}
}

static void compare_cells(struct table *t)
{
	struct table_column *c;
	struct str text;

	for (c = t->columns; c < t->columns + t->n; c++) {
		text = table_display_cell(t, (size_t)(c - t->columns), false);
		if (!c->first.n)
			buf_add(&c->first, text.p, text.n);
		c->constant &= text.n && str_eq(text, buf_str(&c->first));
	}
}

/* Hides constant columns, from left to right, until the line fits. */
static void hide_constants(struct table *t)
{
	size_t left = (size_t)t->options.width, i, width;

	for (i = 0; i < t->n; i++)
		t->columns[i].constant = true;
	table_measure_each(t, compare_cells);
	for (i = 0; i < t->n && !can_fit(t, NARROW); i++) {
		struct table_column *c = &t->columns[i];

		width = text_width(buf_str(&c->head)) + 1 + c->cells + GAP;
		if (!c->constant || width > left)
			continue;
		c->hidden = true;
		left -= width;
	}
}

/* Narrows the widest text columns until the line fits. */
static void narrow(struct table *t, size_t tight)
{
	size_t total, room = (size_t)t->options.width, i, next, step;
	struct table_column *widest;

	for (total = total_width(t); total > room; total -= step) {
		widest = NULL;
		next = 0;
		for (i = 0; i < t->n; i++) {
			struct table_column *c = &t->columns[i];

			if (c->hidden || c->width <= least_width(c, tight))
				continue;
			if (!widest || c->width > widest->width) {
				next = widest ? widest->width : next;
				widest = c;
			} else if (c->width > next) {
				next = c->width;
			}
		}
		if (!widest)
			return;
		next = next > least_width(widest, tight) ? next : least_width(widest, tight);
		step = widest->width > next ? widest->width - next : 1;
		step = step < total - room ? step : total - room;
		widest->width -= step;
	}
}

/*
 * Decides that rows are written as lists, and sets the width of values to the space to the right of the column names.
 */
static void fit_list(struct table *t)
{
	size_t names = t->head_width + GAP, width = (size_t)t->options.width, i;

	t->as_list = true;
	for (i = 0; i < t->n; i++)
		t->columns[i].width = width > names + NARROW ? width - names : NARROW;
}

void table_fit(struct table *t, bool more)
{
	size_t i;

	if (total_width(t) > (size_t)t->options.width)
		stack_heads(t);
	table_measure_each(t, table_distinct_gather);
	for (i = 0; i < t->n; i++) {
		if (t->columns[i].texts.n)
			t->columns[i].width = table_distinct_width(&t->columns[i]);
	}
	if (!can_fit(t, NARROW))
		split_heads(t);
	if (!can_fit(t, NARROW) && !more && t->n_held >= MIN_ROWS)
		hide_constants(t);
	if (can_fit(t, NARROW))
		narrow(t, NARROW);
	else if (can_fit(t, TIGHT))
		narrow(t, TIGHT);
	else if (t->n > 1)
		fit_list(t);
	for (i = 0; i < t->n; i++) {
		if (t->columns[i].texts.n)
			table_distinct_show(&t->columns[i]);
	}
}
