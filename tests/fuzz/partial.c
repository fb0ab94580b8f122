/*
 * fuzz target: groupby --merge of any lines. Partial results that are accepted are written, read again and written
 * again; the second text is accepted and is the same as the first. All results can be computed (fuzz.h describes how to
 * run it).
 */
#include "fuzz.h"

#include "cli/group_merge.h"
#include "samples.h"

#include <math.h>

enum { ROOM = 16 << 20 };

static char room[2][ROOM + SCAN_PAD];

static const char *merge_lines(struct group_merge *m, struct str text)
{
	const char *why = NULL;
	struct str line;

	m->report->in.file = "fuzz";
	while (!why && str_split(&text, '\n', &line)) {
		const struct str copy = padded_copy(line);

		if (text.p || line.n) /* not the end of the last line */
			why = group_merge_line(m, copy);
		free((char *)(uintptr_t)copy.p);
	}
	return why;
}

static void compute_results(struct group_report *r)
{
	struct aggregate_result result;
	size_t column, group;

	aggregate_totals(&r->aggs, NULL);
	for (column = 0; column < r->aggs.n_columns; column++) {
		for (group = 0; group < r->aggs.n; group++) {
			aggregate_result(&r->aggs, column, group, &result);
			HOLD(result.type != AGGREGATE_REAL || isfinite(result.d));
		}
	}
}

/* Merges the partial results in a text. Returns their sum, or an empty text if they are refused. */
static struct str merge(struct str text, char *to)
{
	struct group_report r;
	struct group_merge m;
	bool good;

	group_report_init(&r, NULL, NULL);
	r.out = (struct out){.p = to, .cap = ROOM};
	r.keep = QUANTILE_KEEP;
	group_merge_begin(&m, &r);
	good = !merge_lines(&m, text) && !m.open && m.number;
	group_merge_end(&m);
	if (good) {
		group_partial_write(&r);
		HOLD(!r.out.error);
		compute_results(&r);
	}
	diagnostics_free(&r.in.diagnostics);
	group_report_free(&r);
	return (struct str){to, r.out.n};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct str text = {(const char *)data, size};
	struct str once, twice;

	err_init("groupby");
	if (str_find(text, STR("\"exact\":true")) < size) /* the number of values in a state has no limit */
		return 0;
	once = merge(text, room[0]);
	if (!once.n)
		return 0;
	twice = merge(once, room[1]);
	HOLD(str_eq(once, twice));
	return 0;
}
