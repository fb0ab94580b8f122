#include "difference_rows.h"

#include "base/order.h"
#include "compared_run.h"
#include "difference.h"
#include "json/string.h"
#include "renamed_items.h"
#include "table/text_cut.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_WIDTH = 40 }; /* columns of a new name */

/* The columns that follow the keys. */
enum column {
	COUNT_A,
	COUNT_B,
	TOTAL_A,
	TOTAL_B,
	PARTS, /* the first part of the difference */
	MEAN_A = PARTS + DIFFERENCE_PARTS,
	MEAN_B,
	STEPS_A,
	STEPS_B,
	MEDIAN_A,
	MEDIAN_B,
	P,
	VERDICT,
	PAIRING,
	PAIRED_WITH,
	CHANGE,
	COLUMNS
};

static const struct {
	const char *name;
	bool value; /* it has the unit of the field */
	bool brief; /* tables for reading have it even if they are not wide */
	enum {
		ALWAYS,
		JUDGED, /* only if the runs have steps, or a side has several runs */
		PAIRED, /* only if renamed items are paired */
	} when;
} columns[COLUMNS] = {
    [COUNT_A] = {"count_a", false, true, ALWAYS},
    [COUNT_B] = {"count_b", false, true, ALWAYS},
    [TOTAL_A] = {"total_a", true, true, ALWAYS},
    [TOTAL_B] = {"total_b", true, true, ALWAYS},
    [PARTS + DIFFERENCE] = {"diff", true, true, ALWAYS},
    [PARTS + BY_CALLS] = {"by_calls", true, false, ALWAYS},
    [PARTS + BY_TIME] = {"by_time", true, false, ALWAYS},
    [PARTS + NEW] = {"new", true, false, ALWAYS},
    [PARTS + GONE] = {"gone", true, false, ALWAYS},
    [MEAN_A] = {"mean_a", true, true, ALWAYS},
    [MEAN_B] = {"mean_b", true, true, ALWAYS},
    [STEPS_A] = {"steps_a", false, false, JUDGED},
    [STEPS_B] = {"steps_b", false, false, JUDGED},
    [MEDIAN_A] = {"median_a", true, false, JUDGED},
    [MEDIAN_B] = {"median_b", true, false, JUDGED},
    [P] = {"p", false, false, JUDGED},
    [VERDICT] = {"verdict", false, false, JUDGED},
    [PAIRING] = {"pairing", false, false, PAIRED},
    [PAIRED_WITH] = {"paired_with", false, false, PAIRED},
    [CHANGE] = {"change", false, true, ALWAYS},
};

struct row {
	struct difference_side sides[2];
	struct difference d;
	size_t rank; /* the position of the item in the order of its keys */
	/* `pairing` is "renamed", "replaced" or NULL; the item is paired with the item `with` */
	const char *pairing;
	size_t with;
};

struct difference_writer {
	struct difference_rows *rows;
	struct table *table;
	bool human, judged;
	size_t at[COLUMNS]; /* the cell of each column, or SIZE_MAX */
	struct buf words, json;
};

/* --- words --- */

/*
 * Separates two changes, then appends a number with one decimal if it is below 10. The limit of the
 * number is for the room in the text: the ratio to a tiny mean can have 300 digits.
 */
static void put_change(struct buf *b, double v)
{
	char text[40];
	const bool decimal = v < 9.95 && fabs(v - nearbyint(v)) >= 0.05;
	const int n = snprintf(text, sizeof text, decimal ? "%.1f" : "%.0f", fmin(v, 1e15));

	if (b->n)
		buf_lit(b, ", ");
	buf_add(b, text, (size_t)n);
}

/*
 * Appends the change of the number of calls: "3 calls more". Runs with different numbers of steps
 * are compared by step: "1 call a step fewer".
 */
static void put_calls(struct buf *b, const struct difference_side *before, const struct difference_side *after)
{
	const bool steps = before->steps != after->steps;
	const double n = (double)before->count / (double)(steps ? before->steps : 1);
	const double more = (double)after->count / (double)(steps ? after->steps : 1) - n;

	put_change(b, fabs(more));
	buf_text(b, fabs(more) > 1 || fabs(more) < 1 ? " calls" : " call");
	buf_text(b, steps ? " a step" : "");
	buf_text(b, more > 0 ? " more" : " fewer");
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
	buf_text(b, " % ");
	buf_text(b, now > mean ? (time ? "slower" : "more") : time ? "faster" : "less");
	buf_text(b, " a call");
}

