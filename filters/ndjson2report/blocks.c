#include "blocks.h"

#include "base/char_class.h"
#include "base/int_math.h"

#include <math.h>
#include <stdlib.h>

enum {
	NARROW_COLUMNS = 4, /* maximum number of columns of a narrow table */
	MOST_BARS = 60,     /* a table after the bars has all rows */
};

/* --- memory --- */

/* The blocks own a list of pieces of memory, which is freed as a whole. */
struct blocks_room {
	struct blocks_room *next;
	double align[];
};

static void *room(struct blocks *b, size_t n, size_t size)
{
	struct blocks_room *r = mem_zero(1, sizeof *r + n * size);

	r->next = b->rooms;
	b->rooms = r;
	return r->align;
}

static struct str keep(struct blocks *b, struct str text)
{
	char *p = room(b, text.n + 1, 1);

	memcpy(p, text.n ? text.p : "", text.n);
	return (struct str){p, text.n};
}

/* Returns a text made of arguments; see spans_put(). */
static struct str made(struct blocks *b, const char *format, ...)
{
	struct buf text = {0};
	struct str kept;
	va_list ap;

	va_start(ap, format);
	spans_put_list(&text, format, &ap);
	va_end(ap);
	kept = keep(b, buf_str(&text));
	buf_free(&text);
	return kept;
}

/* Adds a block; a pointer to it is valid until the next one is added. */
static struct block *add(struct blocks *b, enum block_kind kind, struct str text)
{
	b->list = mem_grow(b->list, &b->cap, b->n + 1, sizeof *b->list);
	b->list[b->n] = (struct block){.kind = kind, .text = text};
	return &b->list[b->n++];
}

static struct block *add_sentence(struct blocks *b, const struct report_record *record, struct str text)
{
	return add(b, BLOCK_TEXT, made(b, "%r", record, text));
}

/* --- bars --- */

static double size_of(const struct value *v)
{
	return report_is_number(v) && v->d > 0 ? v->d : 0;
}

/* Sets the shares of parts that have none, of the sum of all. Returns the sum. */
static double set_shares(struct blocks *b, struct block_part *parts, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += parts[i].size;
	for (i = 0; i < n && sum > 0; i++) {
		if (!parts[i].share.n)
			parts[i].share = made(b, "%s", parts[i].size / sum);
	}
	return sum;
}

/* Returns the next figure of the group from *i on, NULL after the last one. */
static const struct report_figure *next_figure(const struct blocks *b, size_t *i, enum report_group group)
{
	for (; *i < b->report->n_figures; ++*i) {
		if (b->report->figures[*i].group == group)
			return &b->report->figures[(*i)++];
	}
	return NULL;
}

/* Returns the name of a part in the legend of a terminal: "compute 60%", with the share that is given. */
static struct str brief_part(struct blocks *b, struct str name, const struct value *share)
{
	struct report_number number;
	struct report_unit unit;

	if (!report_is_number(share))
		return made(b, "%p", name);
	report_unit_read(&unit, STR("share"));
	report_number_put(&number, &unit, share, NULL);
	return made(b, "%p %h%t", name, report_number_text(&number), "%");
}

/* Adds the parts of the window to the verdict. */
static void add_window(struct blocks *b, struct block *verdict)
{
	struct block_part *parts = room(b, REPORT_FIGURES, sizeof *parts);
	const struct report_figure *f;
	struct report_unit unit;
	size_t i = 0, n = 0;

	report_unit_read(&unit, STR("share.1"));
	while ((f = next_figure(b, &i, REPORT_PARTS))) {
		const bool is_share = f->share.type == VALUE_NONE && f->unit.measure == REPORT_MEASURE_SHARE;
		const struct value *share = is_share ? &f->value : &f->share;

		parts[n++] = (struct block_part){
		    .color = f->color,
		    .name = b->options->brief ? brief_part(b, f->brief, share) : made(b, "%p", f->name),
		    .value = made(b, "%v", &f->unit, &f->value),
		    .share = report_is_number(share) ? made(b, "%v", &unit, share) : STR(""),
		    .size = size_of(&f->value),
		};
	}
	verdict->n_parts = n;
	verdict->legend = parts;
	verdict->whole = set_shares(b, parts, n);
	verdict->bars = room(b, 1, sizeof *verdict->bars);
	verdict->bars[0] = (struct block_bar){.parts = parts};
}

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

