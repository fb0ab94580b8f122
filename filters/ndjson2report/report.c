#include "report.h"

#include "base/err.h"
#include "spans.h"

#include <math.h>
#include <stdlib.h>

/* --- members --- */

/* Reports what is wrong with the placeholders in a text, and returns the text. */
static struct str checked(const struct report_record *r, struct str text, const struct report_problems *p)
{
	struct buf expanded = {0};
	const enum spans_fault fault = spans_expand(&expanded, r, text);

	buf_free(&expanded);
	switch (fault) {
	case SPANS_OK:
		break;
	case SPANS_ABSENT:
		report_lost(p, "text refers to a member that the record does not have; printed as ?");
		break;
	case SPANS_UNIT:
		report_warning(p, "unknown unit in a text, or unit that does not fit the value");
		break;
	case SPANS_UNCLOSED:
		report_warning(p, "text has a { without a }; write {{ for a brace");
		break;
	}
	return text;
}

static struct str template(const struct report_record *r, const char *name, const struct report_problems *p)
{
	return checked(r, report_member_text(r, name, p), p);
}

static struct report_texts templates(const struct report_record *r, const char *name, const struct report_problems *p)
{
	struct report_texts texts = report_member_texts(r, name, p);
	size_t i;

	for (i = 0; i < texts.n; i++)
		checked(r, texts.list[i], p);
	return texts;
}

/* Returns the color of that name; COLOR_MEANINGS for an empty or unknown name. */
static enum color color_of(struct str name, const struct report_problems *p)
{
	enum color i;

	for (i = 0; i < COLOR_MEANINGS && !str_eq(name, str_of(color_meaning(i))); i++)
		;
	if (i == COLOR_MEANINGS && name.n)
		report_warning(p, "unknown color; not used");
	return i;
}

/* Returns the unit of that name; REPORT_MEASURE_NONE for an empty or unknown name. */
static struct report_unit unit_of(struct str name, const struct report_problems *p)
{
	struct report_unit unit;

	if (!report_unit_read(&unit, name) && name.n)
		report_warning(p, "unknown unit; values are printed as plain numbers");
	return unit;
}

/* --- verdict, figures, findings --- */

/*
 * Each function take_*() adds the record to the report, which then owns it. It returns NULL, or the reason why the
 * record cannot be used.
 */

static const char *take_verdict(struct report *r, struct report_record *record, const struct report_problems *p)
{
	struct report_verdict *v = &r->verdict;

	if (r->has_verdict)
		return "second verdict; skipped";
	r->has_verdict = true;
	*v = (struct report_verdict){
	    .record = *record,
	    .title = report_member_text(record, "title", p),
	    .source = templates(record, "source", p),
	    .facts = templates(record, "facts", p),
	    .text = template(record, "text", p),
	    .detail = template(record, "detail", p),
	    .per = report_member_text(record, "per", p),
	    .hint = report_member_text(record, "hint", p),
	};
	return NULL;
}

static const char *take_figure(struct report *r, struct report_record *record, const struct report_problems *p)
{
	static const char *const groups[] = {"parts", "tiles", "line", NULL};
	struct report_figure *f;

	if (r->n_figures == REPORT_FIGURES)
		return "more than 100 figures; skipped";
	r->figures = mem_grow(r->figures, &r->cap_figures, r->n_figures + 1, sizeof *r->figures);
	f = &r->figures[r->n_figures++];
	*f = (struct report_figure){
	    .record = *record,
	    .name = report_member_text(record, "name", p),
	    .brief = report_member_text(record, "brief", p),
	    .unit = unit_of(report_member_text(record, "unit", p), p),
	    .value = report_record_get(record, STR("value")),
	    .share = report_record_get(record, STR("share")),
	    .group = (enum report_group)report_member_word(record, "group", groups, REPORT_TILES, p),
	    .color = color_of(report_member_text(record, "color", p), p),
	    .note = template(record, "note", p),
	    .text = template(record, "text", p),
	};
	f->brief = f->brief.n ? f->brief : f->name;
	return NULL;
}