/* Sets the text to the change in words, the change with the larger part of the difference first. */
static void change_words(struct buf *b, const struct row *row, bool time)
{
	const struct difference_side *before = &row->sides[0], *after = &row->sides[1];
	const struct number *part = row->d.part;
	const bool both = before->count && after->count;
	/* Calls a step are compared as fractions, with products: exact, and without a division by a number of steps. */
	const bool calls = both && (uint128)before->count * after->steps != (uint128)after->count * before->steps;
	const bool first = fabs(number_double(&part[BY_CALLS])) >= fabs(number_double(&part[BY_TIME]));

	b->n = 0;
	if (!both)
		buf_text(b, before->count ? "gone" : "new");
	if (calls && first)
		put_calls(b, before, after);
	if (both)
		put_mean(b, before, after, time);
	if (calls && !first)
		put_calls(b, before, after);
	if (!b->n)
		buf_text(b, "the same");
}

/* --- rows --- */

static void set_number(const struct difference_writer *w, int c, struct number v)
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
	const bool steps = row->sides[0].steps != row->sides[1].steps;
	int i;

	for (i = 0; i < 2; i++) {
		const struct difference_side *side = &row->sides[i];
		const double count = (double)side->count / (double)side->steps;

		set_number(w, COUNT_A + i, steps ? number_of_real(count) : number_of_int((int128)side->count));
		set_number(w, TOTAL_A + i, steps ? difference_mean(&side->total, side->steps) : side->total);
		if (side->count)
			set_number(w, MEAN_A + i, difference_mean(&side->total, side->count));
		set_number(w, STEPS_A + i, number_of_int((int128)verdict_run(&w->rows->runs, i)->steps.n));
	}
}

/* Puts the new name of a renamed item before the words of its change. */
static void put_new_name(struct difference_writer *w, const struct row *row)
{
	struct value name;
	struct buf text = {0}, words = {0};

	groups_key(w->rows->items, row->with, w->rows->items->n_keys - 1, &name);
	if (json_is_string(name.text))
		json_unescape(&text, json_inner(name.text));
	buf_text(&words, row->pairing);
	buf_text(&words, str_eq(str_of(row->pairing), STR("renamed")) ? " to " : " by ");
	text_cut_middle(&words, buf_str(&text), NAME_WIDTH);
	buf_text(&words, ": ");
	buf_add(&words, w->words.p, w->words.n);
	w->words.n = 0;
	buf_add(&w->words, words.p, words.n);
	bufs_free(&text, &words);
}

static void set_change(struct difference_writer *w, const struct row *row, const char *verdict)
{
	struct value name;

	change_words(&w->words, row, w->rows->kind == COLUMN_TIME);
	if (w->human && verdict && str_eq(str_of(verdict), STR("within noise"))) {
		/* Readers would take the words of a difference that may be chance as a fact. */
		w->words.n = 0;
		buf_text(&w->words, verdict);
	} else if (w->human && verdict && !str_eq(str_of(verdict), STR("changed")) &&
		   !str_eq(buf_str(&w->words), STR("the same"))) {
		buf_text(
		    &w->words, str_starts(str_of(verdict), STR("changed")) ? " (one run a side)" : " (cannot tell)");
	}
	if (row->pairing && w->human) {
		put_new_name(w, row);
	} else if (row->pairing) {
		set_text(w, PAIRING, str_of(row->pairing));
		groups_key(w->rows->items, row->with, w->rows->items->n_keys - 1, &name);
		table_set_json(w->table, w->at[PAIRED_WITH], name.text);
	}
	set_text(w, CHANGE, buf_str(&w->words));
}

/* verdict: NULL for a row without a verdict */
static void write_row(struct difference_writer *w, const struct row *row, const struct verdict *verdict)
{
	const char *judged = verdict ? verdict->text : NULL;
	int i;

	set_sides(w, row);
	for (i = 0; i < DIFFERENCE_PARTS; i++)
		set_number(w, PARTS + i, row->d.part[i]);
	if (verdict) {
		set_number(w, MEDIAN_A, number_of_real(verdict->median_a));
		set_number(w, MEDIAN_B, number_of_real(verdict->median_b));
		set_number(w, P, number_of_real(verdict->p));
		set_text(w, VERDICT, str_of(judged));
	}
	set_change(w, row, judged);
	table_row(w->table);
}

/* --- totals --- */

/* Sums of integers stay exact as long as they fit in 128 bits. */
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
	int i;

	for (i = 0; i < 2; i++) {
		total->sides[i].count += row->sides[i].count;
		add_number(&total->sides[i].total, &row->sides[i].total);
	}
	for (i = 0; i < DIFFERENCE_PARTS; i++)
		add_number(&total->d.part[i], &row->d.part[i]);
}

/* --- the table --- */

