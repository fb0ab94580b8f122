/* report_section: reads the sections of a report and their rows. */
#include "report_private.h"

#include <stdlib.h>

static size_t find_column(const struct report_section *s, struct str name)
{
	size_t i;

	for (i = 0; i < s->n_columns && !str_eq(s->columns[i].name, name); i++)
		;
	return i;
}

/* Returns the i-th text of a list; empty if the list is shorter. */
static struct str text_at(const struct report_texts *list, size_t i)
{
	return i < list->n ? list->list[i] : STR("");
}

/* Drops a list that should have a text for each of n columns. An empty list is allowed. */
static void check_length(struct report_texts *list, size_t n, const struct report_problems *p)
{
	if (!list->n || list->n == n)
		return;
	report_lost(p, "titles, units, colors, brief_titles or brief_units without one text for each column; left out");
	report_texts_free(list);
}

static void read_columns(struct report_section *s, const struct report_problems *p)
{
	struct report_texts units = report_member_texts(&s->record, "units", p);
	struct report_texts colors = report_member_texts(&s->record, "colors", p);
	size_t i;

	s->names = report_member_texts(&s->record, "columns", p);
	s->titles = report_member_texts(&s->record, "titles", p);
	s->n_columns = s->names.n;
	if (s->n_columns > REPORT_COLUMNS) {
		report_lost(p, "section with more than 32 columns; the others are left out");
		s->n_columns = REPORT_COLUMNS;
	}
	check_length(&s->titles, s->names.n, p);
	check_length(&units, s->names.n, p);
	check_length(&colors, s->names.n, p);
	s->columns = mem_zero(s->n_columns, sizeof *s->columns);
	for (i = 0; i < s->n_columns; i++) {
		struct report_column *c = &s->columns[i];

		c->name = s->names.list[i];
		c->title = s->titles.n ? s->titles.list[i] : c->name;
		c->unit = report_unit_of(text_at(&units, i), p);
		c->color = report_color_of(text_at(&colors, i), p);
	}
	report_texts_free(&units);
	report_texts_free(&colors);
}

static void read_sums(struct report_section *s, const struct report_problems *p)
{
	struct report_texts sums = report_member_texts(&s->record, "sums", p);
	size_t i, column;

	for (i = 0; i < sums.n; i++) {
		column = find_column(s, sums.list[i]);
		if (column < s->n_columns)
			s->columns[column].sums = true;
		else
			report_warning(p, "sums or brief names a column that the section does not have; left out");
	}
	report_texts_free(&sums);
}

static void read_brief(struct report_section *s, const struct report_problems *p)
{
	struct report_texts brief = report_member_texts(&s->record, "brief", p);
	struct report_texts units = report_member_texts(&s->record, "brief_units", p);
	size_t i, column;

	s->brief_titles = report_member_texts(&s->record, "brief_titles", p);
	check_length(&s->brief_titles, brief.n, p);
	check_length(&units, brief.n, p);
	s->brief = mem_alloc(brief.n * sizeof *s->brief);
	for (i = 0; i < brief.n; i++) {
		column = find_column(s, brief.list[i]);
		if (column == s->n_columns)
			report_warning(p, "sums or brief names a column that the section does not have; left out");
		else if (s->n_brief < REPORT_COLUMNS)
			s->brief[s->n_brief++] = (struct report_brief){column,
			    s->brief_titles.n ? s->brief_titles.list[i] : s->columns[column].title,
			    units.n ? report_unit_of(units.list[i], p) : s->columns[column].unit};
	}
	report_texts_free(&units);
	report_texts_free(&brief);
}

void report_section_read(struct report_section *s, const struct report_problems *p)
{
	static const char *const views[] = {"table", "bars", "parts", "hist", "facts", NULL};
	const struct report_record *r = &s->record;
	const struct str unit = report_member_text(r, "mark_unit", p);

	s->title = report_member_text(r, "title", p);
	s->of = report_member_text(r, "of", p);
	s->text = report_member_template(r, "text", p);
	s->note = report_member_template(r, "note", p);
	s->view = (enum report_view)report_member_word(r, "view", views, REPORT_VIEW_TABLE, p);
	s->lines = report_member_count(r, "lines", p);
	s->picture.unit = report_unit_of(unit.n ? unit : STR("time"), p);
	read_columns(s, p);
	read_sums(s, p);
	read_brief(s, p);
	s->commands = report_member_texts(r, "commands", p);
	if (s->commands.n > REPORT_COMMANDS) {
		report_lost(p, "section with more than 32 commands; the others are left out");
		s->commands.n = REPORT_COMMANDS;
	}
}

bool report_section_add(struct report_section *s, struct report_record *record, const struct report_problems *p)
{
	struct report_row row = {0};
	size_t i;

	row.rest = report_member_count(record, "rest", p);
	if (s->n_rows >= REPORT_ROWS + (row.rest > 0)) {
		report_lost(p, "more than 200 rows in a section; skipped");
		report_record_free(record);
		return false;
	}
	row.mean = str_eq(report_record_get(record, STR("mean")).text, STR("true"));
	row.color = report_member_color(record, p);
	row.cells = mem_alloc(s->n_columns * sizeof *row.cells);
	record->size += s->n_columns * sizeof *row.cells;
	row.record = *record;
	for (i = 0; i < s->n_columns; i++)
		row.cells[i] = report_record_get(record, s->columns[i].name);
	s->rows = mem_grow(s->rows, &s->cap_rows, s->n_rows + 1, sizeof *s->rows);
	s->rows[s->n_rows++] = row;
	return true;
}

void report_section_free(struct report_section *s)
{
	size_t i;

	for (i = 0; i < s->n_rows; i++) {
		report_record_free(&s->rows[i].record);
		free(s->rows[i].cells);
	}
	free(s->rows);
	report_picture_free(&s->picture);
	free(s->columns);
	free(s->brief);
	report_texts_free(&s->names);
	report_texts_free(&s->titles);
	report_texts_free(&s->brief_titles);
	report_texts_free(&s->commands);
	report_record_free(&s->record);
}
