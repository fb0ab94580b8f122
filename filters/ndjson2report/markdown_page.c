#include "markdown_page.h"

#include "base/char_class.h"
#include "base/escape.h"
#include "blocks.h"
#include "table/text_grid.h"
#include "table/text_width.h"

#include <stdlib.h>

/* Appends plain text. Characters with a meaning in Markdown are escaped; `begin`: also one that would begin a list. */
static void put_plain(struct buf *to, struct str text, bool begin)
{
	const size_t spaces = str_first(text, is_blank).n, digits = str_first(str_from(text, spaces), is_digit).n;
	const struct str rest = str_from(text, spaces + digits);

	if (begin && rest.n && memchr(digits ? ".)" : "+-=", rest.p[0], digits ? 2 : 3)) {
		buf_add(to, text.p, spaces + digits);
		buf_char(to, '\\');
		text = rest;
	}
	escape_text(to, ESCAPE_MARKDOWN, text);
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

static void add_fence(struct buf *to, size_t n)
{
	while (n--)
		buf_char(to, '`');
}

/*
 * Appends a name as a code span, whose fence is longer than any run of backticks in it. In a cell of a table, | must be
 * escaped; after a backslash it cannot be in a code span, so that the name is plain text.
 */
static void put_name(struct buf *to, struct str s, bool cell)
{
	const size_t fence = longest_run(s) + 1;
	/* One space at both ends of a code span is not shown, unless all of it is spaces. */
	const bool spaces =
	    s.p[0] == '`' || s.p[s.n - 1] == '`' || (s.p[0] == ' ' && s.p[s.n - 1] == ' ' && !str_all(s, is_blank));
	size_t i;

	if (cell && str_find(s, STR("\\|")) < s.n) {
		put_plain(to, s, false);
		return;
	}
	add_fence(to, fence);
	buf_add(to, " ", spaces);
	for (i = 0; i < s.n; i++) {
		buf_add(to, "\\", cell && s.p[i] == '|');
		buf_char(to, s.p[i]);
	}
	buf_add(to, " ", spaces);
	add_fence(to, fence);
}

/* Returns whether a line begins at the end of `to`, or was indented. */
static bool begins_line(const struct buf *to)
{
	const struct str end = str_from(buf_str(to), to->n < 2 ? 0 : to->n - 2);

	return !end.n || end.p[end.n - 1] == '\n' || str_eq(end, STR("  "));
}

/* Appends a text of a page; with `cell`, in a table. */
static void put(struct buf *to, struct str text, bool cell)
{
	bool begin = !cell && begins_line(to);
	struct span span;

	for (; span_next(&text, &span); begin = false) {
		if (span.kind == SPAN_NAME)
			put_name(to, span.text, cell);
		else
			put_plain(to, span.text, begin);
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
		put(&cells[i], i < n ? block->columns[i].title : block->rows[i / n - 1].cells[i % n].text, true);
		width = text_width(buf_str(&cells[i]));
		c->width = width > c->width ? width : c->width;
	}
	buf_char(b, '\n');
	for (i = 0; i < n * rows; i++) {
		text_grid_cell(&grid, i % n, buf_str(&cells[i]));
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
	if (block->overlap)
		buf_lit(b, "\nThe gains overlap; do not add them.\n");
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
			buf_add(b, " in ", block->text.n ? strlen(" in ") : 0);
			put(b, block->text, false);
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

static void add_heading(struct buf *b, const struct block *block)
{
	add_paragraph(b, block->text, block->contained ? "### " : "## ", "");
}

static void add_text(struct buf *b, const struct block *block)
{
	add_paragraph(b, block->text, "", "");
}

void markdown_page_put(struct buf *to, const struct report *r, bool commands)
{
	/* The other kinds of blocks have no text of their own. */
	static void (*const add[BLOCK_KINDS])(struct buf * b, const struct block *block) = {
	    [BLOCK_VERDICT] = add_verdict,
	    [BLOCK_TABLE] = add_table,
	    [BLOCK_TILES] = add_table,
	    [BLOCK_FINDINGS] = add_findings,
	    [BLOCK_HEADING] = add_heading,
	    [BLOCK_TEXT] = add_text,
	    [BLOCK_COMMANDS] = add_commands,
	};
	struct blocks_options options = {.commands = commands, .findings = SIZE_MAX};
	struct blocks blocks;
	size_t i;

	for (i = 0; i < REPORT_SECTIONS; i++)
		options.rows[i] = SIZE_MAX;
	blocks_make(&blocks, r, &options);
	for (i = 0; i < blocks.n; i++) {
		if (add[blocks.list[i].kind])
			add[blocks.list[i].kind](to, &blocks.list[i]);
	}
	blocks_free(&blocks);
}