/* Returns the parts of a bar: the columns with a color. Without a row, they are those of the legend. */
static struct block_part *parts_of(
    struct blocks *b, const struct report_section *s, const struct report_row *row, size_t *n)
{
	struct block_part *parts = room(b, s->n_columns, sizeof *parts);
	size_t i;

	for (i = *n = 0; i < s->n_columns; i++) {
		const struct report_column *c = &s->columns[i];

		if (c->color == COLOR_MEANINGS)
			continue;
		parts[*n] = (struct block_part){.color = c->color, .name = made(b, "%p", bare_title(c))};
		if (row) {
			parts[*n].value = made(b, "%v", &c->unit, &row->cells[i]);
			parts[*n].size = size_of(&row->cells[i]);
		}
		++*n;
	}
	return parts;
}

/* Returns the column at the right end of bars: the last one of the short form, or the last one that is no part. */
static size_t total_column(const struct report_section *s)
{
	size_t i = s->n_columns;

	if (s->n_brief)
		return s->brief[s->n_brief - 1].column;
	while (i > 1) {
		if (s->columns[--i].color == COLOR_MEANINGS && !report_unit_is_text(&s->columns[i].unit))
			return i;
	}
	return s->n_columns;
}

static struct block_bar bar_of(struct blocks *b, const struct report_section *s, const struct report_row *row)
{
	const size_t total = total_column(s);
	struct block_bar bar = {.label = made(b, "%b", &s->columns[0].unit, &row->cells[0])};
	struct report_unit unit;
	size_t n;

	bar.parts = parts_of(b, s, row, &n);
	if (total < s->n_columns) {
		unit = s->columns[total].unit;
		if (report_unit_in_title(&unit)) /* there is no title */
			unit = (struct report_unit){.measure = unit.measure, .decimals = -1};
		bar.total = made(b, "%v", &unit, &row->cells[total]);
	}
	return bar;
}

static bool is_own_row(const struct report_row *row)
{
	return !row->mean && !row->rest;
}

/* Returns the number of rows that the rows after the first `shown` own ones stand for; means do not count. */
static uint64_t hidden_rows(const struct report_section *s, size_t shown)
{
	uint64_t n = 0;
	size_t i, rows = 0;

	for (i = 0; i < s->n_rows; i++) {
		n = s->rows[i].rest < UINT64_MAX - n ? n + s->rows[i].rest : UINT64_MAX;
		rows += is_own_row(&s->rows[i]);
	}
	return n + (rows - shown);
}

static size_t most_rows(const struct blocks *b, const struct report_section *s)
{
	return b->options->rows[s - b->report->sections];
}

static void add_part_bars(struct blocks *b, const struct report_section *s, bool with_legend)
{
	const size_t limit = most_rows(b, s), most = limit < MOST_BARS ? limit : MOST_BARS;
	struct block *block = add(b, BLOCK_BARS, made(b, "%p", bare_title(&s->columns[0])));
	double sum;
	size_t i;

	block->legend = parts_of(b, s, NULL, &block->n_parts);
	block->bars = room(b, s->n_rows, sizeof *block->bars);
	for (i = 0; i < s->n_rows && block->n < most; i++) {
		if (!is_own_row(&s->rows[i]))
			continue;
		block->bars[block->n] = bar_of(b, s, &s->rows[i]);
		sum = set_shares(b, block->bars[block->n++].parts, block->n_parts);
		block->whole = sum > block->whole ? sum : block->whole;
	}
	if (!with_legend)
		block->legend = NULL;
	if (hidden_rows(s, block->n))
		block->detail = made(b, "%o", hidden_rows(s, block->n));
}

