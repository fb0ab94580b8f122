#include "blocks.h"

#include "arena.h"
#include "base/char_class.h"
#include "base/int_math.h"

#include <math.h>
#include <stdlib.h>

/* --- memory --- */

static void *room(struct blocks *b, size_t n, size_t size)
{
	return arena_get(&b->arena, n, size);
}

/* Adds a block; a pointer to it is valid until the next one is added. */
static struct block *add(struct blocks *b, enum block_kind kind, struct str text)
{
	b->list = mem_grow(b->list, &b->cap, b->n + 1, sizeof *b->list);
	b->list[b->n] = (struct block){.kind = kind, .text = text};
	return &b->list[b->n++];
}

/* --- columns of tables --- */

/* The columns of a section that are shown. */
struct shown_columns {
	struct shown_column {
		const struct report_column *column;
		size_t index;
		struct str title;
		struct report_unit unit;
	} list[REPORT_COLUMNS];
	size_t n;
};

static bool has_values(const struct report_section *s, size_t column)
{
	size_t i;

	for (i = 0; i < s->n_rows && s->rows[i].cells[column].type == VALUE_NONE; i++)
		;
	return i < s->n_rows;
}

static size_t rows_without_rest(const struct report_section *s)
{
	return s->n_rows - (s->n_rows && s->rows[s->n_rows - 1].rest);
}

/* Columns without a value in any row are left out, except the first one if its last cell counts the other rows. */
static void choose_columns(struct shown_columns *t, const struct report_section *s, bool brief)
{
	const bool has_sum = rows_without_rest(s) < s->n_rows;
	size_t i;

	for (i = t->n = 0; i < s->n_columns; i++) {
		const struct report_column *c = &s->columns[i];

		if ((brief && !c->brief) || (!has_values(s, i) && (t->n || !has_sum)))
			continue;
		t->list[t->n++] = brief ? (struct shown_column){c, i, c->brief_title, c->brief_unit}
					: (struct shown_column){c, i, c->title, c->unit};
	}
	if (!t->n) /* no row has any value */
		t->list[t->n++] = (struct shown_column){s->columns, 0, s->columns->title, s->columns->unit};
}

/* Returns whether a column is a part of the bars of a table. */
static bool is_part(const struct report_section *s, size_t column)
{
	size_t i;

	if (s->view == REPORT_VIEW_PARTS)
		return s->columns[column].color != COLOR_MEANINGS && has_values(s, column);
	for (i = 0; i < column && report_unit_is_text(&s->columns[i].unit); i++)
		;
	return s->view == REPORT_VIEW_BARS && i == column && !report_unit_is_text(&s->columns[i].unit);
}

static void set_columns(
    struct blocks *b, struct block *block, const struct shown_columns *t, const struct report_section *s)
{
	const bool parts = s->view == REPORT_VIEW_PARTS;
	size_t i;

	block->n_columns = block->bar_before = t->n;
	block->columns = room(b, t->n, sizeof *block->columns);
	for (i = 0; i < t->n; i++) {
		const struct shown_column *c = &t->list[i];
		const bool share = c->unit.kind == REPORT_VALUE_SHARE, part = is_part(s, c->index);

		block->columns[i] = (struct block_column){
		    .title = report_text(&b->arena, "%p", c->title),
		    .text = report_unit_is_text(&c->unit),
		    .wide = (!c->column->brief && s->brief && c->index) || (parts && part),
		    .least = share || c->unit.kind == REPORT_VALUE_COUNT ? 6 : 7,
		};
		/* On a terminal, a share needs no bar: the number alone says how large the part is. */
		if (block->bar_before == t->n && part && !(b->options->brief && share))
			block->bar_before = i;
	}
}

/* --- bars --- */

/* Returns the title of a column without the unit at its end: "Total" for "Total (ms)", if the column is in ms. */
static struct str bare_title(const struct report_column *c)
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

/* Sets the parts of the bar of a row. */
static void set_parts(struct blocks *b, struct block *block, struct block_row *to, const struct report_section *s,
    const struct report_row *row)
{
	size_t i;

	to->parts = room(b, s->n_columns, sizeof *to->parts);
	for (i = block->n_parts = 0; i < s->n_columns; i++) {
		const struct report_column *c = &s->columns[i];
		const struct value *v = &row->cells[i];
		const struct str name = report_text(&b->arena, "%p", bare_title(c));

		if (is_part(s, i))
			to->parts[block->n_parts++] = (struct report_part){
			    .color = s->view == REPORT_VIEW_PARTS ? c->color : row->color,
			    .name = name,
			    .brief = name,
			    .value = report_text(&b->arena, "%v", &c->unit, v),
			    .size = value_is_number(v) && v->d > 0 ? v->d : 0,
			};
	}
}

