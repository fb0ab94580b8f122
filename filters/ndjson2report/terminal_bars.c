#include "terminal_bars.h"

#include "table/text_width.h"
#include "terminal_cell.h"
#include "terminal_names.h"
#include "terminal_text.h"

#include <math.h>

enum {
	LEAST_LABEL = 5, /* minimum columns of a label */
	LABEL_GAP = 3,
	VALUE = 12,      /* columns of the value at the right, with the space before it */
	MOST_LEGEND = 4, /* maximum number of lines of a legend */
};

/* The characters of a bar, by color. Without colors, they show the meaning of each part. */
static const struct {
	const char *utf8, *ascii;
} marks[COLOR_MEANINGS] = {
    [COLOR_NONE] = {"▁", "_"},
    [COLOR_COMPUTING] = {"█", "#"},
    [COLOR_COMMUNICATION] = {"▓", "="},
    [COLOR_COPY] = {"▒", "-"},
    [COLOR_HOST] = {"░", "."},
    [COLOR_PAUSE] = {"·", ":"},
    [COLOR_ANNOTATION] = {"▚", "+"},
    [COLOR_OPERATOR] = {"▞", "x"},
};

static struct str mark(const struct terminal *t, enum color color)
{
	const size_t i = color < COLOR_MEANINGS ? color : COLOR_NONE;

	return str_of(t->ascii ? marks[i].ascii : marks[i].utf8);
}

/* --- legend --- */

/* Adds an item of a legend that began after `start` lines; begins a new line if it does not fit. */
static void add_item(struct terminal *t, enum color color, struct str text, size_t start)
{
	const size_t gap = t->column ? 2 : 0;

	if (t->lines - start == MOST_LEGEND)
		return; /* the further items are left out */
	if (gap && t->column + gap + 2 + text_width(text) > t->width)
		terminal_end_line(t);
	else
		terminal_pad_to(t, t->column + gap);
	terminal_add_styled(t, terminal_style_of(color), mark(t, color));
	terminal_add(t, STR(" "));
	terminal_add(t, text);
}

/* Appends the share of a part in percent, "60%"; nothing if the figure has none. */
static void put_share(struct buf *to, const struct report_figure *f)
{
	const struct value *v =
	    f->unit.measure == REPORT_MEASURE_SHARE && f->share.type == VALUE_NONE ? &f->value : &f->share;
	struct report_number number;
	struct report_unit unit;

	if (!report_is_number(v))
		return;
	report_unit_read(&unit, STR("share"));
	report_number_put(&number, &unit, v, NULL);
	buf_char(to, ' ');
	buf_add(to, number.text, number.n);
	buf_char(to, '%');
}

void terminal_bars_legend(struct terminal *t, const struct report *r)
{
	const size_t start = t->lines;
	struct buf text = {0};
	size_t i;

	for (i = 0; i < r->n_figures; i++) {
		const struct report_figure *f = &r->figures[i];

		if (f->group != REPORT_PARTS)
			continue;
		text.n = 0;
		terminal_text_put(&text, t, f->brief);
		put_share(&text, f);
		add_item(t, f->color, terminal_cell_short(&text, t->width / 2), start);
	}
	if (t->column)
		terminal_end_line(t);
	buf_free(&text);
}

void terminal_bars_section_legend(struct terminal *t, const struct report_section *s)
{
	const size_t start = t->lines;
	struct buf text = {0};
	size_t i;

	for (i = 0; i < s->n_columns; i++) {
		if (s->columns[i].color == COLOR_MEANINGS)
			continue;
		text.n = 0;
		terminal_text_put(&text, t, s->columns[i].title);
		add_item(t, s->columns[i].color, terminal_cell_short(&text, t->width / 2), start);
	}
	if (t->column)
		terminal_end_line(t);
	buf_free(&text);
}

/* --- rows --- */

/* Returns the value of a part; 0 if it is not a positive number. */
static double part(const struct report_section *s, const struct report_row *row, size_t column)
{
	const struct value *v = &row->cells[column];

	return s->columns[column].color < COLOR_MEANINGS && report_is_number(v) && v->d > 0 ? v->d : 0;
}

static double total(const struct report_section *s, const struct report_row *row)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->n_columns; i++)
		sum += part(s, row, i);
	return sum;
}

/*
 * Adds the bar of a row. Each part ends at the character that is nearest to the sum of all parts up to it, so that the
 * errors of rounding do not add up.
 */
static void add_bar(
    struct terminal *t, const struct report_section *s, const struct report_row *row, double largest, size_t width)
{
	struct buf text = {0};
	size_t used = 0, end, i;
	double sum = 0;

	for (i = 0; i < s->n_columns; i++) {
		const struct str m = mark(t, s->columns[i].color);

		sum += part(s, row, i);
		end = (size_t)floor(sum / largest * (double)width + 0.5);
		end = end > width ? width : end;
		for (text.n = 0; used < end; used++)
			buf_add(&text, m.p, m.n);
		if (text.n)
			terminal_add_styled(t, terminal_style_of(s->columns[i].color), buf_str(&text));
	}
	buf_free(&text);
}

static bool is_bar(const struct report_row *row)
{
	return !row->mean && !row->rest;
}

static void add_row(struct terminal *t, const struct report_section *s, const struct report_row *row, struct str label,
    size_t label_width, double largest)
{
	const size_t start = label_width + LABEL_GAP, end = t->width - 1;
	struct buf value = {0};

	terminal_add_padded(t, label, label_width, true);
	terminal_pad_to(t, start);
	if (largest > 0 && end > start + VALUE)
		add_bar(t, s, row, largest, end - start - VALUE);
	terminal_pad_to(t, end > VALUE ? end - VALUE : 0);
	if (s->n_brief) {
		const size_t column = s->brief[s->n_brief - 1].column;
		struct report_unit unit = s->columns[column].unit;

		if (report_unit_in_title(&unit)) /* there is no title */
			unit = (struct report_unit){.measure = unit.measure, .decimals = -1};
		terminal_cell_put(&value, t, &unit, &row->cells[column]);
		terminal_add_padded(t, terminal_cell_short(&value, VALUE - 1), VALUE, true);
	}
	terminal_end_line(t);
	buf_free(&value);
}

void terminal_bars_rows(struct terminal *t, const struct report_section *s, size_t most)
{
	struct terminal_names labels = {0};
	struct buf room = {0};
	double largest = 0;
	size_t i, width, shown = 0;

	for (i = 0; i < s->n_rows && s->n_columns; i++) {
		const struct report_row *row = &s->rows[i];

		if (!is_bar(row) || labels.n == most)
			continue;
		room.n = 0;
		terminal_cell_put(&room, t, &s->columns[0].unit, &row->cells[0]);
		terminal_names_add(&labels, buf_str(&room), STR(""));
		largest = fmax(largest, total(s, row));
	}
	width = terminal_names_widest(&labels);
	width = width < LEAST_LABEL ? LEAST_LABEL : width > t->width / 4 ? t->width / 4 : width;
	terminal_names_fit(&labels, width);
	for (i = 0; shown < labels.n; i++) {
		if (!is_bar(&s->rows[i]))
			continue;
		add_row(t, s, &s->rows[i], terminal_names_get(&labels, shown, &room), width, largest);
		shown++;
	}
	terminal_cell_others(t, terminal_cell_hidden(s, shown), width + LABEL_GAP);
	terminal_names_free(&labels);
	buf_free(&room);
}