/* Returns the interval of a bar in a histogram: all columns except the last, "5 µs to 10 µs". */
static struct str interval_of(struct blocks *b, const struct report_section *s, const struct report_row *row)
{
	const struct value *from = &row->cells[0], *to = &row->cells[1];
	const struct report_unit *unit = &s->columns[0].unit;

	if (s->n_columns != 3 || (from->type == VALUE_NONE && to->type == VALUE_NONE))
		return made(b, "%v", unit, from);
	if (from->type == VALUE_NONE)
		return made(b, "less than %v", &s->columns[1].unit, to);
	if (to->type == VALUE_NONE)
		return made(b, "%v or more", unit, from);
	return made(b, "%v to %v", unit, from, &s->columns[1].unit, to);
}

/* Adds a histogram: a bar of one part for each interval. */
static void add_histogram(struct blocks *b, const struct report_section *s)
{
	const size_t count = s->n_columns - 1, limit = most_rows(b, s);
	struct block *block = add(b, BLOCK_BARS, STR(""));
	struct block_part *parts = room(b, s->n_rows, sizeof *parts);
	size_t i;

	block->n = s->n_rows < limit ? s->n_rows : limit;
	block->n_parts = 1;
	block->bars = room(b, s->n_rows, sizeof *block->bars);
	for (i = 0; i < block->n; i++) {
		const struct report_row *row = &s->rows[i];
		const struct report_unit *unit = &s->columns[count].unit;

		parts[i] = (struct block_part){
		    .color = row->color,
		    .name = made(b, "%p", s->columns[count].title),
		    .value = made(b, "%v", unit, &row->cells[count]),
		    .size = size_of(&row->cells[count]),
		};
		block->bars[i] = (struct block_bar){.label = interval_of(b, s, row), .parts = &parts[i]};
		block->whole = parts[i].size > block->whole ? parts[i].size : block->whole;
	}
	set_shares(b, parts, block->n);
	for (i = 0; i < block->n; i++)
		block->bars[i].total = made(b, "%h  %h", parts[i].value, parts[i].share);
}

/* --- tables --- */

/* The columns of a section that are shown, from the first one on; a path is in one cell with the columns after it. */
struct table_columns {
	struct report_brief list[REPORT_COLUMNS];
	size_t first[REPORT_COLUMNS + 1]; /* index of the first column of each cell */
	size_t n;                         /* number of cells */
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

/* Columns without a value in any row are left out. */
static void choose_columns(struct table_columns *t, const struct report_section *s, bool brief)
{
	const bool has_sum = rows_without_rest(s) < s->n_rows; /* the first cell of the last row says what it sums up */
	size_t i, n = 0;

	for (i = 0; i < (brief ? s->n_brief : s->n_columns); i++) {
		const struct report_brief all = {i, s->columns[i].title, s->columns[i].unit};
		const struct report_brief c = brief ? s->brief[i] : all;

		if (has_values(s, c.column) || (!i && (brief || has_sum)))
			t->list[n++] = c;
	}
	if (!n) /* no row has any value */
		t->list[n++] = (struct report_brief){0, s->columns[0].title, s->columns[0].unit};
	for (i = t->n = 0; i < n; i++) {
		t->first[t->n++] = i;
		while (t->list[i].unit.measure == REPORT_MEASURE_PATH && i + 1 < n)
			i++;
	}
	t->first[t->n] = n;
}

static bool is_brief(const struct report_section *s, size_t column)
{
	size_t i;

	for (i = 0; i < s->n_brief && s->brief[i].column != column; i++)
		;
	return i < s->n_brief || !s->n_brief || !column;
}

static void set_columns(
    struct blocks *b, struct block *block, const struct table_columns *t, const struct report_section *s)
{
	size_t i, k;