static void begin(struct difference_writer *w, struct out *out, const struct table_options *options)
{
	struct difference_rows *rows = w->rows;
	struct column_meaning meaning = {.kind = rows->kind};
	enum column c;

	/*
	 * A table for a reader has few columns, and puts a renamed item into one row; all other formats have every
	 * column.
	 */
	w->human = options->format == TABLE_MD || options->format == TABLE_TABLE || options->format == TABLE_LIST;
	w->table = table_begin(out, options);
	if (rows->each_step)
		table_column(w->table, STR("step"), COLUMN_ANY);
	else if (!rows->only_total)
		groups_columns(rows->items, w->table, rows->source, &options->units);
	for (c = 0; c < COLUMNS; c++) {
		const struct str name = str_of(columns[c].name);
		const bool absent = (columns[c].when == JUDGED && (!w->judged || rows->only_total)) ||
				    (columns[c].when == PAIRED && (!rows->origins || rows->only_total || w->human));

		meaning.unit_at = meaning.unit_end = name.n;
		w->at[c] = SIZE_MAX;
		if (absent || (w->human && !options->wide && !columns[c].brief))
			continue;
		w->at[c] = columns[c].value ? table_column_of(w->table, name, &meaning)
					    : table_column(w->table, name, COLUMN_ANY);
	}
	table_kind(w->table, rows->kind == COLUMN_TIME   ? STR("\"group-diff\"")
			     : rows->kind == COLUMN_SIZE ? STR("\"group-diff/size\"")
							 : STR("\"group-diff/number\""));
}

/*
 * The largest difference first, in whichever direction, and equal ones in the order of their keys.
 */
