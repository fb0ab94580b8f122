#include "html_page.h"

#include "base/char_class.h"
#include "embedded_text.h"
#include "html_picture.h"
#include "html_table.h"

#include <stdlib.h>

enum {
	END = 1000, /* bytes of the end of the page, without its script */
	VERDICT_HEIGHT = 30,
};

/* The page that is being made. Each block begins with a struct html, so that functions of html can draw it. */
struct html_page {
	struct html html;
	const struct report *report;
	bool absent[REPORT_SECTIONS];   /* there is no room for the section, so there are no links to it */
	size_t begins[REPORT_SECTIONS]; /* offsets at which the sections begin that contain the current one */
	size_t depth;                   /* number of these sections */
};

/* --- head --- */

static void put_embedded(struct html *p, const struct embedded_text *text)
{
	const char *const *line;

	for (line = text->lines; *line; line++)
		buf_add(&p->to, *line, strlen(*line));
}

static size_t embedded_size(const struct embedded_text *text)
{
	const char *const *line;
	size_t n = 0;

	for (line = text->lines; *line; line++)
		n += strlen(*line);
	return n;
}

static void put_page_title(struct html *p, const struct report_verdict *v)
{
	html_name(p, v->title.n ? v->title : STR("Trace report"));
}

static void put_head(struct html *p, const struct report_verdict *v)
{
	html_lit(p, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-");
	html_text(&p->to, str_of(page_css.sha256));
	html_lit(p, "'; script-src 'sha256-");
	html_text(&p->to, str_of(page_js.sha256));
	html_lit(p,
	    "'; base-uri 'none'; form-action 'none'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n"
	    "<meta name=\"generator\" content=\"ndjson2report (tracefilters " TRACEFILTERS_VERSION ")\">\n<title>");
	put_page_title(p, v);
	html_lit(p, " - trace report</title>\n<style>");
	put_embedded(p, &page_css);
	html_lit(p, "</style>\n</head>\n<body>\n");
}

/* --- verdict and tiles --- */

static void put_facts(struct html *p, const struct report_record *record, const struct report_texts *texts)
{
	size_t i;

	for (i = 0; i < texts->n; i++) {
		const size_t item = html_item(p);

		html_lit(p, "<li>");
		html_report_text(p, record, texts->list[i]);
		html_lit(p, "</li>");
		html_item_end(p, item);
	}
}

static void add_title(void *page, const struct report_verdict *v)
{
	struct html *p = page;

	put_head(p, v);
	html_lit(p, "<header><h1>");
	put_page_title(p, v);
	html_lit(p, "</h1>\n");
	if (v->source.n || v->facts.n) {
		html_lit(p, "<ul class=\"facts\">");
		put_facts(p, &v->record, &v->source);
		put_facts(p, &v->record, &v->facts);
		html_lit(p, "</ul>\n");
	}
	html_lit(p, "</header>\n<main>\n");
}

static void add_headline(void *page, const struct report_verdict *v)
{
	struct html *p = page;

	html_lit(p, "<section class=\"verdict\"><h2>");
	html_report_text(p, &v->record, v->text.n ? v->text : STR("Figures"));
	html_lit(p, "</h2>\n");
	if (v->detail.n) {
		html_lit(p, "<p>");
		html_report_text(p, &v->record, v->detail);
		html_lit(p, "</p>\n");
	}
}

/* Writes the parts of the window, and ends the verdict. */
static void add_parts(void *page)
{
	struct page_part parts[REPORT_FIGURES];
	struct html *p = page;
	const size_t n = page_window_parts(((const struct html_page *)page)->report, parts), item = html_item(p);

	if (n) {
		html_stacked_bar(p, parts, n, page_parts_sum(parts, n), VERDICT_HEIGHT, STR(""));
		html_legend(p, parts, n, true);
		html_item_end(p, item);
	}
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

static void put_tiles(struct html *p, const struct report *r)
{
	const struct report_figure *f = NULL;
	bool any = false;

	while ((f = page_next_figure(r, f, REPORT_TILES))) {
		const size_t item = html_item(p);

		if (!any)
			html_lit(p, "<dl class=\"tiles\">\n");
		put_tile(p, f);
		any = html_item_end(p, item) || any;
	}
	if (any)
		html_lit(p, "</dl>\n");
}

/* --- links --- */

/* Returns whether the page has the section, that is, whether there is room for it. */
static bool has_section(const struct html_page *p, const struct report_section *s)
{
	for (; s; s = page_parent(p->report, s)) {
		if (p->absent[s - p->report->sections])
			return false;
	}
	return true;
}

/* Returns whether a text can be an anchor, in a page in which `findings` and `tip` are taken. */
static bool is_anchor(struct str id)
{
	size_t i;

	for (i = 0; i < id.n && (is_alphanumeric(id.p[i]) || id.p[i] == '-' || id.p[i] == '_'); i++)
		;
	return id.n && i == id.n && id.n < 64 && !str_eq(id, STR("findings")) && !str_eq(id, STR("tip"));
}

/* Writes the anchor of a section: its id, or another one if the id cannot be an anchor. */
static void put_anchor(struct html_page *p, const struct report_section *s)
{
	if (is_anchor(s->id)) {
		html_text(&p->html.to, s->id);
	} else {
		html_lit(&p->html, "section-");
		html_number(&p->html, (double)(s - p->report->sections + 1));
	}
}

/* Writes the tiles, and the list of sections. */
static void add_tiles(void *page)
{
	struct html_page *p = page;
	struct html *h = page;
	size_t i;

	put_tiles(h, p->report);
	if (!p->report->n_sections)
		return;
	html_lit(h, "<nav aria-label=\"Sections\"><ul>\n");
	if (p->report->n_findings)
		html_lit(h, "<li><a href=\"#findings\">What to do first</a></li>\n");
	for (i = 0; i < p->report->n_sections; i++) {
		const struct report_section *s = &p->report->sections[i];

		if (page_parent(p->report, s) || !has_section(p, s))
			continue;
		html_lit(h, "<li><a href=\"#");
		put_anchor(p, s);
		html_lit(h, "\">");
		html_name(h, s->title);
		html_lit(h, "</a></li>\n");
	}
	html_lit(h, "</ul></nav>\n");
}

/* --- findings --- */

static void put_gain(struct html *p, const struct report_finding *f, struct str per)
{
	static const struct report_unit time = {.measure = REPORT_MEASURE_TIME, .decimals = -1};

	html_lit(p, "<div class=\"gain\">");
	if (f->saves.type != VALUE_NONE) {
		html_value(p, &time, &f->saves, true);
		html_lit(p, " <small>");
		if (f->of == REPORT_SAVES_HOST) {
			html_lit(p, "of the host’s time ");
			html_name(p, per);
		} else if (f->of == REPORT_SAVES_STEP && per.n) {
			html_lit(p, "of ");
			html_name(p, per);
			html_lit(p, ", at most");
		} else {
			html_lit(p, "at most");
		}
		html_lit(p, "</small>");
	}
	html_lit(p, "</div>");
}

/* Writes a finding, with a link to the section with the evidence. */
static void put_finding(struct html_page *page, const struct report_finding *f)
{
	const struct report_section *s = f->section.n ? report_section(page->report, f->section) : NULL;
	struct html *p = &page->html;
	const size_t item = html_item(p);

	html_lit(p, "<li>");
	put_gain(p, f, page->report->verdict.per);
	html_lit(p, "<div><h3>");
	html_report_text(p, &f->record, f->title);
	html_lit(p, "</h3>\n<p>");
	html_report_text(p, &f->record, f->detail.n ? f->detail : f->text);
	html_lit(p, "</p>\n<p class=\"soft\">");
	html_report_text(p, &f->record, f->advice);
	if (s && has_section(page, s)) {
		html_lit(p, " <a href=\"#");
		put_anchor(page, s);
		html_lit(p, "\">Evidence: ");
		html_name(p, s->title);
		html_lit(p, "</a>");
	}
	html_lit(p, "</p></div></li>\n");
	html_item_end(p, item);
}

static void add_findings(void *page)
{
	struct html_page *p = page;
	size_t i;

	html_lit(&p->html,
	    "<section id=\"findings\"><h2>What to do first</h2>\n<p class=\"soft\">Findings in the order of what each "
	    "can save at most. Each is a rule over figures of this page; a rule that does not apply is not "
	    "shown.</p>\n<ol class=\"findings\">\n");
	for (i = 0; i < p->report->n_findings && !html_is_done(&p->html); i++)
		put_finding(p, &p->report->findings[i]);
	html_lit(&p->html, "</ol></section>\n");
}

/* --- sections --- */

static bool begin_section(void *page, const struct report_section *s, int depth, bool half)
{
	struct html_page *p = page;
	struct html *h = page;

	if (!depth && html_is_done(h))
		return false;
	if (!has_section(p, s)) {
		h->loss.items++;
		return false;
	}
	p->begins[p->depth++] = h->to.n;
	html_lit(h, "<section id=\"");
	put_anchor(p, s);
	if (half)
		html_lit(h, "\" class=\"half");
	buf_add(&h->to, depth ? "\"><h3>" : "\"><h2>", 6);
	html_name(h, s->title);
	buf_add(&h->to, depth ? "</h3>\n" : "</h2>\n", 6);
	return true;
}

static void end_section(void *page, const struct report_section *s)
{
	struct html_page *p = page;

	html_lit(&p->html, "</section>\n");
	if (!html_section_end(&p->html, p->begins[--p->depth]))
		p->absent[s - p->report->sections] = true;
}

static void add_inner(void *page, bool begin)
{
	struct html *p = page;

	if (begin)
		html_lit(p, "<div class=\"parts-of\">\n");
	else
		html_lit(p, "</div>\n");
}

static void add_paragraph(void *page, const struct report_section *s, struct str text, bool soft)
{
	struct html *p = page;

	if (!text.n)
		return;
	if (soft)
		html_lit(p, "<p class=\"soft\">");
	else
		html_lit(p, "<p>");
	html_report_text(p, &s->record, text);
	html_lit(p, "</p>\n");
}

static void add_picture(void *page, const struct report_section *s)
{
	html_picture(page, s);
}

static void add_bars(void *page, const struct report_section *s)
{
	html_part_bars(page, s);
}

static void add_table(void *page, const struct report_section *s, bool folded)
{
	html_table(page, s, folded);
}

static void add_commands(void *page, const struct report_section *s)
{
	struct html *p = page;
	size_t i;

	html_lit(p, "<details class=\"commands\"><summary>Commands</summary><pre>");
	for (i = 0; i < s->commands.n; i++) {
		const size_t item = html_item(p);

		if (i)
			html_lit(p, "\n");
		html_text_cut(&p->to, s->commands.list[i], p->limits->text);
		html_item_end(p, item);
	}
	html_lit(p, "</pre></details>\n");
}

/* --- the page --- */

/* Makes the page, or what fits of it, from the offset `begin` on. Returns whether everything fits. */
static bool put_page(struct html_page *p, size_t begin)
{
	static const struct page_drawer drawer = {
	    .title = add_title,
	    .headline = add_headline,
	    .parts = add_parts,
	    .tiles = add_tiles,
	    .findings = add_findings,
	    .section = begin_section,
	    .paragraph = add_paragraph,
	    .picture = add_picture,
	    .bars = add_bars,
	    .table = add_table,
	    .commands = add_commands,
	    .inner = add_inner,
	    .section_end = end_section,
	};
	struct html *h = &p->html;

	h->to.n = begin;
	h->loss = (struct html_loss){0};
	page_draw(p->report, &drawer, p);
	if (h->loss.items) {
		html_lit(h, "<p class=\"soft\">The page would be too large with everything in the report: ");
		html_int(h, h->loss.items);
		html_lit(h, " items are not shown.</p>\n");
	}
	html_lit(h, "</main>\n<script>");
	put_embedded(h, &page_js);
	html_lit(h, "</script>\n</body>\n</html>\n");
	return !h->loss.items;
}

void html_page_put(struct buf *to, const struct report *report, struct html_loss *loss)
{
	/* Whole names and all rows, then less and less of them, until everything fits. */
	static const struct html_limits limits[] = {{4096, 4096, 200, 2000}, {1024, 4096, 200, 2000},
	    {320, 4096, 200, 2000}, {320, 2048, 60, 600}, {160, 1024, 30, 300}, {96, 448, 12, 100}};
	enum { LIMITS = sizeof limits / sizeof *limits };
	struct html_page p = {.html = {.to = *to, .room = HTML_PAGE_BYTES - embedded_size(&page_js) - END}};
	const size_t begin = to->n;
	size_t i = 0;

	p.report = report;
	do {
		memset(p.absent, 0, sizeof p.absent);
		p.html.limits = &limits[i];
		p.html.stops = i + 1 < LIMITS;
	} while (!put_page(&p, begin) && ++i < LIMITS);
	/* Sections for which there was no room are absent now; in the second page, there are no links to them. */
	if (i == LIMITS)
		put_page(&p, begin);
	*to = p.html.to;
	*loss = p.html.loss;
}
