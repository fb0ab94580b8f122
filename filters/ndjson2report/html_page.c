#include "html_page.h"

#include "base/char_class.h"
#include "base/embedded_text.h"
#include "blocks.h"
#include "html_picture.h"

enum {
	END = 1000,          /* bytes after the last block, without the script */
	VERDICT_HEIGHT = 30, /* of its bar */
	ROW_HEIGHT = 18,     /* of a bar in a table */
	SHOWN = 60,        /* a longer name may need more than the two lines that a table shows of it: it has a title */
	LESS_ALIKE = 24,   /* a name with so many bytes in common with another one has more lines */
	COMMON_MOST = 100, /* all of the name is shown */
};

/* The page that is being made. */
struct html_page {
	struct html html;
	const struct blocks *blocks;
	size_t n;          /* number of blocks for which there is room */
	uint64_t left_out; /* number of the others */
	size_t open;       /* number of sections that contain each other and are not ended */
};

static void put_embedded(struct buf *to, const struct embedded_text *text)
{
	const char *const *line;

	for (line = text->lines; *line; line++)
		buf_add(to, *line, strlen(*line));
}

/* --- tables --- */

static void put_class(struct html *p, const struct block_column *c, bool left)
{
	if (left || c->wide)
		html_put(p, " class=\"%t%t%t\"", left ? "left" : "", left && c->wide ? " " : "", c->wide ? "wide" : "");
}

/* Returns the number of bytes that a text has in common with another text of its column, at most COMMON_MOST. */
static size_t length_in_common(const struct block *table, size_t column, struct str text)
{
	size_t most = 0, i, n;

	for (i = 0; i < table->n; i++) {
		const struct str other = table->rows[i].cells[column].text;

		if (str_eq(other, text))
			continue;
		for (n = 0; n < COMMON_MOST && n < text.n && n < other.n && text.p[n] == other.p[n]; n++)
			;
		most = n > most ? n : most;
	}
	return most;
}

/*
 * Writes the texts of a cell. Names that begin like other ones are shown with more lines, so that their first
 * difference is visible; the style sheet gives each class its number of lines.
 */
static void put_cell_text(struct html *p, const struct block *table, size_t column, const struct block_cell *cell)
{
	const size_t common = length_in_common(table, column, cell->text);
	struct str rest = cell->text;
	struct span span;

	while (span_next(&rest, &span)) {
		if (span.kind != SPAN_NAME) {
			html_span(p, &span);
			continue;
		}
		html_put(p, "<span class=\"name%t\"",
		    common >= COMMON_MOST  ? " most-alike"
		    : common >= LESS_ALIKE ? " alike"
					   : "");
		if ((cell->whole.n && !str_eq(cell->whole, span.text)) || span.text.n > SHOWN)
			html_put(p, " title=\"%h\"", cell->whole.n ? cell->whole : span.text);
		html_put(p, ">");
		html_name(p, span.text);
		html_put(p, "</span>");
	}
}

/*
 * Begins a link to a file in the folder of the page. All bytes that could mean something in an address are encoded, so
 * that the name of a file is never an address of another kind, such as javascript:.
 */
static void put_link(struct html *p, struct str file)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t i;

	html_put(p, "<a href=\"");
	for (i = 0; i < file.n; i++) {
		const unsigned char c = (unsigned char)file.p[i];
		const char code[] = {'%', digits[c >> 4], digits[c & 15]};

		if (is_alphanumeric(file.p[i]) || c == '-' || c == '.' || c == '_')
			buf_char(&p->to, file.p[i]);
		else
			buf_add(&p->to, code, sizeof code);
	}
	html_put(p, "\">");
}

/* Writes a cell. Numbers have their exact value, for the script and for other programs. */
static void put_cell(struct html *p, const struct block *table, const struct block_row *row, size_t column)
{
	const struct block_cell *cell = &row->cells[column];

	html_put(p, "<td");
	put_class(p, &table->columns[column], !column || table->columns[column].text);
	html_put(p, cell->exact.n ? " data-v=\"%h\">" : ">", cell->exact);
	if (!column && !row->rest && !table->bars && row->color < COLOR_MEANINGS)
		html_put(p, "<i class=\"%t\"></i>", html_color(row->color));
	if (!column && row->link.n)
		put_link(p, row->link);
	put_cell_text(p, table, column, cell);
	html_put(p, !column && row->link.n ? "</a></td>" : "</td>");
}

static void put_titles(struct html *p, const struct block *table)
{
	size_t i;

	html_put(p, "<thead><tr>");
	for (i = 0; i < table->n_columns; i++) {
		html_put(p, table->bars && i == table->bar_before ? "<td class=\"bar\"></td>" : "");
		html_put(p, "<th scope=\"col\"");
		put_class(p, &table->columns[i], !i || table->columns[i].text);
		html_put(p, ">%h</th>", table->columns[i].title);
	}
	html_put(p, "</tr></thead>\n");
}

