#include "text_page.h"

#include "base/escape.h"
#include "base/int_math.h"
#include "page.h"
#include "table/distinct_texts.h"
#include "table/text_cut.h"
#include "table/text_grid.h"
#include "table/text_width.h"

#include <math.h>
#include <stdlib.h>

enum {
	MOST_LINES = 40,   /* maximum number of lines of a page, without commands */
	SENTENCE = 3,      /* maximum number of lines of a sentence */
	PARAGRAPH = 6,     /* maximum number of lines of a paragraph */
	MOST_FINDINGS = 5, /* maximum number of findings */
	FEW = 3,           /* number of findings, and of rows of each section, that get room first */
	MOST_LEGEND = 4,   /* maximum number of lines of a legend */
	SAVES = 10,        /* columns of what a finding saves, with the space before it */
	LEAST_LABEL = 5,   /* minimum columns of the label of a bar */
	LABEL_GAP = 3,
	BAR_VALUE = 12,   /* columns of the value at the right of a bar, with the space before it */
	LEAST_FIRST = 16, /* minimum columns of the first column of a table; others are left out for it */
	MOST_TEXT = 30,   /* maximum width of a text in another column than the first */
};

/* The page that is being made. */
struct text_page {
	struct terminal *t;
	const struct report *r;
	size_t findings;              /* maximum number of findings */
	size_t rows[REPORT_SECTIONS]; /* maximum number of rows of each section; 0: it is left out */
	bool legend;                  /* the legend of the window is the last block: it is that of the bars after it */
	struct buf text, room;        /* scratch */
};

/* --- texts --- */

static void text_piece(const struct report_writer *w, struct str text)
{
	terminal_put(w->page, w->to, text);
}

/* Appends text cut to `most` columns; 0: not cut. In a sentence, it is not broken when the sentence is wrapped. */
static void put_whole(const struct report_writer *w, struct str text, size_t most)
{
	struct buf cut = {0};

	text_cut_middle(&cut, text, most);
	if (w->cell)
		buf_add(w->to, cut.p, cut.n);
	else
		terminal_put_unbroken(w->to, buf_str(&cut));
	buf_free(&cut);
}

static void name_piece(const struct report_writer *w, struct str name)
{
	const struct terminal *t = w->page;
	struct buf shown = {0};

	terminal_put(t, &shown, name.n ? name : STR("\"\""));
	put_whole(w, buf_str(&shown), w->cell ? 0 : t->width * 5 / 8);
	buf_free(&shown);
}

static void number_piece(const struct report_writer *w, struct str digits, const char *unit)
{
	struct buf shown = {0};

	buf_add(&shown, digits.p, digits.n);
	buf_add(&shown, " ", *unit ? 1 : 0);
	terminal_put(w->page, &shown, str_of(unit));
	put_whole(w, buf_str(&shown), 0);
	buf_free(&shown);
}

/* Returns a text that is made of arguments, see report_put(): of cells, or of sentences to be wrapped. */
static struct str made_text(struct text_page *p, bool cell, const char *format, ...)
{
	const struct report_writer w = {text_piece, name_piece, number_piece, &p->text, p->t, cell, 0};
	va_list ap;

	p->text.n = 0;
	va_start(ap, format);
	report_put_list(&w, format, &ap);
	va_end(ap);
	return buf_str(&p->text);
}

/* Returns the same text, cut in its middle to `width` columns. */
static struct str shortened(struct text_page *p, struct str text, size_t width)
{
	p->room.n = 0;
	text_cut_middle(&p->room, text, width);
	return buf_str(&p->room);
}

/* Adds a text in at most `most` lines; nothing for an empty text. */
static void add_wrapped(
    struct text_page *p, const struct report_record *record, struct str text, enum terminal_style style, size_t most)
{
	if (!text.n)
		return;
	terminal_wrap(p->t, made_text(p, false, "%r", record, text), style, p->t->width, 0, most);
	terminal_end_line(p->t);
}

