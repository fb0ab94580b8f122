#include "report.h"

#include "arena.h"
#include "base/err.h"
#include "spans.h"

#include <math.h>
#include <stdlib.h>

/* --- texts --- */

struct str report_text(struct arena *a, const char *format, ...)
{
	struct buf text = {0};
	struct str kept;
	va_list ap;

	va_start(ap, format);
	spans_put_list(&text, format, &ap);
	va_end(ap);
	kept = arena_keep(a, buf_str(&text));
	buf_free(&text);
	return kept;
}

/* Returns a text of the record with its placeholders replaced. */
static struct str sentence(const struct record *record, struct str text)
{
	struct buf expanded = {0};
	struct str kept;

	spans_expand(&expanded, record, text);
	kept = arena_keep(record->arena, buf_str(&expanded));
	buf_free(&expanded);
	return kept;
}

static struct str member_sentence(const struct record *record, const char *name)
{
	return sentence(record, record_text(record, name));
}

static struct str visible(const struct record *record, const char *name)
{
	return report_text(record->arena, "%p", record_text(record, name));
}

/* --- verdict, figures, findings --- */

/* Each function take_*() adds a record to the report. It returns NULL, or the reason why it cannot be used. */

/* Reads a list of texts, and appends them to `all` with points between them. Returns them with commas. */
static struct str joined(const struct record *record, const char *name, struct str *all)
{
	struct str *texts, joined = STR("");
	const size_t n = record_list(record, name, &texts);
	size_t i;

	for (i = 0; i < n; i++) {
		const struct str text = sentence(record, texts[i]);

		joined = report_text(record->arena, "%h%t%h", joined, i ? ", " : "", text);
		*all = report_text(record->arena, "%h%t%h", *all, all->n ? " · " : "", text);
	}
	return joined;
}

static const char *take_verdict(struct report *r, const struct record *record)
{
	struct report_verdict *v = &r->verdict;

	if (v->title.n)
		return "second verdict; skipped";
	*v = (struct report_verdict){
	    .title = report_text(&r->arena, "%n", record_text(record, "title")),
	    .text = member_sentence(record, "text"),
	    .detail = member_sentence(record, "detail"),
	    .per = visible(record, "per"),
	    .hint = visible(record, "hint"),
	};
	claims_begin(&r->claims, record);
	v->source = joined(record, "source", &v->all_facts);
	v->facts = joined(record, "facts", &v->all_facts);
	return NULL;
}

/* Adds a text, or a name and its value, to the last lines on a terminal. Values follow each other in one line. */
static void add_line(struct report *r, struct str text, struct str name, struct str value)
{
	const bool follows = !text.n && r->n_lines && r->line_of_values;

	r->line_of_values = !text.n;
	if (!follows) {
		r->lines = mem_grow(r->lines, &r->cap_lines, r->n_lines + 1, sizeof *r->lines);
		r->lines[r->n_lines++] = STR("");
	}
	if (!text.n)
		text = report_text(&r->arena, "%h%t%u", r->lines[r->n_lines - 1], follows ? "   " : "",
		    report_text(&r->arena, "%h %h", name, value));
	r->lines[r->n_lines - 1] = text;
}

static const char *take_figure(struct report *r, const struct record *record)
{
	static const char *const groups[] = {"parts", "tiles", "line", NULL};
	const size_t group = record_word(record, "group", groups, 1);
	const struct report_unit unit = record_unit(record, record_text(record, "unit"));
	const struct value value = record_value(record, STR("value"));
	const struct str text = member_sentence(record, "text");
	struct str brief = visible(record, "brief");
	struct report_figure f = {
	    .name = visible(record, "name"),
	    .value = report_text(&r->arena, "%v", &unit, &value),
	    .note = member_sentence(record, "note"),
	};

	if (r->n_parts + r->n_tiles + r->n_lines == REPORT_FIGURES)
		return "more than 100 figures; skipped";
	brief = brief.n ? brief : f.name;
	if (group == 0) {
		r->parts = mem_grow(r->parts, &r->cap_parts, r->n_parts + 1, sizeof *r->parts);
		r->parts[r->n_parts++] = (struct report_part){
		    .color = record_color(record, record_text(record, "color")),
		    .name = f.name,
		    .brief = brief,
		    .value = f.value,
		    .size = value_is_number(&value) && value.d > 0 ? value.d : 0,
		};
	} else if (group == 1) {
		r->tiles = mem_grow(r->tiles, &r->cap_tiles, r->n_tiles + 1, sizeof *r->tiles);
		r->tiles[r->n_tiles++] = f;
	} else {
		add_line(r, text.n ? text : f.value.n ? STR("") : f.note, brief, f.value);
	}
	return NULL;
}

