#include "verdict.h"

#include "rank_test.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_CHANGE 0.01 /* of the median of side a */

void verdict_begin(struct verdict_runs *v)
{
	const size_t n = v->n_a + v->n_b;
	size_t i, most = 0;

	for (i = 0; i < n; i++)
		most = v->runs[i].steps.n > most ? v->runs[i].steps.n : most;
	v->values = mem_zero(2 * most + 1, sizeof *v->values);
}

/* The medians of the runs of one side. */
struct spread {
	double min, max, sum;
};

static struct spread spread_of(const struct verdict_runs *v, size_t first, size_t n, size_t item)
{
	struct spread s = {INFINITY, -INFINITY, 0};
	struct difference_side side;
	double value;
	size_t i;

	for (i = first; i < first + n; i++) {
		const struct compared_run *r = &v->runs[i];

		side = compared_run_side(r, item);
		value = number_double(&side.total);
		if (r->steps.n) {
			compared_run_values(r, item, v->values);
			value = rank_test_median(v->values, r->steps.n);
		}
		s.min = fmin(s.min, value);
		s.max = fmax(s.max, value);
		s.sum += value;
	}
	return s;
}

static const char *judge_pair(const struct verdict_runs *v, const struct verdict *found, bool large)
{
	if (!rank_test_possible(v->runs[0].steps.n, v->runs[v->n_a].steps.n))
		return "cannot tell";
	if (found->p > RANK_TEST_LEVEL || !large)
		return "within noise";
	return v->wall ? "changed in this pair" : "changed";
}

struct verdict verdict_of(const struct verdict_runs *v, size_t item)
{
	const struct compared_run *a = &v->runs[0], *b = &v->runs[v->n_a];
	const struct spread s_a = spread_of(v, 0, v->n_a, item), s_b = spread_of(v, v->n_a, v->n_b, item);
	const double gap = fmax(s_b.min - s_a.max, s_a.min - s_b.max);
	struct verdict found = {.median_a = s_a.sum / (double)v->n_a, .median_b = s_b.sum / (double)v->n_b};
	const bool large = fabs(found.median_b - found.median_a) >= LEAST_CHANGE * found.median_a;

	compared_run_values(a, item, v->values);
	compared_run_values(b, item, v->values + a->steps.n);
	found.p = rank_test(v->values, a->steps.n, v->values + a->steps.n, b->steps.n);
	if (v->n_a + v->n_b == 2)
		found.text = judge_pair(v, &found, large);
	else
		found.text = large && gap > fmax(s_a.max - s_a.min, s_b.max - s_b.min) ? "changed" : "within noise";
	return found;
}