/* Returns all texts of a list, separated by commas. */
static struct str joined(struct text_page *p, const struct report_texts *list)
{
	struct buf all = {0};
	struct str text = STR("");
	size_t i;

	for (i = 0; i < list->n; i++) {
		text =
		    made_text(p, false, "%h%t%r", buf_str(&all), i ? ", " : "", &p->r->verdict.record, list->list[i]);
		all.n = 0;
		buf_add(&all, text.p, text.n);
	}
	buf_free(&all);
	return text;
}

/* --- verdict --- */

static void add_title(void *page, const struct report_verdict *v)
{
	struct text_page *p = page;
	struct terminal *t = p->t;
	struct str source;

	if (!p->r->has_verdict)
		return;
	terminal_add(t, TERMINAL_BOLD, shortened(p, made_text(p, true, "%n", v->title), t->width));
	source = joined(p, &v->source);
	if (source.n && t->column + 2 + text_width(source) > t->width)
		terminal_end_line(t);
	else if (source.n)
		terminal_pad_to(t, t->width - text_width(source));
	terminal_wrap(t, source, TERMINAL_PLAIN, t->width, 0, SENTENCE);
	terminal_end_line(t);
	if (v->facts.n) {
		terminal_wrap(t, joined(p, &v->facts), TERMINAL_PLAIN, t->width, 0, SENTENCE);
		terminal_end_line(t);
	}
}

static void add_headline(void *page, const struct report_verdict *v)
{
	struct text_page *p = page;

	if (v->text.n || v->detail.n)
		terminal_gap(p->t);
	add_wrapped(p, &v->record, v->text, TERMINAL_BOLD, SENTENCE);
	add_wrapped(p, &v->record, v->detail, TERMINAL_PLAIN, PARAGRAPH);
}

/* --- bars --- */

/* Returns the character of a color in a bar. Without colors, the characters show the meaning of each part. */
static struct str mark_of(const struct terminal *t, enum color color)
{
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
	const size_t i = color < COLOR_MEANINGS ? color : COLOR_NONE;

	return str_of(t->ascii ? marks[i].ascii : marks[i].utf8);
}

/* Adds the lines of a legend, with the shares that the report gives: █ compute 60%  ▓ communication 19%. */
static void add_legend(struct text_page *p, const struct page_part *parts, size_t n)
{
	struct terminal *t = p->t;
	const size_t start = t->lines;
	struct report_number number = {.n = 0};
	struct report_unit share;
	struct str item;
	size_t i, gap;

	report_unit_read(&share, STR("share"));
	for (i = 0; i < n && t->lines - start < MOST_LEGEND; i++) {
		const bool has_share = report_is_number(&parts[i].share);

		if (has_share)
			report_number_put(&number, &share, &parts[i].share, NULL);
		item = made_text(p, true, has_share ? "%p %h%%" : "%p", parts[i].brief, report_number_text(&number));
		item = shortened(p, item, t->width / 2);
		gap = t->column ? 2 : 0;
		if (gap && t->column + gap + 2 + text_width(item) > t->width)
			terminal_end_line(t);
		else
			terminal_pad_to(t, t->column + gap);
		if (t->lines - start == MOST_LEGEND)
			break; /* the further items are left out */
		terminal_add(t, terminal_style_of(parts[i].color), mark_of(t, parts[i].color));
		terminal_add(t, TERMINAL_PLAIN, STR(" "));
		terminal_add(t, TERMINAL_PLAIN, item);
	}
	if (t->column)
		terminal_end_line(t);
}

static void add_parts(void *page)
{
	struct page_part parts[REPORT_FIGURES];
	struct text_page *p = page;
	const size_t n = page_window_parts(p->r, parts);

	p->legend = n;
	if (!n)
		return;
	terminal_gap(p->t);
	add_legend(p, parts, n);
}

/*
 * Adds the bar of a row. Each part ends at the character that is nearest to the sum of all parts up to it, so that the
 * errors of rounding do not add up.
 */
