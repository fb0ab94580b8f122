/* The table of a section. */
#include "html_private.h"

#include "html_text.h"

/* A name of more bytes may need more than the two lines that a table shows of it, so it has a title. */
enum { SHOWN = 60 };

/*
 * A name that begins like other names is shown with more lines, so that its first difference is visible. `common` is
 * the minimum number of common bytes for a class; the style sheet gives each class its number of lines.
 */
static const struct {
	size_t common;
	const char *class;
} alike[] = {{100, " most-alike"}, {SHOWN, " more-alike"}, {24, " alike"}, {0, ""}};

enum { COMMON_MOST = 100 };

static bool is_text(const struct report_column *c)
{
	return report_unit_is_text(&c->unit);
}

/* Returns whether a column is in one cell with the next column: "range › host". */
static bool is_joined(const struct report_section *s, size_t i)
{
	return s->columns[i].unit.measure == REPORT_MEASURE_PATH && i + 1 < s->n_columns;
}

size_t html_bar_column(const struct report_section *s)
{
	size_t i;

	for (i = 0; i < s->n_columns && is_text(&s->columns[i]); i++)
		;
	return i;
}

/* Returns whether the last row sums up others. */
static bool has_rest(const struct report_section *s)
{
	return s->n_rows && s->rows[s->n_rows - 1].rest;
}

size_t html_rows_shown(const struct html *p, const struct report_section *s)
{
	const size_t n = s->n_rows - has_rest(s);

	return n < p->limits->rows ? n : p->limits->rows;
}

double html_column_maximum(const struct report_section *s, size_t column, size_t rows)
{
	double most = 0;
	size_t i;

	for (i = 0; i < rows; i++) {
		const struct value *v = &s->rows[i].cells[column];

		if (report_is_number(v) && v->d > most)
			most = v->d;
	}
	return most;
}

/* A column that is not in the short form of a section is shown neither on a phone nor on paper. */
static bool is_wide(const struct report_section *s, size_t column)
{
	size_t i;

	for (i = 0; i < s->n_brief; i++) {
		if (s->brief[i].column == column)
			return false;
	}
	return s->n_brief && column;
}

/* Writes the classes of the cell of the columns `first` to `last`. */
static void put_class(struct html *p, const struct report_section *s, size_t first, size_t last)
{
	const bool left = !first || is_text(&s->columns[last]), wide = is_wide(s, first) && is_wide(s, last);

	if (!left && !wide)
		return;
	html_lit(p, " class=\"");
	if (last > first)
		html_lit(p, "path ");
	if (left)
		html_lit(p, "left");
	if (left && wide)
		html_lit(p, " ");
	if (wide)
		html_lit(p, "wide");
	html_lit(p, "\"");
}

static void put_titles(struct html *p, const struct report_section *s)
{
	size_t i;

	html_lit(p, "<thead><tr>");
	for (i = 0; i < s->n_columns; i++) {
		const size_t first = i;

		while (is_joined(s, i))
			i++;
		html_lit(p, "<th scope=\"col\"");
		put_class(p, s, first, i);
		html_lit(p, ">");
		html_name(p, s->columns[s->columns[first].title.n ? first : i].title);
		html_lit(p, "</th>");
	}
	html_lit(p, "</tr></thead>\n");
}

/* --- cells --- */

/* Returns the number of bytes that a name has in common with another name of its column, at most COMMON_MOST. */
static size_t length_in_common(const struct report_section *s, size_t column, struct str name)
{
	size_t most = 0, i, n;

	for (i = 0; i < s->n_rows; i++) {
		const struct str other = s->rows[i].cells[column].text;

		if (s->rows[i].cells[column].type != VALUE_STRING || str_eq(other, name))
			continue;
		for (n = 0; n < COMMON_MOST && n < name.n && n < other.n && name.p[n] == other.p[n]; n++)
			;
		most = n > most ? n : most;
	}
	return most;
}

/* Writes the name of a column. In a row with the members `label` and `name`, the label is a short form of the name. */
static void put_name(struct html *p, const struct report_section *s, const struct report_row *row, size_t column)
{
	const struct str name = row->cells[column].text;
	const size_t common = length_in_common(s, column, name);
	struct str whole = name;
	size_t i = 0;

	if (str_eq(s->columns[column].name, STR("label")) && report_record_text(&row->record, "name").n)
		whole = report_record_text(&row->record, "name");
	while (common < alike[i].common)
		i++;
	html_lit(p, "<span class=\"name");
	html_text(&p->html, str_of(alike[i].class));
	html_lit(p, "\"");
	if (!str_eq(name, whole) || name.n > SHOWN) {
		html_lit(p, " title=\"");
		html_name(p, whole);
		html_lit(p, "\"");
	}
	html_lit(p, ">");
	html_text_wrapped(&p->html, name, p->limits->name);
	html_lit(p, "</span>");
}

