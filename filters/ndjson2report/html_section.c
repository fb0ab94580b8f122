/* The sections of a page, and the list of them. */
#include "html_private.h"

#include "base/char_class.h"
#include "html_text.h"

enum { NARROW_COLUMNS = 4 }; /* maximum number of columns of a narrow table */

/* --- anchors --- */

/* Returns whether a text can be an anchor, in a page in which `findings` and `tip` are taken. */
static bool is_anchor(struct str id)
{
	size_t i;

	for (i = 0; i < id.n && (is_alphanumeric(id.p[i]) || id.p[i] == '-' || id.p[i] == '_'); i++)
		;
	return id.n && i == id.n && id.n < 64 && !str_eq(id, STR("findings")) && !str_eq(id, STR("tip"));
}

void html_anchor(struct html *p, const struct report_section *s)
{
	if (is_anchor(s->id) && report_section(p->report, s->id) == s) {
		html_text(&p->html, s->id);
	} else {
		html_lit(p, "section-");
		html_number(p, (double)(s - p->report->sections + 1));
	}
}

/* --- sections --- */

/* Returns the section of which s is a part: an earlier one with the id `of`, or NULL. */
static const struct report_section *parent_of(const struct html *p, const struct report_section *s)
{
	const struct report_section *parent = s->of.n ? report_section(p->report, s->of) : NULL;

	return parent && parent < s ? parent : NULL;
}

bool html_has_section(const struct html *p, const struct report_section *s)
{
	for (; s; s = parent_of(p, s)) {
		if (p->absent[s - p->report->sections])
			return false;
	}
	return true;
}

static void put_commands(struct html *p, const struct report_texts *commands)
{
	size_t i;

	if (!commands->n)
		return;
	html_lit(p, "<details class=\"commands\"><summary>Commands</summary><pre>");
	for (i = 0; i < commands->n; i++) {
		const size_t item = html_item(p);

		if (i)
			html_lit(p, "\n");
		html_plain(p, commands->list[i]);
		html_item_end(p, item);
	}
	html_lit(p, "</pre></details>\n");
}

static void put_paragraph(struct html *p, const struct report_section *s, struct str text, bool soft)
{
	if (!text.n)
		return;
	if (soft)
		html_lit(p, "<p class=\"soft\">");
	else
		html_lit(p, "<p>");
	html_report_text(p, &s->record, text);
	html_lit(p, "</p>\n");
}

/* Writes what a section contains, without its heading and the sections that are part of it. */
static void put_content(struct html *p, const struct report_section *s)
{
	const bool rows = s->n_rows && s->n_columns, parts = rows && s->view == REPORT_VIEW_PARTS;

	put_paragraph(p, s, s->text, true);
	if (s->picture.n)
		html_picture(p, s);
	else if (parts)
		html_parts(p, s);
	put_paragraph(p, s, s->note, false);
	if (rows && (s->picture.n || parts)) {
		html_lit(p, "<details><summary>Show as a table</summary>");
		html_table(p, s, false);
		html_lit(p, "</details>\n");
	} else {
		html_view(p, s);
	}
}

/* Returns whether a section has little width: a histogram, or a table with few columns and without long names. */
static bool is_narrow(const struct report_section *s)
{
	return s->view == REPORT_VIEW_HIST || (s->view <= REPORT_VIEW_BARS && s->n_columns <= NARROW_COLUMNS);
}

/* Returns the first section after `after` that is part of s, or NULL. */
static const struct report_section *next_part(
    const struct html *p, const struct report_section *s, const struct report_section *after)
{
	const struct report_section *end = p->report->sections + p->report->n_sections;

	while (++after < end) {
		if (parent_of(p, after) == s)
			return after;
	}
	return NULL;
}

static void put_heading(struct html *p, const struct report_section *s, const char *element)
{
	html_lit(p, "<");
	html_text(&p->html, str_of(element));
	html_lit(p, ">");
	html_name(p, s->title);
	html_lit(p, "</");
	html_text(&p->html, str_of(element));
	html_lit(p, ">\n");
}

static void put_section(struct html *p, const struct report_section *s, int depth, bool half);

/* Writes the sections that are part of s. On a screen, two narrow ones that follow each other are side by side. */
static void put_parts_of(struct html *p, const struct report_section *s, int depth)
{
	const struct report_section *part = next_part(p, s, s), *next;
	bool second = false, half;

	if (!part)
		return;
	html_lit(p, "<div class=\"parts-of\">\n");
	for (; part; part = next) {
		next = next_part(p, s, part);
		half = second || (is_narrow(part) && next && is_narrow(next));
		second = half && !second;
		put_section(p, part, depth, half);
	}
	html_lit(p, "</div>\n");
}

/*
 * Writes the section and the sections that are part of it. `depth` is 0 for a section that is not part of another;
 * `half`: it is as wide as half of the page.
 */
static void put_section(struct html *p, const struct report_section *s, int depth, bool half)
{
	const size_t begin = p->html.n;

	if (!html_has_section(p, s)) {
		p->loss.items++;
		return;
	}
	html_lit(p, "<section id=\"");
	html_anchor(p, s);
	if (half)
		html_lit(p, "\" class=\"half");
	html_lit(p, "\">");
	put_heading(p, s, depth ? "h3" : "h2");
	put_content(p, s);
	put_commands(p, &s->commands);
	put_parts_of(p, s, depth + 1);
	html_lit(p, "</section>\n");
	if (!html_section_end(p, begin))
		p->absent[s - p->report->sections] = true;
}

void html_sections(struct html *p)
{
	const struct report *r = p->report;
	size_t i;

	for (i = 0; i < r->n_sections && !html_is_done(p); i++) {
		if (!parent_of(p, &r->sections[i]))
			put_section(p, &r->sections[i], 0, false);
	}
}

void html_nav(struct html *p)
{
	const struct report *r = p->report;
	size_t i;

	html_lit(p, "<nav aria-label=\"Sections\"><ul>\n");
	if (r->n_findings)
		html_lit(p, "<li><a href=\"#findings\">What to do first</a></li>\n");
	for (i = 0; i < r->n_sections; i++) {
		if (parent_of(p, &r->sections[i]) || !html_has_section(p, &r->sections[i]))
			continue;
		html_lit(p, "<li><a href=\"#");
		html_anchor(p, &r->sections[i]);
		html_lit(p, "\">");
		html_name(p, r->sections[i].title);
		html_lit(p, "</a></li>\n");
	}
	html_lit(p, "</ul></nav>\n");
}