static void put_row(struct html *p, const struct block *table, const struct block_row *row)
{
	size_t i;

	html_put(p, row->rest ? "<tr class=\"rest\">" : "<tr>");
	for (i = 0; i < table->n_columns; i++) {
		if (table->bars && i == table->bar_before) {
			html_put(p, "<td class=\"bar\">");
			if (row->parts)
				html_bar(p, table, row, ROW_HEIGHT);
			html_put(p, "</td>");
		}
		put_cell(p, table, row, i);
	}
	html_put(p, "</tr>\n");
}

static void put_table(struct html_page *page, const struct block *table)
{
	struct html *p = &page->html;
	size_t i;

	html_put(p, table->folded ? "<details><summary>Show as a table</summary>" : "");
	html_put(p, "<div class=\"scroll\"><table%t>\n", table->legend ? " class=\"parts\"" : "");
	put_titles(p, table);
	html_put(p, "<tbody>\n");
	for (i = 0; i < table->n; i++)
		put_row(p, table, &table->rows[i]);
	html_put(p, "</tbody></table></div>\n");
	if (table->legend)
		html_legend(p, table->rows[0].parts, table->n_parts, false);
	html_put(p, table->folded ? "</details>\n" : "");
}

static void put_tiles(struct html_page *page, const struct block *tiles)
{
	struct html *p = &page->html;
	size_t i;

	html_put(p, "<dl class=\"tiles\">\n");
	for (i = 0; i < tiles->n; i++) {
		const struct block_cell *cells = tiles->rows[i].cells;

		html_put(p, "<div><dt>%h</dt><dd>%h", cells[0].text, cells[1].text);
		html_put(p, cells[2].text.n ? "<small>%m</small></dd></div>\n" : "</dd></div>\n", cells[2].text);
	}
	html_put(p, "</dl>\n");
}

/* --- other blocks --- */

static void put_head(struct html *p, const struct report_verdict *v)
{
	const struct str title = v->title.n ? v->title : STR("Trace report");

	html_put(p,
	    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-%t'; "
	    "script-src 'sha256-%t'; base-uri 'none'; form-action 'none'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n"
	    "<meta name=\"generator\" content=\"ndjson2report (tracefilters " TRACEFILTERS_VERSION ")\">\n"
	    "<title>%h - trace report</title>\n<style>",
	    page_css.sha256, page_js.sha256, title);
	put_embedded(&p->to, &page_css);
	html_put(p, "</style>\n</head>\n<body>\n<header><h1>%h</h1>\n", title);
	html_put(p, v->all_facts.n ? "<p class=\"facts\">%m</p>\n" : "", v->all_facts);
	html_put(p, "</header>\n<main>\n");
}

static void put_verdict(struct html_page *page, const struct block *block)
{
	struct html *p = &page->html;
	const struct report_verdict *v = block->verdict;

	html_put(p, "<section class=\"verdict\"><h2>%m</h2>\n", v->text.n ? v->text : STR("Figures"));
	html_put(p, v->detail.n ? "<p>%m</p>\n" : "", v->detail);
	if (block->n_parts) {
		html_bar(p, block, block->rows, VERDICT_HEIGHT);
		html_legend(p, block->rows[0].parts, block->n_parts, true);
	}
	html_put(p, "</section>\n");
}

/* Writes links to the findings and to all sections that are not part of another one and for which there is room. */
static void put_contents(struct html_page *page, const struct block *contents)
{
	struct html *p = &page->html;
	size_t i;

	(void)contents;
	html_put(p, "<nav aria-label=\"Sections\"><ul>\n");
	for (i = 0; i < page->n; i++) {
		const struct block *block = &page->blocks->list[i];

		if (block->kind == BLOCK_FINDINGS)
			html_put(p, "<li><a href=\"#findings\">What to do first</a></li>\n");
		else if (block->kind == BLOCK_HEADING && !block->contained)
			html_put(p, "<li><a href=\"#%p\">%h</a></li>\n", block->anchor, block->text);
	}
	html_put(p, "</ul></nav>\n");
}

/* Returns the heading of the section with this id; NULL if it is not on the page. */
static const struct block *heading_of(const struct html_page *page, struct str id)
{
	size_t i;

	for (i = 0; i < page->n && !str_eq(page->blocks->list[i].id, id); i++)
		;
	return id.n && i < page->n ? &page->blocks->list[i] : NULL;
}

static void put_findings(struct html_page *page, const struct block *block)
{
	struct html *p = &page->html;
	size_t i;

	html_put(p,
	    "<section id=\"findings\"><h2>What to do first</h2>\n<p class=\"soft\">Findings in the order of what each "
	    "can save at most; the gains overlap, so do not add them. Each is a rule over figures of this page; a rule "
	    "that does not apply is not shown.</p>\n<ol class=\"findings\">\n");
	for (i = 0; i < block->n; i++) {
		const struct report_finding *f = &block->findings[i];
		const struct block *heading = heading_of(page, f->section);

		html_put(p, "<li><div class=\"gain\">");
		if (f->saves.n)
			html_put(
			    p, "%h <small>at most%t%h</small>", f->saves, block->text.n ? " in " : "", block->text);
		html_put(p, "</div>");
		html_put(p, "<div><h3>%m</h3>\n<p>%m</p>\n<p class=\"soft\">%m", f->title, f->text, f->advice);
		if (heading)
			html_put(p, " <a href=\"#%p\">Evidence: %h</a>", heading->anchor, heading->text);
		html_put(p, "</p></div></li>\n");
	}
	html_put(p, "</ol></section>\n");
}

