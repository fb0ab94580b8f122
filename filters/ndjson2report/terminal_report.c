#include "terminal_report.h"

#include "table/text_width.h"
#include "terminal_cell.h"
#include "terminal_page.h"
#include "terminal_text.h"

enum { FEW = 3 }; /* number of findings, and of rows of each section, that get room first */

/* --- verdict --- */

static void add_head(struct terminal_page *p)
{
	const struct report_verdict *v = &p->r->verdict;
	struct terminal *t = p->t;
	struct buf title = {0};
	struct str source;

	terminal_text_put(&title, t, v->title.n ? v->title : STR("\"\""));
	terminal_add_styled(t, TERMINAL_BOLD, terminal_cell_short(&title, t->width));
	source = terminal_page_join(p, &v->record, &v->source);
	if (source.n && t->column + 2 + text_width(source) > t->width)
		terminal_end_line(t);
	else if (source.n)
		terminal_pad_to(t, t->width - text_width(source));
	terminal_text_wrap(t, source, TERMINAL_PLAIN, t->width, 0, TERMINAL_PAGE_SENTENCE);
	terminal_end_line(t);
	if (v->facts.n) {
		terminal_text_wrap(t, terminal_page_join(p, &v->record, &v->facts), TERMINAL_PLAIN, t->width, 0,
		    TERMINAL_PAGE_SENTENCE);
		terminal_end_line(t);
	}
	buf_free(&title);
}

static void add_verdict(struct terminal_page *p)
{
	const struct report_verdict *v = &p->r->verdict;

	if (!p->r->has_verdict)
		return;
	add_head(p);
	if (v->text.n || v->detail.n)
		terminal_gap(p->t);
	terminal_page_text(p, &v->record, v->text, TERMINAL_BOLD, TERMINAL_PAGE_SENTENCE);
	terminal_page_text(p, &v->record, v->detail, TERMINAL_PLAIN, TERMINAL_PAGE_PARAGRAPH);
}

/* --- last lines --- */

/* Adds the figures in p->text, "name value", to the page. */
static void add_values(struct terminal_page *p)
{
	if (!p->text.n)
		return;
	terminal_text_wrap(p->t, buf_str(&p->text), TERMINAL_PLAIN, p->t->width, 0, TERMINAL_PAGE_SENTENCE);
	terminal_end_line(p->t);
	p->text.n = 0;
}

/* Appends "name value" of a figure to p->text. */
static void put_value(struct terminal_page *p, const struct report_figure *f)
{
	struct buf item = {0};

	terminal_text_put(&item, p->t, f->brief);
	buf_char(&item, ' ');
	terminal_cell_put(&item, p->t, &f->unit, &f->value);
	if (p->text.n)
		buf_lit(&p->text, "   ");
	terminal_text_unbroken(&p->text, terminal_cell_short(&item, p->t->width));
	buf_free(&item);
}

static void add_line(struct terminal_page *p)
{
	bool any = false;
	size_t i;

	p->text.n = 0;
	for (i = 0; i < p->r->n_figures; i++) {
		const struct report_figure *f = &p->r->figures[i];
		const struct str text = f->text.n ? f->text : f->value.type == VALUE_NONE ? f->note : STR("");

		if (f->group != REPORT_LINE)
			continue;
		if (!any)
			terminal_gap(p->t);
		any = true;
		if (!text.n) {
			put_value(p, f);
			continue;
		}
		add_values(p);
		terminal_page_text(p, &f->record, text, TERMINAL_PLAIN, TERMINAL_PAGE_SENTENCE);
		p->text.n = 0;
	}
	add_values(p);
}

/* Adds the last line, with its spaces if it fits. */
static void add_hint(struct terminal_page *p)
{
	struct terminal *t = p->t;

	if (!p->r->verdict.hint.n)
		return;
	terminal_gap(t);
	p->text.n = 0;
	terminal_text_put(&p->text, t, p->r->verdict.hint);
	terminal_text_wrap(t, buf_str(&p->text), TERMINAL_SOFT, t->width, 0, TERMINAL_PAGE_SENTENCE);
	terminal_end_line(t);
}

/* Writes the page. Returns whether it has at most TERMINAL_PAGE_LINES lines. */
static bool write_page(struct terminal_page *p)
{
	terminal_clear(p->t);
	add_verdict(p);
	terminal_sections_add_parts(p);
	terminal_findings_add(p);
	terminal_sections_add(p);
	add_line(p);
	add_hint(p);
	terminal_sections_add_commands(p);
	return p->t->lines <= TERMINAL_PAGE_LINES;
}

/* --- lines --- */

/*
 * Gives the i-th block up to `most` rows, as many as fit on the page, which has *lines lines now. A block with its
 * first row has at least three lines: an empty line, a heading and the row.
 */
static void grow(struct terminal_page *p, size_t i, uint64_t most, size_t *lines)
{
	const size_t before = p->most[i];

	if (most <= before || *lines + (before ? 1 : 3) > TERMINAL_PAGE_LINES)
		return;
	p->most[i] = most < TERMINAL_PAGE_LINES ? (size_t)most : TERMINAL_PAGE_LINES;
	while (p->most[i] > before && !write_page(p))
		p->most[i]--;
	if (p->most[i] > before)
		*lines = p->t->lines;
}

/* Returns the index of the first section that is shown as a table, or n_sections. */
static size_t first_table(const struct report *r)
{
	size_t i;

	for (i = 0; i < r->n_sections && (r->sections[i].view == REPORT_VIEW_PARTS || !r->sections[i].lines); i++)
		;
	return i;
}

/* Returns the number of rows that a section gets before any section has more. */
static uint64_t few(const struct report_section *s)
{
	return s->lines < FEW ? s->lines : FEW;
}

/*
 * Decides how many findings, and rows of each section, are on the page. Bars come first; then a few findings and rows
 * of the first table, and all findings. The other tables get a few rows each, in their order, and then more if there is
 * room.
 */
static void fit_page(struct terminal_page *p)
{
	const struct report *r = p->r;
	const size_t table = first_table(r);
	size_t lines, i;

	write_page(p);
	lines = p->t->lines;
	for (i = 0; i < r->n_sections; i++) {
		if (r->sections[i].view == REPORT_VIEW_PARTS)
			grow(p, 1 + i, r->sections[i].lines, &lines);
	}
	grow(p, 0, FEW, &lines);
	if (table < r->n_sections)
		grow(p, 1 + table, few(&r->sections[table]), &lines);
	grow(p, 0, TERMINAL_FINDINGS_MOST, &lines);
	for (i = 0; i < r->n_sections; i++)
		grow(p, 1 + i, few(&r->sections[i]), &lines);
	for (i = 0; i < r->n_sections; i++)
		grow(p, 1 + i, r->sections[i].lines, &lines);
	write_page(p);
}

void terminal_report_write(struct terminal *t, const struct report *r, bool commands)
{
	struct terminal_page p = {.t = t, .r = r, .commands = commands};

	fit_page(&p);
	buf_free(&p.text);
}
