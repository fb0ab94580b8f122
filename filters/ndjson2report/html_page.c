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

/* Returns the title of the page. */
static struct str title_of(const struct report_verdict *v)
{
	return v->title.n ? v->title : STR("Trace report");
}

static void put_head(struct html *p, const struct report_verdict *v)
{
	html_put(p,
	    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-%t'; "
	    "script-src 'sha256-%t'; base-uri 'none'; form-action 'none'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n"
	    "<meta name=\"generator\" content=\"ndjson2report (tracefilters " TRACEFILTERS_VERSION ")\">\n"
	    "<title>%n - trace report</title>\n<style>",
	    page_css.sha256, page_js.sha256, title_of(v));
	put_embedded(p, &page_css);
	html_put(p, "</style>\n</head>\n<body>\n");
}

/* --- verdict and tiles --- */

static void put_facts(struct html *p, const struct report_record *record, const struct report_texts *texts)
{
	size_t i, item;

	for (i = 0; i < texts->n; i++) {
		item = html_item(p);
		html_put(p, "<li>%r</li>", record, texts->list[i]);
		html_item_end(p, item);
	}
}

static void add_title(void *page, const struct report_verdict *v)
{
	struct html *p = page;

	put_head(p, v);
	html_put(p, "<header><h1>%n</h1>\n", title_of(v));
	if (v->source.n || v->facts.n) {
		html_put(p, "<ul class=\"facts\">");
		put_facts(p, &v->record, &v->source);
		put_facts(p, &v->record, &v->facts);
		html_put(p, "</ul>\n");
	}
	html_put(p, "</header>\n<main>\n");
}

static void add_headline(void *page, const struct report_verdict *v)
{
	html_put(page, "<section class=\"verdict\"><h2>%r</h2>\n", &v->record, v->text.n ? v->text : STR("Figures"));
	if (v->detail.n)
		html_put(page, "<p>%r</p>\n", &v->record, v->detail);
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
	html_put(p, "</section>\n");
}

