#include "markdown_page.h"

#include "base/char_class.h"
#include "base/escape.h"
#include "page.h"
#include "table/text_grid.h"
#include "table/text_width.h"

#include <stdlib.h>

enum { DEEPEST = 6 }; /* levels of headings */

struct markdown_page {
	struct buf *to;
	const struct report *r;
	bool commands;
};

/* --- texts --- */

/* Returns whether the last line in `to` is a number or empty, after spaces; a mark after it could begin a list. */
static bool may_begin_list(const struct buf *to, char mark)
{
	size_t n = to->n, digits = 0;

	while (n && is_digit(to->p[n - 1])) {
		n--;
		digits++;
	}
	while (n && to->p[n - 1] == ' ')
		n--;
	if (n && to->p[n - 1] != '\n')
		return false;
	return mark == '.' || mark == ')' ? digits > 0 : digits == 0;
}

/*
 * Appends plain text. Characters with a meaning in Markdown are escaped, also those that have it only at the beginning
 * of a line.
 */
static void put_plain(struct buf *to, struct str text)
{
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		for (n = 0; n < text.n && !memchr("+-=.)", text.p[n], 5); n++)
			;
		escape_text(to, ESCAPE_MARKDOWN, str_head(text, n));
		if (n == text.n)
			break;
		if (may_begin_list(to, text.p[n]))
			buf_char(to, '\\');
		buf_char(to, text.p[n++]);
	}
}

