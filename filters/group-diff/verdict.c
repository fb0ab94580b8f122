#include "verdict.h"

#include "rank_test.h"

#include <math.h>

#define LEAST_CHANGE 0.01 /* of the median of side a */

void verdict_begin(struct verdict_runs *v)
{
	size_t i, most = 0;

	for (i = 0; i < v->n; i++)
		most = v->runs[i].steps.n > most ? v->runs[i].steps.n : most;
	v->values = mem_zero(2 * most + 1, sizeof *v->values);
}

/* The medians of the runs of one side. */
struct spread {
	double min, max, sum;
};

/* Of runs[from .. to). The value of a run without steps is its total. */
static struct spread spread_of(const struct verdict_runs *v, size_t from, size_t to, size_t item)
{
	struct spread s = {INFINITY, -INFINITY, 0};
	struct difference_side side;
	double value;
	size_t i, n;

	for (i = from; i < to; i++) {
		const struct compared_run *r = &v->runs[i];

		side = compared_run_side(r, item, false);
		value = number_double(&side.total);
		if (r->steps.n) {
			n = compared_run_values(r, item, v->values);
			value = rank_test_median(v->values, n);
		}
		s.min = fmin(s.min, value);
		s.max = fmax(s.max, value);
		s.sum += value;
	}
	return s;
}

static const char *judge_pair(
    const struct verdict_runs *v, const struct verdict *found, size_t n_a, size_t n_b, bool large)
{
	if (!rank_test_possible(n_a, n_b))
		return "cannot tell";
	if (found->p > RANK_TEST_LEVEL || !large)
		return "within noise";
	return v->wall ? "changed in this pair" : "changed";
}

struct verdict verdict_of(const struct verdict_runs *v, size_t before, size_t after)
{
	const struct spread s_a = spread_of(v, 0, v->n_a, before), s_b = spread_of(v, v->n_a, v->n, after);
	const double gap = fmax(s_b.min - s_a.max, s_a.min - s_b.max);
	struct verdict found = {.median_a = s_a.sum / (double)v->n_a, .median_b = s_b.sum / (double)(v->n - v->n_a)};
	size_t n_a, n_b;
	const bool large = fabs(found.median_b - found.median_a) >= LEAST_CHANGE * found.median_a;

	n_a = compared_run_values(verdict_run(v, 0), before, v->values);
	n_b = compared_run_values(verdict_run(v, 1), after, v->values + n_a);
	found.p = rank_test(v->values, n_a, v->values + n_a, n_b);
	if (v->same)
		found.text = "same";
	else if (v->n == 2)
		found.text = judge_pair(v, &found, n_a, n_b, large);
	else
		found.text = large && gap > fmax(s_a.max - s_a.min, s_b.max - s_b.min) ? "changed" : "within noise";
	return found;
}