static void put_tiles(struct html *p, const struct report *r)
{
	const struct report_figure *f = NULL;
	bool any = false;
	size_t item;

	while ((f = page_next_figure(r, f, REPORT_TILES))) {
		item = html_item(p);
		html_put(
		    p, "%t<div><dt>%n</dt><dd>%v", any ? "" : "<dl class=\"tiles\">\n", f->name, &f->unit, &f->value);
		if (f->note.n)
			html_put(p, "<small>%r</small>", &f->record, f->note);
		html_put(p, "</dd></div>\n");
		any = html_item_end(p, item) || any;
	}
	html_put(p, any ? "</dl>\n" : "");
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

/* Returns the anchor of a section: its id, or another one, in `room`, if the id cannot be an anchor. */
static struct str anchor_of(const struct html_page *p, const struct report_section *s, char room[NUM_ROOM + 8])
{
	static const char begin[] = "section-";

	if (is_anchor(s->id))
		return s->id;
	memcpy(room, begin, strlen(begin));
	return (struct str){room, (size_t)(num_put_i64(room + strlen(begin), s - p->report->sections + 1) - room)};
}

/* Writes the tiles, and the list of sections. */
static void add_tiles(void *page)
{
	struct html_page *p = page;
	const struct report *r = p->report;
	char room[NUM_ROOM + 8];
	size_t i;

	put_tiles(page, r);
	if (!r->n_sections)
		return;
	html_put(page, "<nav aria-label=\"Sections\"><ul>\n");
	if (r->n_findings)
		html_put(page, "<li><a href=\"#findings\">What to do first</a></li>\n");
	for (i = 0; i < r->n_sections; i++) {
		const struct report_section *s = &r->sections[i];

		if (!page_parent(r, s) && has_section(p, s))
			html_put(page, "<li><a href=\"#%n\">%n</a></li>\n", anchor_of(p, s, room), s->title);
	}
	html_put(page, "</ul></nav>\n");
}

/* --- findings --- */

static void put_gain(struct html *p, const struct report_finding *f, struct str per)
{
	html_put(p, "<div class=\"gain\">");
	if (f->saves.type == VALUE_NONE)
		;
	else if (f->of == REPORT_SAVES_HOST)
		html_put(p, "%v <small>of the host’s time %n</small>", &report_time, &f->saves, per);
	else if (f->of == REPORT_SAVES_STEP && per.n)
		html_put(p, "%v <small>of %n, at most</small>", &report_time, &f->saves, per);
	else
		html_put(p, "%v <small>at most</small>", &report_time, &f->saves);
	html_put(p, "</div>");
}

/* Writes a finding, with a link to the section with the evidence. */
static void put_finding(struct html_page *page, const struct report_finding *f)
{
	const struct report_section *s = f->section.n ? report_section(page->report, f->section) : NULL;
	struct html *p = &page->html;
	const size_t item = html_item(p);
	char room[NUM_ROOM + 8];

	html_put(p, "<li>");
	put_gain(p, f, page->report->verdict.per);
	html_put(p, "<div><h3>%r</h3>\n<p>%r</p>\n<p class=\"soft\">%r", &f->record, f->title, &f->record,
	    f->detail.n ? f->detail : f->text, &f->record, f->advice);
	if (s && has_section(page, s))
		html_put(p, " <a href=\"#%n\">Evidence: %n</a>", anchor_of(page, s, room), s->title);
	html_put(p, "</p></div></li>\n");
	html_item_end(p, item);
}

static void add_findings(void *page)
{
	struct html_page *p = page;
	size_t i;

	html_put(page,
	    "<section id=\"findings\"><h2>What to do first</h2>\n<p class=\"soft\">Findings in the order of what each "
	    "can save at most. Each is a rule over figures of this page; a rule that does not apply is not "
	    "shown.</p>\n<ol class=\"findings\">\n");
	for (i = 0; i < p->report->n_findings && !html_is_done(page); i++)
		put_finding(p, &p->report->findings[i]);
	html_put(page, "</ol></section>\n");
}

/* --- sections --- */

static bool begin_section(void *page, const struct report_section *s, int depth, bool half)
{
	struct html_page *p = page;
	const char *heading = depth ? "h3" : "h2";
	char room[NUM_ROOM + 8];

	if (!depth && html_is_done(page))
		return false;
	if (!has_section(p, s)) {
		p->html.loss.items++;
		return false;
	}
	p->begins[p->depth++] = html_item(page);
	html_put(page, "<section id=\"%n\"%t><%t>%n</%t>\n", anchor_of(p, s, room), half ? " class=\"half\"" : "",
	    heading, s->title, heading);
	return true;
}

static void end_section(void *page, const struct report_section *s)
{
	struct html_page *p = page;

	html_put(page, "</section>\n");
	if (!html_section_end(page, p->begins[--p->depth]))
		p->absent[s - p->report->sections] = true;
}

static void add_inner(void *page, bool begin)
{
	html_put(page, begin ? "<div class=\"parts-of\">\n" : "</div>\n");
}

static void add_paragraph(void *page, const struct report_section *s, struct str text, bool soft)
{
	if (text.n)
		html_put(page, soft ? "<p class=\"soft\">%r</p>\n" : "<p>%r</p>\n", &s->record, text);
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
	size_t i, item;

	html_put(p, "<details class=\"commands\"><summary>Commands</summary><pre>");
	for (i = 0; i < s->commands.n; i++) {
		item = html_item(p);
		html_put(p, "%t%p", i ? "\n" : "", s->commands.list[i]);
		html_item_end(p, item);
	}
	html_put(p, "</pre></details>\n");
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
	if (h->loss.items)
		html_put(h,
		    "<p class=\"soft\">The page would be too large with everything in the report: %i items are not "
		    "shown.</p>\n",
		    h->loss.items);
	html_put(h, "</main>\n<script>");
	put_embedded(h, &page_js);
	html_put(h, "</script>\n</body>\n</html>\n");
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
