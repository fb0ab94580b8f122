/* The frame of a page: head, verdict, tiles; and the limits that fit a page into its room. */
#include "html_private.h"

#include "embedded_text.h"
#include "html_text.h"

#include <stdlib.h>

/* Bytes that items leave free for the end of their section, and bytes of the end of the page without its script. */
enum { RESERVE = 16000, END = 1000 };

enum { VERDICT_HEIGHT = 30 };

size_t html_item(const struct html *p)
{
	return p->html.n;
}

static bool end_at(struct html *p, size_t begin, size_t room)
{
	if (p->html.n <= room)
		return true;
	p->html.n = begin;
	p->loss.items++;
	return false;
}

bool html_item_end(struct html *p, size_t item)
{
	return end_at(p, item, p->room - RESERVE);
}

bool html_section_end(struct html *p, size_t section)
{
	return end_at(p, section, p->room);
}

/* --- head --- */

static void put_embedded(struct html *p, const struct embedded_text *text)
{
	const char *const *line;

	for (line = text->lines; *line; line++)
		buf_add(&p->html, *line, strlen(*line));
}

static size_t embedded_size(const struct embedded_text *text)
{
	const char *const *line;
	size_t n = 0;

	for (line = text->lines; *line; line++)
		n += strlen(*line);
	return n;
}

static void write_title(struct html *p)
{
	if (p->report->verdict.title.n)
		html_name(p, p->report->verdict.title);
	else
		html_lit(p, "Trace report");
}

static void put_head(struct html *p)
{
	html_lit(p, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-");
	html_text(&p->html, str_of(page_css.sha256));
	html_lit(p, "'; script-src 'sha256-");
	html_text(&p->html, str_of(page_js.sha256));
	html_lit(p,
	    "'; base-uri 'none'; form-action 'none'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n"
	    "<meta name=\"generator\" content=\"ndjson2report (tracefilters " TRACEFILTERS_VERSION ")\">\n<title>");
	write_title(p);
	html_lit(p, " - trace report</title>\n<style>");
	put_embedded(p, &page_css);
	html_lit(p, "</style>\n</head>\n<body>\n");
}

/* --- verdict and tiles --- */

static void put_list(struct html *p, const struct report_texts *texts)
{
	size_t i;

	for (i = 0; i < texts->n; i++) {
		const size_t item = html_item(p);

		html_lit(p, "<li>");
		html_report_text(p, &p->report->verdict.record, texts->list[i]);
		html_lit(p, "</li>");
		html_item_end(p, item);
	}
}

static void put_header(struct html *p)
{
	const struct report_verdict *v = &p->report->verdict;

	html_lit(p, "<header><h1>");
	write_title(p);
	html_lit(p, "</h1>\n");
	if (v->source.n || v->facts.n) {
		html_lit(p, "<ul class=\"facts\">");
		put_list(p, &v->source);
		put_list(p, &v->facts);
		html_lit(p, "</ul>\n");
	}
	html_lit(p, "</header>\n<main>\n");
}

/* The parts of the window: one bar, with a legend. */
static void put_figure_parts(struct html *p)
{
	const struct report *r = p->report;
	struct html_part parts[REPORT_FIGURES];
	const size_t item = html_item(p);
	size_t i, n = 0;

	for (i = 0; i < r->n_figures; i++) {
		const struct report_figure *f = &r->figures[i];

		if (f->group == REPORT_PARTS)
			parts[n++] = (struct html_part){f->color, f->name, &f->unit, &f->share, &f->value};
	}
	if (!n)
		return;
	html_stacked_bar(p, parts, n, html_parts_sum(parts, n), VERDICT_HEIGHT, STR(""));
	html_legend(p, parts, n, true);
	html_item_end(p, item);
}

static void put_verdict(struct html *p)
{
	const struct report_verdict *v = &p->report->verdict;

	html_lit(p, "<section class=\"verdict\"><h2>");
	if (v->text.n)
		html_report_text(p, &v->record, v->text);
	else
		html_lit(p, "Figures");
	html_lit(p, "</h2>\n");
	if (v->detail.n) {
		html_lit(p, "<p>");
		html_report_text(p, &v->record, v->detail);
		html_lit(p, "</p>\n");
	}
	put_figure_parts(p);
	html_lit(p, "</section>\n");
}

static void put_tile(struct html *p, const struct report_figure *f)
{
	html_lit(p, "<div><dt>");
	html_name(p, f->name);
	html_lit(p, "</dt><dd>");
	html_value(p, &f->unit, &f->value, true);
	if (f->note.n) {
		html_lit(p, "<small>");
		html_report_text(p, &f->record, f->note);
		html_lit(p, "</small>");
	}
	html_lit(p, "</dd></div>\n");
}

static void put_tiles(struct html *p)
{
	const struct report *r = p->report;
	bool any = false;
	size_t i;

	for (i = 0; i < r->n_figures; i++) {
		const size_t item = html_item(p);

		if (r->figures[i].group != REPORT_TILES)
			continue;
		if (!any)
			html_lit(p, "<dl class=\"tiles\">\n");
		put_tile(p, &r->figures[i]);
		any = html_item_end(p, item) || any;
	}
	if (any)
		html_lit(p, "</dl>\n");
}

/* --- the page --- */

static void put_loss(struct html *p)
{
	if (!p->loss.items)
		return;
	html_lit(p, "<p class=\"soft\">The page would be too large with everything in the report: ");
	html_int(p, p->loss.items);
	html_lit(p, " items are not shown.</p>\n");
}

/* Makes the page, or what fits of it, from the offset `begin` on. Returns whether everything fits. */
static bool put_page(struct html *p, size_t begin)
{
	p->html.n = begin;
	p->loss = (struct html_loss){0};
	put_head(p);
	put_header(p);
	put_verdict(p);
	put_tiles(p);
	if (p->report->n_sections)
		html_nav(p);
	html_findings(p);
	html_sections(p);
	put_loss(p);
	html_lit(p, "</main>\n<script>");
	put_embedded(p, &page_js);
	html_lit(p, "</script>\n</body>\n</html>\n");
	return !p->loss.items;
}

void html_page_put(struct buf *html, const struct report *report, struct html_loss *loss)
{
	/* Whole names and all rows, then less and less of them, until everything fits. */
	static const struct html_limits limits[] = {{4096, 4096, 200, 2000}, {1024, 4096, 200, 2000},
	    {320, 4096, 200, 2000}, {320, 2048, 60, 600}, {160, 1024, 30, 300}, {96, 448, 12, 100}};
	enum { LIMITS = sizeof limits / sizeof *limits };
	const size_t begin = html->n, absent_size = (report->n_sections + 1) * sizeof(bool);
	struct html p = {.html = *html, .report = report, .room = HTML_PAGE_BYTES - embedded_size(&page_js) - END};
	size_t i = 0;

	p.absent = mem_alloc(absent_size);
	do {
		memset(p.absent, 0, absent_size);
		p.limits = &limits[i];
		p.stops = i + 1 < LIMITS;
	} while (!put_page(&p, begin) && ++i < LIMITS);
	/* Sections for which there was no room are absent now; in the second page, there are no links to them. */
	if (i == LIMITS)
		put_page(&p, begin);
	free(p.absent);
	*html = p.html;
	*loss = p.loss;
}
