#include "markdown_page.h"

#include "base/char_class.h"
#include "base/escape.h"
#include "blocks.h"
#include "table/text_grid.h"
#include "table/text_width.h"

#include <stdlib.h>

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

/* Appends a text of a page. */
static void put(struct buf *to, struct str text, bool cell)
{
	struct span span;

	while (span_next(&text, &span)) {
		if (span.kind == SPAN_NAME)
			put_name(to, span.text, cell);
		else
			put_plain(to, span.text);
	}
}

/* Adds a paragraph; nothing for an empty text. */
static void add_paragraph(struct buf *b, struct str text, const char *before, const char *after)
{
	if (!text.n)
		return;
	buf_add(b, "\n", b->n ? 1 : 0);
	buf_add(b, before, strlen(before));
	put(b, text, false);
	buf_add(b, after, strlen(after));
	buf_char(b, '\n');
}

/* --- tables --- */

static void add_table(struct buf *b, const struct block *block)
{
	const size_t n = block->n_columns, rows = block->n + 1; /* the first one has the titles */
	struct text_grid_column columns[REPORT_COLUMNS] = {{0}};
	struct text_grid grid = {.columns = columns, .n = n, .markdown = true};
	struct buf *cells = mem_zero(n * rows, sizeof *cells);
	struct str line;
	size_t i, width;

	for (i = 0; i < n * rows; i++) {
		struct text_grid_column *c = &columns[i % n];

		c->right = !block->columns[i % n].text;
		buf_char(&cells[i], '|'); /* the cell is not at the beginning of a line */
		put(&cells[i], i < n ? block->columns[i].title : block->rows[i / n - 1].cells[i % n].text, true);
		width = text_width(buf_str(&cells[i])) - 1;
		c->width = width > c->width ? width : c->width;
	}
	buf_char(b, '\n');
	for (i = 0; i < n * rows; i++) {
		text_grid_cell(&grid, i % n, str_from(buf_str(&cells[i]), 1));
		buf_free(&cells[i]);
		if ((i + 1) % n)
			continue;
		line = text_grid_line(&grid);
		buf_add(b, line.p, line.n);
		if (i + 1 == n) {
			line = text_grid_rule(&grid);
			buf_add(b, line.p, line.n);
		}
	}
	text_grid_free(&grid);
	free(cells);
}

/* --- blocks --- */

static void add_verdict(struct buf *b, const struct block *block)
{
	const struct report_verdict *v = block->verdict;

	add_paragraph(b, v->title, "# ", "");
	add_paragraph(b, v->all_facts, "", "");
	add_paragraph(b, v->text, "**", "**");
	add_paragraph(b, v->detail, "", "");
	if (block->n)
		add_table(b, block);
}

static void add_findings(struct buf *b, const struct block *block)
{
	char number[NUM_ROOM];
	size_t i;

	buf_lit(b, "\n## What to do first\n");
	for (i = 0; i < block->n; i++) {
		const struct report_finding *f = &block->findings[i];

		buf_char(b, '\n');
		buf_add(b, number, num_str_u64(number, i + 1).n);
		buf_lit(b, ". **");
		put(b, f->title, false);
		buf_lit(b, "**");
		if (f->saves.n) {
			buf_lit(b, " (at most ");
			put(b, f->saves, false);
			put(b, f->place, false);
			buf_char(b, ')');
		}
		buf_char(b, '\n');
		add_paragraph(b, f->text, "   ", "");
		add_paragraph(b, f->advice, "   ", "");
	}
}

/* Adds the commands in a code block, each in lines of its own. */
static void add_commands(struct buf *b, const struct block *block)
{
	size_t fence = 2, i, run;
	struct str rest, line;

	for (i = 0; i < block->n; i++) {
		run = longest_run(block->commands[i]);
		fence = run > fence ? run : fence;
	}
	buf_char(b, '\n');
	add_fence(b, fence + 1);
	buf_lit(b, "sh\n");
	for (i = 0; i < block->n; i++) {
		rest = block->commands[i];
		while (str_split(&rest, '\n', &line)) {
			escape_text(b, ESCAPE_PLAIN, line);
			buf_char(b, '\n');
		}
	}
	add_fence(b, fence + 1);
	buf_char(b, '\n');
}

static void draw_block(struct buf *b, const struct block *block)
{
	static const char *const marks[] = {"## ", "### ", "#### ", "##### ", "###### "};
	enum { DEEPEST = sizeof marks / sizeof *marks - 1 };

	switch (block->kind) {
	case BLOCK_VERDICT:
		add_verdict(b, block);
		break;
	case BLOCK_TABLE:
	case BLOCK_TERMS:
	case BLOCK_TILES:
		add_table(b, block);
		break;
	case BLOCK_FINDINGS:
		add_findings(b, block);
		break;
	case BLOCK_HEADING:
		add_paragraph(b, block->text, marks[block->level < DEEPEST ? block->level : DEEPEST], "");
		break;
	case BLOCK_TEXT:
		add_paragraph(b, block->text, "", "");
		break;
	case BLOCK_COMMANDS:
		add_commands(b, block);
		break;
	case BLOCK_CONTENTS:
	case BLOCK_PICTURE: /* a table follows them */
		break;
	}
}

void markdown_page_put(struct buf *to, const struct report *r, bool commands)
{
	struct blocks_options options = {.commands = commands, .findings = SIZE_MAX};
	struct blocks blocks;
	size_t i;

	for (i = 0; i < REPORT_SECTIONS; i++)
		options.rows[i] = SIZE_MAX;
	blocks_make(&blocks, r, &options);
	for (i = 0; i < blocks.n; i++)
		draw_block(to, &blocks.list[i]);
	blocks_free(&blocks);
}
