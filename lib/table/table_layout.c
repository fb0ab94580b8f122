#include "table/table_layout.h"

#include "table/distinct_texts.h"
#include "table/text_cut.h"
#include "table/text_width.h"

#include <stdlib.h>

enum {
	NARROW = 20,  /* minimum width of columns of text */
	TIGHT = 12,   /* minimum width of columns of text other than names, if the line is too long with NARROW */
	HEAD = 6,     /* minimum width of a column whose name is split into lines */
	MIN_ROWS = 2, /* minimum number of rows for which constant columns are hidden */
	MORE = 24,    /* additional width for a name if other names have the same short form */
};

struct layout_column {
	size_t cells;                /* width of the widest cell in the rows held back */
	struct buf first;            /* the text of its first cell */
	bool differs;                /* not all cells in the rows held back are equal to the first one */
	bool is_split;               /* the name is split into lines */
	struct distinct_texts texts; /* the texts that could look the same: see is_distinct() */
};

static bool is_fitted(const struct table_layout *l)
{
	return l->data->options->format == TABLE_TABLE && l->data->options->width > 0 && !l->data->options->wide;
}

/* --- texts of cells --- */

/*
 * Returns whether a cell of the current row is a text or a list of texts that is shown so that it differs from others:
 * names, which are short, and all that can be cut.
 */
static bool is_distinct(const struct table_layout *l, size_t i)
{
	const enum value_type type = l->data->row[i].type;

	if (l->data->options->wide || !(is_fitted(l) || l->data->columns[i].kind == COLUMN_NAME))
		return false;
	return type == VALUE_STRING || (type == VALUE_OTHER && *table_data_text(l->data, i).p == '[');
}

/* Returns the short text of a cell, and sets *whole to its whole text; both are valid until the next call. */
static struct str both_texts(struct table_layout *l, size_t i, struct str *whole)
{
	if (l->data->columns[i].kind != COLUMN_NAME)
		return *whole = table_display_cell(l->data, i, false);
	*whole = table_display_cell(l->data, i, true);
	l->whole.n = 0;
	buf_add(&l->whole, whole->p, whole->n);
	*whole = buf_str(&l->whole);
	return table_display_cell(l->data, i, false);
}

/* Returns the text of a cell of the current row, in a form in which it differs from others if this is needed. */
static struct str cell_text(struct table_layout *l, size_t i)
{
	struct str text, whole, form;

	if (!is_distinct(l, i))
		return table_display_cell(l->data, i, l->data->options->wide);
	text = both_texts(l, i, &whole);
	form = distinct_texts_form(&l->columns[i].texts, distinct_texts_find(&l->columns[i].texts, text, whole));
	return form.n ? form : text;
}

/* Measures the cells of the current row. */
static void measure_cells(struct table_layout *l)
{
	struct str text, whole;
	size_t width, i;

	for (i = 0; i < l->data->n; i++) {
		struct layout_column *c = &l->columns[i];

		text = whole = table_display_cell(l->data, i, l->data->options->wide);
		width = text_width(text);
		c->cells = width > c->cells ? width : c->cells;
		if (!c->first.n)
			buf_add(&c->first, text.p, text.n);
		c->differs |= !text.n || !str_eq(text, buf_str(&c->first));
		if (is_distinct(l, i)) {
			text = both_texts(l, i, &whole);
			distinct_texts_add(&c->texts, text, whole);
		}
	}
}

/* --- widths --- */

static struct str head_of(const struct table_layout *l, size_t i)
{
	return buf_str(&l->data->columns[i].head);
}

static struct str head_name(const struct table_layout *l, size_t i)
{
	return str_head(head_of(l, i), l->data->columns[i].head_name);
}