	block->n_columns = block->bar_column = t->n;
	block->columns = room(b, t->n, sizeof *block->columns);
	for (i = 0; i < t->n; i++) {
		const struct report_brief *first = &t->list[t->first[i]], *last = &t->list[t->first[i + 1] - 1];
		struct str title = first->title;

		for (k = t->first[i]; !title.n && k < t->first[i + 1]; k++)
			title = t->list[k].title;
		block->columns[i] = (struct block_column){
		    .title = made(b, "%p", title),
		    .text = report_unit_is_text(&last->unit),
		    .joins = last > first,
		    .wide = !is_brief(s, first->column) && !is_brief(s, last->column),
		    .least = last->unit.measure == REPORT_MEASURE_SHARE || last->unit.measure == REPORT_MEASURE_COUNT
				 ? 6
				 : 7,
		};
	}
}

/* Sets a cell to the values of its columns: "forward › aten::mm". */
static void set_cell(struct blocks *b, struct block_cell *cell, const struct table_columns *t, size_t i,
    const struct report_section *s, const struct report_row *row)
{
	struct buf text = {0};
	size_t k;

	if (!i && row->rest && row->cells[t->list[0].column].type == VALUE_NONE)
		spans_put(&text, "%o", row->rest);
	for (k = t->first[i]; k < t->first[i + 1]; k++) {
		const struct value *v = &row->cells[t->list[k].column];
		struct report_unit unit = t->list[k].unit;

		if (b->options->brief && report_unit_in_title(&unit) && unit.decimals > 1)
			unit.decimals = 1;
		spans_put(&text, text.n && v->type != VALUE_NONE ? " › %b" : "%b", &unit, v);
		if (report_is_number(v) && !report_unit_is_text(&unit))
			cell->exact = v->text;
		if (str_eq(s->columns[t->list[k].column].name, STR("label")))
			cell->whole = made(b, "%p", report_record_text(&row->record, "name"));
	}
	cell->text = keep(b, buf_str(&text));
	buf_free(&text);
}

/* Adds a value to *sum. */
static void add_value(struct value *sum, const struct value *v)
{
	if (!report_is_number(v))
		return;
	if (sum->type == VALUE_NONE || v->type == VALUE_REAL)
		sum->type = v->type;
	sum->i = int_add(sum->i, v->i);
	sum->d += v->d;
}

/* Adds the row that sums up all rows after the first own ones that are shown. */
static void add_sums(
    struct blocks *b, struct block *block, const struct table_columns *t, const struct report_section *s)
{
	const size_t shown = block->n;
	struct report_row all = {.rest = hidden_rows(s, shown), .cells = room(b, s->n_columns, sizeof *all.cells)};
	struct block_row *row = &block->rows[block->n++];
	size_t i, c, own;

