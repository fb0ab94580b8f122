#include "difference_rows.h"

#include "base/order.h"
#include "json/string.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The columns that follow the keys. */
enum column {
	COUNT_A,
	COUNT_B,
	TOTAL_A,
	TOTAL_B,
	DIFF,
	BY_CALLS,
	BY_TIME,
	NEW,
	GONE,
	MEAN_A,
	MEAN_B,
	STEPS_A,
	STEPS_B,
	MEDIAN_A,
	MEDIAN_B,
	P,
	VERDICT,
	CHANGE,
	COLUMNS
};

static const struct {
	const char *name;
	bool value;   /* it has the unit of the field */
	bool brief;   /* tables for reading have it even if they are not wide */
	bool verdict; /* only if the runs have steps, or a side has several runs */
} columns[COLUMNS] = {
    [COUNT_A] = {"count_a", false, true, false},
    [COUNT_B] = {"count_b", false, true, false},
    [TOTAL_A] = {"total_a", true, true, false},
    [TOTAL_B] = {"total_b", true, true, false},
    [DIFF] = {"diff", true, true, false},
    [BY_CALLS] = {"by_calls", true, false, false},
    [BY_TIME] = {"by_time", true, false, false},
    [NEW] = {"new", true, false, false},
    [GONE] = {"gone", true, false, false},
    [MEAN_A] = {"mean_a", true, true, false},
    [MEAN_B] = {"mean_b", true, true, false},
    [STEPS_A] = {"steps_a", false, false, true},
    [STEPS_B] = {"steps_b", false, false, true},
    [MEDIAN_A] = {"median_a", true, false, true},
    [MEDIAN_B] = {"median_b", true, false, true},
    [P] = {"p", false, false, true},
    [VERDICT] = {"verdict", false, false, true},
    [CHANGE] = {"change", false, true, false},
};

struct row {
	struct difference_side before, after;
	struct difference parts;
	size_t rank; /* the position of the item in the order of its keys */
};

struct difference_writer {
	struct difference_rows *rows;
	struct table *table;
	bool human, judged;
	size_t at[COLUMNS]; /* the cell of each column, or SIZE_MAX */
	struct buf words, json;
};

/* --- words --- */

static void put_words(struct buf *b, const char *words)
{
	buf_add(b, words, strlen(words));
}

/* Separates two changes, then appends a number with one decimal if it is below 10. */
static void put_change(struct buf *b, double v)
{
	char text[40];
	const bool decimal = v < 9.95 && fabs(v - nearbyint(v)) >= 0.05;
	const int n = snprintf(text, sizeof text, decimal ? "%.1f" : "%.0f", fmin(v, 1e15));

	if (b->n)
		buf_lit(b, ", ");
	buf_add(b, text, (size_t)n);
}

static void put_calls(struct buf *b, const struct difference_side *before, const struct difference_side *after)
{
	const bool steps = before->steps != after->steps;
	const double n = (double)before->count / (double)(steps ? before->steps : 1);
	const double more = (double)after->count / (double)(steps ? after->steps : 1) - n;

	put_change(b, fabs(more));
	put_words(b, fabs(more) > 1 || fabs(more) < 1 ? " calls" : " call");
	put_words(b, steps ? " a step" : "");
	put_words(b, more > 0 ? " more" : " fewer");
}

/* Appends nothing if the mean changed by less than 0.1 %. */
static void put_mean(
    struct buf *b, const struct difference_side *before, const struct difference_side *after, bool time)
{
	const double mean = number_double(&before->total) / (double)before->count;
	const double now = number_double(&after->total) / (double)after->count;
	const double percent = mean > 0 ? 100 * fabs(now / mean - 1) : 0;

	if (percent < 0.1)
		return;
	put_change(b, percent);
	put_words(b, " % ");
	put_words(b, now > mean ? (time ? "slower" : "more") : time ? "faster" : "less");
	put_words(b, " a call");
}