/* Returns the unit of a header, with its parentheses; may be empty. */
static struct str head_unit(const struct table_layout *l, size_t i)
{
	return str_from(head_of(l, i), l->data->columns[i].head_name + 1);
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t total_width(const struct table_layout *l)
{
	size_t total = 0, i;

	for (i = 0; i < l->grid.n; i++)
		total += l->grid.columns[i].hidden ? 0 : l->grid.columns[i].width + TEXT_GRID_GAP;
	return total ? total - TEXT_GRID_GAP : 0;
}

/* Returns the width to which a column can be narrowed; `tight` is the minimum for columns of text other than names. */
static size_t least_width(const struct table_layout *l, size_t i, size_t tight)
{
	const struct text_grid_column *c = &l->grid.columns[i];
	size_t least = l->data->columns[i].kind == COLUMN_NAME ? NARROW : tight;

	return c->right || c->width < least ? c->width : least;
}

/* Returns whether the line fits if all columns of text are as narrow as possible. */
static bool can_fit(const struct table_layout *l, size_t tight)
{
	size_t excess = 0, i;

	for (i = 0; i < l->grid.n; i++)
		excess += l->grid.columns[i].hidden ? 0 : l->grid.columns[i].width - least_width(l, i, tight);
	return total_width(l) <= (size_t)l->data->options->width + excess;
}

/* Moves units below the names of their columns where this makes the line shorter. */
static void stack_heads(struct table_layout *l)
{
	size_t i, width;

	for (i = 0; i < l->grid.n; i++) {
		if (!head_unit(l, i).n)
			continue;
		width = larger(text_width(head_name(l, i)), text_width(head_unit(l, i)));
		width = larger(width, l->columns[i].cells);
		l->stacked |= width < l->grid.columns[i].width;
		l->grid.columns[i].width = width;
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

/* Removes the first line from a name that is split into lines of at most `width` columns, and returns it. */
static struct str next_line(struct str *name, size_t width)
{
	struct str line = str_head(*name, next_part(*name)), rest;

	for (rest = str_from(*name, line.n); rest.n && line.n + next_part(rest) <= width;
	     rest = str_from(*name, line.n))
		line.n += next_part(rest);
	*name = rest;
	return line;
}

/*
 * Splits the names of columns of numbers into lines that are as wide as the cells, or as the longest part of the name.
 */
static void split_heads(struct table_layout *l)
{
	struct str name, rest;
	size_t i, width, n;

	for (i = 0; i < l->grid.n; i++) {
		name = head_name(l, i);
		if (!l->grid.columns[i].right || text_width(name) <= larger(l->columns[i].cells, HEAD))
			continue;
		width = larger(larger(l->columns[i].cells, text_width(head_unit(l, i))), HEAD);
		for (rest = name; rest.n; rest = str_from(rest, next_part(rest)))
			width = larger(width, next_part(rest));
		for (n = 0, rest = name; rest.n; n++)
			next_line(&rest, width);
		l->columns[i].is_split = true;
		l->grid.columns[i].width = width;
		l->head_lines = larger(l->head_lines, n);
	}
}

/*
 * Hides constant columns, from left to right, until the line fits. The line with their names and
 * values must not be too long either: `left` is the room in it.
 */
static void hide_constants(struct table_layout *l)
{
	size_t left = (size_t)l->data->options->width, i, width;

	for (i = 0; i < l->grid.n && !can_fit(l, NARROW); i++) {
		width = text_width(head_of(l, i)) + 1 + l->columns[i].cells + TEXT_GRID_GAP;
		if (l->columns[i].differs || width > left)
			continue;
		l->grid.columns[i].hidden = true;
		left -= width;
	}
}

/*
 * Narrows the widest text columns until the line fits. The widest column shrinks to the width of
 * the next one in one step, so that the number of steps does not depend on the lengths of the
 * texts; after that, columns of equal width shrink in turn.
 */
static void narrow(struct table_layout *l, size_t tight)
{
	size_t total, room = (size_t)l->data->options->width, i, next, widest, step;
	struct text_grid_column *columns = l->grid.columns;

	for (total = total_width(l); total > room; total -= step) {
		widest = l->grid.n;
		next = 0;
		for (i = 0; i < l->grid.n; i++) {
			if (columns[i].hidden || columns[i].width <= least_width(l, i, tight))
				continue;
			if (widest == l->grid.n || columns[i].width > columns[widest].width) {
				next = widest < l->grid.n ? columns[widest].width : next;
				widest = i;
			} else if (columns[i].width > next) {
				next = columns[i].width;
			}
		}
		if (widest == l->grid.n)
			return;
		next = larger(next, least_width(l, widest, tight));
		step = columns[widest].width > next ? columns[widest].width - next : 1;
		step = step < total - room ? step : total - room;
		columns[widest].width -= step;
	}
}

static void cut_middle(void *arg, struct buf *to, size_t number, struct str brief, size_t width)
{
	(void)arg, (void)number;
	text_cut_middle(to, brief, width);
}

/* Makes a column wide enough for names that differ only in what their short forms leave out. */
static void widen(struct table_layout *l, size_t i)
{
	size_t *width = &l->grid.columns[i].width;

	*width = larger(*width, distinct_texts_widest(&l->columns[i].texts, MORE));
}

static void choose_forms(struct table_layout *l, size_t i)
{
	distinct_texts_fit(&l->columns[i].texts, l->grid.columns[i].width, cut_middle, NULL);
}

/*
 * The steps are in the order of what the reader loses: units move below names, names are split,
 * constant columns move above the table, texts are cut, and at last the rows are lists. If more
 * rows follow, a column that is constant so far may change, so none is hidden.
 */
static void fit(struct table_layout *l, bool more)
{
	const size_t names = l->head_width + TEXT_GRID_GAP, width = (size_t)l->data->options->width;
	size_t i;

	if (total_width(l) > width)
		stack_heads(l);
	for (i = 0; i < l->grid.n; i++)
		widen(l, i);
	if (!can_fit(l, NARROW))
		split_heads(l);
	if (!can_fit(l, NARROW) && !more && l->data->n_held >= MIN_ROWS)
		hide_constants(l);
	if (can_fit(l, NARROW))
		narrow(l, NARROW);
	else if (can_fit(l, TIGHT))
		narrow(l, TIGHT);
	else if (l->grid.n > 1)
		l->is_list = true;
	for (i = 0; i < l->grid.n; i++) {
		if (l->is_list)
			l->grid.columns[i].width = width > names + NARROW ? width - names : NARROW;
		choose_forms(l, i);
	}
}

/* --- lines --- */

void table_layout_row(struct table_layout *l)
{
	/* of a list, which has a line for each cell */
	struct text_grid_column columns[] = {{.width = l->head_width}, {.cut = l->data->options->format != TABLE_LIST}};
	struct text_grid lines = {.columns = columns, .n = 2};
	size_t i;

	if (!l->is_list) {
		for (i = 0; i < l->grid.n; i++)
			text_grid_cell(&l->grid, i, cell_text(l, i));
		out_str(l->out, text_grid_line(&l->grid));
		return;
	}
	if (l->any_row)
		out_char(l->out, '\n');
	l->any_row = true;
	for (i = 0; i < l->data->n; i++) {
		if (l->data->row[i].type == VALUE_NONE && !l->data->columns[i].none)
			continue;
		columns[1].width = columns[1].cut ? l->grid.columns[i].width : 0;
		text_grid_cell(&lines, 0, head_of(l, i));
		text_grid_cell(&lines, 1, cell_text(l, i));
		out_str(l->out, text_grid_line(&lines));
	}
	text_grid_free(&lines);
}

/* If there are hidden columns, writes a line with their names and values. */
static void write_hidden(struct table_layout *l)
{
	struct buf line = {0};
	size_t i;

	for (i = 0; i < l->grid.n; i++) {
		if (!l->grid.columns[i].hidden)
			continue;
		buf_add(&line, "  ", line.n ? TEXT_GRID_GAP : 0);
		buf_add(&line, head_of(l, i).p, head_of(l, i).n);
		buf_char(&line, ' ');
		buf_add(&line, l->columns[i].first.p, l->columns[i].first.n);
	}
	if (line.n)
		buf_char(&line, '\n');
	out_add(l->out, line.p, line.n);
	buf_free(&line);
}

/* Returns the line with that index of the column's name; empty if the name has fewer lines. */
static struct str name_line(const struct table_layout *l, size_t i, size_t line)
{
	struct str rest = head_name(l, i), text;

	if (!l->columns[i].is_split)
		return line ? STR("") : l->stacked ? rest : head_of(l, i);
	do
		text = next_line(&rest, l->grid.columns[i].width);
	while (line--);
	return text;
}

static void write_heads(struct table_layout *l)
{
	size_t i, k;

	write_hidden(l);
	for (k = 0; k == 0 || k < l->head_lines; k++) {
		for (i = 0; i < l->grid.n; i++)
			text_grid_cell(&l->grid, i, name_line(l, i, k));
		out_str(l->out, text_grid_line(&l->grid));
	}
	for (i = 0; i < l->grid.n && l->stacked; i++)
		text_grid_cell(&l->grid, i, head_unit(l, i));
	if (l->stacked)
		out_str(l->out, text_grid_line(&l->grid));
	if (l->grid.markdown)
		out_str(l->out, text_grid_rule(&l->grid));
}

void table_layout_begin(struct table_layout *l, bool more)
{
	const size_t n = l->data->n;
	size_t row = 0, i, head;

	l->is_list = l->data->options->format == TABLE_LIST;
	table_display_measure(l->data, more);
	l->columns = mem_zero(n, sizeof *l->columns);
	l->grid = (struct text_grid){
	    .columns = mem_zero(n, sizeof *l->grid.columns), .n = n, .markdown = l->data->options->format == TABLE_MD};
	while (table_data_next(l->data, &row))
		measure_cells(l);
	for (i = 0; i < n; i++) {
		const bool right = l->data->columns[i].right;

		head = text_width(head_of(l, i));
		l->head_width = larger(l->head_width, head);
		l->grid.columns[i] = (struct text_grid_column){
		    .width = larger(head, l->columns[i].cells), .right = right, .cut = is_fitted(l) && !right};
	}
	if (is_fitted(l))
		fit(l, more);
	for (i = 0; i < n && !is_fitted(l); i++) {
		widen(l, i);
		choose_forms(l, i);
	}
	if (!l->is_list)
		write_heads(l);
	for (row = 0; table_data_next(l->data, &row);)
		table_layout_row(l);
	table_data_drop(l->data);
}

void table_layout_free(struct table_layout *l)
{
	size_t i;

	for (i = 0; l->columns && i < l->grid.n; i++) {
		buf_free(&l->columns[i].first);
		distinct_texts_free(&l->columns[i].texts);
	}
	mem_free(l->columns, l->grid.columns);
	text_grid_free(&l->grid);
	buf_free(&l->whole);
}