static double sum_of(const struct report_part *parts, size_t n)
{
	double sum = 0;

	while (n)
		sum += parts[--n].size;
	return sum;
}

/* Sets the shares of parts in the whole, which follow their short names on a terminal: "compute 60%". */
static void set_shares(struct blocks *b, struct report_part *parts, size_t n, double whole)
{
	size_t i;

	for (i = 0; i < n && whole > 0; i++) {
		parts[i].share = report_text(&b->arena, "%s", parts[i].size / whole);
		parts[i].brief = report_text(&b->arena, "%h %r", parts[i].brief, parts[i].size / whole);
	}
}

/* Sets the length of the longest bar, and the shares of parts in their row. */
static void set_lengths(struct blocks *b, struct block *block, bool parts)
{
	double sum;
	size_t i;

	for (i = 0; i < block->n; i++) {
		sum = sum_of(block->rows[i].parts, block->rows[i].parts ? block->n_parts : 0);
		block->whole = sum > block->whole ? sum : block->whole;
		if (parts)
			set_shares(b, block->rows[i].parts, block->n_parts, sum);
	}
}

/* --- rows of tables --- */

/* Returns the number of rows that the rows after the first `shown` ones stand for. */
static uint64_t hidden_rows(const struct report_section *s, size_t shown)
{
	const size_t own = rows_without_rest(s);
	const uint64_t rest = own < s->n_rows ? s->rows[own].rest : 0;

	return rest < UINT64_MAX - own ? rest + own - shown : UINT64_MAX;
}

/* `bars`: the number of values after each bar; a single one has no title. 0 in tables. */
static void set_cell(struct blocks *b, struct block_cell *cell, const struct shown_column *c, bool first, size_t bars,
    const struct report_row *row)
{
	const struct value *v = &row->cells[c->index];
	struct report_unit unit = c->unit;

	if (b->options->brief && report_unit_in_title(&unit)) {
		unit.decimals = unit.decimals > 1 && bars < 2 ? 1 : unit.decimals;
		if (bars == 1)
			unit = (struct report_unit){.kind = unit.kind, .decimals = -1};
	}
	cell->text = first && row->rest && v->type == VALUE_NONE ? report_text(&b->arena, "%o", row->rest)
								 : report_text(&b->arena, "%b", &unit, v);
	if (value_is_number(v) && !report_unit_is_text(&unit))
		cell->exact = v->text;
	if (str_eq(c->column->name, STR("label")))
		cell->whole = row->name;
}

static void add_row(struct blocks *b, struct block *block, const struct shown_columns *t,
    const struct report_section *s, const struct report_row *row)
{
	struct block_row *to = &block->rows[block->n++];
	size_t i;

	*to = (struct block_row){.link = row->link, .color = row->color, .rest = row->rest};
	to->cells = room(b, t->n, sizeof *to->cells);
	for (i = 0; i < t->n; i++)
		set_cell(b, &to->cells[i], &t->list[i], !i, s->view == REPORT_VIEW_PARTS ? t->n - 1 : 0, row);
	if (block->bars && !row->rest)
		set_parts(b, block, to, s, row);
}

/* Adds a value to *sum. */
static void add_value(struct value *sum, const struct value *v)
{
	if (!value_is_number(v))
		return;
	if (sum->type == VALUE_NONE || v->type == VALUE_REAL)
		sum->type = v->type;
	sum->i = int_add(sum->i, v->i);
	sum->d += v->d;
}

/* Adds the row that sums up all rows after those that are shown. */
static void add_sums(
    struct blocks *b, struct block *block, const struct shown_columns *t, const struct report_section *s)
{
	struct report_row all = {.rest = hidden_rows(s, block->n), .color = COLOR_MEANINGS};
	const size_t first = block->n;
	size_t i, c;

	all.cells = room(b, s->n_columns, sizeof *all.cells);
	for (c = 0; c < s->n_columns; c++) {
		struct value *sum = &all.cells[c];
		char *text = room(b, NUM_ROOM, 1);

		if (!s->columns[c].sums || c == t->list[0].index) /* the first one has their number */
			continue;
		for (i = first; i < s->n_rows; i++)
			add_value(sum, &s->rows[i].cells[c]);
		sum->text = sum->type == VALUE_INT ? num_str_i64(text, sum->i)
						   : (struct str){text, (size_t)(num_put_double(text, sum->d) - text)};
	}
	add_row(b, block, t, s, &all);
}