static void add_bar(struct terminal *t, const struct page_part *parts, size_t n, double largest, size_t width)
{
	struct buf text = {0};
	size_t used = 0, end, i;
	double sum = 0;

	for (i = 0; i < n; i++) {
		const struct str mark = mark_of(t, parts[i].color);

		sum += page_part_size(&parts[i]);
		end = (size_t)floor(sum / largest * (double)width + 0.5);
		end = end > width ? width : end;
		for (text.n = 0; used < end; used++)
			buf_add(&text, mark.p, mark.n);
		terminal_add(t, terminal_style_of(parts[i].color), buf_str(&text));
	}
	buf_free(&text);
}

static bool is_own_row(const struct report_row *row)
{
	return !row->mean && !row->rest;
}

/*
 * Returns the number of rows that are not shown when the first `shown` rows are; counts a row that sums up others as
 * these others, and does not count rows of means.
 */
static uint64_t hidden_rows(const struct report_section *s, size_t shown)
{
	uint64_t n = 0;
	size_t i, rows = 0;

	for (i = 0; i < s->n_rows; i++) {
		const struct report_row *row = &s->rows[i];

		n = row->rest < UINT64_MAX - n ? n + row->rest : UINT64_MAX;
		rows += is_own_row(row);
	}
	return n + (rows - shown);
}

/* Texts in one column, in forms that fit its width and differ where the texts differ. */
struct text_column {
	struct distinct_texts texts;
	size_t number[MOST_LINES + 1], n; /* of the text in each row */
	size_t width;
};

/* Adds the text of the next row; `whole` is the text that it is a short form of, or empty. */
static void add_row_text(struct text_column *c, struct str text, struct str whole)
{
	c->number[c->n++] = distinct_texts_add(&c->texts, text, whole.n ? whole : text);
}

static size_t widest_text(const struct text_column *c)
{
	size_t widest = 0, width, i;

	for (i = 0; i < c->n; i++) {
		width = text_width(distinct_texts_brief(&c->texts, c->number[i]));
		widest = width > widest ? width : widest;
	}
	return widest;
}

static void cut_end(void *arg, struct buf *to, size_t number, struct str brief, size_t width)
{
	(void)arg, (void)number;
	text_cut_end(to, brief, width);
}

static void fit_column(struct text_column *c, size_t width)
{
	c->width = width;
	distinct_texts_fit(&c->texts, width, cut_end, NULL);
}

/* Returns the text of a row; it may be in p->room. */
static struct str row_text(struct text_page *p, const struct text_column *c, size_t row)
{
	const struct str form = distinct_texts_form(&c->texts, c->number[row]);

	if (form.n)
		return form;
	p->room.n = 0;
	text_cut_end(&p->room, distinct_texts_brief(&c->texts, c->number[row]), c->width);
	return buf_str(&p->room);
}

/* Adds the bar of a row, and the value of the last brief column. */
static void add_bar_row(struct text_page *p, const struct report_section *s, const struct report_row *row,
    struct str label, size_t label_width, double largest)
{
	const size_t start = label_width + LABEL_GAP, end = p->t->width - 1;
	const struct report_column *last = s->n_brief ? &s->columns[s->brief[s->n_brief - 1].column] : NULL;
	struct page_part parts[REPORT_COLUMNS];
	struct terminal *t = p->t;

	terminal_add_padded(t, label, label_width, true);
	terminal_pad_to(t, start);
	if (largest > 0 && end > start + BAR_VALUE)
		add_bar(t, parts, page_row_parts(s, row, parts), largest, end - start - BAR_VALUE);
	terminal_pad_to(t, end > BAR_VALUE ? end - BAR_VALUE : 0);
	if (last) {
		struct report_unit unit = last->unit;

		if (report_unit_in_title(&unit)) /* there is no title */
			unit = (struct report_unit){.measure = unit.measure, .decimals = -1};
		terminal_add_padded(t,
		    shortened(p, made_text(p, true, "%v", &unit, &row->cells[last - s->columns]), BAR_VALUE - 1),
		    BAR_VALUE, true);
	}
	terminal_end_line(t);
}

