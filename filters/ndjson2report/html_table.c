#include "html_table.h"

#include "html_picture.h"

enum {
	SHOWN = 60, /* a name of more bytes may need more than the two lines that a table shows of it: it has a title */
	LESS_ALIKE = 24, /* a name with so many bytes in common with another one has more lines */
	COMMON_MOST = 100,
	ROWS_DRAWN = 60, /* a table after the picture has all rows */
	ROW_HEIGHT = 22,
	ROWS_OF_THAT_HEIGHT = 16,
	LOW_HEIGHT = 9, /* if there are more rows; their parts have no text */
};

/* Returns the number of rows that are shown, without the row that sums up the rest. */
static size_t rows_shown(const struct html *p, const struct report_section *s)
{
	const size_t n = page_rows(s);

	return n < p->limits->rows ? n : p->limits->rows;
}

/* Says how many rows are not shown, because the page would be too large, and counts them as lost. */
static void put_missing_rows(struct html *p, const struct report_section *s, size_t shown)
{
	const size_t all = page_rows(s);

	if (shown == all)
		return;
	p->loss.rows += all - shown;
	html_put(p, "<p class=\"soft\">The first %i of %i rows: the page would be too large with all of them.</p>\n",
	    (uint64_t)shown, (uint64_t)all);
}

/* Returns the largest number of a column in the first rows; 0 if there is no positive one. */
static double column_maximum(const struct report_section *s, size_t column, size_t rows)
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

/* --- cells of a table --- */

/* The table that is being written. */
struct table_state {
	const struct report_section *section;
	struct page_table table;
	size_t bars;    /* the field with bars; table.n: none */
	double maximum; /* of that field */
};

static const struct report_brief *column_of(const struct table_state *t, size_t field)
{
	return &t->table.columns[t->table.fields[field].last];
}

/* A column that is not in the short form of a section is shown neither on a phone nor on paper. */
static bool is_wide(const struct report_section *s, size_t column)
{
	size_t i;

	for (i = 0; i < s->n_brief && s->brief[i].column != column; i++)
		;
	return s->n_brief && column && i == s->n_brief;
}

static void put_class(struct html *p, const struct table_state *t, size_t field)
{
	const struct page_field *f = &t->table.fields[field];
	const bool left = !field || f->text, wide = is_wide(t->section, t->table.columns[f->first].column) &&
						    is_wide(t->section, t->table.columns[f->last].column);

	if (left || wide)
		html_put(p, " class=\"%t%t%t%t\"", f->last > f->first ? "path " : "", left ? "left" : "",
		    left && wide ? " " : "", wide ? "wide" : "");
}

static void put_titles(struct html *p, const struct table_state *t)
{
	size_t i;

	html_put(p, "<thead><tr>");
	for (i = 0; i < t->table.n; i++) {
		html_put(p, "<th scope=\"col\"");
		put_class(p, t, i);
		html_put(p, ">%n</th>", t->table.fields[i].title);
	}
	html_put(p, "</tr></thead>\n");
}

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

/*
 * Writes the name of a column. A name that begins like other names is shown with more lines, so that its first
 * difference is visible; the style sheet gives each class its number of lines. In a row with the members `label` and
 * `name`, the label is a short form of the name.
 */
static void put_name(struct html *p, const struct report_section *s, const struct report_row *row, size_t column)
{
	const struct str name = row->cells[column].text, member = report_record_text(&row->record, "name");
	const struct str whole = str_eq(s->columns[column].name, STR("label")) && member.n ? member : name;
	const size_t common = length_in_common(s, column, name);

	html_put(p, "<span class=\"name%t\"",
	    common >= COMMON_MOST  ? " most-alike"
	    : common >= SHOWN      ? " more-alike"
	    : common >= LESS_ALIKE ? " alike"
				   : "");
	if (!str_eq(name, whole) || name.n > SHOWN)
		html_put(p, " title=\"%n\"", whole);
	html_put(p, ">");
	html_text_wrapped(&p->to, name, p->limits->name);
	html_put(p, "</span>");
}

/* Writes the texts of a cell. */
static void put_texts(struct html *p, const struct table_state *t, const struct report_row *row, size_t field)
{
	const struct page_field *f = &t->table.fields[field];
	bool any = false;
	size_t i;

	for (i = f->first; i <= f->last; i++) {
		const struct report_brief *c = &t->table.columns[i];
		const struct value *v = &row->cells[c->column];

		if (v->type == VALUE_NONE)
			continue;
		html_put(p, any ? " › " : "");
		any = true;
		if (c->unit.measure == REPORT_MEASURE_TEXT || v->type != VALUE_STRING)
			html_put(p, "%v", &c->unit, v);
		else
			put_name(p, t->section, row, c->column);
	}
}

