#include "markdown_report.h"

#include "base/escape.h"
#include "markdown_text.h"

enum { DEEPEST = 6 }; /* levels of headings */

/* --- blocks --- */

/* Adds an empty line between two blocks. */
static void gap(struct buf *b)
{
	if (b->n)
		buf_char(b, '\n');
}

static void add_heading(struct buf *b, const struct report_record *record, size_t level, struct str text)
{
	gap(b);
	while (level--)
		buf_char(b, '#');
	buf_char(b, ' ');
	markdown_text_expand(b, record, text, false);
	buf_char(b, '\n');
}

/* Adds a paragraph; nothing for an empty text. */
static void add_paragraph(struct buf *b, const struct report_record *record, struct str text, const char *emphasis)
{
	if (!text.n)
		return;
	gap(b);
	buf_add(b, emphasis, strlen(emphasis));
	markdown_text_expand(b, record, text, false);
	buf_add(b, emphasis, strlen(emphasis));
	buf_char(b, '\n');
}

/* --- verdict and figures --- */

static void add_list(struct buf *b, const struct report_record *record, const struct report_texts *list, bool *any)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		if (*any)
			buf_lit(b, " · ");
		*any = true;
		markdown_text_expand(b, record, list->list[i], false);
	}
}

static void add_verdict(struct buf *b, const struct report_verdict *v)
{
	bool any = false;

	buf_lit(b, "# ");
	markdown_text_name(b, v->title, false);
	buf_char(b, '\n');
	if (v->source.n || v->facts.n) {
		gap(b);
		add_list(b, &v->record, &v->source, &any);
		add_list(b, &v->record, &v->facts, &any);
		buf_char(b, '\n');
	}
	add_paragraph(b, &v->record, v->text, "**");
	add_paragraph(b, &v->record, v->detail, "");
}

/* Adds the share and the value of a figure. */
static void add_values(struct buf *b, const struct report_figure *f)
{
	struct report_unit share;

	if (f->share.type != VALUE_NONE) {
		report_unit_read(&share, STR("share.1"));
		markdown_text_cell(b, &share, &f->share);
		buf_lit(b, " | ");
	}
	markdown_text_cell(b, &f->unit, &f->value);
}

/* Adds a table of the figures of a group. */
static void add_figures(struct buf *b, const struct report *r, enum report_group group, const char *head)
{
	bool any = false;
	size_t i;

	for (i = 0; i < r->n_figures; i++) {
		const struct report_figure *f = &r->figures[i];

		if (f->group != group)
			continue;
		if (!any) {
			gap(b);
			buf_add(b, head, strlen(head));
		}
		any = true;
		buf_lit(b, "| ");
		markdown_text_put(b, f->name);
		buf_lit(b, " | ");
		if (group == REPORT_PARTS && f->share.type == VALUE_NONE)
			buf_lit(b, "| ");
		add_values(b, f);
		if (group == REPORT_TILES) {
			buf_lit(b, " | ");
			markdown_text_expand(b, &f->record, f->note, true);
		}
		buf_lit(b, " |\n");
	}
}

/* --- findings --- */

static void add_saves(struct buf *b, const struct report_finding *f, struct str per)
{
	struct report_unit time;

	if (f->saves.type == VALUE_NONE)
		return;
	report_unit_read(&time, STR("time"));
	buf_lit(b, " (at most ");
	markdown_text_cell(b, &time, &f->saves);
	if (f->of == REPORT_SAVES_HOST)
		buf_lit(b, " of the host's time");
	if (per.n && f->of != REPORT_SAVES_RUN) {
		buf_lit(b, " in ");
		markdown_text_put(b, per);
	}
	buf_char(b, ')');
}

/* Adds the sentences of a finding to its item of the list. */
static void add_item_text(struct buf *b, const struct report_finding *f, struct str text)
{
	if (!text.n)
		return;
	buf_lit(b, "\n   ");
	markdown_text_expand(b, &f->record, text, false);
	buf_char(b, '\n');
}

static void add_findings(struct buf *b, const struct report *r)
{
	char number[NUM_ROOM];
	size_t i;

	if (r->n_findings)
		add_heading(b, &r->verdict.record, 2, STR("What to do first"));
	for (i = 0; i < r->n_findings; i++) {
		const struct report_finding *f = &r->findings[i];

		gap(b);
		buf_add(b, number, (size_t)(num_put_u64(number, i + 1) - number));
		buf_lit(b, ". **");
		markdown_text_expand(b, &f->record, f->title.n ? f->title : f->text.n ? f->text : f->id, false);
		buf_lit(b, "**");
		add_saves(b, f, r->verdict.per);
		buf_char(b, '\n');
		add_item_text(b, f, f->detail);
		add_item_text(b, f, f->advice);
	}
}