	for (c = 0; c < s->n_columns; c++) {
		struct value *sum = &all.cells[c];
		char *text = room(b, NUM_ROOM, 1);

		for (i = own = 0; s->columns[c].sums && i < s->n_rows; i++) {
			if (s->rows[i].rest || (is_own_row(&s->rows[i]) && own++ >= shown))
				add_value(sum, &s->rows[i].cells[c]);
		}
		sum->text = sum->type == VALUE_INT ? num_str_i64(text, sum->i)
						   : (struct str){text, (size_t)(num_put_double(text, sum->d) - text)};
	}
	row->cells = room(b, t->n, sizeof *row->cells);
	for (i = 0; i < t->n; i++)
		set_cell(b, &row->cells[i], t, i, s, &all);
}

static void add_row(struct blocks *b, struct block *block, const struct table_columns *t,
    const struct report_section *s, const struct report_row *row)
{
	struct block_row *to = &block->rows[block->n++];
	size_t i;

	*to = (struct block_row){.color = row->color, .rest = row->rest};
	to->cells = room(b, t->n, sizeof *to->cells);
	for (i = 0; i < t->n; i++)
		set_cell(b, &to->cells[i], t, i, s, row);
}

/* Makes the first column of numbers one with bars. */
static void set_bars(struct block *block, const struct table_columns *t, const struct report_section *s)
{
	double most = 0;
	size_t i, column;

	for (block->bar_column = 0; block->bar_column < t->n && block->columns[block->bar_column].text;
	     block->bar_column++)
		;
	if (block->bar_column == t->n)
		return;
	column = t->list[t->first[block->bar_column]].column;
	for (i = 0; i < block->n; i++)
		most = fmax(most, s->rows[i].rest ? 0 : size_of(&s->rows[i].cells[column]));
	for (i = 0; i < block->n && most > 0; i++)
		block->rows[i].bar = size_of(&s->rows[i].cells[column]) / most;
}

/* Adds all rows of a section up to the limit, and the row that sums up others. */
static void add_table(struct blocks *b, const struct report_section *s, bool folded)
{
	const size_t all = rows_without_rest(s), limit = most_rows(b, s), shown = all < limit ? all : limit;
	struct block *block = add(b, s->view == REPORT_VIEW_FACTS ? BLOCK_TERMS : BLOCK_TABLE, STR(""));
	struct table_columns t;
	size_t i;

	choose_columns(&t, s, false);
	set_columns(b, block, &t, s);
	block->folded = folded;
	block->rows = room(b, s->n_rows, sizeof *block->rows);
	for (i = 0; i < shown; i++)
		add_row(b, block, &t, s, &s->rows[i]);
	if (all < s->n_rows)
		add_row(b, block, &t, s, &s->rows[all]);
	if (s->view == REPORT_VIEW_BARS && !folded)
		set_bars(block, &t, s);
	if (shown == all)
		return;
	b->rows_left_out += all - shown;
	add(b, BLOCK_TEXT,
	    made(b, "The first %i of %i rows: the page would be too large with all of them.", (uint64_t)shown,
		(uint64_t)all))
	    ->soft = true;
}

/* Adds the first own rows of a section; if its columns may be added, a last row has the sums of all other rows. */
static void add_brief_table(struct blocks *b, const struct report_section *s)
{
	struct block *block = add(b, BLOCK_TABLE, STR(""));
	struct table_columns t;
	bool sums = false;
	size_t i;

	choose_columns(&t, s, true);
	set_columns(b, block, &t, s);
	block->rows = room(b, s->n_rows + 1, sizeof *block->rows);
	for (i = 0; i < s->n_rows && block->n < most_rows(b, s); i++) {
		if (is_own_row(&s->rows[i]))
			add_row(b, block, &t, s, &s->rows[i]);
	}
	for (i = 0; i < s->n_columns; i++)
		sums |= s->columns[i].sums;
	if (sums && hidden_rows(s, block->n))
		add_sums(b, block, &t, s);
}

/* --- verdict, figures, findings --- */

/* Returns the texts of a list with separators between them, after the text `all`. */
static struct str joined(
    struct blocks *b, struct str all, const struct report_record *record, const struct report_texts *list)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		all = made(b, "%h%t%r", all, !all.n ? "" : b->options->brief ? ", " : " · ", record, list->list[i]);
	return all;
}

static void add_verdict(struct blocks *b)
{
	const struct report_verdict *v = &b->report->verdict;
	struct block *block = add(b, BLOCK_VERDICT, made(b, "%r", &v->record, v->text));

	if (b->report->has_verdict)
		block->title = made(b, "%n", v->title);
	block->source = joined(b, STR(""), &v->record, &v->source);
	block->facts = joined(b, b->options->brief ? STR("") : block->source, &v->record, &v->facts);
	block->detail = made(b, "%r", &v->record, v->detail);
	add_window(b, block);
}