/* Ends all sections except the outermost `level` ones. */
static void end_sections(struct html_page *page, size_t level)
{
	for (; page->open > level; page->open--)
		html_put(&page->html, "</section>\n");
}

static void put_heading(struct html_page *page, const struct block *block)
{
	const char *heading = block->contained ? "h3" : "h2";

	end_sections(page, block->contained);
	page->open++;
	html_put(&page->html, "<section id=\"%p\"><%t>%h</%t>\n", block->anchor, heading, block->text, heading);
}

static void put_commands(struct html_page *page, const struct block *block)
{
	struct html *p = &page->html;
	size_t i;

	html_put(p, "<details class=\"commands\"><summary>Commands</summary><pre>");
	for (i = 0; i < block->n; i++)
		html_put(p, "%t%p", i ? "\n" : "", block->commands[i]);
	html_put(p, "</pre></details>\n");
}

static void put_paragraph(struct html_page *page, const struct block *block)
{
	html_put(&page->html, block->soft ? "<p class=\"soft\">%m</p>\n" : "<p>%m</p>\n", block->text);
}

static void put_picture(struct html_page *page, const struct block *block)
{
	html_picture(&page->html, block);
}

/* --- the page --- */

/* Writes the first page->n blocks, or as many as there is room for. Returns whether all were written. */
static bool put_blocks(struct html_page *page, size_t room)
{
	static void (*const put[BLOCK_KINDS])(struct html_page * page, const struct block *block) = {
	    [BLOCK_VERDICT] = put_verdict,
	    [BLOCK_TABLE] = put_table,
	    [BLOCK_TILES] = put_tiles,
	    [BLOCK_CONTENTS] = put_contents,
	    [BLOCK_FINDINGS] = put_findings,
	    [BLOCK_HEADING] = put_heading,
	    [BLOCK_TEXT] = put_paragraph,
	    [BLOCK_PICTURE] = put_picture,
	    [BLOCK_COMMANDS] = put_commands,
	};
	struct html *p = &page->html;
	size_t i, begin;

	p->to.n = page->open = 0;
	put_head(p, &page->blocks->report->verdict);
	for (i = 0; i < page->n; i++) {
		begin = p->to.n;
		put[page->blocks->list[i].kind](page, &page->blocks->list[i]);
		if (p->to.n <= room)
			continue;
		p->to.n = begin;
		page->n = i;
		return false;
	}
	return true;
}

/* Writes the end of the page after the blocks. */
static void put_end(struct html_page *page)
{
	struct html *p = &page->html;

	end_sections(page, 0);
	if (page->left_out)
		html_put(p,
		    "<p class=\"soft\">The page would be too large with everything in the report: %i items are not "
		    "shown.</p>\n",
		    page->left_out);
	html_put(p, "</main>\n<script>");
	put_embedded(&p->to, &page_js);
	html_put(p, "</script>\n</body>\n</html>\n");
}

uint64_t html_page_put(struct buf *to, const struct report *report)
{
	/* Whole names and all rows, then less and less of them, until everything fits. */
	static const struct html_limits limits[] = {{4096, 4096, 200, 2000}, {1024, 4096, 200, 2000},
	    {320, 4096, 200, 2000}, {320, 2048, 60, 600}, {160, 1024, 30, 300}, {96, 256, 12, 100}};
	enum { LIMITS = sizeof limits / sizeof *limits };
	struct blocks_options options = {.commands = true, .findings = SIZE_MAX};
	struct html_page page = {.html = {.limits = limits}};
	struct blocks blocks = {0};
	struct buf script = {0};
	size_t room, i;
	bool all;

	put_embedded(&script, &page_js);
	room = HTML_PAGE_BYTES - END - script.n;
	do {
		for (i = 0; i < REPORT_SECTIONS; i++)
			options.rows[i] = page.html.limits->rows;
		blocks_free(&blocks);
		blocks_make(&blocks, report, &options);
		page.blocks = &blocks;
		page.n = blocks.n;
		all = put_blocks(&page, room);
	} while (!all && ++page.html.limits < limits + LIMITS);
	if (!all) {
		/* There are no links to the sections for which there is no room. */
		page.html.limits--;
		page.left_out = blocks.n - page.n;
		put_blocks(&page, room);
	}
	put_end(&page);
	buf_add(to, page.html.to.p, page.html.to.n);
	blocks_free(&blocks);
	bufs_free(&page.html.to, &page.html.text, &script);
	return page.left_out;
}
