/* The findings of a report: what they save, advice, and a link to the section with the evidence. */
#include "html_private.h"

static void put_gain(struct html *p, const struct report_finding *f)
{
	const struct str per = p->report->verdict.per;
	const struct report_unit time = {.measure = REPORT_MEASURE_TIME, .decimals = -1};

	html_lit(p, "<div class=\"gain\">");
	if (f->saves.type != VALUE_NONE) {
		html_value(p, &time, &f->saves, true);
		html_lit(p, " <small>");
		if (f->of == REPORT_SAVES_HOST) {
			html_lit(p, "of the host\xe2\x80\x99s time ");
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

static void put_finding(struct html *p, const struct report_finding *f)
{
	const struct report_section *s = f->section.n ? report_section(p->report, f->section) : NULL;
	const size_t item = html_item(p);

	html_lit(p, "<li>");
	put_gain(p, f);
	html_lit(p, "<div><h3>");
	html_report_text(p, &f->record, f->title);
	html_lit(p, "</h3>\n<p>");
	html_report_text(p, &f->record, f->detail.n ? f->detail : f->text);
	html_lit(p, "</p>\n<p class=\"soft\">");
	html_report_text(p, &f->record, f->advice);
	if (s && html_has_section(p, s)) {
		html_lit(p, " <a href=\"#");
		html_anchor(p, s);
		html_lit(p, "\">Evidence: ");
		html_name(p, s->title);
		html_lit(p, "</a>");
	}
	html_lit(p, "</p></div></li>\n");
	html_item_end(p, item);
}

void html_findings(struct html *p)
{
	size_t i;

	if (!p->report->n_findings)
		return;
	html_lit(p,
	    "<section id=\"findings\"><h2>What to do first</h2>\n<p class=\"soft\">Findings in the order of what each "
	    "can save at most. Each is a rule over figures of this page; a rule that does not apply is not "
	    "shown.</p>\n<ol class=\"findings\">\n");
	for (i = 0; i < p->report->n_findings && !html_is_done(p); i++)
		put_finding(p, &p->report->findings[i]);
	html_lit(p, "</ol></section>\n");
}