/* Writes what precedes the value of the first cell: the number of rows that the row sums up, or the row's color. */
static void put_first(struct html *p, const struct table_state *t, const struct report_row *row)
{
	if (row->rest) {
		html_put(p, "%o", row->rest);
	} else if (t->bars == t->table.n && row->color < COLOR_MEANINGS) {
		html_put(p, "<i class=\"%t\"></i>", html_color(row->color));
	}
}

static void put_cell(struct html *p, const struct table_state *t, const struct report_row *row, size_t field)
{
	const struct report_brief *c = column_of(t, field);
	const struct value *v = &row->cells[c->column];
	const bool text = t->table.fields[field].text, bar = field == t->bars && report_is_number(v) && !row->rest;

	html_put(p, "<td");
	put_class(p, t, field);
	if (!text && report_is_number(v)) /* the exact value, for the script and for other programs */
		html_put(p, " data-v=\"%n\"", v->text);
	html_put(p, ">");
	if (!field)
		put_first(p, t, row);
	if (text)
		put_texts(p, t, row, field);
	else if (bar)
		html_bar(p, row->color, t->maximum > 0 ? v->d / t->maximum : 0);
	if (!text)
		html_put(p, bar ? "<span>%b</span>" : "%b", &c->unit, v);
	html_put(p, "</td>");
}

/* Writes a row; returns whether there is room for it. */
static bool put_row(struct html *p, const struct table_state *t, const struct report_row *row)
{
	const size_t item = html_item(p);
	size_t i;

	html_put(p, row->rest ? "<tr class=\"rest\">" : "<tr>");
	for (i = 0; i < t->table.n; i++)
		put_cell(p, t, row, i);
	html_put(p, "</tr>\n");
	return html_item_end(p, item);
}

/* Writes a table; with `bars`, the first column of numbers also has bars. */
static void put_table(struct html *p, const struct report_section *s, bool bars)
{
	const size_t shown = rows_shown(p, s);
	struct table_state t = {.section = s};
	size_t i, fit = shown;

	page_table_init(&t.table, s, false);
	for (t.bars = bars ? 0 : t.table.n; t.bars < t.table.n && t.table.fields[t.bars].text; t.bars++)
		;
	if (t.bars < t.table.n)
		t.maximum = column_maximum(s, column_of(&t, t.bars)->column, shown);
	html_put(p, "<div class=\"scroll\"><table class=\"sort\">\n");
	put_titles(p, &t);
	html_put(p, "<tbody>\n");
	for (i = 0; i < shown && !html_is_done(p); i++)
		fit -= !put_row(p, &t, &s->rows[i]);
	if (page_rows(s) < s->n_rows)
		put_row(p, &t, &s->rows[s->n_rows - 1]);
	html_put(p, "</tbody></table></div>\n");
	put_missing_rows(p, s, fit);
}

/* --- bars of parts --- */

/* Returns the column that is written at the right end of bars: the last one that is no part; n_columns if none is. */
static size_t total_column(const struct report_section *s)
{
	size_t i = s->n_columns;

	while (i > 1) {
		if (s->columns[--i].color == COLOR_MEANINGS && !report_unit_is_text(&s->columns[i].unit))
			return i;
	}
	return s->n_columns;
}

/* Writes a row of bars: its label, the bar, and its total. */
static void put_parts_row(
    struct html *p, const struct report_section *s, const struct report_row *row, double whole, int height)
{
	struct page_part parts[REPORT_COLUMNS];
	const size_t n = page_row_parts(s, row, parts), total = total_column(s), item = html_item(p);
	struct html label = {.limits = p->limits};
	size_t title;

	html_put(&label, "%n ", page_bare_title(&s->columns[0]));
	title = label.to.n;
	html_put(&label, "%v", &s->columns[0].unit, &row->cells[0]);
	html_put(p, "<span>%h</span>", str_from(buf_str(&label.to), title));
	html_stacked_bar(p, parts, n, whole, height, buf_str(&label.to));
	html_put(p, "<b>");
	if (total < s->n_columns)
		html_put(p, "%v", &s->columns[total].unit, &row->cells[total]);
	html_put(p, "</b>\n");
	html_item_end(p, item);
	buf_free(&label.to);
}