static const char *take_finding(struct report *r, struct report_record *record, const struct report_problems *p)
{
	static const char *const whole[] = {"step", "host", "run", NULL};
	struct report_finding *f;

	if (r->n_findings == REPORT_FINDINGS)
		return "more than 100 findings; skipped";
	r->findings = mem_grow(r->findings, &r->cap_findings, r->n_findings + 1, sizeof *r->findings);
	f = &r->findings[r->n_findings++];
	*f = (struct report_finding){
	    .record = *record,
	    .id = report_member_text(record, "id", p),
	    .section = report_member_text(record, "section", p),
	    .saves = report_record_get(record, STR("saves")),
	    .of = (enum report_saves_of)report_member_word(record, "of", whole, REPORT_SAVES_STEP, p),
	    .title = template(record, "title", p),
	    .text = template(record, "text", p),
	    .detail = template(record, "detail", p),
	    .advice = template(record, "advice", p),
	};
	if (f->saves.type != VALUE_NONE && !report_is_number(&f->saves)) {
		report_lost(p, "saves is not a number; left out");
		f->saves.type = VALUE_NONE;
	}
	return NULL;
}

/* --- sections --- */

static size_t find_column(const struct report_section *s, struct str name)
{
	size_t i;

	for (i = 0; i < s->n_columns && !str_eq(s->columns[i].name, name); i++)
		;
	return i;
}

/* Returns a list with a text for each of n columns, or an empty list. */
static struct report_texts column_texts(
    const struct report_record *r, const char *name, size_t n, const struct report_problems *p)
{
	struct report_texts list = report_member_texts(r, name, p);

	if (list.n && list.n != n) {
		report_lost(
		    p, "titles, units, colors, brief_titles or brief_units without one text for each column; left out");
		report_texts_free(&list);
	}
	return list;
}

static void read_columns(struct report_section *s, const struct report_problems *p)
{
	struct report_texts units, colors;
	size_t i;

	s->names = report_member_texts(&s->record, "columns", p);
	s->n_columns = s->names.n;
	if (s->n_columns > REPORT_COLUMNS) {
		report_lost(p, "section with more than 32 columns; the others are left out");
		s->n_columns = REPORT_COLUMNS;
	}
	s->titles = column_texts(&s->record, "titles", s->names.n, p);
	units = column_texts(&s->record, "units", s->names.n, p);
	colors = column_texts(&s->record, "colors", s->names.n, p);
	s->columns = mem_zero(s->n_columns, sizeof *s->columns);
	for (i = 0; i < s->n_columns; i++) {
		s->columns[i] = (struct report_column){
		    .name = s->names.list[i],
		    .title = s->titles.n ? s->titles.list[i] : s->names.list[i],
		    .unit = unit_of(units.n ? units.list[i] : STR(""), p),
		    .color = color_of(colors.n ? colors.list[i] : STR(""), p),
		};
	}
	report_texts_free(&units);
	report_texts_free(&colors);
}

/* Reads the short form: columns that the section has, with their titles and units, and columns that may be added. */
static void read_brief(struct report_section *s, const struct report_problems *p)
{
	static const char unknown[] = "sums or brief names a column that the section does not have; left out";
	struct report_texts sums = report_member_texts(&s->record, "sums", p);
	struct report_texts brief = report_member_texts(&s->record, "brief", p);
	struct report_texts units = column_texts(&s->record, "brief_units", brief.n, p);
	size_t i, column;

	for (i = 0; i < sums.n; i++) {
		column = find_column(s, sums.list[i]);
		if (column < s->n_columns)
			s->columns[column].sums = true;
		else
			report_warning(p, unknown);
	}
	s->brief_titles = column_texts(&s->record, "brief_titles", brief.n, p);
	s->brief = mem_alloc(brief.n * sizeof *s->brief);
	for (i = 0; i < brief.n; i++) {
		column = find_column(s, brief.list[i]);
		if (column == s->n_columns)
			report_warning(p, unknown);
		else if (s->n_brief < REPORT_COLUMNS)
			s->brief[s->n_brief++] = (struct report_brief){column,
			    s->brief_titles.n ? s->brief_titles.list[i] : s->columns[column].title,
			    units.n ? unit_of(units.list[i], p) : s->columns[column].unit};
	}
	report_texts_free(&sums);
	report_texts_free(&brief);
	report_texts_free(&units);
}

static struct report_section *find_section(const struct report *r, struct str id)
{
	size_t i;

	for (i = r->n_sections; i-- > 0;) {
		if (str_eq(r->sections[i].id, id))
			return &r->sections[i];
	}
	return NULL;
}

const struct report_section *report_section(const struct report *r, struct str id)
{
	return find_section(r, id);
}

