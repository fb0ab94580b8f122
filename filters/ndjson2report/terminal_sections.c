/* terminal_sections: prints the sections of a report that have a short form, and the commands of all sections. */
#include "terminal_page.h"

#include "terminal_bars.h"
#include "terminal_table.h"
#include "terminal_text.h"

/*
 * Adds the commands of a section, so that they can be copied: each in a line of its own that is never broken, in the
 * bytes of the report. Only control characters, which could do harm when they are pasted, are escaped.
 */
static void add_commands(struct terminal_page *p, const struct report_section *s)
{
	struct terminal *t = p->t;
	const size_t lines = t->lines;
	struct terminal verbatim = {.ascii = false};
	struct str rest, line;
	size_t i;

	for (i = 0; p->commands && i < s->commands.n; i++) {
		rest = s->commands.list[i];
		while (str_split(&rest, '\n', &line)) {
			p->text.n = 0;
			terminal_text_put(&p->text, &verbatim, line);
			terminal_add(t, STR("  "));
			terminal_add_styled(t, TERMINAL_SOFT, buf_str(&p->text));
			terminal_end_line(t);
		}
	}
	t->lines = lines;
}

static bool is_short(const struct report_section *s)
{
	return s->lines && s->n_rows;
}

/* Returns the maximum number of rows of the i-th section; 0: the section is not on the page. */
static size_t most_rows(const struct terminal_page *p, size_t i)
{
	const uint64_t lines = p->r->sections[i].lines;

	return lines < p->most[1 + i] ? (size_t)lines : p->most[1 + i];
}

static bool has_parts(const struct report *r)
{
	size_t i;

	for (i = 0; i < r->n_figures && r->figures[i].group != REPORT_PARTS; i++)
		;
	return i < r->n_figures;
}

void terminal_sections_add_parts(struct terminal_page *p)
{
	bool legend = has_parts(p->r);
	struct terminal *t = p->t;
	size_t i;

	if (legend) {
		terminal_gap(t);
		terminal_bars_legend(t, p->r);
	}
	for (i = 0; i < p->r->n_sections; i++) {
		const struct report_section *s = &p->r->sections[i];

		if (s->view != REPORT_VIEW_PARTS || !is_short(s) || !most_rows(p, i))
			continue;
		if (!legend) {
			terminal_gap(t);
			terminal_page_text(p, &s->record, s->title, TERMINAL_BOLD, 1);
			terminal_bars_section_legend(t, s);
		}
		legend = false;
		terminal_bars_rows(t, s, most_rows(p, i));
		add_commands(p, s);
	}
}

void terminal_sections_add(struct terminal_page *p)
{
	size_t i;

	for (i = 0; i < p->r->n_sections; i++) {
		const struct report_section *s = &p->r->sections[i];

		if (s->view == REPORT_VIEW_PARTS || !is_short(s) || !s->n_brief || !most_rows(p, i))
			continue;
		if (p->t->lines > TERMINAL_PAGE_LINES)
			return; /* this page is not used */
		terminal_gap(p->t);
		terminal_table_write(p->t, s, most_rows(p, i));
		add_commands(p, s);
	}
}

void terminal_sections_add_commands(struct terminal_page *p)
{
	const size_t lines = p->t->lines;
	size_t i;

	for (i = 0; p->commands && i < p->r->n_sections; i++) {
		const struct report_section *s = &p->r->sections[i];

		if (!s->commands.n || (is_short(s) && (s->n_brief || s->view == REPORT_VIEW_PARTS)))
			continue;
		terminal_gap(p->t);
		terminal_page_text(p, &s->record, s->title, TERMINAL_BOLD, 1);
		add_commands(p, s);
	}
	p->t->lines = lines;
}
