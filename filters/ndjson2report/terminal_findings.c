/* terminal_findings: prints the findings of a report. */
#include "terminal_page.h"

#include "table/text_width.h"
#include "terminal_cell.h"
#include "terminal_text.h"

enum { SAVES = 10 }; /* columns of what a finding saves, with the space before it */

static void add_finding(struct terminal_page *p, const struct report_finding *f, size_t number)
{
	static const char digits[] = "0123456789";
	struct terminal *t = p->t;
	const size_t end = t->width - 2;
	struct buf saves = {0};
	struct report_unit time;
	size_t width;

	terminal_add_styled(t, TERMINAL_BOLD, (struct str){&digits[number % 10], 1});
	terminal_pad_to(t, 2);
	terminal_text_wrap(t, terminal_page_expand(p, &f->record, f->text.n ? f->text : f->title), TERMINAL_PLAIN,
	    end - SAVES, 2, TERMINAL_PAGE_SENTENCE);
	report_unit_read(&time, STR("time"));
	terminal_cell_put(&saves, t, &time, &f->saves);
	if (saves.n) {
		terminal_cell_short(&saves, end);
		width = text_width(buf_str(&saves));
		if (t->column + 1 + width > end)
			terminal_end_line(t);
		terminal_pad_to(t, end - width);
		terminal_add_styled(t, TERMINAL_BOLD, buf_str(&saves));
	}
	if (f->of == REPORT_SAVES_HOST)
		terminal_add(t, STR("*"));
	terminal_end_line(t);
	buf_free(&saves);
}

void terminal_findings_add(struct terminal_page *p)
{
	struct terminal *t = p->t;
	bool host = false;
	size_t i;

	if (!p->r->n_findings || !p->most[0])
		return;
	terminal_gap(t);
	terminal_add_styled(t, TERMINAL_BOLD, STR("What to do first"));
	p->text.n = 0;
	buf_lit(&p->text, "at most");
	if (p->r->verdict.per.n) {
		buf_lit(&p->text, ", ");
		terminal_text_put(&p->text, t, p->r->verdict.per);
	}
	terminal_page_at_end(t, terminal_cell_short(&p->text, t->width));
	terminal_end_line(t);
	for (i = 0; i < p->r->n_findings && i < p->most[0]; i++) {
		add_finding(p, &p->r->findings[i], i + 1);
		host |= p->r->findings[i].of == REPORT_SAVES_HOST;
	}
	if (host) {
		terminal_add(t, STR("* of the host's time"));
		terminal_end_line(t);
	}
}
