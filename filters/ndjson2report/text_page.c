#include "text_page.h"

#include "base/escape.h"
#include "blocks.h"
#include "table/distinct_texts.h"
#include "table/text_cut.h"
#include "table/text_grid.h"
#include "table/text_width.h"
#include "terminal.h"

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
	VALUE_GAP = 2,    /* columns before each of several values at the right of a bar */
	LEAST_BAR = 16,   /* minimum columns of the bars in a table; it has none if its names need them */
	LEAST_FIRST = 16, /* minimum columns of the first column of a table; others are left out for it */
	MOST_TEXT = 30,   /* maximum width of a text in another column than the first */
	LEAST_LAST = 9,   /* minimum width of the last column of a table */
};

/* The page that is being made. */
struct text_page {
	struct terminal *t;
	const struct report *r;
	struct blocks_options options;
	size_t lines;                   /* of the page with these options */
	struct buf text, sentence, cut; /* scratch */
};

/* --- texts --- */

/* Returns a text in the characters of the terminal, in the buffer `to`. */
static struct str shown_in(const struct text_page *p, struct buf *to, struct str text)
{
	struct span span;

	to->n = 0;
	while (span_next(&text, &span))
		escape_text(to, p->t->ascii ? ESCAPE_ASCII : ESCAPE_PLAIN, span.text);
	return buf_str(to);
}

static struct str shown(struct text_page *p, struct str text)
{
	return shown_in(p, &p->text, text);
}

/* Returns the same text, cut in its middle to `width` columns. */
static struct str shortened(struct text_page *p, struct str text, size_t width)
{
	p->cut.n = 0;
	text_cut_middle(&p->cut, shown(p, text), width);
	return buf_str(&p->cut);
}

/* Returns a sentence that is to be wrapped: long names are cut, and numbers and names are not broken. */
static struct str sentence(struct text_page *p, struct str text)
{
	struct span span;
	struct str part;
	size_t n;

	p->sentence.n = 0;
	while (span_next(&text, &span)) {
		part = shortened(p, span.text, span.kind == SPAN_NAME ? p->t->width * 5 / 8 : 0);
		for (; part.n; part = str_from(part, n + 1)) {
			n = span.kind == SPAN_TEXT ? part.n : str_find(part, STR(" "));
			buf_add(&p->sentence, part.p, n);
			if (n < part.n)
				buf_lit(&p->sentence, "\xc2\xa0"); /* no-break space */
		}
	}
	return buf_str(&p->sentence);
}

/* Adds a text in at most `most` lines; nothing for an empty text. */
static void add_wrapped(struct text_page *p, struct str text, enum terminal_style style, size_t most)
{
	if (!text.n)
		return;
	terminal_wrap(p->t, sentence(p, text), style, p->t->width, 0, most);
	terminal_end_line(p->t);
}

/* --- bars --- */

static enum terminal_style style_of(const struct report_part *part)
{
	return (enum terminal_style)(TERMINAL_COLORS + part->color);
}

/* Returns the character of the i-th part in a bar. It shows the meaning of its color; parts without one get letters. */
static struct str mark_of(const struct report_part *part, size_t i)
{
	static const char *const marks[COLOR_MEANINGS] = {
	    [COLOR_NONE] = "▁",
	    [COLOR_COMPUTING] = "█",
	    [COLOR_COMMUNICATION] = "▓",
	    [COLOR_COPY] = "▒",
	    [COLOR_HOST] = "░",
	    [COLOR_PAUSE] = "·",
	    [COLOR_ANNOTATION] = "▟",
	    [COLOR_OPERATOR] = "▞",
	    [COLOR_WAITING] = "▚",
	};

	return part->color < COLOR_MEANINGS ? str_of(marks[part->color])
					    : str_head(str_from(STR("abcdefghijklmnopqrstuvwxyz"), i % 26), 1);
}

/* Adds the lines of a legend: █ compute 60%  ▓ communication 19%. */
static void add_legend(struct text_page *p, const struct report_part *parts, size_t n)
{
	struct terminal *t = p->t;
	const size_t start = t->lines;
	struct str item;
	size_t i;

	for (i = 0; i < n; i++) {
		item = shortened(p, parts[i].brief, t->width / 2);
		if (t->column && t->column + 4 + text_width(item) > t->width)
			terminal_end_line(t);
		if (t->lines - start == MOST_LEGEND)
			break; /* the further items are left out */
		terminal_pad_to(t, t->column ? t->column + 2 : 0);
		terminal_add(t, style_of(&parts[i]), mark_of(&parts[i], i));
		terminal_add(t, TERMINAL_PLAIN, STR(" "));
		terminal_add(t, TERMINAL_PLAIN, item);
	}
	if (t->column)
		terminal_end_line(t);
}

