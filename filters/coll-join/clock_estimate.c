#include "clock_estimate.h"

#include "base/mem.h"
#include "median.h"

#include <math.h>
#include <stdlib.h>

enum {
	RUNS = 10,        /* the drift is computed from at most this number of runs of samples, */
	RUN_LEAST = 3,    /* each of at least this number of samples, and from at least this number of runs */
	DRIFT_CLEAR = 8,  /* the drift must move the offset by this number of median residuals */
	TOLERANCE = 1000, /* ns: by how much the bounds may contradict each other */
};

static int compare_samples(const void *a, const void *b)
{
	const struct clock_sample *x = a, *y = b;

	return (x->end_j > y->end_j) - (x->end_j < y->end_j);
}

/* Returns the part of the offset that the drift adds at the time t of clock j. */
static int64_t drifted(const struct rank_clock *c, int64_t t)
{
	return rank_clock_drifted(c, int_sub(t, c->at));
}

static int64_t difference(const struct clock_sample *s)
{
	return int_sub(s->end_i, s->end_j);
}

/* Returns the median slope of all pairs of run medians (Theil and Sen), in ns per ns; 0 if there are too few runs. */
static double find_slope(const struct clock_sample *samples, size_t n, int64_t *list)
{
	const size_t runs = n / RUN_LEAST < RUNS ? n / RUN_LEAST : RUNS;
	int64_t t[RUNS], d[RUNS];
	double slopes[RUNS * (RUNS - 1) / 2];
	size_t i, k, from, to, m = 0;

	if (runs < RUN_LEAST)
		return 0;
	for (i = 0; i < runs; i++) {
		from = i * n / runs;
		to = (i + 1) * n / runs;
		for (k = from; k < to; k++)
			list[k - from] = samples[k].end_j;
		t[i] = median_i64(list, to - from);
		for (k = from; k < to; k++)
			list[k - from] = difference(&samples[k]);
		d[i] = median_i64(list, to - from);
	}
	for (i = 0; i < runs; i++) {
		for (k = 0; k < i; k++) {
			if (t[i] > t[k])
				slopes[m++] = (double)int_sub(d[i], d[k]) / (double)int_sub(t[i], t[k]);
		}
	}
	return median_double(slopes, m);
}

static int64_t magnitude(int64_t v)
{
	return v < 0 ? int_sub(0, v) : v;
}

/* Sets the bounds, and returns the median difference of ends without the drift. */
static int64_t find_bounds(struct rank_clock *c, const struct clock_sample *samples, size_t n, int64_t *list)
{
	int64_t low, high;
	size_t i;

	c->low = INT64_MIN;
	c->high = INT64_MAX;
	for (i = 0; i < n; i++) {
		low = int_sub(int_sub(samples[i].start_i, samples[i].end_j), drifted(c, samples[i].end_j));
		high = int_sub(int_sub(samples[i].end_i, samples[i].start_j), drifted(c, samples[i].start_j));
		c->low = low > c->low ? low : c->low;
		c->high = high < c->high ? high : c->high;
		list[i] = int_sub(difference(&samples[i]), drifted(c, samples[i].end_j));
	}
	return median_i64(list, n);
}

static int64_t find_spread(const struct rank_clock *c, const struct clock_sample *samples, size_t n, int64_t *list)
{
	size_t i;

	for (i = 0; i < n; i++)
		list[i] = magnitude(int_sub(int_sub(difference(&samples[i]), drifted(c, samples[i].end_j)), c->offset));
	return median_i64(list, n);
}

static void finish(struct rank_clock *c, const struct clock_sample *samples, size_t n, int64_t *list)
{
	c->spread = find_spread(c, samples, n, list);
	c->count = n;
	c->ok = n && c->low <= int_add(c->high, TOLERANCE);
}

/* Sets the drift if it is clearly more than the scatter of the samples. */
static void find_drift(struct rank_clock *c, const struct clock_sample *samples, size_t n, int64_t *list)
{
	const double slope = find_slope(samples, n, list);
	const double span = n ? (double)int_sub(samples[n - 1].end_j, samples[0].end_j) : 0;

	if (!(fabs(slope) < 1))
		return;
	c->drift = (int64_t)llround(slope * 1e9);
	c->offset = find_bounds(c, samples, n, list);
	if (fabs(slope) * span <= (double)DRIFT_CLEAR * (double)find_spread(c, samples, n, list))
		c->drift = 0;
}

void clock_estimate(struct rank_clock *c, struct clock_sample *samples, size_t n)
{
	int64_t *list = mem_alloc((n + 1) * sizeof *list), median;
	size_t i;

	qsort(samples, n, sizeof *samples, compare_samples);
	for (i = 0; i < n; i++)
		list[i] = samples[i].end_j;
	c->at = median_i64(list, n);
	c->drift = 0;
	find_drift(c, samples, n, list);
	median = find_bounds(c, samples, n, list);
	c->offset = median > c->high ? c->high : median;
	c->offset = c->offset < c->low && c->low <= c->high ? c->low : c->offset;
	finish(c, samples, n, list);
	free(list);
}

void clock_measure(struct rank_clock *c, struct clock_sample *samples, size_t n)
{
	int64_t *list = mem_alloc((n + 1) * sizeof *list);

	find_bounds(c, samples, n, list);
	finish(c, samples, n, list);
	free(list);
}