static void add_bars(void *page, const struct report_section *s)
{
	struct text_page *p = page;
	const size_t most = p->rows[s - p->r->sections];
	struct page_part parts[REPORT_COLUMNS];
	struct text_column labels = {0};
	double largest = 0;
	size_t i, width, shown;

	if (!p->legend) {
		terminal_gap(p->t);
		add_wrapped(p, &s->record, s->title, TERMINAL_BOLD, 1);
		add_legend(p, parts, page_row_parts(s, NULL, parts));
	}
	p->legend = false;
	for (i = 0; i < s->n_rows && s->n_columns && labels.n < most; i++) {
		if (!is_own_row(&s->rows[i]))
			continue;
		add_row_text(&labels, made_text(p, true, "%b", &s->columns[0].unit, &s->rows[i].cells[0]), STR(""));
		largest = fmax(largest, page_parts_sum(parts, page_row_parts(s, &s->rows[i], parts)));
	}
	width = widest_text(&labels);
	width = width < LEAST_LABEL ? LEAST_LABEL : width > p->t->width / 4 ? p->t->width / 4 : width;
	fit_column(&labels, width);
	for (i = shown = 0; shown < labels.n; i++) {
		if (is_own_row(&s->rows[i]))
			add_bar_row(p, s, &s->rows[i], row_text(p, &labels, shown++), width, largest);
	}
	if (hidden_rows(s, shown)) {
		terminal_pad_to(p->t, width + LABEL_GAP);
		terminal_add(p->t, TERMINAL_PLAIN, made_text(p, true, "%o", hidden_rows(s, shown)));
		terminal_end_line(p->t);
	}
	distinct_texts_free(&labels.texts);
}

/* --- findings --- */

static void add_finding(struct text_page *p, const struct report_finding *f, size_t number)
{
	struct terminal *t = p->t;
	const size_t end = t->width - 2;
	char digit = (char)('0' + number % 10);

	terminal_add(t, TERMINAL_BOLD, (struct str){&digit, 1});
	terminal_pad_to(t, 2);
	terminal_wrap(t, made_text(p, false, "%r", &f->record, f->text.n ? f->text : f->title), TERMINAL_PLAIN,
	    end - SAVES, 2, SENTENCE);
	if (f->saves.type != VALUE_NONE)
		terminal_add_at_end(
		    t, TERMINAL_BOLD, shortened(p, made_text(p, true, "%v", &report_time, &f->saves), end), end);
	if (f->of == REPORT_SAVES_HOST)
		terminal_add(t, TERMINAL_PLAIN, STR("*"));
	terminal_end_line(t);
}

static void add_findings(void *page)
{
	struct text_page *p = page;
	struct terminal *t = p->t;
	struct str whole;
	bool host = false;
	size_t i;

	if (!p->findings)
		return;
	terminal_gap(t);
	terminal_add(t, TERMINAL_BOLD, STR("What to do first"));
	whole = made_text(p, true, p->r->verdict.per.n ? "at most, %p" : "at most", p->r->verdict.per);
	terminal_add_at_end(t, TERMINAL_PLAIN, shortened(p, whole, t->width), t->width);
	terminal_end_line(t);
	for (i = 0; i < p->r->n_findings && i < p->findings; i++) {
		add_finding(p, &p->r->findings[i], i + 1);
		host |= p->r->findings[i].of == REPORT_SAVES_HOST;
	}
	if (host) {
		terminal_add(t, TERMINAL_PLAIN, STR("* of the host's time"));
		terminal_end_line(t);
	}
}

/* --- tables --- */

/* The table that is being made. Its last row may sum up all rows that are not shown. */
struct text_table {
	struct page_table table;
	struct text_column columns[REPORT_COLUMNS];
	size_t n, rows;
};