/* Returns the length of the longest run of backticks. */
static size_t longest_run(struct str s)
{
	size_t longest = 0, run = 0, i;

	for (i = 0; i < s.n; i++) {
		run = s.p[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

/* Appends a name as HTML, in which every special character is a reference. */
static void put_html(struct buf *to, struct str s)
{
	size_t i;

	buf_lit(to, "<code>");
	for (i = 0; i < s.n; i++) {
		const char c = s.p[i];

		if (memchr("\\`*_[]<>&|~#$!\"'", c, 16)) {
			buf_lit(to, "&#");
			if (c >= 100)
				buf_char(to, (char)('0' + c / 100));
			buf_char(to, (char)('0' + c / 10 % 10));
			buf_char(to, (char)('0' + c % 10));
			buf_char(to, ';');
		} else {
			buf_char(to, c);
		}
	}
	buf_lit(to, "</code>");
}

static void add_fence(struct buf *to, size_t n)
{
	while (n--)
		buf_char(to, '`');
}

/* Appends a name as a code span, whose fence is longer than any run of backticks in it. */
static void put_span(struct buf *to, struct str s, bool cell)
{
	const size_t fence = longest_run(s) + 1;
	/* One space at both ends of a code span is not shown, unless all of it is spaces. */
	const bool spaces =
	    s.p[0] == '`' || s.p[s.n - 1] == '`' || (s.p[0] == ' ' && s.p[s.n - 1] == ' ' && !str_all(s, is_blank));
	size_t i;

	add_fence(to, fence);
	if (spaces)
		buf_char(to, ' ');
	for (i = 0; i < s.n; i++) {
		if (cell && s.p[i] == '|')
			buf_char(to, '\\');
		buf_char(to, s.p[i]);
	}
	if (spaces)
		buf_char(to, ' ');
	add_fence(to, fence);
}

/* Appends a name as a code span; with `cell`, in a table, where | must be escaped. An empty name is "". */
static void put_name(struct buf *to, struct str name, bool cell)
{
	struct buf visible = {0};
	struct str s;

	escape_text(&visible, ESCAPE_PLAIN, name.n ? name : STR("\"\""));
	s = buf_str(&visible);
	/* In a table, "\|" cannot be written in a code span: a backslash before it would change its meaning. */
	if (cell && str_find(s, STR("\\|")) < s.n)
		put_html(to, s);
	else
		put_span(to, s, cell);
	buf_free(&visible);
}

/* --- pieces of texts --- */

static void text_piece(const struct report_writer *w, struct str text)
{
	put_plain(w->to, text);
}

static void name_piece(const struct report_writer *w, struct str name)
{
	put_name(w->to, name, w->cell);
}

static void number_piece(const struct report_writer *w, struct str digits, const char *unit)
{
	put_plain(w->to, digits);
	if (*unit)
		buf_char(w->to, ' ');
	put_plain(w->to, str_of(unit));
}

static struct report_writer writer_of(struct buf *to, bool cell)
{
	return (struct report_writer){text_piece, name_piece, number_piece, to, NULL, cell, 0};
}

/* Adds an empty line between two blocks. */
static void gap(struct buf *b)
{
	if (b->n)
		buf_char(b, '\n');
}

/* Appends Markdown in which directives are replaced by arguments; see report_put(). */
static void put(struct buf *to, const char *format, ...)
{
	const struct report_writer w = writer_of(to, false);
	va_list ap;

	va_start(ap, format);
	report_put_list(&w, format, &ap);
	va_end(ap);
}

/* Adds a paragraph; nothing for an empty text. */
static void add_paragraph(struct buf *b, const struct report_record *record, struct str text, const char *emphasis)
{
	if (!text.n)
		return;
	gap(b);
	put(b, "%t%r%t\n", emphasis, record, text, emphasis);
}

/* --- tables --- */

/* The texts of a table, row by row; the first row has the titles. */
struct markdown_table {
	struct text_grid_column columns[REPORT_COLUMNS];
	size_t n;
	struct buf text;             /* each cell, with a | before it */
	size_t *cells, n_cells, cap; /* the offset of each cell in `text`, and of the next one */
};

/* Ends the cell whose text was appended to t->text, and begins the next one. The first call begins the first cell. */
static void next_cell(struct markdown_table *t)
{
	struct text_grid_column *c = &t->columns[(t->n_cells + t->n - 1) % t->n];
	const size_t width = t->n_cells ? text_width(str_from(buf_str(&t->text), t->cells[t->n_cells - 1])) : 0;

	c->width = width > c->width ? width : c->width;
	buf_char(&t->text, '|');
	t->cells = mem_grow(t->cells, &t->cap, t->n_cells + 1, sizeof *t->cells);
	t->cells[t->n_cells++] = t->text.n;
}

static void end_table(struct buf *b, struct markdown_table *t)
{
	struct text_grid grid = {.columns = t->columns, .n = t->n, .markdown = true};
	struct str line;
	size_t i;

	gap(b);
	for (i = 0; i + 1 < t->n_cells; i++) {
		text_grid_cell(
		    &grid, i % t->n, (struct str){t->text.p + t->cells[i], t->cells[i + 1] - t->cells[i] - 1});
		if ((i + 1) % t->n)
			continue;
		line = text_grid_line(&grid);
		buf_add(b, line.p, line.n);
		if (i + 1 == t->n) {
			line = text_grid_rule(&grid);
			buf_add(b, line.p, line.n);
		}
	}
	text_grid_free(&grid);
	buf_free(&t->text);
	free(t->cells);
}

static void add_table(void *page, const struct report_section *s, bool folded)
{
	struct markdown_page *p = page;
	struct markdown_table table = {0};
	const struct report_writer w = writer_of(&table.text, true);
	struct page_table columns;
	size_t i, k;

	(void)folded;
	page_table_init(&columns, s, false);
	table.n = columns.n;
	next_cell(&table);
	for (i = 0; i < columns.n; i++) {
		table.columns[i].right = !columns.fields[i].text;
		report_put(&w, "%p", columns.fields[i].title);
		next_cell(&table);
	}
	for (k = 0; k < s->n_rows; k++) {
		for (i = 0; i < columns.n; i++) {
			page_cell_write(&columns, &s->rows[k], i, &w);
			next_cell(&table);
		}
	}
	end_table(p->to, &table);
}

/* Adds a table of the figures of a group. */
static void add_figures(struct markdown_page *p, enum report_group group, const char *const titles[3])
{
	struct markdown_table table = {.columns = {{0}, {.right = true}, {.right = group == REPORT_PARTS}}, .n = 3};
	const struct report_writer w = writer_of(&table.text, true);
	const struct report_figure *f = page_next_figure(p->r, NULL, group);
	struct report_unit unit;
	size_t i;

	if (!f)
		return;
	report_unit_read(&unit, STR("share.1"));
	next_cell(&table);
	for (i = 0; i < 3; i++) {
		report_put(&w, "%t", titles[i]);
		next_cell(&table);
	}
	for (; f; f = page_next_figure(p->r, f, group)) {
		report_put(&w, "%p", f->name);
		next_cell(&table);
		if (group == REPORT_PARTS) {
			report_put(&w, "%v", &unit, &f->share);
			next_cell(&table);
		}
		report_put(&w, "%v", &f->unit, &f->value);
		next_cell(&table);
		if (group == REPORT_TILES) {
			report_text_write(&w, &f->record, f->note);
			next_cell(&table);
		}
	}
	end_table(p->to, &table);
}

static void add_parts(void *page)
{
	add_figures(page, REPORT_PARTS, (const char *const[]){"Part", "Share", "Time"});
}

static void add_tiles(void *page)
{
	add_figures(page, REPORT_TILES, (const char *const[]){"Figure", "Value", "Note"});
}

/* --- verdict and findings --- */

static void add_title(void *page, const struct report_verdict *v)
{
	struct markdown_page *p = page;
	const size_t n = v->source.n + v->facts.n;
	size_t i;

	if (!p->r->has_verdict)
		return;
	put(p->to, "# %n\n%t", v->title, n ? "\n" : "");
	for (i = 0; i < n; i++)
		put(p->to, "%t%r", i ? " · " : "", &v->record,
		    i < v->source.n ? v->source.list[i] : v->facts.list[i - v->source.n]);
	put(p->to, n ? "\n" : "");
}

static void add_headline(void *page, const struct report_verdict *v)
{
	struct markdown_page *p = page;

	add_paragraph(p->to, &v->record, v->text, "**");
	add_paragraph(p->to, &v->record, v->detail, "");
}

static void add_heading(struct buf *b, size_t level, struct str text)
{
	gap(b);
	for (; level; level--)
		buf_char(b, '#');
	put(b, " %p\n", text);
}

static void add_saves(struct buf *b, const struct report_finding *f, struct str per)
{
	if (f->saves.type == VALUE_NONE)
		return;
	put(b, " (at most %v%t", &report_time, &f->saves, f->of == REPORT_SAVES_HOST ? " of the host's time" : "");
	put(b, per.n && f->of != REPORT_SAVES_RUN ? " in %p)" : ")", per);
}

static void add_findings(void *page)
{
	struct markdown_page *p = page;
	struct buf *b = p->to;
	size_t i;

	add_heading(b, 2, STR("What to do first"));
	for (i = 0; i < p->r->n_findings; i++) {
		const struct report_finding *f = &p->r->findings[i];

		put(b, "\n%i. **%r**", (uint64_t)(i + 1), &f->record,
		    f->title.n  ? f->title
		    : f->text.n ? f->text
				: f->id);
		add_saves(b, f, p->r->verdict.per);
		buf_char(b, '\n');
		if (f->detail.n)
			put(b, "\n   %r\n", &f->record, f->detail);
		if (f->advice.n)
			put(b, "\n   %r\n", &f->record, f->advice);
	}
}

/* --- sections --- */

static bool begin_section(void *page, const struct report_section *s, int depth, bool half)
{
	struct markdown_page *p = page;

	(void)half;
	add_heading(p->to, depth < DEEPEST - 2 ? 2 + (size_t)depth : DEEPEST, s->title.n ? s->title : s->id);
	return true;
}

static void add_section_text(void *page, const struct report_section *s, struct str text, bool soft)
{
	struct markdown_page *p = page;

	(void)soft;
	add_paragraph(p->to, &s->record, text, "");
}

/* Adds the commands in a code block, each in lines of its own. */
static void add_commands(void *page, const struct report_section *s)
{
	struct markdown_page *p = page;
	size_t fence = 2, i, run;
	struct str rest, line;

	if (!p->commands)
		return;
	for (i = 0; i < s->commands.n; i++) {
		run = longest_run(s->commands.list[i]);
		fence = run > fence ? run : fence;
	}
	gap(p->to);
	add_fence(p->to, fence + 1);
	buf_lit(p->to, "sh\n");
	for (i = 0; i < s->commands.n; i++) {
		rest = s->commands.list[i];
		while (str_split(&rest, '\n', &line)) {
			escape_text(p->to, ESCAPE_PLAIN, line);
			buf_char(p->to, '\n');
		}
	}
	add_fence(p->to, fence + 1);
	buf_char(p->to, '\n');
}

void markdown_page_put(struct buf *to, const struct report *r, bool commands)
{
	static const struct page_drawer drawer = {
	    .title = add_title,
	    .headline = add_headline,
	    .parts = add_parts,
	    .tiles = add_tiles,
	    .findings = add_findings,
	    .section = begin_section,
	    .paragraph = add_section_text,
	    .table = add_table,
	    .commands = add_commands,
	};

	page_draw(r, &drawer, &(struct markdown_page){to, r, commands});
}