static void add_tiles(struct blocks *b)
{
	struct block *block;
	const struct report_figure *f;
	size_t i = 0;

	if (!next_figure(b, &i, REPORT_TILES))
		return;
	block = add(b, BLOCK_TILES, STR(""));
	block->n_columns = block->bar_column = 3;
	block->columns = room(b, 3, sizeof *block->columns);
	block->columns[0] = (struct block_column){.title = STR("Figure"), .text = true};
	block->columns[1] = (struct block_column){.title = STR("Value")};
	block->columns[2] = (struct block_column){.title = STR("Note"), .text = true};
	block->rows = room(b, b->report->n_figures, sizeof *block->rows);
	for (i = 0; (f = next_figure(b, &i, REPORT_TILES)); block->n++) {
		struct block_cell *cells = block->rows[block->n].cells = room(b, 3, sizeof *cells);

		cells[0].text = made(b, "%p", f->name);
		cells[1].text = made(b, "%v", &f->unit, &f->value);
		cells[2].text = made(b, "%r", &f->record, f->note);
	}
}

/* Returns the anchor of a section: its id, or another one if that is not a word or has a meaning in a page. */
static struct str anchor_of(struct blocks *b, const struct report_section *s)
{
	size_t i;

	for (i = 0; i < s->id.n && (is_alphanumeric(s->id.p[i]) || s->id.p[i] == '-' || s->id.p[i] == '_'); i++)
		;
	if (i == s->id.n && i < 64 && !str_eq(s->id, STR("findings")) && !str_eq(s->id, STR("tip")))
		return s->id;
	return made(b, "section-%h", num_str_u64(room(b, NUM_ROOM, 1), (uint64_t)(s - b->report->sections) + 1));
}

/* Returns the place of a saving after "at most": " of the host's time in a step". */
static struct str saves_of(struct blocks *b, const struct report_finding *f)
{
	const struct str per = f->of == REPORT_SAVES_RUN ? STR("") : b->report->verdict.per;

	return made(b, per.n ? "%t in %p" : "%t", f->of == REPORT_SAVES_HOST ? " of the host's time" : "", per);
}

static void add_findings(struct blocks *b)
{
	const struct report *r = b->report;
	const struct str per = r->verdict.per;
	const size_t most = b->options->findings;
	struct block *block;
	size_t i;

	if (!r->n_findings || !most)
		return;
	block = add(b, BLOCK_FINDINGS, made(b, per.n ? "at most, %p" : "at most", per));
	block->n = r->n_findings < most ? r->n_findings : most;
	block->findings = room(b, block->n, sizeof *block->findings);
	for (i = 0; i < block->n; i++) {
		const struct report_finding *f = &r->findings[i];
		const struct report_section *s = f->section.n ? report_section(r, f->section) : NULL;
		struct block_finding *to = &block->findings[i];

		*to = (struct block_finding){
		    .title = made(b, "%r", &f->record,
			f->title.n  ? f->title
			: f->text.n ? f->text
				    : f->id),
		    .text = made(b, "%r", &f->record, f->detail.n || !f->title.n ? f->detail : f->text),
		    .advice = made(b, "%r", &f->record, f->advice),
		    .saves = made(b, "%v", &report_time, &f->saves),
		    .host = f->of == REPORT_SAVES_HOST,
		};
		if (b->options->brief)
			to->text = made(b, "%r", &f->record, f->text.n ? f->text : f->title);
		if (to->saves.n)
			to->of = saves_of(b, f);
		if (s) {
			to->anchor = anchor_of(b, s);
			to->section = made(b, "%p", s->title);
		}
	}
}

/* --- sections --- */

/* Returns the section of which s is a part: an earlier one with the id `of`; NULL if no section has it. */
static const struct report_section *parent_of(const struct report *r, const struct report_section *s)
{
	const struct report_section *parent = s->of.n ? report_section(r, s->of) : NULL;

	return parent && parent < s ? parent : NULL;
}

static void add_heading(struct blocks *b, const struct report_section *s, size_t level)
{
	struct block *block = add(b, BLOCK_HEADING, made(b, "%p", s->title.n ? s->title : s->id));

	block->anchor = anchor_of(b, s);
	block->level = level;
	/* A histogram, or a table with few columns and without long names. */
	block->narrow = s->view == REPORT_VIEW_HIST || (s->view <= REPORT_VIEW_BARS && s->n_columns <= NARROW_COLUMNS);
}