void html_part_bars(struct html *p, const struct report_section *s)
{
	struct page_part parts[REPORT_COLUMNS];
	size_t i, shown = rows_shown(p, s);
	double whole = 0, sum;
	int height;

	if (shown > ROWS_DRAWN)
		shown = ROWS_DRAWN;
	height = shown > ROWS_OF_THAT_HEIGHT ? LOW_HEIGHT : ROW_HEIGHT;
	for (i = 0; i < shown; i++) {
		sum = page_parts_sum(parts, page_row_parts(s, &s->rows[i], parts));
		whole = sum > whole ? sum : whole;
	}
	html_put(p, "<div class=\"rows%t\">\n", height == LOW_HEIGHT ? " low" : "");
	for (i = 0; i < shown; i++) {
		if (!s->rows[i].mean)
			put_parts_row(p, s, &s->rows[i], whole, height);
	}
	html_put(p, "</div>\n");
	html_legend(p, parts, page_row_parts(s, NULL, parts), false);
	if (shown < s->n_rows)
		html_put(p, "<p class=\"soft\">The picture shows the first rows of the table.</p>\n");
}

/* --- histograms and terms --- */

/* Writes the interval of a bar in a histogram: all columns except the last, "5 µs to 10 µs". */
static void put_interval(struct html *p, const struct report_section *s, const struct report_row *row)
{
	const size_t edges = s->n_columns - 1;
	size_t i;

	if (edges == 2 && row->cells[0].type == VALUE_NONE)
		html_put(p, "less than ");
	for (i = 0; i < edges; i++) {
		if (i && row->cells[i - 1].type != VALUE_NONE && row->cells[i].type != VALUE_NONE)
			html_put(p, " to ");
		html_put(p, "%v", &s->columns[i].unit, &row->cells[i]);
	}
	if (edges == 2 && row->cells[1].type == VALUE_NONE)
		html_put(p, " or more");
}

static void put_histogram(struct html *p, const struct report_section *s)
{
	const size_t shown = rows_shown(p, s), count = s->n_columns - 1;
	const double maximum = column_maximum(s, count, shown);
	double sum = 0;
	size_t i;

	for (i = 0; i < shown; i++)
		sum += report_is_number(&s->rows[i].cells[count]) ? s->rows[i].cells[count].d : 0;
	html_put(p, "<div class=\"rows\">\n");
	for (i = 0; i < shown; i++) {
		const struct value *v = &s->rows[i].cells[count];
		const double d = report_is_number(v) ? v->d : 0;
		const size_t item = html_item(p);

		html_put(p, "<span>");
		put_interval(p, s, &s->rows[i]);
		html_put(p, "</span>");
		html_bar(p, s->rows[i].color, maximum > 0 ? d / maximum : 0);
		html_put(p, "<b>%b <small>%s</small></b>\n", &s->columns[count].unit, v, sum > 0 ? d / sum : 0);
		html_item_end(p, item);
	}
	html_put(p, "</div>\n");
	put_missing_rows(p, s, shown);
}

/* Writes a list of terms: the first column, and the other columns after it. */
static void put_facts(struct html *p, const struct report_section *s)
{
	size_t i, c;

	html_put(p, "<dl class=\"terms\">\n");
	for (i = 0; i < rows_shown(p, s); i++) {
		const size_t item = html_item(p);

		html_put(p, "<dt>%v</dt><dd>", &s->columns[0].unit, &s->rows[i].cells[0]);
		for (c = 1; c < s->n_columns; c++)
			html_put(p, s->columns[c].unit.measure == REPORT_MEASURE_NAME ? "%t<code>%v</code>" : "%t%v",
			    c > 1 ? " " : "", &s->columns[c].unit, &s->rows[i].cells[c]);
		html_put(p, "</dd>\n");
		html_item_end(p, item);
	}
	html_put(p, "</dl>\n");
	put_missing_rows(p, s, rows_shown(p, s));
}

void html_table(struct html *p, const struct report_section *s, bool folded)
{
	if (folded)
		html_put(p, "<details><summary>Show as a table</summary>");
	if (folded || s->view == REPORT_VIEW_TABLE || s->view == REPORT_VIEW_BARS)
		put_table(p, s, !folded && s->view == REPORT_VIEW_BARS);
	else if (s->view == REPORT_VIEW_HIST)
		put_histogram(p, s);
	else if (s->view == REPORT_VIEW_FACTS)
		put_facts(p, s);
	if (folded)
		html_put(p, "</details>\n");
}