/* Appends the text of a value. Numbers of which the title has the unit have at most one decimal. */
static struct str short_value(struct text_page *p, struct report_unit unit, const struct value *v)
{
	if (report_unit_in_title(&unit) && unit.decimals > 1)
		unit.decimals = 1;
	return made_text(p, true, "%b", &unit, v);
}

/* Adds the cells of a row. The member `name` is the whole text of a first column that is a short form of it. */
static void add_cells(struct text_page *p, struct text_table *table, const struct report_row *row)
{
	const struct report_writer first = {text_piece, name_piece, number_piece, &p->text, p->t, true, 0};
	struct buf whole = {0};
	size_t i;

	terminal_put(p->t, &whole, report_record_text(&row->record, "name"));
	p->text.n = 0;
	page_cell_write(&table->table, row, 0, &first);
	add_row_text(&table->columns[0], buf_str(&p->text), buf_str(&whole));
	for (i = 1; i < table->n; i++) {
		const struct report_brief *b = &table->table.columns[table->table.fields[i].last];

		add_row_text(&table->columns[i], short_value(p, b->unit, &row->cells[b->column]), STR(""));
	}
	buf_free(&whole);
}

/* Adds a value to *sum. */
static void add_value(struct value *sum, const struct value *v)
{
	if (!report_is_number(v))
		return;
	if (sum->type == VALUE_NONE)
		sum->type = VALUE_INT;
	if (v->type == VALUE_REAL)
		sum->type = VALUE_REAL;
	sum->i = int_add(sum->i, v->i);
	sum->d += v->d;
}

/* Adds the cells of the line that sums up all rows after the first ones that are shown. */
static void add_sums(struct text_page *p, struct text_table *table, uint64_t others)
{
	const struct report_section *s = table->table.section;
	size_t i, k, skipped;

	add_row_text(&table->columns[0], made_text(p, true, "%o", others), STR(""));
	for (i = 1; i < table->n; i++) {
		const struct report_brief *b = &table->table.columns[table->table.fields[i].last];
		struct value sum = {.type = VALUE_NONE};
		char text[NUM_ROOM];

		for (k = skipped = 0; s->columns[b->column].sums && k < s->n_rows; k++) {
			const struct report_row *row = &s->rows[k];

			if (row->rest || (is_own_row(row) && skipped++ >= table->rows))
				add_value(&sum, &row->cells[b->column]);
		}
		sum.text = sum.type == VALUE_INT ? num_str_i64(text, sum.i)
						 : (struct str){text, (size_t)(num_put_double(text, sum.d) - text)};
		add_row_text(&table->columns[i], short_value(p, b->unit, &sum), STR(""));
	}
}

static void make_rows(struct text_page *p, struct text_table *table, size_t most)
{
	const struct report_section *s = table->table.section;
	bool sums = false;
	size_t i;

	for (i = 0; i < s->n_rows && table->rows < most; i++) {
		if (is_own_row(&s->rows[i])) {
			add_cells(p, table, &s->rows[i]);
			table->rows++;
		}
	}
	for (i = 0; i < s->n_columns; i++)
		sums |= s->columns[i].sums;
	if (sums && hidden_rows(s, table->rows))
		add_sums(p, table, hidden_rows(s, table->rows));
}

/* Returns the minimum width of a column, so that the columns of all tables of a report are under each other. */
static size_t least_width(const struct text_table *table, size_t i)
{
	const enum report_measure measure = table->table.columns[table->table.fields[i].last].unit.measure;

	if (i + 1 == table->n)
		return 9;
	return measure == REPORT_MEASURE_SHARE || measure == REPORT_MEASURE_COUNT ? 6 : 7;
}

/* Sets the widths, and drops columns at the right until the first one is wide enough. */
static void set_widths(struct text_table *table, size_t all)
{
	size_t i, used = 0, width, title;

	for (i = 1; i < table->n; i++) {
		const struct page_field *f = &table->table.fields[i];

		width = widest_text(&table->columns[i]);
		width = f->text && width > MOST_TEXT ? MOST_TEXT : width;
		title = text_width(f->title);
		width = title > width ? title : width;
		table->columns[i].width = width > least_width(table, i) ? width : least_width(table, i);
		used += table->columns[i].width + TEXT_GRID_GAP;
	}
	while (table->n > 1 && used + LEAST_FIRST > all)
		used -= table->columns[--table->n].width + TEXT_GRID_GAP;
	table->columns[0].width = all - used;
}