static void add_commands(struct blocks *b, const struct report_section *s)
{
	struct block *block;

	if (!b->options->commands || !s->commands.n)
		return;
	block = add(b, BLOCK_COMMANDS, STR(""));
	block->commands = s->commands.list;
	block->n = s->commands.n;
}

/* Adds a section, and then the sections that are part of it. */
static void add_section(struct blocks *b, const struct report_section *s, size_t level)
{
	const struct report *r = b->report;
	const bool rows = s->n_rows && s->n_columns, parts = rows && s->view == REPORT_VIEW_PARTS;
	const bool bins = rows && s->view == REPORT_VIEW_HIST && s->n_columns > 1;
	size_t i;

	add_heading(b, s, level);
	if (s->text.n)
		add_sentence(b, &s->record, s->text)->soft = true;
	if (s->picture.n) {
		add(b, BLOCK_PICTURE, made(b, "%p", s->title))->picture = &s->picture;
	} else if (parts) {
		add_part_bars(b, s, true);
	} else if (bins) {
		add_histogram(b, s);
	}
	if (s->note.n)
		add_sentence(b, &s->record, s->note);
	if (rows)
		add_table(b, s, s->picture.n || parts || bins);
	add_commands(b, s);
	for (i = 0; i < r->n_sections; i++) {
		if (parent_of(r, &r->sections[i]) == s)
			add_section(b, &r->sections[i], level + 1);
	}
}

static void add_all(struct blocks *b)
{
	const struct report *r = b->report;
	size_t i;

	add_tiles(b);
	if (r->n_sections)
		add(b, BLOCK_CONTENTS, STR(""));
	add_findings(b);
	for (i = 0; i < r->n_sections; i++) {
		if (!parent_of(r, &r->sections[i]))
			add_section(b, &r->sections[i], 0);
	}
}

/* --- the short form --- */

bool blocks_has_brief(const struct report_section *s)
{
	return s->lines && s->n_rows && s->n_columns && (s->n_brief || s->view == REPORT_VIEW_PARTS);
}

/* Adds the sections of view parts, or all others. The legend of the window is also that of the bars after it. */
static void add_brief_sections(struct blocks *b, bool parts)
{
	bool legend = b->list[0].n_parts;
	size_t i;

	for (i = 0; i < b->report->n_sections; i++) {
		const struct report_section *s = &b->report->sections[i];

		if (!blocks_has_brief(s) || !most_rows(b, s) || (s->view == REPORT_VIEW_PARTS) != parts)
			continue;
		if (parts && !legend)
			add_heading(b, s, 0);
		if (parts)
			add_part_bars(b, s, !legend);
		else
			add_brief_table(b, s);
		legend = false;
		add_commands(b, s);
	}
}

/* Adds the last lines: texts and figures with their values; and, as the very last one, the hint. */
static void add_last_lines(struct blocks *b)
{
	const size_t begin = b->n;
	const struct report_figure *f;
	struct str text, values = STR("");
	struct block *hint;
	size_t i = 0;

	while ((f = next_figure(b, &i, REPORT_LINE))) {
		text = f->text.n ? f->text : f->value.type == VALUE_NONE ? f->note : STR("");
		if (!text.n) {
			text = made(b, "%p %v", f->brief, &f->unit, &f->value);
			values = made(b, "%h%t%u", values, values.n ? "   " : "", text);
			continue;
		}
		if (values.n)
			add(b, BLOCK_TEXT, values);
		values = STR("");
		add_sentence(b, &f->record, text);
	}
	if (values.n)
		add(b, BLOCK_TEXT, values);
	if (b->n > begin)
		b->list[begin].gap = true;
	if (!b->report->verdict.hint.n)
		return;
	hint = add(b, BLOCK_TEXT, made(b, "%p", b->report->verdict.hint));
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

		if (!blocks_has_brief(s) && s->commands.n) {
			add_heading(b, s, 0);
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
	struct blocks_room *next;

	for (; b->rooms; b->rooms = next) {
		next = b->rooms->next;
		free(b->rooms);
	}
	free(b->list);
}