static const char *take_section(struct report *r, struct report_record *record, const struct report_problems *p)
{
	static const char *const views[] = {"table", "bars", "parts", "hist", "facts", NULL};
	const struct str id = report_member_text(record, "id", p);
	struct report_section *s;
	struct str unit;

	if (!id.n || find_section(r, id))
		return id.n ? "second section with the same id; skipped" : "section without an id; skipped";
	if (r->n_sections == REPORT_SECTIONS)
		return "more than 100 sections; skipped";
	r->sections = mem_grow(r->sections, &r->cap_sections, r->n_sections + 1, sizeof *r->sections);
	s = &r->sections[r->n_sections++];
	*s = (struct report_section){
	    .record = *record,
	    .id = id,
	    .title = report_member_text(record, "title", p),
	    .of = report_member_text(record, "of", p),
	    .text = template(record, "text", p),
	    .note = template(record, "note", p),
	    .view = (enum report_view)report_member_word(record, "view", views, REPORT_VIEW_TABLE, p),
	    .lines = report_member_count(record, "lines", p),
	    .commands = report_member_texts(record, "commands", p),
	};
	unit = report_member_text(record, "mark_unit", p);
	s->picture.unit = unit_of(unit.n ? unit : STR("time"), p);
	read_columns(s, p);
	read_brief(s, p);
	if (s->commands.n > REPORT_COMMANDS) {
		report_lost(p, "section with more than 32 commands; the others are left out");
		s->commands.n = REPORT_COMMANDS;
	}
	return NULL;
}

static const char *take_row(struct report *r, struct report_record *record, const struct report_problems *p)
{
	struct report_section *s = find_section(r, report_member_text(record, "section", p));
	struct report_row row = {0};
	size_t i;

	if (!s)
		return "row of a section that is unknown or follows later; skipped";
	row.rest = report_member_count(record, "rest", p);
	if (s->n_rows >= REPORT_ROWS + (row.rest > 0))
		return "more than 200 rows in a section; skipped";
	row.mean = str_eq(report_record_get(record, STR("mean")).text, STR("true"));
	row.color = color_of(report_member_text(record, "color", p), p);
	row.cells = mem_alloc(s->n_columns * sizeof *row.cells);
	record->size += s->n_columns * sizeof *row.cells;
	row.record = *record;
	for (i = 0; i < s->n_columns; i++)
		row.cells[i] = report_record_get(record, s->columns[i].name);
	s->rows = mem_grow(s->rows, &s->cap_rows, s->n_rows + 1, sizeof *s->rows);
	s->rows[s->n_rows++] = row;
	return NULL;
}

/* --- pictures --- */

/* Returns the index of the lane of that name, which is added if it is new; REPORT_LANES if there is no room for it. */
static size_t lane_of_name(struct report_picture *picture, struct str name)
{
	size_t i;

	for (i = picture->n_lanes; i-- > 0;) {
		if (str_eq(picture->lanes[i], name))
			return i;
	}
	if (picture->n_lanes == REPORT_LANES)
		return REPORT_LANES;
	picture->lanes = mem_grow(picture->lanes, &picture->cap_lanes, picture->n_lanes + 1, sizeof *picture->lanes);
	picture->lanes[picture->n_lanes] = name;
	return picture->n_lanes++;
}

/* Returns the share of the height of a mark: 1 if it is absent or not a number; from 0 to 1. */
static double share_of(const struct report_record *record)
{
	const struct value v = report_record_get(record, STR("share"));

	if (!report_is_number(&v) || v.d > 1)
		return 1;
	return v.d > 0 ? v.d : 0;
}

/* Returns where a mark begins in its lane: on the preceding mark of the lane, if that begins at the same time. */
static double base_of(const struct report_picture *picture, const struct report_mark *mark)
{
	const size_t last = picture->last[mark->lane];
	const struct report_mark *below = last ? &picture->marks[last - 1] : NULL;

	if (!below || picture->nested || below->at.d < mark->at.d || below->at.d > mark->at.d)
		return 0;
	return below->base + below->share;
}