static int by_difference(const void *list, size_t a, size_t b)
{
	const struct row *x = (const struct row *)list + a, *y = (const struct row *)list + b;
	const double left = fabs(number_double(x->d.part)), right = fabs(number_double(y->d.part));

	return left < right ? 1 : left > right ? -1 : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Sets a row to the difference of an item. If it is outside 128 bits, the counts are 0. */
static void divide_item(struct difference_rows *r, struct row *row)
{
	if (!difference_of(&row->sides[0], &row->sides[1], &row->d)) {
		r->lost++;
		row->sides[0].count = row->sides[1].count = 0;
	}
}

/* Returns the row of each item in two runs. Sets *total to the sum of the rows. */
static struct row *divide(struct difference_rows *r, const struct compared_run *const runs[2], struct row *total)
{
	const bool per_step = runs[0]->steps.n && runs[1]->steps.n && runs[0]->steps.n != runs[1]->steps.n;
	struct row *list = mem_zero(r->items->n + 1, sizeof *list);
	size_t *order = groups_sort_keys(r->items), i;
	int side;

	*total = (struct row){.pairing = NULL};
	for (side = 0; side < 2; side++)
		total->sides[side] = compared_run_side(runs[side], SIZE_MAX, per_step);
	difference_of(&total->sides[0], &total->sides[1], &total->d);
	for (i = 0; i < r->items->n; i++) {
		struct row *row = &list[order[i]];

		/* The order of rows with the same difference is that of the keys: it does not depend on the input. */
		row->rank = i;
		for (side = 0; side < 2; side++)
			row->sides[side] = compared_run_side(runs[side], order[i], per_step);
		divide_item(r, row);
		add_row(total, row);
	}
	free(order);
	return list;
}

/* --- renamed items --- */

/* Returns an item as a candidate for a pair; calls are multiplied by the number of steps of the other run. */
static struct renamed_item candidate(const struct difference_rows *r, const struct row *row, struct str name)
{
	const bool gone = row->sides[0].count > 0;
	const struct difference_side *side = &row->sides[!gone];
	const size_t steps = side->steps > 1 ? 1 : verdict_run(&r->runs, gone)->steps.n;

	return (struct renamed_item){.name = name,
	    .calls = (double)side->count * (double)(steps ? steps : 1) / (double)side->steps,
	    .total = number_double(&side->total),
	    .gone = gone};
}

/* An item that only one of the runs has. */
static bool is_single(const struct row *row)
{
	return !row->sides[0].count != !row->sides[1].count;
}

/*
 * Returns for each parent the number of the parent in the first run of which it is a new name, or its own number. The
 * calls of a parent are those of its items.
 */
static size_t *pair_parents(const struct difference_rows *r, const struct row *list)
{
	const size_t n = r->parents->n + 1;
	struct row *parents = mem_zero(n, sizeof *parents);
	struct renamed_item *found = mem_zero(n, sizeof *found);
	size_t *same = mem_zero(n, sizeof *same), *parent_of = mem_zero(n, sizeof *parent_of), i, n_found = 0;
	int side;

	for (i = 0; i < r->items->n; i++) {
		struct row *parent = &parents[r->origins[i].parent];

		for (side = 0; side < 2; side++) {
			parent->sides[side].count += list[i].sides[side].count;
			parent->sides[side].steps = list[i].sides[side].steps;
		}
	}
	for (i = 0; i < n; i++) {
		same[i] = i;
		if (i && is_single(&parents[i])) {
			parent_of[n_found] = i;
			found[n_found++] = candidate(r, &parents[i], value_ids_text(r->parents, i - 1));
		}
	}
	renamed_items_find(found, n_found);
	for (i = 0; i < n_found; i++) {
		if (found[i].with != SIZE_MAX && !found[i].gone)
			same[parent_of[i]] = parent_of[found[i].with];
	}
	mem_free(parents, found, parent_of);
	return same;
}

/* Sets the members `pairing` and `with` of the rows of renamed items. */
static void pair_rows(const struct difference_rows *r, struct row *list)
{
	struct renamed_item *found = mem_zero(r->items->n + 1, sizeof *found);
	size_t *item_of = mem_zero(r->items->n + 1, sizeof *item_of), *parents = pair_parents(r, list), i, n = 0;
	struct value name;

	for (i = 0; i < r->items->n; i++) {
		if (!is_single(&list[i]))
			continue;
		groups_key(r->items, i, r->items->n_keys - 1, &name);
		item_of[n] = i;
		found[n] = candidate(r, &list[i], name.text);
		found[n].kind = r->origins[i].kind;
		found[n++].parent = parents[r->origins[i].parent];
	}
	renamed_items_find(found, n);
	for (i = 0; i < n; i++) {
		if (found[i].with != SIZE_MAX) {
			list[item_of[i]].pairing = found[i].how;
			list[item_of[i]].with = item_of[found[i].with];
		}
	}
	mem_free(found, item_of, parents);
}

/* For tables for reading: adds an item with a new name to the row of the old name. */
static void join_pairs(struct difference_rows *r, struct row *list)
{
	size_t i;

	for (i = 0; i < r->items->n; i++) {
		struct row *row = &list[i], *other = &list[row->with];
		struct row joined = *row;

		joined.sides[1] = other->sides[1];
		if (row->pairing && row->sides[0].count &&
		    difference_of(&joined.sides[0], &joined.sides[1], &joined.d)) {
			*row = joined;
			other->sides[1].count = 0;
		}
	}
}

/* --- the rows --- */

static void write_items(struct difference_writer *w, struct row *list)
{
	const struct difference_rows *r = w->rows;
	size_t *order = order_sort(r->items->n, by_difference, list), i, written = 0;
	struct verdict verdict;

	for (i = 0; i < r->items->n && written < r->top; i++) {
		const struct row *row = &list[order[i]];

		/* It is only in other runs, lost, or in the row of the old name. */
		if (!row->sides[0].count && !row->sides[1].count)
			continue;
		written++;
		groups_cells(r->items, w->table, order[i], w->human);
		if (w->judged)
			verdict = verdict_of(&r->runs, order[i], w->human && row->pairing ? row->with : order[i]);
		write_row(w, row, w->judged ? &verdict : NULL);
	}
	free(order);
}

static void write_total(struct difference_writer *w, const struct row *total)
{
	size_t i;

	for (i = 0; i < w->rows->items->n_keys && !w->rows->only_total; i++)
		table_set_json(w->table, i, i ? STR("\"\"") : STR("\"(all)\""));
	write_row(w, total, NULL);
}

/* Writes a row for each step of the run that has more of them. */
static void write_steps(struct difference_writer *w)
{
	const struct compared_run *a = verdict_run(&w->rows->runs, 0), *b = verdict_run(&w->rows->runs, 1), none = {0};
	struct row total;
	size_t i;

	for (i = 0; i < a->steps.n || i < b->steps.n; i++) {
		const struct compared_run *const step[2] = {
		    i < a->n_by_step ? &a->by_step[i] : &none, i < b->n_by_step ? &b->by_step[i] : &none};

		free(divide(w->rows, step, &total));
		table_set_int(w->table, 0, (int128)i + 1);
		write_row(w, &total, NULL);
	}
}

void difference_rows_write(struct difference_rows *r, struct out *out, const struct table_options *options)
{
	struct difference_writer w = {.rows = r, .judged = r->runs.n > 2 || r->runs.runs[0].steps.n};
	const struct compared_run *const runs[2] = {verdict_run(&r->runs, 0), verdict_run(&r->runs, 1)};
	struct row total, *list = divide(r, runs, &total);

	begin(&w, out, options);
	if (r->each_step) {
		write_steps(&w);
	} else if (!r->only_total) {
		if (r->origins)
			pair_rows(r, list);
		if (r->origins && w.human)
			join_pairs(r, list);
		write_items(&w, list);
	}
	if (r->only_total || (w.human && r->items->n_keys && !r->each_step))
		write_total(&w, &total);
	table_end(w.table);
	bufs_free(&w.words, &w.json);
	free(list);
}