/* --- sections --- */

/* Returns whether a column is in one cell with the next one. */
static bool is_joined(const struct report_section *s, size_t column)
{
	return s->columns[column].unit.measure == REPORT_MEASURE_PATH && column + 1 < s->n_columns;
}

static void add_head(struct buf *b, const struct report_section *s)
{
	size_t i;

	gap(b);
	for (i = 0; i < s->n_columns; i++) {
		struct str title = s->columns[i].title;

		for (; is_joined(s, i); i++)
			title = title.n ? title : s->columns[i + 1].title;
		buf_lit(b, "| ");
		markdown_text_put(b, title);
		buf_char(b, ' ');
	}
	buf_lit(b, "|\n");
	for (i = 0; i < s->n_columns; i++) {
		if (is_joined(s, i))
			continue;
		if (!report_unit_is_text(&s->columns[i].unit))
			buf_lit(b, "| ---: ");
		else
			buf_lit(b, "| --- ");
	}
	buf_lit(b, "|\n");
}

/* Adds the first cell of a row that sums up others. */
static void add_rest(struct buf *b, uint64_t n)
{
	char number[NUM_ROOM];

	buf_add(b, number, (size_t)(num_put_u64(number, n) - number));
	if (n == 1)
		buf_lit(b, " other");
	else
		buf_lit(b, " others");
}

static void add_table(struct buf *b, const struct report_section *s)
{
	size_t i, k;

	if (!s->n_columns || !s->n_rows)
		return;
	add_head(b, s);
	for (i = 0; i < s->n_rows; i++) {
		const struct report_row *row = &s->rows[i];

		buf_lit(b, "| ");
		if (row->rest && row->cells[0].type == VALUE_NONE)
			add_rest(b, row->rest);
		for (k = 0; k < s->n_columns; k++) {
			markdown_text_cell(b, &s->columns[k].unit, &row->cells[k]);
			if (!is_joined(s, k))
				buf_add(b, " | ", k + 1 < s->n_columns ? 3 : 2);
			else if (row->cells[k].type != VALUE_NONE && row->cells[k + 1].type != VALUE_NONE)
				buf_lit(b, " › ");
		}
		buf_char(b, '\n');
	}
}

/* Returns the length of the longest run of backticks in the commands, at least 2. */
static size_t fence_of(const struct report_texts *commands)
{
	size_t longest = 2, run, i, k;

	for (i = 0; i < commands->n; i++) {
		for (k = run = 0; k < commands->list[i].n; k++) {
			run = commands->list[i].p[k] == '`' ? run + 1 : 0;
			longest = run > longest ? run : longest;
		}
	}
	return longest;
}

/* Adds the commands in a code block, each in lines of its own. */
static void add_commands(struct buf *b, const struct report_texts *commands)
{
	const size_t fence = fence_of(commands) + 1;
	struct str rest, line;
	size_t i;

	if (!commands->n)
		return;
	gap(b);
	for (i = 0; i < fence; i++)
		buf_char(b, '`');
	buf_lit(b, "sh\n");
	for (i = 0; i < commands->n; i++) {
		rest = commands->list[i];
		while (str_split(&rest, '\n', &line)) {
			escape_text(b, ESCAPE_PLAIN, line);
			buf_char(b, '\n');
		}
	}
	for (i = 0; i < fence; i++)
		buf_char(b, '`');
	buf_char(b, '\n');
}

/* Returns the level of the heading of a section: 2, and one more for each section that it is part of. */
static size_t level_of(const struct report *r, const struct report_section *s)
{
	size_t level = 2;

	while (level < DEEPEST && s->of.n && (s = report_section(r, s->of)))
		level++;
	return level;
}

void markdown_report_put(struct buf *b, const struct report *r, bool commands)
{
	size_t i;

	if (r->has_verdict)
		add_verdict(b, &r->verdict);
	add_figures(b, r, REPORT_PARTS, "| Part | Share | Time |\n| --- | ---: | ---: |\n");
	add_figures(b, r, REPORT_TILES, "| Figure | Value | Note |\n| --- | ---: | --- |\n");
	add_findings(b, r);
	for (i = 0; i < r->n_sections; i++) {
		const struct report_section *s = &r->sections[i];

		add_heading(b, &s->record, level_of(r, s), s->title.n ? s->title : s->id);
		add_paragraph(b, &s->record, s->text, "");
		add_table(b, s);
		add_paragraph(b, &s->record, s->note, "");
		if (commands)
			add_commands(b, &s->commands);
	}
}