/* Writes the content of a cell with a text: the texts of columns `first` to `last`. */
static void put_texts(
    struct html *p, const struct report_section *s, const struct report_row *row, size_t first, size_t last)
{
	bool any = false;
	size_t i;

	for (i = first; i <= last; i++) {
		const struct value *v = &row->cells[i];

		if (v->type == VALUE_NONE)
			continue;
		if (any)
			html_lit(p, " \xe2\x80\xba "); /* › */
		if (s->columns[i].unit.measure == REPORT_MEASURE_TEXT || v->type != VALUE_STRING)
			html_value(p, &s->columns[i].unit, v, true);
		else
			put_name(p, s, row, i);
		any = true;
	}
}

/* Writes the exact value of a number as an attribute, for the script and for other programs. */
static void put_exact(struct html *p, const struct value *v)
{
	if (!report_is_number(v))
		return;
	html_lit(p, " data-v=\"");
	html_text(&p->html, v->text);
	html_lit(p, "\"");
}

/* The bars of a table. */
struct table_bars {
	size_t column;  /* the column that has bars; n_columns: none */
	double maximum; /* of that column */
};

static void put_first(struct html *p, const struct report_row *row, bool bars)
{
	if (row->rest) {
		html_int(p, row->rest);
		html_lit(p, " other");
		if (row->rest > 1)
			html_lit(p, "s");
	} else if (!bars && row->color < COLOR_MEANINGS) {
		html_lit(p, "<i class=\"");
		html_color(p, row->color);
		html_lit(p, "\"></i>");
	}
}

/* Writes the cell of the columns `first` to `last`. */
static void put_cell(struct html *p, const struct report_section *s, const struct report_row *row,
    const struct table_bars *bars, size_t first, size_t last)
{
	const struct report_column *c = &s->columns[last];
	const struct value *v = &row->cells[last];

	html_lit(p, "<td");
	put_class(p, s, first, last);
	if (!is_text(c))
		put_exact(p, v);
	html_lit(p, ">");
	if (!first)
		put_first(p, row, bars->column < s->n_columns);
	if (is_text(c)) {
		put_texts(p, s, row, first, last);
	} else if (last == bars->column && report_is_number(v) && !row->rest) {
		html_bar(p, row->color, bars->maximum > 0 ? v->d / bars->maximum : 0);
		html_lit(p, "<span>");
		html_value(p, &c->unit, v, false);
		html_lit(p, "</span>");
	} else {
		html_value(p, &c->unit, v, false);
	}
	html_lit(p, "</td>");
}

/* Writes a row; returns whether there is room for it. */
static bool put_row(
    struct html *p, const struct report_section *s, const struct report_row *row, const struct table_bars *bars)
{
	const size_t item = html_item(p);
	size_t i;

	if (row->rest)
		html_lit(p, "<tr class=\"rest\">");
	else
		html_lit(p, "<tr>");
	for (i = 0; i < s->n_columns; i++) {
		const size_t first = i;

		while (is_joined(s, i))
			i++;
		put_cell(p, s, row, bars, first, i);
	}
	html_lit(p, "</tr>\n");
	return html_item_end(p, item);
}

void html_missing_rows(struct html *p, const struct report_section *s, size_t shown)
{
	const size_t all = s->n_rows - has_rest(s);

	if (shown == all)
		return;
	p->loss.rows += all - shown;
	html_lit(p, "<p class=\"soft\">The first ");
	html_int(p, shown);
	html_lit(p, " of ");
	html_int(p, all);
	html_lit(p, " rows: the page would be too large with all of them.</p>\n");
}

void html_table(struct html *p, const struct report_section *s, bool bars)
{
	const size_t shown = html_rows_shown(p, s);
	struct table_bars b = {s->n_columns, 0};
	size_t i, fit = shown;

	if (bars)
		b.column = html_bar_column(s);
	if (b.column < s->n_columns)
		b.maximum = html_column_maximum(s, b.column, shown);
	html_lit(p, "<div class=\"scroll\"><table class=\"sort\">\n");
	put_titles(p, s);
	html_lit(p, "<tbody>\n");
	for (i = 0; i < shown && !html_is_done(p); i++)
		fit -= !put_row(p, s, &s->rows[i], &b);
	if (has_rest(s))
		put_row(p, s, &s->rows[s->n_rows - 1], &b);
	html_lit(p, "</tbody></table></div>\n");
	html_missing_rows(p, s, fit);
}
