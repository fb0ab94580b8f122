#include "page.h"

enum { NARROW_COLUMNS = 4 }; /* maximum number of columns of a narrow table */

/* --- order --- */

const struct report_section *page_parent(const struct report *r, const struct report_section *s)
{
	const struct report_section *parent = s->of.n ? report_section(r, s->of) : NULL;

	return parent && parent < s ? parent : NULL;
}

/* Returns the first section after `after` that is part of s, or NULL. */
static const struct report_section *next_part(
    const struct report *r, const struct report_section *s, const struct report_section *after)
{
	const struct report_section *end = r->sections + r->n_sections;

	while (++after < end) {
		if (page_parent(r, after) == s)
			return after;
	}
	return NULL;
}

/* Returns whether a section has little width: a histogram, or a table with few columns and without long names. */
static bool is_narrow(const struct report_section *s)
{
	return s->view == REPORT_VIEW_HIST || (s->view <= REPORT_VIEW_BARS && s->n_columns <= NARROW_COLUMNS);
}

static void draw_section(const struct report *r, const struct page_drawer *d, void *page,
    const struct report_section *s, int depth, bool half)
{
	const bool rows = s->n_rows && s->n_columns, parts = rows && s->view == REPORT_VIEW_PARTS;
	const struct report_section *part = next_part(r, s, s), *next;
	bool second = false, any = part;

	if (!d->section(page, s, depth, half))
		return;
	d->paragraph(page, s, s->text, true);
	if (s->picture.n && d->picture)
		d->picture(page, s);
	else if (parts && d->bars)
		d->bars(page, s);
	d->paragraph(page, s, s->note, false);
	if (rows)
		d->table(page, s, s->picture.n || parts);
	if (s->commands.n)
		d->commands(page, s);
	if (any && d->inner)
		d->inner(page, true);
	for (; part; part = next) {
		next = next_part(r, s, part);
		/* Two narrow sections that follow each other are side by side. */
		half = second || (is_narrow(part) && next && is_narrow(next));
		second = half && !second;
		draw_section(r, d, page, part, depth + 1, half);
	}
	if (any && d->inner)
		d->inner(page, false);
	if (d->section_end)
		d->section_end(page, s);
}

void page_draw(const struct report *r, const struct page_drawer *d, void *page)
{
	size_t i;

	d->title(page, &r->verdict);
	d->headline(page, &r->verdict);
	d->parts(page);
	d->tiles(page);
	if (r->n_findings)
		d->findings(page);
	for (i = 0; i < r->n_sections; i++) {
		if (!page_parent(r, &r->sections[i]))
			draw_section(r, d, page, &r->sections[i], 0, false);
	}
}

bool page_has_brief(const struct report_section *s)
{
	return s->lines && s->n_rows && (s->n_brief || s->view == REPORT_VIEW_PARTS);
}

static void draw_brief(const struct page_drawer *d, void *page, const struct report_section *s, bool commands)
{
	if (!d->section(page, s, 0, false))
		return;
	if (page_has_brief(s) && s->view == REPORT_VIEW_PARTS)
		d->bars(page, s);
	else if (page_has_brief(s))
		d->table(page, s, false);
	if (commands)
		d->commands(page, s);
}

void page_draw_brief(const struct report *r, const struct page_drawer *d, void *page, bool commands)
{
	size_t i;

	d->title(page, &r->verdict);
	d->headline(page, &r->verdict);
	d->parts(page);
	for (i = 0; i < r->n_sections; i++) {
		if (page_has_brief(&r->sections[i]) && r->sections[i].view == REPORT_VIEW_PARTS)
			draw_brief(d, page, &r->sections[i], commands);
	}
	if (r->n_findings)
		d->findings(page);
	for (i = 0; i < r->n_sections; i++) {
		if (page_has_brief(&r->sections[i]) && r->sections[i].view != REPORT_VIEW_PARTS)
			draw_brief(d, page, &r->sections[i], commands);
	}
	d->lines(page);
	for (i = 0; i < r->n_sections && commands; i++) {
		if (!page_has_brief(&r->sections[i]) && r->sections[i].commands.n)
			draw_brief(d, page, &r->sections[i], commands);
	}
}

/* --- tables --- */

size_t page_rows(const struct report_section *s)
{
	return s->n_rows - (s->n_rows && s->rows[s->n_rows - 1].rest);
}