/*
 * Adds the rows of a section up to the limit. In the short form, if its columns may be added, a last row has the sums
 * of all other rows.
 */
static void add_table(struct blocks *b, const struct report_section *s, bool legend)
{
	const bool brief = b->options->brief, stacked = s->view == REPORT_VIEW_PARTS;
	const size_t all = rows_without_rest(s), most = b->options->rows[s - b->report->sections];
	struct block *block = add(b, BLOCK_TABLE, STR(""));
	struct shown_columns t;
	bool sums = false;
	size_t i;

	block->folded = s->picture.n;
	block->stacked = stacked;
	block->bars = s->view != REPORT_VIEW_TABLE && (brief || !block->folded);
	choose_columns(&t, s, brief);
	set_columns(b, block, &t, s);
	block->rows = room(b, s->n_rows + 1, sizeof *block->rows);
	for (i = 0; i < all && block->n < most; i++)
		add_row(b, block, &t, s, &s->rows[i]);
	block->legend = block->bars && stacked && legend && block->n;
	if (block->bars)
		set_lengths(b, block, stacked);
	for (i = 0; i < s->n_columns; i++)
		sums |= s->columns[i].sums;
	if (brief && (sums || stacked) && hidden_rows(s, block->n))
		add_sums(b, block, &t, s);
	if (brief)
		return;
	i = block->n;
	if (all < s->n_rows)
		add_row(b, block, &t, s, &s->rows[all]);
	if (i == all)
		return;
	add(b, BLOCK_TEXT,
	    report_text(&b->arena, "The first %i of %i rows: the page would be too large with all of them.",
		(uint64_t)i, (uint64_t)all))
	    ->soft = true;
}

/* --- verdict, figures, findings --- */

/* Adds a table of n figures with three texts each. */
static struct block *add_figures(struct blocks *b, enum block_kind kind, size_t n, const struct block_column columns[3])
{
	struct block *block = add(b, kind, STR(""));
	size_t i;

	block->n_columns = 3;
	block->columns = room(b, 3, sizeof *block->columns);
	memcpy(block->columns, columns, 3 * sizeof *block->columns);
	block->n = n;
	block->rows = room(b, n + 1, sizeof *block->rows);
	for (i = 0; i < n; i++)
		block->rows[i].cells = room(b, 3, sizeof *block->rows[i].cells);
	return block;
}

static void add_verdict(struct blocks *b)
{
	const struct report *r = b->report;
	const struct block_column columns[] = {
	    {.title = STR("Part"), .text = true}, {.title = STR("Share")}, {.title = STR("Time")}};
	struct block *block = add_figures(b, BLOCK_VERDICT, r->n_parts, columns);
	struct report_part *parts = room(b, r->n_parts, sizeof *parts);
	size_t i;

	memcpy(parts, r->parts ? r->parts : parts, r->n_parts * sizeof *parts);
	block->verdict = &r->verdict;
	block->n_parts = r->n_parts;
	block->whole = sum_of(parts, r->n_parts);
	set_shares(b, parts, r->n_parts, block->whole);
	block->rows[0].parts = parts;
	for (i = 0; i < r->n_parts; i++) {
		block->rows[i].cells[0].text = parts[i].name;
		block->rows[i].cells[1].text = parts[i].share;
		block->rows[i].cells[2].text = parts[i].value;
	}
}

static void add_tiles(struct blocks *b)
{
	const struct report *r = b->report;
	const struct block_column columns[] = {
	    {.title = STR("Figure"), .text = true}, {.title = STR("Value")}, {.title = STR("Note"), .text = true}};
	struct block *block = add_figures(b, BLOCK_TILES, r->n_tiles, columns);
	size_t i;

	for (i = 0; i < r->n_tiles; i++) {
		block->rows[i].cells[0].text = r->tiles[i].name;
		block->rows[i].cells[1].text = r->tiles[i].value;
		block->rows[i].cells[2].text = r->tiles[i].note;
	}
}

static void add_findings(struct blocks *b)
{
	const size_t n = b->report->n_findings, most = b->options->findings;
	size_t i, gains = 0;
	struct block *block;

	if (!n || !most)
		return;
	block = add(b, BLOCK_FINDINGS, b->report->verdict.per);
	block->n = n < most ? n : most;
	block->left = n - block->n;
	block->findings = b->report->findings;
	for (i = 0; i < block->n; i++)
		gains += block->findings[i].saves.n > 0;
	block->overlap = gains > 1;
}