static const char *take_finding(struct report *r, const struct record *record)
{
	const struct value value = record_value(record, STR("saves")), saves = record_number(record, "saves");
	const struct str title = member_sentence(record, "title"), text = member_sentence(record, "text");
	const struct str detail = member_sentence(record, "detail");

	if (r->n_findings == REPORT_FINDINGS)
		return "more than 100 findings; skipped";
	if (value.type != saves.type)
		record_lost(record, "saves is not a number; left out");
	r->findings = mem_grow(r->findings, &r->cap_findings, r->n_findings + 1, sizeof *r->findings);
	r->findings[r->n_findings++] = (struct report_finding){
	    .title = title.n  ? title
		     : text.n ? text
			      : visible(record, "id"),
	    .text = detail.n || !title.n ? detail : text,
	    .brief = text.n ? text : title,
	    .advice = member_sentence(record, "advice"),
	    .saves = report_text(&r->arena, "%v", &report_time, &saves),
	    .section = record_text(record, "section"),
	};
	return NULL;
}

static const char *take_claim(struct report *r, const struct record *record)
{
	if (r->claims.n == REPORT_FINDINGS)
		return "more than 100 claims; skipped";
	claims_add(&r->claims, record);
	return NULL;
}

/* --- sections --- */

/* Reads a column; one without a name is lost. */
static void read_column(void *arg, const struct record *column)
{
	struct report_section *s = arg;
	const struct str name = record_text(column, "name"), title = record_text(column, "title");
	const struct value brief = record_value(column, STR("brief"));
	const struct str brief_unit = record_text(column, "brief_unit");
	struct report_column *c = &s->columns[s->n_columns];

	if (!name.n || s->n_columns == REPORT_COLUMNS) {
		record_lost(column, name.n ? "more than 32 columns; left out" : "column without a name; left out");
		return;
	}
	s->n_columns++;
	c->name = name;
	c->title = title.n ? title : name;
	c->unit = record_unit(column, record_text(column, "unit"));
	c->color = record_color(column, record_text(column, "color"));
	c->sums = str_eq(record_value(column, STR("sum")).text, STR("true"));
	c->brief = brief.type != VALUE_NONE;
	c->brief_title = brief.type == VALUE_STRING ? brief.text : c->title;
	c->brief_unit = brief_unit.n ? record_unit(column, brief_unit) : c->unit;
	s->brief |= c->brief;
}

struct report_section *report_section(const struct report *r, struct str id)
{
	size_t i;

	for (i = r->n_sections; i-- > 0;) {
		if (str_eq(r->sections[i].id, id))
			return &r->sections[i];
	}
	return NULL;
}

static const char *take_section(struct report *r, const struct record *record)
{
	static const char *const views[] = {"table", "bars", "parts", NULL};
	const struct str id = record_text(record, "id"), unit = record_text(record, "mark_unit");
	struct report_section *s;

	if (!id.n || report_section(r, id))
		return id.n ? "second section with the same id; skipped" : "section without an id; skipped";
	if (r->n_sections == REPORT_SECTIONS)
		return "more than 100 sections; skipped";
	r->sections = mem_grow(r->sections, &r->cap_sections, r->n_sections + 1, sizeof *r->sections);
	s = &r->sections[r->n_sections++];
	*s = (struct report_section){
	    .id = id,
	    .title = visible(record, "title"),
	    .of = record_text(record, "of"),
	    .text = member_sentence(record, "text"),
	    .note = member_sentence(record, "note"),
	    .view = (enum report_view)record_word(record, "view", views, REPORT_VIEW_TABLE),
	    .lines = record_count(record, "lines"),
	    .picture.unit = record_unit(record, unit.n ? unit : STR("time")),
	};
	s->columns = arena_get(record->arena, REPORT_COLUMNS, sizeof *s->columns);
	record_objects(record, "columns", read_column, s);
	s->n_commands = record_list(record, "commands", &s->commands);
	return NULL;
}

static const char *take_row(struct report *r, const struct record *record)
{
	struct report_section *s = report_section(r, record_text(record, "section"));
	struct report_row row = {.rest = record_count(record, "rest")};
	struct value name;
	size_t i;

	if (!s)
		return "row of a section that is unknown or follows later; skipped";
	if (s->n_rows >= REPORT_ROWS + (row.rest > 0))
		return "more than 200 rows in a section; skipped";
	row.color = record_color(record, record_text(record, "color"));
	row.link = record_text(record, "link");
	name = record_value(record, STR("name"));
	row.name = report_text(&r->arena, "%p", name.type == VALUE_STRING ? name.text : STR(""));
	row.cells = arena_get(&r->arena, s->n_columns, sizeof *row.cells);
	for (i = 0; i < s->n_columns; i++)
		row.cells[i] = record_value(record, s->columns[i].name);
	s->rows = mem_grow(s->rows, &s->cap_rows, s->n_rows + 1, sizeof *s->rows);
	s->rows[s->n_rows++] = row;
	return NULL;
}

/* --- pictures --- */

