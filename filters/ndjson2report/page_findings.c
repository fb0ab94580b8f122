/* The findings of a report: what they save, advice, and a link to the section with the evidence. */
#include "page_private.h"

static void put_gain(struct page *p, const struct report_finding *f)
{
	const struct str per = p->report->verdict.per;
	const struct report_unit time = {.measure = REPORT_MEASURE_TIME, .decimals = -1};

	page_lit(p, "<div class=\"gain\">");
	if (f->saves.type != VALUE_NONE) {
		page_value(p, &time, &f->saves, true);
		page_lit(p, " <small>");
		if (f->of == REPORT_SAVES_HOST) {
			page_lit(p, "of the host\xe2\x80\x99s time ");
			page_name(p, per);
		} else if (f->of == REPORT_SAVES_STEP && per.n) {
			page_lit(p, "of ");
			page_name(p, per);
			page_lit(p, ", at most");
		} else {
			page_lit(p, "at most");
		}
		page_lit(p, "</small>");
	}
	page_lit(p, "</div>");
}

static void put_finding(struct page *p, const struct report_finding *f)
{
	const struct report_section *s = f->section.n ? report_section(p->report, f->section) : NULL;
	const size_t item = page_item(p);

	page_lit(p, "<li>");
	put_gain(p, f);
	page_lit(p, "<div><h3>");
	page_text(p, &f->record, f->title);
	page_lit(p, "</h3>\n<p>");
	page_text(p, &f->record, f->detail.n ? f->detail : f->text);
	page_lit(p, "</p>\n<p class=\"soft\">");
	page_text(p, &f->record, f->advice);
	if (s && page_has_section(p, s)) {
		page_lit(p, " <a href=\"#");
		page_anchor(p, s);
		page_lit(p, "\">Evidence: ");
		page_name(p, s->title);
		page_lit(p, "</a>");
	}
	page_lit(p, "</p></div></li>\n");
	page_item_end(p, item);
}

void page_findings(struct page *p)
{
	size_t i;

	if (!p->report->n_findings)
		return;
	page_lit(p,
	    "<section id=\"findings\"><h2>What to do first</h2>\n<p class=\"soft\">Findings in the order of what each "
	    "can save at most. Each is a rule over figures of this page; a rule that does not apply is not "
	    "shown.</p>\n<ol class=\"findings\">\n");
	for (i = 0; i < p->report->n_findings && !page_is_done(p); i++)
		put_finding(p, &p->report->findings[i]);
	page_lit(p, "</ol></section>\n");
}