static void add_lines(struct text_page *p, struct text_table *table)
{
	struct text_grid_column columns[REPORT_COLUMNS];
	struct text_grid grid = {.columns = columns, .n = table->n};
	struct buf style = {0};
	size_t i, row;

	grid.before = terminal_style_begin(p->t, TERMINAL_BOLD, &style);
	grid.after = grid.before.n ? STR(TERMINAL_STYLE_END) : STR("");
	for (i = 0; i < table->n; i++) {
		const struct page_field *f = &table->table.fields[i];
		struct text_column *c = &table->columns[i];

		columns[i] = (struct text_grid_column){.width = c->width, .right = i && !f->text};
		p->room.n = 0;
		text_cut_end(&p->room, made_text(p, true, "%p", f->title), c->width);
		text_grid_cell(&grid, i, buf_str(&p->room));
		fit_column(c, c->width);
	}
	terminal_add_line(p->t, text_grid_line(&grid));
	grid.before = grid.after = STR("");
	for (row = 0; row < table->columns[0].n; row++) {
		for (i = 0; i < table->n; i++)
			text_grid_cell(&grid, i, row_text(p, &table->columns[i], row));
		terminal_add_line(p->t, text_grid_line(&grid));
	}
	text_grid_free(&grid);
	buf_free(&style);
}

/*
 * Adds a line with the brief titles, and a line for each of the first rows of the section. If its columns may be added,
 * a last line has the sums of all other rows. The first column takes the width that the others leave.
 */
static void add_table(void *page, const struct report_section *s, bool folded)
{
	struct text_page *p = page;
	struct text_table *table;
	size_t i;

	(void)folded;
	table = mem_zero(1, sizeof *table);
	page_table_init(&table->table, s, true);
	table->n = table->table.n;
	terminal_gap(p->t);
	make_rows(p, table, p->rows[s - p->r->sections]);
	set_widths(table, p->t->width);
	add_lines(p, table);
	for (i = 0; i < table->table.n; i++)
		distinct_texts_free(&table->columns[i].texts);
	free(table);
}

/* --- sections --- */

static bool begin_section(void *page, const struct report_section *s, int depth, bool half)
{
	struct text_page *p = page;

	(void)depth, (void)half;
	if (page_has_brief(s))
		return p->rows[s - p->r->sections] && p->t->lines <= MOST_LINES; /* a longer page is not used */
	terminal_gap(p->t);
	add_wrapped(p, &s->record, s->title, TERMINAL_BOLD, 1);
	return true;
}

/*
 * Adds the commands of a section, so that they can be copied: each in a line of its own that is never broken, in the
 * bytes of the report. Only control characters, which could do harm when they are pasted, are escaped.
 */
static void add_commands(void *page, const struct report_section *s)
{
	struct text_page *p = page;
	struct terminal *t = p->t;
	const size_t lines = t->lines;
	struct str rest, line;
	size_t i;

	for (i = 0; i < s->commands.n; i++) {
		rest = s->commands.list[i];
		while (str_split(&rest, '\n', &line)) {
			p->text.n = 0;
			escape_text(&p->text, ESCAPE_PLAIN, line);
			terminal_pad_to(t, 2);
			terminal_add(t, TERMINAL_SOFT, buf_str(&p->text));
			terminal_end_line(t);
		}
	}
	t->lines = lines;
}

/* --- last lines --- */

/* Adds the figures in *values, "name value", to the page. */
static void add_values(struct text_page *p, struct buf *values)
{
	if (!values->n)
		return;
	terminal_wrap(p->t, buf_str(values), TERMINAL_PLAIN, p->t->width, 0, SENTENCE);
	terminal_end_line(p->t);
	values->n = 0;
}