static const char *take_mark(struct report *r, struct report_record *record, const struct report_problems *p)
{
	struct report_section *s = find_section(r, report_member_text(record, "section", p));
	struct report_picture *picture = s ? &s->picture : NULL;
	const bool nested = report_record_get(record, STR("depth")).type != VALUE_NONE;
	struct report_mark mark = {
	    .name = report_member_text(record, "name", p),
	    .at = report_record_get(record, STR("at")),
	    .dur = report_record_get(record, STR("dur")),
	    .share = share_of(record),
	    .partial = report_record_get(record, STR("share")).type != VALUE_NONE,
	};

	if (!s)
		return "mark of a section that is unknown or follows later; skipped";
	if (picture->n == REPORT_MARKS)
		return "more than 5000 marks in a section; skipped";
	if (!report_is_number(&mark.at) || !report_is_number(&mark.dur) || mark.dur.d < 0 || !isfinite(mark.at.d))
		return "mark without the numbers at and dur; skipped";
	if (picture->n && picture->nested != nested)
		return "marks with and without a depth in a section; skipped";
	mark.lane = nested ? report_member_count(record, "depth", p)
			   : lane_of_name(picture, report_member_text(record, "lane", p));
	if (mark.lane >= REPORT_LANES)
		return "more than 100 lanes in a picture; skipped";
	picture->nested = nested;
	if (nested && mark.lane >= picture->n_lanes)
		picture->n_lanes = mark.lane + 1;
	mark.base = base_of(picture, &mark);
	mark.count = report_member_count(record, "count", p);
	mark.color = color_of(report_member_text(record, "color", p), p);
	record->size += sizeof mark;
	mark.record = *record;
	picture->marks = mem_grow(picture->marks, &picture->cap, picture->n + 1, sizeof *picture->marks);
	picture->marks[picture->n++] = mark;
	picture->last[mark.lane] = picture->n;
	return NULL;
}

/* --- records --- */

void report_take(struct report *r, struct event *e, const struct report_problems *p)
{
	static const struct {
		const char *kind;
		const char *(*take)(struct report *r, struct report_record *record, const struct report_problems *p);
	} kinds[] = {
	    {"report/verdict", take_verdict},
	    {"report/figure", take_figure},
	    {"report/finding", take_finding},
	    {"report/section", take_section},
	    {"report/row", take_row},
	    {"report/mark", take_mark},
	};
	enum { KINDS = sizeof kinds / sizeof *kinds };
	struct report_record record;
	const char *refused;
	bool cut = false;
	size_t i;

	if (e->raw.n > REPORT_BYTES - r->bytes) {
		report_lost(p, "report larger than 16 MiB; skipped");
		return;
	}
	if (!report_record_copy(&record, e->raw, &cut)) {
		report_lost(p, "record with more than 256 members; skipped");
		return;
	}
	for (i = 0; i < KINDS && !str_eq(report_record_text(&record, "kind"), str_of(kinds[i].kind)); i++)
		;
	if (cut && i < KINDS)
		diagnostics_add(p->list, DIAGNOSTICS_NOTE, "text longer than 4096 bytes; cut", p->at);
	refused = i < KINDS ? kinds[i].take(r, &record, p) : "not a record of a report; skipped";
	if (refused) {
		report_lost(p, refused);
		report_record_free(&record);
	} else {
		r->bytes += record.size < REPORT_BYTES - r->bytes ? record.size : REPORT_BYTES - r->bytes;
	}
}

bool report_read(struct report *r, struct input *in)
{
	struct event e;

	while (input_next(in, &e))
		report_take(r, &e, &(struct report_problems){&in->diagnostics, {in->file, in->line, 0}});
	if (!r->has_verdict && !in->failed) {
		warn("no report/verdict in the input; make a report first: trace-report -o ndjson FILE | %s",
		    err_prog());
		in->diagnostics.lost = true;
	}
	return r->has_verdict || r->n_figures || r->n_findings || r->n_sections;
}

static void free_section(struct report_section *s)
{
	size_t i;

	for (i = 0; i < s->n_rows; i++) {
		report_record_free(&s->rows[i].record);
		free(s->rows[i].cells);
	}
	for (i = 0; i < s->picture.n; i++)
		report_record_free(&s->picture.marks[i].record);
	free(s->rows);
	free(s->picture.marks);
	free(s->picture.lanes);
	free(s->columns);
	free(s->brief);
	report_texts_free(&s->names);
	report_texts_free(&s->titles);
	report_texts_free(&s->brief_titles);
	report_texts_free(&s->commands);
	report_record_free(&s->record);
}

void report_free(struct report *r)
{
	size_t i;

	report_record_free(&r->verdict.record);
	report_texts_free(&r->verdict.source);
	report_texts_free(&r->verdict.facts);
	for (i = 0; i < r->n_figures; i++)
		report_record_free(&r->figures[i].record);
	for (i = 0; i < r->n_findings; i++)
		report_record_free(&r->findings[i].record);
	for (i = 0; i < r->n_sections; i++)
		free_section(&r->sections[i]);
	free(r->figures);
	free(r->findings);
	free(r->sections);
	*r = (struct report){0};
}
