/*
 * fuzz target: groupby --merge and stats --fields --merge of any lines. Partial results that are accepted are written,
 * read again and written again; the second text is accepted and is the same as the first. All results can be computed
 * (fuzz.h describes how to run it).
 */
#include "fuzz.h"

#include "program/group_report.c" /* for group_partial_state */
#include "samples.h"
#include "stats/field_inventory.h"

#include <math.h>

enum { ROOM = 16 << 20 };

static char room[2][ROOM + SCAN_PAD], table_room[ROOM];

/* Reads the lines of a text. Returns whether they are complete partial results that can be merged. */
static bool merge_lines(struct partial *p, struct str text)
{
	const char *why = NULL;
	struct str line;

	p->in->file = "fuzz";
	while (!why && str_split(&text, '\n', &line)) {
		const struct str copy = padded_copy(line);

		if (text.p || line.n) /* not the end of the last line */
			why = partial_merge_line(p, copy);
		free((char *)(uintptr_t)copy.p);
	}
	if (!why)
		partial_merge_end(p);
	return !why && !p->open && p->number;
}

static void compute_groups(struct group_report *r)
{
	struct aggregate_result result;
	size_t column, group;

	for (column = 0; column < r->aggs.n_columns; column++) {
		for (group = 0; group < r->aggs.n; group++) {
			aggregate_result(&r->aggs, column, group, (struct aggregate_scale){1, 1}, &result);
			HOLD(result.type != AGGREGATE_NUMBER || result.number.whole || isfinite(result.number.d));
		}
	}
}

/* Sorts the rows and computes them as groupby does: with subtotals, or with a row for all groups together. */
static void compute_results(struct group_report *r)
{
	const struct groups_order by_result = {GROUPS_BY_RESULT, 0, true}, by_records = {GROUPS_BY_RECORDS, 0, false};
	size_t *parents = groups_parents(&r->groups), *order;

	aggregate_totals(&r->aggs, parents);
	compute_groups(r);
	free(groups_sort(&r->groups, &r->aggs, r->aggs.n_columns ? by_result : by_records, parents));
	aggregate_totals(&r->aggs, NULL);
	order = groups_sort(&r->groups, &r->aggs, by_records, NULL);
	aggregate_fold(&r->aggs, order, r->groups.n);
	compute_groups(r);
	aggregate_unfold(&r->aggs);
	free(order);
	free(parents);
}

/* Merges the partial results of groupby in a text, and writes their sum, or nothing if they are refused. */
static void merge_groups(struct str text, struct out *to)
{
	struct group_report r;
	struct partial p = {&group_partial_state, &r, "groupby", &r.in, .part = 0};

	group_report_init(&r, NULL, NULL);
	r.keep = QUANTILE_KEEP;
	r.merge = true;
	if (merge_lines(&p, text)) {
		partial_write(&p, to);
		compute_results(&r);
	}
	partial_free(&p);
	diagnostics_free(&r.in.diagnostics);
	group_report_free(&r);
}

/* The same for partial results of stats --fields. */
static void merge_fields(struct str text, struct out *to)
{
	struct field_inventory *inventory = field_inventory_new(0);
	struct input in = {.failed = false};
	struct partial p = {&field_inventory_state, inventory, "stats --fields", &in, .part = 0};
	struct out rows = {.p = table_room, .cap = ROOM};
	struct table_options options;
	struct table *t;

	if (merge_lines(&p, text)) {
		partial_write(&p, to);
		table_options_init(&options, TABLE_NDJSON, TABLE_NDJSON);
		t = table_begin(&rows, &options);
		field_inventory_print(inventory, t, false);
		table_end(t);
	}
	partial_free(&p);
	field_inventory_free(inventory);
	diagnostics_free(&in.diagnostics);
}

static void check_round_trip(struct str text, void (*merge)(struct str text, struct out *to))
{
	struct out once = {.p = room[0], .cap = ROOM}, twice = {.p = room[1], .cap = ROOM};

	merge(text, &once);
	HOLD(!once.error);
	if (!once.n)
		return;
	merge((struct str){once.p, once.n}, &twice);
	HOLD(str_eq((struct str){once.p, once.n}, (struct str){twice.p, twice.n}));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct str text = {(const char *)data, size};

	check_round_trip(text, merge_groups);
	check_round_trip(text, merge_fields);
	return 0;
}