/* Returns whether a column has a value in any row. */
static bool has_values(const struct report_section *s, size_t column)
{
	size_t i;

	for (i = 0; i < s->n_rows && s->rows[i].cells[column].type == VALUE_NONE; i++)
		;
	return i < s->n_rows;
}

void page_table_init(struct page_table *t, const struct report_section *s, bool brief)
{
	const size_t n = brief ? s->n_brief : s->n_columns;
	const bool has_sum = page_rows(s) < s->n_rows; /* the first cell of the last row says what it sums up */
	size_t i, n_columns = 0;

	*t = (struct page_table){.section = s};
	for (i = 0; i < n; i++) {
		const struct report_column *c = &s->columns[brief ? s->brief[i].column : i];
		const struct report_brief all = {i, c->title, c->unit};

		if (has_values(s, (size_t)(c - s->columns)) || (!i && (brief || has_sum)))
			t->columns[n_columns++] = brief ? s->brief[i] : all;
	}
	if (!n_columns && n) /* no row has any value */
		t->columns[n_columns++] = (struct report_brief){0, s->columns[0].title, s->columns[0].unit};
	for (i = 0; i < n_columns; i++) {
		struct page_field *f = &t->fields[t->n++];

		*f = (struct page_field){.first = i, .title = t->columns[i].title};
		while (t->columns[i].unit.measure == REPORT_MEASURE_PATH && i + 1 < n_columns) {
			i++;
			f->title = f->title.n ? f->title : t->columns[i].title;
		}
		f->last = i;
		f->text = report_unit_is_text(&t->columns[i].unit);
	}
}

void page_cell_write(
    const struct page_table *t, const struct report_row *row, size_t field, const struct report_writer *w)
{
	const struct page_field *f = &t->fields[field];
	bool any = false;
	size_t i;

	if (!field && row->rest && row->cells[t->columns[f->first].column].type == VALUE_NONE)
		report_put(w, "%o", row->rest);
	for (i = f->first; i <= f->last; i++) {
		const struct value *v = &row->cells[t->columns[i].column];

		if (any && v->type != VALUE_NONE)
			w->text(w, STR(" › "));
		report_value_write(w, &t->columns[i].unit, v, false);
		any |= v->type != VALUE_NONE;
	}
}

/* --- bars --- */

size_t page_window_parts(const struct report *r, struct page_part parts[REPORT_FIGURES])
{
	const struct report_figure *f = NULL;
	size_t n = 0;

	while ((f = page_next_figure(r, f, REPORT_PARTS)))
		parts[n++] = (struct page_part){f->color, f->name, f->brief, f->unit, f->value,
		    f->share.type == VALUE_NONE && f->unit.measure == REPORT_MEASURE_SHARE ? f->value : f->share};
	return n;
}

size_t page_row_parts(
    const struct report_section *s, const struct report_row *row, struct page_part parts[REPORT_COLUMNS])
{
	static const struct value none = {.type = VALUE_NONE};
	size_t i, n = 0;

	for (i = 0; i < s->n_columns; i++) {
		const struct report_column *c = &s->columns[i];
		const struct str title = page_bare_title(c);

		if (c->color < COLOR_MEANINGS)
			parts[n++] =
			    (struct page_part){c->color, title, title, c->unit, row ? row->cells[i] : none, none};
	}
	return n;
}

double page_part_size(const struct page_part *part)
{
	return report_is_number(&part->value) && part->value.d > 0 ? part->value.d : 0;
}

double page_parts_sum(const struct page_part *parts, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += page_part_size(&parts[i]);
	return sum;
}

struct str page_bare_title(const struct report_column *c)
{
	const struct str unit = str_of(report_unit_in_title(&c->unit) ? c->unit.fixed->name : "");
	struct str title = c->title;

	if (!unit.n || !str_ends(title, STR(")")))
		return title;
	title.n--;
	if (!str_ends(title, unit) || !str_ends(str_head(title, title.n - unit.n), STR(" (")))
		return c->title;
	return str_head(title, title.n - unit.n - strlen(" ("));
}

const struct report_figure *page_next_figure(
    const struct report *r, const struct report_figure *f, enum report_group group)
{
	size_t i = f ? (size_t)(f - r->figures) + 1 : 0;

	while (i < r->n_figures && r->figures[i].group != group)
		i++;
	return i < r->n_figures ? &r->figures[i] : NULL;
}