/* --- sections --- */

/* Returns the anchor of a section: its id, or another one if that is not a word or has a meaning in a page. */
static struct str anchor_of(struct blocks *b, const struct report_section *s)
{
	size_t i;

	for (i = 0; i < s->id.n && (is_alphanumeric(s->id.p[i]) || s->id.p[i] == '-' || s->id.p[i] == '_'); i++)
		;
	if (i == s->id.n && i < 64 && !str_eq(s->id, STR("findings")))
		return s->id;
	return report_text(
	    &b->arena, "section-%h", num_str_u64(room(b, NUM_ROOM, 1), (uint64_t)(s - b->report->sections) + 1));
}

/* Returns whether a section is part of an earlier one. */
static bool is_contained(const struct report *r, const struct report_section *s)
{
	const struct report_section *other = s->of.n ? report_section(r, s->of) : NULL;

	return other && other < s;
}

static void add_heading(struct blocks *b, const struct report_section *s, bool contained)
{
	struct block *block = add(b, BLOCK_HEADING, s->title.n ? s->title : report_text(&b->arena, "%p", s->id));

	block->id = s->id;
	block->anchor = anchor_of(b, s);
	block->contained = contained;
}

static void add_commands(struct blocks *b, const struct report_section *s)
{
	struct block *block;

	if (!b->options->commands || !s->n_commands)
		return;
	block = add(b, BLOCK_COMMANDS, STR(""));
	block->commands = s->commands;
	block->n = s->n_commands;
}

static void add_section(struct blocks *b, const struct report_section *s)
{
	add_heading(b, s, is_contained(b->report, s));
	if (s->text.n)
		add(b, BLOCK_TEXT, s->text)->soft = true;
	if (s->picture.n)
		add(b, BLOCK_PICTURE, s->title)->picture = &s->picture;
	if (s->note.n)
		add(b, BLOCK_TEXT, s->note);
	if (s->n_rows && s->n_columns)
		add_table(b, s, true);
	add_commands(b, s);
}

static void add_all(struct blocks *b)
{
	const struct report *r = b->report;
	size_t i;

	if (r->n_tiles)
		add_tiles(b);
	if (r->n_sections)
		add(b, BLOCK_CONTENTS, STR(""));
	add_findings(b);
	for (i = 0; i < r->n_sections; i++)
		add_section(b, &r->sections[i]);
}

/* --- the short form --- */

bool blocks_has_brief(const struct report_section *s)
{
	return s->lines && s->n_rows && s->brief;
}

/* Adds the sections of view parts, or all others. The legend of the window is also that of the bars after it. */
static void add_brief_sections(struct blocks *b, bool parts)
{
	bool legend = b->list[0].n_parts;
	size_t i;

	for (i = 0; i < b->report->n_sections; i++) {
		const struct report_section *s = &b->report->sections[i];

		if (!blocks_has_brief(s) || !b->options->rows[i] || (s->view == REPORT_VIEW_PARTS) != parts)
			continue;
		if (parts && !legend)
			add_heading(b, s, false);
		add_table(b, s, !legend);
		legend = false;
		add_commands(b, s);
	}
}

/* Adds the last lines, and, as the very last one, the hint. */
static void add_last_lines(struct blocks *b)
{
	const struct report *r = b->report;
	struct block *hint;
	size_t i;

	for (i = 0; i < r->n_lines; i++)
		add(b, BLOCK_TEXT, r->lines[i])->gap = i == 0;
	if (!r->verdict.hint.n)
		return;
	hint = add(b, BLOCK_TEXT, r->verdict.hint);
	hint->soft = hint->gap = true;
}

static void add_brief(struct blocks *b)
{
	size_t i;

	add_brief_sections(b, true);
	add_findings(b);
	add_brief_sections(b, false);
	add_last_lines(b);
	for (i = 0; i < b->report->n_sections && b->options->commands; i++) {
		const struct report_section *s = &b->report->sections[i];

		if (!blocks_has_brief(s) && s->n_commands) {
			add_heading(b, s, false);
			add_commands(b, s);
		}
	}
}

void blocks_make(struct blocks *b, const struct report *r, const struct blocks_options *options)
{
	*b = (struct blocks){.report = r, .options = options};
	add_verdict(b);
	if (options->brief)
		add_brief(b);
	else
		add_all(b);
}

void blocks_free(struct blocks *b)
{
	arena_drop(&b->arena, 0);
	free(b->list);
}