/* Sets the text to the change in words, the change with the larger part of the difference first. */
static void change_words(struct buf *b, const struct row *row, bool time)
{
	const struct difference_side *before = &row->before, *after = &row->after;
	const bool both = before->count && after->count;
	const bool calls = both && (uint128)before->count * after->steps != (uint128)after->count * before->steps;
	const bool first = fabs(number_double(&row->parts.by_calls)) >= fabs(number_double(&row->parts.by_time));

	b->n = 0;
	if (!both)
		put_words(b, before->count ? "gone" : "new");
	if (calls && first)
		put_calls(b, before, after);
	if (both)
		put_mean(b, before, after, time);
	if (calls && !first)
		put_calls(b, before, after);
	if (!b->n)
		put_words(b, "the same");
}

/* --- rows --- */

static void set_number(const struct difference_writer *w, enum column c, struct number v)
{
	if (w->at[c] == SIZE_MAX)
		return;
	if (v.whole)
		table_set_int(w->table, w->at[c], v.i);
	else
		table_set_real(w->table, w->at[c], v.d);
}

static void set_text(struct difference_writer *w, enum column c, struct str text)
{
	if (w->at[c] == SIZE_MAX)
		return;
	w->json.n = 0;
	json_quote(&w->json, text);
	table_set_json(w->table, w->at[c], buf_str(&w->json));
}

/* If the sides have different numbers of steps, the cells of both are means of steps. */
static void set_sides(const struct difference_writer *w, const struct row *row)
{
	static const struct {
		enum column count, total, mean, steps;
	} cells[2] = {{COUNT_A, TOTAL_A, MEAN_A, STEPS_A}, {COUNT_B, TOTAL_B, MEAN_B, STEPS_B}};
	const bool steps = row->before.steps != row->after.steps;
	int i;

	for (i = 0; i < 2; i++) {
		const struct difference_side *side = i ? &row->after : &row->before;
		const double count = (double)side->count / (double)side->steps;

		set_number(w, cells[i].count, steps ? number_of_real(count) : number_of_int((int128)side->count));
		set_number(w, cells[i].total, steps ? difference_mean(&side->total, side->steps) : side->total);
		if (side->count)
			set_number(w, cells[i].mean, difference_mean(&side->total, side->count));
		set_number(w, cells[i].steps, number_of_int((int128)side->steps));
	}
}

/* verdict: NULL for a row without a verdict */
static void write_row(struct difference_writer *w, const struct row *row, const struct verdict *verdict)
{
	const struct difference *parts = &row->parts;
	const char *judged = verdict ? verdict->text : NULL;

	set_sides(w, row);
	set_number(w, DIFF, parts->diff);
	set_number(w, BY_CALLS, parts->by_calls);
	set_number(w, BY_TIME, parts->by_time);
	set_number(w, NEW, parts->added);
	set_number(w, GONE, parts->gone);
	if (verdict) {
		set_number(w, MEDIAN_A, number_of_real(verdict->median_a));
		set_number(w, MEDIAN_B, number_of_real(verdict->median_b));
		set_number(w, P, number_of_real(verdict->p));
		set_text(w, VERDICT, str_of(judged));
	}
	change_words(&w->words, row, w->rows->kind == COLUMN_TIME);
	if (w->human && judged && !str_starts(str_of(judged), STR("changed"))) {
		/* Readers would take the words of a difference that may be chance as a fact. */
		w->words.n = 0;
		put_words(&w->words, judged);
	} else if (w->human && judged && !str_eq(str_of(judged), STR("changed"))) {
		put_words(&w->words, " (one run a side)");
	}
	set_text(w, CHANGE, buf_str(&w->words));
	table_row(w->table);
}

/* --- totals --- */

static void add_number(struct number *to, const struct number *v)
{
	int128 sum;

	if (to->whole && v->whole && !__builtin_add_overflow(to->i, v->i, &sum))
		*to = number_of_int(sum);
	else
		*to = number_of_real(number_double(to) + number_double(v));
}

static void add_row(struct row *total, const struct row *row)
{
	total->before.count += row->before.count;
	total->after.count += row->after.count;
	add_number(&total->before.total, &row->before.total);
	add_number(&total->after.total, &row->after.total);
	add_number(&total->parts.diff, &row->parts.diff);
	add_number(&total->parts.by_calls, &row->parts.by_calls);
	add_number(&total->parts.by_time, &row->parts.by_time);
	add_number(&total->parts.added, &row->parts.added);
	add_number(&total->parts.gone, &row->parts.gone);
}