/* Returns the index of the lane of that name, which is added if it is new; REPORT_LANES if there is no room for it. */
static size_t lane_of_name(struct report_picture *picture, struct arena *a, struct str name)
{
	size_t i;

	for (i = picture->n_lanes; i-- > 0;) {
		if (str_eq(picture->lanes[i], name))
			return i;
	}
	if (!picture->lanes)
		picture->lanes = arena_get(a, REPORT_LANES, sizeof *picture->lanes);
	if (picture->n_lanes < REPORT_LANES)
		picture->lanes[picture->n_lanes++] = name;
	else
		return REPORT_LANES;
	return picture->n_lanes - 1;
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

static const char *take_mark(struct report *r, const struct record *record)
{
	struct report_section *s = report_section(r, record_text(record, "section"));
	struct report_picture *picture = s ? &s->picture : NULL;
	const bool nested = record_value(record, STR("depth")).type != VALUE_NONE;
	const struct value share = record_number(record, "share"), heat = record_number(record, "heat");
	struct report_mark mark = {
	    .name = record_text(record, "name"),
	    .label = record_text(record, "label"),
	    .at = record_number(record, "at"),
	    .dur = record_number(record, "dur"),
	    .share = share.type == VALUE_NONE ? 1 : fmin(fmax(share.d, 0), 1),
	    .partial = share.type != VALUE_NONE,
	};

	size_t i;

	if (!s)
		return "mark of a section that is unknown or follows later; skipped";
	if (picture->n == REPORT_MARKS)
		return "more than 5000 marks in a section; skipped";
	if (mark.at.type == VALUE_NONE || mark.dur.type == VALUE_NONE || mark.dur.d < 0)
		return "mark without the numbers at and dur; skipped";
	if (picture->n && picture->nested != nested)
		return "marks with and without a depth in a section; skipped";
	mark.lane =
	    nested ? record_count(record, "depth") : lane_of_name(picture, &r->arena, record_text(record, "lane"));
	if (mark.lane >= REPORT_LANES)
		return "more than 100 lanes in a picture; skipped";
	picture->nested = nested;
	if (nested && mark.lane >= picture->n_lanes)
		picture->n_lanes = mark.lane + 1;
	mark.base = base_of(picture, &mark);
	mark.count = record_count(record, "count");
	mark.n_shares = record_numbers(record, "shares", REPORT_SHARES, &mark.shares);
	mark.color = heat.type == VALUE_NONE ? record_color(record, record_text(record, "color")) : color_heat(heat.d);
	for (i = 0; i < mark.n_shares; i++)
		mark.shares[i] = fmin(fmax(mark.shares[i], 0), 1);
	if (mark.n_shares && mark.color == COLOR_MEANINGS)
		mark.color = color_series(picture->n_areas);
	picture->n_areas += mark.n_shares > 0;
	picture->marks = mem_grow(picture->marks, &picture->cap, picture->n + 1, sizeof *picture->marks);
	picture->marks[picture->n++] = mark;
	picture->last[mark.lane] = picture->n;
	return NULL;
}

/* --- records --- */

void report_take(struct report *r, struct str json, struct diagnostics *problems, struct fault_location at)
{
	static const struct {
		const char *kind;
		const char *(*take)(struct report *r, const struct record *record);
	} kinds[] = {
	    {"report/verdict", take_verdict},
	    {"report/figure", take_figure},
	    {"report/finding", take_finding},
	    {"report/claim", take_claim},
	    {"report/section", take_section},
	    {"report/row", take_row},
	    {"report/mark", take_mark},
	};
	enum { KINDS = sizeof kinds / sizeof *kinds };
	const struct record record = {json, &r->arena, problems, at};
	const char *refused = "not a record of a report; skipped";
	const size_t before = r->arena.bytes;
	struct str kind;
	size_t i;

	if (r->arena.bytes > REPORT_BYTES || json.n > REPORT_BYTES - r->arena.bytes) {
		record_lost(&record, "report larger than 16 MiB; skipped");
		return;
	}
	kind = record_value(&record, STR("kind")).text;
	for (i = 0; i < KINDS && !str_eq(kind, str_of(kinds[i].kind)); i++)
		;
	if (i < KINDS)
		refused = kinds[i].take(r, &record);
	if (refused) {
		record_lost(&record, refused);
		arena_drop(&r->arena, before);
	}
}

bool report_read(struct report *r, struct input *in)
{
	struct event e;

	while (input_next(in, &e))
		report_take(r, e.raw, &in->diagnostics, (struct fault_location){in->file, in->line, 0});
	if (!r->verdict.title.n && !in->failed) {
		warn("no report/verdict in the input; make a report first: trace-report -o ndjson FILE | %s",
		    err_prog());
		in->diagnostics.lost = true;
	}
	return r->verdict.title.n || r->n_parts || r->n_tiles || r->n_lines || r->n_findings || r->n_sections;
}

void report_free(struct report *r)
{
	size_t i;

	for (i = 0; i < r->n_sections; i++) {
		mem_free(r->sections[i].rows, r->sections[i].picture.marks);
	}
	mem_free(r->parts, r->tiles, r->lines, r->findings, r->claims.list, r->sections);
	arena_drop(&r->arena, 0);
	*r = (struct report){0};
}
