/* The rows of a section as a picture or a list of terms. */
#include "html_private.h"

enum {
	ROWS_DRAWN = 60, /* a table after the picture has all rows */
	ROW_HEIGHT = 22,
	ROWS_OF_THAT_HEIGHT = 16,
	LOW_HEIGHT = 9, /* if there are more rows; their parts have no text */
};

/*
 * Collects the parts of a row; `parts` has room for all columns. Without a row, the parts have no values. Returns their
 * number.
 */
static size_t collect_parts(const struct report_section *s, const struct report_row *row, struct html_part *parts)
{
	static const struct value none = {.type = VALUE_NONE};
	size_t i, n = 0;

	for (i = 0; i < s->n_columns; i++) {
		const struct report_column *c = &s->columns[i];

		if (c->color < COLOR_MEANINGS)
			parts[n++] = (struct html_part){
			    c->color, html_bare_title(c), &c->unit, NULL, row ? &row->cells[i] : &none};
	}
	return n;
}

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
	struct html_part parts[REPORT_COLUMNS];
	const size_t n = collect_parts(s, row, parts), total = total_column(s), item = html_item(p);
	struct html label = {.limits = p->limits};
	size_t title;

	html_name(&label, html_bare_title(&s->columns[0]));
	html_lit(&label, " ");
	title = label.html.n;
	html_value(&label, &s->columns[0].unit, &row->cells[0], true);
	html_lit(p, "<span>");
	buf_add(&p->html, label.html.p + title, label.html.n - title);
	html_lit(p, "</span>");
	html_stacked_bar(p, parts, n, whole, height, (struct str){label.html.p, label.html.n});
	html_lit(p, "<b>");
	if (total < s->n_columns)
		html_value(p, &s->columns[total].unit, &row->cells[total], true);
	html_lit(p, "</b>\n");
	html_item_end(p, item);
	buf_free(&label.html);
}

void html_parts(struct html *p, const struct report_section *s)
{
	struct html_part parts[REPORT_COLUMNS];
	size_t i, n = 0, shown = html_rows_shown(p, s);
	double whole = 0;
	int height;

	if (shown > ROWS_DRAWN)
		shown = ROWS_DRAWN;
	height = shown > ROWS_OF_THAT_HEIGHT ? LOW_HEIGHT : ROW_HEIGHT;
	for (i = 0; i < shown; i++) {
		n = collect_parts(s, &s->rows[i], parts);
		if (html_parts_sum(parts, n) > whole)
			whole = html_parts_sum(parts, n);
	}
	if (height == LOW_HEIGHT)
		html_lit(p, "<div class=\"rows low\">\n");
	else
		html_lit(p, "<div class=\"rows\">\n");
	for (i = 0; i < shown; i++) {
		if (!s->rows[i].mean)
			put_parts_row(p, s, &s->rows[i], whole, height);
	}
	html_lit(p, "</div>\n");
	n = collect_parts(s, NULL, parts);
	html_legend(p, parts, n, false);
	if (shown < s->n_rows)
		html_lit(p, "<p class=\"soft\">The picture shows the first rows of the table.</p>\n");
}

/* Writes the interval of a bar in a histogram: all columns except the last, "5 µs to 10 µs". */
static void put_interval(struct html *p, const struct report_section *s, const struct report_row *row)
{
	const size_t edges = s->n_columns - 1;
	size_t i;

	if (edges == 2 && row->cells[0].type == VALUE_NONE)
		html_lit(p, "less than ");
	for (i = 0; i < edges; i++) {
		if (i && row->cells[i - 1].type != VALUE_NONE && row->cells[i].type != VALUE_NONE)
			html_lit(p, " to ");
		html_value(p, &s->columns[i].unit, &row->cells[i], true);
	}
	if (edges == 2 && row->cells[1].type == VALUE_NONE)
		html_lit(p, " or more");
}

static void put_histogram(struct html *p, const struct report_section *s)
{
	const size_t shown = html_rows_shown(p, s), count = s->n_columns - 1;
	const double maximum = html_column_maximum(s, count, shown);
	double sum = 0;
	size_t i;

	for (i = 0; i < shown; i++)
		sum += report_is_number(&s->rows[i].cells[count]) ? s->rows[i].cells[count].d : 0;
	html_lit(p, "<div class=\"rows\">\n");
	for (i = 0; i < shown; i++) {
		const struct value *v = &s->rows[i].cells[count];
		const double d = report_is_number(v) ? v->d : 0;
		const size_t item = html_item(p);

		html_lit(p, "<span>");
		put_interval(p, s, &s->rows[i]);
		html_lit(p, "</span>");
		html_bar(p, s->rows[i].color, maximum > 0 ? d / maximum : 0);
		html_lit(p, "<b>");
		html_value(p, &s->columns[count].unit, v, false);
		html_lit(p, " <small>");
		html_percent(p, sum > 0 ? d / sum : 0);
		html_lit(p, "</small></b>\n");
		html_item_end(p, item);
	}
	html_lit(p, "</div>\n");
	html_missing_rows(p, s, shown);
}

/* Writes a list of terms: the first column, and the other columns after it. */
static void put_facts(struct html *p, const struct report_section *s)
{
	size_t i, c;

	html_lit(p, "<dl class=\"terms\">\n");
	for (i = 0; i < html_rows_shown(p, s); i++) {
		const size_t item = html_item(p);

		html_lit(p, "<dt>");
		html_value(p, &s->columns[0].unit, &s->rows[i].cells[0], true);
		html_lit(p, "</dt><dd>");
		for (c = 1; c < s->n_columns; c++) {
			const bool name = s->columns[c].unit.measure == REPORT_MEASURE_NAME;

			if (c > 1)
				html_lit(p, " ");
			if (name)
				html_lit(p, "<code>");
			html_value(p, &s->columns[c].unit, &s->rows[i].cells[c], true);
			if (name)
				html_lit(p, "</code>");
		}
		html_lit(p, "</dd>\n");
		html_item_end(p, item);
	}
	html_lit(p, "</dl>\n");
	html_missing_rows(p, s, html_rows_shown(p, s));
}

void html_view(struct html *p, const struct report_section *s)
{
	if (!s->n_rows || !s->n_columns)
		return;
	switch (s->view) {
	case REPORT_VIEW_TABLE:
	case REPORT_VIEW_BARS:
		html_table(p, s, s->view == REPORT_VIEW_BARS);
		break;
	case REPORT_VIEW_PARTS: /* drawn before */
		break;
	case REPORT_VIEW_HIST:
		put_histogram(p, s);
		break;
	case REPORT_VIEW_FACTS:
		put_facts(p, s);
		break;
	}
}