/* --- the table --- */

static void begin(struct difference_writer *w, struct out *out, const struct table_options *options)
{
	struct difference_rows *rows = w->rows;
	struct column_meaning meaning = {.kind = rows->kind};
	enum column c;

	w->human = options->format == TABLE_MD || options->format == TABLE_TABLE || options->format == TABLE_LIST;
	w->table = table_begin(out, options);
	if (!rows->only_total)
		groups_columns(rows->items, w->table, rows->source, &options->units);
	for (c = 0; c < COLUMNS; c++) {
		const struct str name = str_of(columns[c].name);
		const bool judged = w->judged && !rows->only_total;

		meaning.unit_at = meaning.unit_end = name.n;
		w->at[c] = SIZE_MAX;
		if ((columns[c].verdict && !judged) || (w->human && !options->wide && !columns[c].brief))
			continue;
		w->at[c] = columns[c].value ? table_column_of(w->table, name, &meaning)
					    : table_column(w->table, name, COLUMN_ANY);
	}
	table_kind(w->table, rows->kind == COLUMN_TIME   ? STR("\"group-diff\"")
			     : rows->kind == COLUMN_SIZE ? STR("\"group-diff/size\"")
							 : STR("\"group-diff/number\""));
}

static int by_difference(const void *list, size_t a, size_t b)
{
	const struct row *x = (const struct row *)list + a, *y = (const struct row *)list + b;
	const double left = fabs(number_double(&x->parts.diff)), right = fabs(number_double(&y->parts.diff));

	return left < right ? 1 : left > right ? -1 : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Returns the row of each item; the counts of one whose parts are outside 128 bits are 0. */
static struct row *divide(struct difference_rows *r)
{
	struct row *list = mem_zero(r->items->n + 1, sizeof *list);
	size_t *order = groups_sort_keys(r->items), i;

	for (i = 0; i < r->items->n; i++) {
		struct row *row = &list[order[i]];

		row->rank = i;
		row->before = compared_run_side(&r->runs.runs[0], order[i]);
		row->after = compared_run_side(&r->runs.runs[r->runs.n_a], order[i]);
		if (!difference_of(&row->before, &row->after, &row->parts)) {
			r->lost++;
			row->before.count = row->after.count = 0;
		}
	}
	free(order);
	return list;
}

static void write_total(struct difference_writer *w, const struct row *total)
{
	size_t i;

	for (i = 0; i < w->rows->items->n_keys && !w->rows->only_total; i++)
		table_set_json(w->table, i, i ? STR("\"\"") : STR("\"(all)\""));
	write_row(w, total, NULL);
}

void difference_rows_write(struct difference_rows *r, struct out *out, const struct table_options *options)
{
	struct difference_writer w = {.rows = r, .judged = r->runs.n_a + r->runs.n_b > 2 || r->runs.runs[0].steps.n};
	struct row *list = divide(r), total = {0};
	size_t *order = order_sort(r->items->n, by_difference, list), i, written = 0;
	struct verdict verdict;

	begin(&w, out, options);
	total.before = compared_run_side(&r->runs.runs[0], SIZE_MAX);
	total.after = compared_run_side(&r->runs.runs[r->runs.n_a], SIZE_MAX);
	total.parts = (struct difference){
	    total.before.total, total.before.total, total.before.total, total.before.total, total.before.total};
	for (i = 0; i < r->items->n; i++) {
		const struct row *row = &list[order[i]];

		if (!row->before.count && !row->after.count) /* only in other runs, or lost */
			continue;
		add_row(&total, row);
		if (r->only_total || written++ >= r->top)
			continue;
		groups_cells(r->items, w.table, order[i], w.human);
		if (w.judged)
			verdict = verdict_of(&r->runs, order[i]);
		write_row(&w, row, w.judged ? &verdict : NULL);
	}
	if (r->only_total || (w.human && r->items->n_keys))
		write_total(&w, &total);
	table_end(w.table);
	bufs_free(&w.words, &w.json);
	free(list);
	free(order);
}