/* Returns a character n times, in the buffer `to`. */
static struct str repeated(struct buf *to, struct str mark, size_t n)
{
	for (to->n = 0; n; n--)
		buf_add(to, mark.p, mark.n);
	return buf_str(to);
}

/*
 * Adds the parts of a bar. Each ends at the character that is nearest to the sum of all parts up to it, so that the
 * errors of rounding do not add up.
 */
static void add_parts(struct terminal *t, const struct block *bars, const struct report_part *parts, size_t width)
{
	struct buf text = {0};
	size_t used = 0, end, i;
	double sum = 0;

	for (i = 0; i < bars->n_parts; i++) {
		sum += parts[i].size;
		end = (size_t)floor(sum / bars->whole * (double)width + 0.5);
		end = end > width ? width : end;
		terminal_add(t, style_of(&parts[i]), repeated(&text, mark_of(&parts[i], i), end - used));
		used = end;
	}
	buf_free(&text);
}

/* Texts in one column, in forms that fit its width and differ where the texts differ. */
struct text_column {
	struct distinct_texts texts;
	size_t number[MOST_LINES + 1], n; /* of the text in each row */
	size_t width;
};

/* Adds the text of the next row; `whole` is the text that it is a short form of, or empty. */
static void add_row_text(struct text_page *p, struct text_column *c, struct str text, struct str whole)
{
	const struct str brief = shown(p, text);

	c->number[c->n++] = distinct_texts_add(&c->texts, brief, whole.n ? shown_in(p, &p->sentence, whole) : brief);
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

/* Returns the text of a row; it may be in p->cut. */
static struct str row_text(struct text_page *p, const struct text_column *c, size_t row)
{
	const struct str form = distinct_texts_form(&c->texts, c->number[row]);

	if (form.n)
		return form;
	p->cut.n = 0;
	text_cut_end(&p->cut, distinct_texts_brief(&c->texts, c->number[row]), c->width);
	return buf_str(&p->cut);
}

/* Returns the columns of the values of a bar that is followed by several values; each has one space before it. */
static size_t value_width(const struct block *bars, size_t column)
{
	size_t widest = text_width(bars->columns[column].title), width, i;

	for (i = 0; i < bars->n && !bars->rows[i].rest; i++) {
		width = text_width(bars->rows[i].cells[column].text);
		widest = width > widest ? width : widest;
	}
	return widest + VALUE_GAP;
}

/* Adds a line with several values after a bar, or with their titles; `end` is the column after the last one. */
static void add_values(struct text_page *p, const struct block *bars, const struct block_cell *cells, size_t end)
{
	size_t i, at = end;

	for (i = 1; i < bars->n_columns; i++)
		at -= value_width(bars, i);
	for (i = 1; i < bars->n_columns; i++) {
		const struct str text = cells ? cells[i].text : bars->columns[i].title;

		at += value_width(bars, i);
		if (bars->columns[i].text) {
			terminal_pad_to(p->t, at + VALUE_GAP - value_width(bars, i));
			terminal_add(p->t, cells ? TERMINAL_PLAIN : TERMINAL_BOLD, shown(p, text));
		} else {
			terminal_add_right(p->t, cells ? TERMINAL_PLAIN : TERMINAL_BOLD, shown(p, text), at);
		}
	}
}

/* Adds a line for each bar: its label, its parts and the values of its row, or only the last one if they do not fit. */
static void add_bars(struct text_page *p, const struct block *bars)
{
	struct terminal *t = p->t;
	const size_t end = t->width - 1, last = bars->n_columns - 1;
	struct text_column labels = {0};
	size_t i, width, start, values = 0;
	bool several;

	if (bars->legend)
		add_legend(p, bars->rows[0].parts, bars->n_parts);
	for (i = 0; i < bars->n && !bars->rows[i].rest; i++)
		add_row_text(p, &labels, bars->rows[i].cells[0].text, STR(""));
	width = widest_text(&labels);
	width = width < LEAST_LABEL ? LEAST_LABEL : width > t->width / 4 ? t->width / 4 : width;
	start = width + LABEL_GAP;
	fit_column(&labels, width);
	for (i = 1; i <= last; i++)
		values += value_width(bars, i);
	several = last > 1 && start + values < end;
	if (!several)
		values = BAR_VALUE;
	if (several) {
		terminal_add_right(t, TERMINAL_BOLD, shown(p, bars->columns[0].title), width);
		add_values(p, bars, NULL, end);
		terminal_end_line(t);
	}
	for (i = 0; i < labels.n; i++) {
		terminal_add_right(t, TERMINAL_PLAIN, row_text(p, &labels, i), width);
		terminal_pad_to(t, start);
		if (bars->whole > 0 && end > start + values)
			add_parts(t, bars, bars->rows[i].parts, end - start - values);
		terminal_pad_to(t, end > values ? end - values : 0);
		if (several)
			add_values(p, bars, bars->rows[i].cells, end);
		else if (last)
			terminal_add_right(t, TERMINAL_PLAIN,
			    shortened(p, bars->rows[i].cells[last].text, BAR_VALUE - 1), t->column + BAR_VALUE);
		terminal_end_line(t);
	}
	if (labels.n < bars->n) { /* the row that sums up others */
		terminal_pad_to(t, start);
		terminal_add(t, TERMINAL_PLAIN, shown(p, bars->rows[labels.n].cells[0].text));
		terminal_end_line(t);
	}
	distinct_texts_free(&labels.texts);
}

/* --- tables --- */

/* Sets the widths of columns. Returns their number: columns at the right are left out for the first one. */
static size_t set_widths(const struct block *block, struct text_column *columns, size_t all)
{
	size_t n = block->n_columns, used = 0, i, width;

	for (i = 1; i < n; i++) {
		const struct block_column *c = &block->columns[i];
		const size_t title = text_width(c->title), least = i + 1 == n ? LEAST_LAST : c->least;

		width = widest_text(&columns[i]);
		width = c->text && width > MOST_TEXT ? MOST_TEXT : width;
		width = title > width ? title : width;
		columns[i].width = width > least ? width : least;
		used += columns[i].width + TEXT_GRID_GAP;
	}
	while (n > 1 && used + LEAST_FIRST > all)
		used -= columns[--n].width + TEXT_GRID_GAP;
	columns[0].width = all - used;
	return n;
}

static void add_grid_line(struct text_page *p, struct text_grid *grid)
{
	const struct str line = text_grid_line(grid);

	terminal_add(p->t, TERMINAL_PLAIN, str_head(line, line.n - 1)); /* without its newline */
	terminal_end_line(p->t);
}

/*
 * Makes room for bars: the columns that the names in the first column do not need. Returns their number; 0 if a table
 * of n columns has no bars, or if its names need the room.
 */
static size_t take_bar_width(const struct block *block, struct text_column *names, size_t n)
{
	const size_t all = names->width, title = text_width(block->columns[0].title), widest = widest_text(names);
	const size_t width = title > widest ? title : widest;

	if (!block->bars || block->bar_before >= n || width + TEXT_GRID_GAP + LEAST_BAR > all)
		return 0;
	names->width = width;
	return all - width - TEXT_GRID_GAP;
}

static void set_style(const struct text_page *p, struct text_grid *grid, enum terminal_style style, struct buf *room)
{
	grid->before = terminal_style_begin(p->t, style, room);
	grid->after = grid->before.n ? STR(TERMINAL_STYLE_END) : STR("");
}

/* Adds the cell of a bar, which has one part, with or without a color; empty for the row that sums up others. */
static void add_bar_cell(
    struct text_page *p, struct text_grid *grid, size_t column, const struct block *block, size_t row)
{
	const struct report_part *part = block->rows[row].parts;
	const double share = part && block->whole > 0 ? part->size / block->whole : 0;
	const size_t n = (size_t)floor(share * (double)grid->columns[column].width + 0.5);
	const struct str mark = !part ? STR("") : part->color < COLOR_MEANINGS ? mark_of(part, 0) : STR("█");
	struct buf style = {0};

	set_style(p, grid, part ? style_of(part) : TERMINAL_PLAIN, &style);
	text_grid_cell(grid, column, repeated(&p->cut, mark, n));
	set_style(p, grid, TERMINAL_PLAIN, &style);
	buf_free(&style);
}

/* Adds the lines of a table of n columns. In the grid, bars are column n. */
static void add_lines(struct text_page *p, const struct block *block, struct text_column *columns, size_t n)
{
	struct text_grid_column widths[REPORT_COLUMNS + 1];
	struct text_grid grid = {.columns = widths, .n = n};
	const size_t bar = take_bar_width(block, columns, n), bar_before = bar ? block->bar_before : n;
	struct buf style = {0};
	size_t i, row;

	widths[n] = (struct text_grid_column){.width = bar};
	set_style(p, &grid, TERMINAL_BOLD, &style);
	for (i = 0; i < n; i++) {
		widths[i] = (struct text_grid_column){.width = columns[i].width, .right = i && !block->columns[i].text};
		p->cut.n = 0;
		text_cut_end(&p->cut, shown(p, block->columns[i].title), columns[i].width);
		if (i == bar_before)
			text_grid_cell(&grid, n, STR(""));
		text_grid_cell(&grid, i, buf_str(&p->cut));
		fit_column(&columns[i], columns[i].width);
	}
	add_grid_line(p, &grid);
	set_style(p, &grid, TERMINAL_PLAIN, &style);
	for (row = 0; row < block->n; row++) {
		for (i = 0; i < n; i++) {
			if (i == bar_before)
				add_bar_cell(p, &grid, n, block, row);
			text_grid_cell(&grid, i, row_text(p, &columns[i], row));
		}
		add_grid_line(p, &grid);
	}
	text_grid_free(&grid);
	buf_free(&style);
}

/* Adds a line with the titles, and a line for each row. The first column takes the width that the others leave. */
static void add_table(struct text_page *p, const struct block *block)
{
	struct text_column *columns;
	size_t i, row;

	if (block->stacked) {
		add_bars(p, block);
		return;
	}
	columns = mem_zero(block->n_columns, sizeof *columns);
	terminal_gap(p->t);
	for (i = 0; i < block->n_columns; i++) {
		for (row = 0; row < block->n; row++) {
			const struct block_cell *cell = &block->rows[row].cells[i];

			add_row_text(p, &columns[i], cell->text, cell->whole);
		}
	}
	add_lines(p, block, columns, set_widths(block, columns, p->t->width));
	for (i = 0; i < block->n_columns; i++)
		distinct_texts_free(&columns[i].texts);
	free(columns);
}

/* --- other blocks --- */

static void add_verdict(struct text_page *p, const struct block *block)
{
	const struct report_verdict *v = block->verdict;
	struct terminal *t = p->t;
	struct str source;

	if (v->title.n) {
		terminal_add(t, TERMINAL_BOLD, shortened(p, v->title, t->width));
		source = sentence(p, v->source);
		if (source.n && t->column + 2 + text_width(source) > t->width)
			terminal_end_line(t);
		else if (source.n)
			terminal_pad_to(t, t->width - text_width(source));
		terminal_wrap(t, source, TERMINAL_PLAIN, t->width, 0, SENTENCE);
		terminal_end_line(t);
		add_wrapped(p, v->facts, TERMINAL_PLAIN, SENTENCE);
	}
	if (v->text.n || v->detail.n)
		terminal_gap(t);
	add_wrapped(p, v->text, TERMINAL_BOLD, SENTENCE);
	add_wrapped(p, v->detail, TERMINAL_PLAIN, PARAGRAPH);
	if (block->n_parts)
		terminal_gap(t);
	add_legend(p, block->rows[0].parts, block->n_parts);
}

static void add_findings(struct text_page *p, const struct block *block)
{
	const struct str overlap = str_of(block->overlap ? "; gains overlap" : "");
	struct terminal *t = p->t;
	const size_t end = t->width - 2;
	size_t i;

	terminal_gap(t);
	terminal_add(t, TERMINAL_BOLD, STR("What to do first"));
	p->sentence.n = 0;
	spans_put(&p->sentence, block->text.n ? "at most, %h%h" : "at most%h%h", block->text, overlap);
	terminal_add_right(t, TERMINAL_PLAIN, shortened(p, buf_str(&p->sentence), t->width), t->width);
	terminal_end_line(t);
	for (i = 0; i < block->n; i++) {
		const struct report_finding *f = &block->findings[i];

		terminal_add(t, TERMINAL_BOLD, str_head(str_from(STR("123456789"), i), 1));
		terminal_pad_to(t, 2);
		terminal_wrap(t, sentence(p, f->brief), TERMINAL_PLAIN, end - SAVES, 2, SENTENCE);
		if (f->saves.n)
			terminal_add_right(t, TERMINAL_BOLD, shortened(p, f->saves, end), end);
		terminal_end_line(t);
	}
	if (!block->left)
		return;
	p->sentence.n = 0;
	spans_put(&p->sentence, "%i more: -o md", (uint64_t)block->left);
	terminal_pad_to(t, 2);
	terminal_add(t, TERMINAL_SOFT, shortened(p, buf_str(&p->sentence), t->width));
	terminal_end_line(t);
}

/* Adds commands so that they can be copied: each in a line of its own that is never broken. */
static void add_commands(struct text_page *p, const struct block *block)
{
	struct str rest, line;
	size_t i;

	for (i = 0; i < block->n; i++) {
		rest = block->commands[i];
		while (str_split(&rest, '\n', &line)) {
			p->text.n = 0;
			escape_text(&p->text, ESCAPE_PLAIN, line);
			terminal_pad_to(p->t, 2);
			terminal_add(p->t, TERMINAL_SOFT, buf_str(&p->text));
			terminal_end_line(p->t);
		}
	}
}

static void add_heading(struct text_page *p, const struct block *block)
{
	terminal_gap(p->t);
	add_wrapped(p, block->text, TERMINAL_BOLD, 1);
}

static void add_text(struct text_page *p, const struct block *block)
{
	if (block->gap)
		terminal_gap(p->t);
	add_wrapped(p, block->text, block->soft ? TERMINAL_SOFT : TERMINAL_PLAIN, SENTENCE);
}

/* --- the page --- */

/* Writes the page. Returns whether it has at most MOST_LINES lines. */
static bool write_page(struct text_page *p)
{
	/* The other kinds of blocks are not in the short form. */
	static void (*const add[BLOCK_KINDS])(struct text_page * p, const struct block *block) = {
	    [BLOCK_VERDICT] = add_verdict,
	    [BLOCK_TABLE] = add_table,
	    [BLOCK_FINDINGS] = add_findings,
	    [BLOCK_HEADING] = add_heading,
	    [BLOCK_TEXT] = add_text,
	    [BLOCK_COMMANDS] = add_commands,
	};
	struct blocks blocks;
	size_t i;

	terminal_clear(p->t);
	blocks_make(&blocks, p->r, &p->options);
	for (i = 0; i < blocks.n; i++)
		add[blocks.list[i].kind](p, &blocks.list[i]);
	blocks_free(&blocks);
	return p->t->lines <= MOST_LINES;
}

/*
 * Gives a block up to `most` rows, as many as fit on the page. A block with its first row has at least three lines: an
 * empty line, a heading and the row.
 */
static void grow(struct text_page *p, size_t *rows, uint64_t most)
{
	const size_t before = *rows;

	if (most <= before || p->lines + (before ? 1 : 3) > MOST_LINES)
		return;
	*rows = most < MOST_LINES ? (size_t)most : MOST_LINES;
	while (*rows > before && !write_page(p))
		--*rows;
	if (*rows > before)
		p->lines = p->t->lines;
}

/* Gives each of the first n sections of view parts, or other ones, up to `most` of its lines. */
static void grow_sections(struct text_page *p, bool parts, uint64_t most, size_t n)
{
	size_t i;

	for (i = 0; i < p->r->n_sections && n; i++) {
		const struct report_section *s = &p->r->sections[i];

		if (!blocks_has_brief(s) || (s->view == REPORT_VIEW_PARTS) != parts)
			continue;
		grow(p, &p->options.rows[i], s->lines < most ? s->lines : most);
		n--;
	}
}

void text_page_write(struct terminal *t, const struct report *r, bool commands)
{
	struct text_page p = {.t = t, .r = r, .options = {.brief = true}};

	/*
	 * Bars come first; then a few findings and rows of the first table, and all findings. The other tables get a
	 * few rows each, in their order, and then more if there is room.
	 */
	write_page(&p);
	p.lines = t->lines;
	grow_sections(&p, true, UINT64_MAX, SIZE_MAX);
	grow(&p, &p.options.findings, FEW);
	grow_sections(&p, false, FEW, 1);
	grow(&p, &p.options.findings, MOST_FINDINGS);
	grow_sections(&p, false, FEW, SIZE_MAX);
	grow_sections(&p, false, UINT64_MAX, SIZE_MAX);
	p.options.commands = commands;
	write_page(&p);
	bufs_free(&p.text, &p.sentence, &p.cut);
}