/* Adds the figures of the last lines and, as the very last one, the hint. */
static void add_last_lines(void *page)
{
	struct text_page *p = page;
	const struct report_figure *f = NULL;
	struct buf values = {0};

	if (page_next_figure(p->r, NULL, REPORT_LINE))
		terminal_gap(p->t);
	while ((f = page_next_figure(p->r, f, REPORT_LINE))) {
		const struct str text = f->text.n ? f->text : f->value.type == VALUE_NONE ? f->note : STR("");

		if (text.n) {
			add_values(p, &values);
			add_wrapped(p, &f->record, text, TERMINAL_PLAIN, SENTENCE);
			continue;
		}
		buf_add(&values, "   ", values.n ? 3 : 0);
		terminal_put_unbroken(
		    &values, shortened(p, made_text(p, true, "%p %v", f->brief, &f->unit, &f->value), p->t->width));
	}
	add_values(p, &values);
	buf_free(&values);
	if (!p->r->verdict.hint.n)
		return;
	terminal_gap(p->t);
	terminal_wrap(p->t, made_text(p, true, "%p", p->r->verdict.hint), TERMINAL_SOFT, p->t->width, 0, SENTENCE);
	terminal_end_line(p->t);
}

/* --- the page --- */

/* Writes the page. Returns whether it has at most MOST_LINES lines. */
static bool write_page(struct text_page *p, bool commands)
{
	static const struct page_drawer drawer = {
	    .title = add_title,
	    .headline = add_headline,
	    .parts = add_parts,
	    .findings = add_findings,
	    .section = begin_section,
	    .bars = add_bars,
	    .table = add_table,
	    .commands = add_commands,
	    .lines = add_last_lines,
	};

	terminal_clear(p->t);
	page_draw_brief(p->r, &drawer, p, commands);
	return p->t->lines <= MOST_LINES;
}

/*
 * Gives a block up to `most` rows, as many as fit on the page, which has *lines lines now. A block with its first row
 * has at least three lines: an empty line, a heading and the row.
 */
static void grow(struct text_page *p, size_t *rows, uint64_t most, size_t *lines)
{
	const size_t before = *rows;

	if (most <= before || *lines + (before ? 1 : 3) > MOST_LINES)
		return;
	*rows = most < MOST_LINES ? (size_t)most : MOST_LINES;
	while (*rows > before && !write_page(p, false))
		--*rows;
	if (*rows > before)
		*lines = p->t->lines;
}

/* Gives each section of view parts, or each other one, up to `most` of its lines. */
static void grow_sections(struct text_page *p, bool parts, uint64_t most, size_t n, size_t *lines)
{
	size_t i;

	for (i = 0; i < p->r->n_sections && n; i++) {
		const struct report_section *s = &p->r->sections[i];

		if (!page_has_brief(s) || (s->view == REPORT_VIEW_PARTS) != parts)
			continue;
		grow(p, &p->rows[i], s->lines < most ? s->lines : most, lines);
		n--;
	}
}

void text_page_write(struct terminal *t, const struct report *r, bool commands)
{
	struct text_page p = {.t = t, .r = r};
	size_t lines;

	/*
	 * Bars come first; then a few findings and rows of the first table, and all findings. The other tables get a
	 * few rows each, in their order, and then more if there is room.
	 */
	write_page(&p, false);
	lines = t->lines;
	grow_sections(&p, true, UINT64_MAX, SIZE_MAX, &lines);
	grow(&p, &p.findings, FEW, &lines);
	grow_sections(&p, false, FEW, 1, &lines);
	grow(&p, &p.findings, MOST_FINDINGS, &lines);
	grow_sections(&p, false, FEW, SIZE_MAX, &lines);
	grow_sections(&p, false, UINT64_MAX, SIZE_MAX, &lines);
	write_page(&p, commands);
	buf_free(&p.text);
	buf_free(&p.room);
}
