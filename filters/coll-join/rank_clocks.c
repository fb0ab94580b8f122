#include "rank_clocks.h"

#include "base/mem.h"
#include "base/order.h"
#include "base/select.h"
#include "coll_operation.h"
#include "json/write.h"
#include "record/record_line.h"

#include <math.h>
#include <stdlib.h>

enum {
	RUNS = 10,        /* the drift is computed from at most this number of runs of samples, */
	RUN_LEAST = 3,    /* each of at least this number of samples, and from at least this number of runs */
	DRIFT_CLEAR = 8,  /* the drift must move the offset by this number of median residuals */
	TOLERANCE = 1000, /* ns: by how much the bounds may contradict each other */
};

void rank_clocks_init(struct rank_clocks *c, const struct job *j, const struct clock_file *file)
{
	const struct rank_clock *found;
	size_t i;

	c->list = mem_zero(j->n_ranks + 1, sizeof *c->list);
	for (i = 0; i < j->n_ranks && !j->ranks[i].kernels; i++)
		;
	c->reference = (uint32_t)(i < j->n_ranks ? i : 0);
	for (i = 0; i < j->n_ranks; i++) {
		c->list[i].base = int_sub(j->ranks[i].base, j->ranks[c->reference].base);
		c->list[i].ok = c->mode != RANK_CLOCKS_FILE;
		found = c->mode == RANK_CLOCKS_FILE ? clock_file_find(file, j->ranks[i].rank) : NULL;
		if (found)
			c->list[i] = *found;
		c->list[i].via = j->ranks[c->reference].rank;
	}
}

void rank_clocks_free(struct rank_clocks *c)
{
	free(c->list);
}

/* --- the clocks of two ranks --- */

static int compare_samples(const void *a, const void *b)
{
	const struct clock_sample *x = a, *y = b;

	return int_compare(x->end_j, y->end_j);
}

/* Returns the part of the offset that the drift adds at the time t of clock j. */
static int64_t drifted(const struct rank_clock *c, int64_t t)
{
	return rank_clock_drifted(c, int_sub(t, c->at));
}

static int64_t end_difference(const struct clock_sample *s)
{
	return int_sub(s->end_i, s->end_j);
}

/* Returns the median slope of all pairs of run medians (Theil and Sen), in ns per ns; 0 if there are too few runs. */
static double find_slope(const struct clock_sample *samples, size_t n, int64_t *list)
{
	/*
	 * The slopes of all pairs of samples would be n * n / 2 numbers. Medians of runs of samples are few, and a late
	 * kernel does not move them.
	 */
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
		t[i] = select_median(list, to - from);
		for (k = from; k < to; k++)
			list[k - from] = end_difference(&samples[k]);
		d[i] = select_median(list, to - from);
	}
	for (i = 0; i < runs; i++) {
		for (k = 0; k < i; k++) {
			if (t[i] > t[k])
				slopes[m++] = (double)int_sub(d[i], d[k]) / (double)int_sub(t[i], t[k]);
		}
	}
	if (!m)
		return 0;
	qsort(slopes, m, sizeof *slopes, order_doubles);
	return (slopes[(m - 1) / 2] + slopes[m / 2]) / 2;
}

/* Sets the bounds, and returns the median difference of ends without the drift. */
static int64_t find_bounds(struct rank_clock *c, const struct clock_sample *samples, size_t n, int64_t *list)
{
	int64_t low, high;
	size_t i;

	/*
	 * A collective that synchronises ends on no rank before it began on all ranks. With the offset o, time i = time
	 * j + o: start_i <= end_j + o, and start_j + o <= end_i.
	 */
	c->low = INT64_MIN;
	c->high = INT64_MAX;
	for (i = 0; i < n; i++) {
		low = int_sub(int_sub(samples[i].start_i, samples[i].end_j), drifted(c, samples[i].end_j));
		high = int_sub(int_sub(samples[i].end_i, samples[i].start_j), drifted(c, samples[i].start_j));
		c->low = low > c->low ? low : c->low;
		c->high = high < c->high ? high : c->high;
		list[i] = int_sub(end_difference(&samples[i]), drifted(c, samples[i].end_j));
	}
	return select_median(list, n);
}

static int64_t find_spread(const struct rank_clock *c, const struct clock_sample *samples, size_t n, int64_t *list)
{
	size_t i;

	for (i = 0; i < n; i++) {
		list[i] = int_sub(int_sub(end_difference(&samples[i]), drifted(c, samples[i].end_j)), c->offset);
		list[i] = list[i] < 0 ? int_sub(0, list[i]) : list[i];
	}
	return select_median(list, n);
}

static void set_spread(struct rank_clock *c, const struct clock_sample *samples, size_t n, int64_t *list)
{
	c->spread = find_spread(c, samples, n, list);
	c->count = n;
	c->ok = n && c->low <= int_add(c->high, TOLERANCE);
}

void rank_clock_estimate(struct rank_clock *c, struct clock_sample *samples, size_t n)
{
	int64_t *list = mem_alloc((n + 1) * sizeof *list), median;
	double slope, span;
	size_t i;

	qsort(samples, n, sizeof *samples, compare_samples);
	for (i = 0; i < n; i++)
		list[i] = samples[i].end_j;
	c->at = select_median(list, n);
	c->drift = 0;
	slope = find_slope(samples, n, list);
	if (fabs(slope) < 1) {
		c->drift = (int64_t)llround(slope * 1e9);
		c->offset = find_bounds(c, samples, n, list);
		span = n ? (double)int_sub(samples[n - 1].end_j, samples[0].end_j) : 0;
		/* The drift must be clearly more than the scatter of the samples. */
		if (fabs(slope) * span <= (double)DRIFT_CLEAR * (double)find_spread(c, samples, n, list))
			c->drift = 0;
	}
	median = find_bounds(c, samples, n, list);
	/*
	 * Kernels mostly end at the same time, but the bounds hold always: an offset outside them is moved to the
	 * nearer one.
	 */
	c->offset = median > c->high ? c->high : median;
	c->offset = c->offset < c->low && c->low <= c->high ? c->low : c->offset;
	set_spread(c, samples, n, list);
	free(list);
}

void rank_clock_measure(struct rank_clock *c, const struct clock_sample *samples, size_t n)
{
	int64_t *list = mem_alloc((n + 1) * sizeof *list);

	find_bounds(c, samples, n, list);
	set_spread(c, samples, n, list);
	free(list);
}

/* --- the graph of the ranks --- */

/* Two ranks, compared by their common collectives; an edge of the graph. */
struct rank_pair {
	uint32_t low, other; /* indexes of ranks; low is the lowest of a group of both */
};

/* The two kernels of a collective that compare a rank with the preceding one on its path; indexes in job.kernels. */
struct kernel_pair {
	uint32_t before, own;
};

struct clock_search {
	struct rank_clocks *clocks;
	const struct job *job;
	const struct collectives *collectives;
	uint32_t *lowest; /* by group: its lowest rank that has kernels */
	struct map pairs; /* key: struct rank_pair */
	uint64_t *counts; /* of each pair: number of collectives */
	size_t counts_cap;
	struct rank_path {
		uint32_t via;   /* the preceding rank; JOB_NONE if there is no path */
		uint32_t level; /* length of the path */
		uint64_t count; /* number of collectives of the last pair of the path */
		struct kernel_pair *samples;
		size_t n, cap;
	} * paths;       /* by rank: the path from the reference */
	uint32_t *order; /* the ranks with a path, by level */
	size_t n_order;
};

/*
 * Uses a pair of ranks for the path to `to`, if the path to `from` has this length; returns whether it is the first
 * path. Of several shortest paths, that with most collectives is used, then that over the lowest rank.
 */
static bool extend_path(struct clock_search *s, uint32_t length, uint32_t from, uint32_t to, uint64_t count)
{
	struct rank_path *path = &s->paths[to];
	const bool first = path->via == JOB_NONE;

	if (s->paths[from].via == JOB_NONE || s->paths[from].level != length)
		return false;
	if (first)
		s->order[s->n_order++] = to;
	else if (path->level != length + 1 || count < path->count || (count == path->count && from > path->via))
		return false;
	*path = (struct rank_path){.via = from, .level = length + 1, .count = count};
	return first;
}

static void find_paths(struct clock_search *s)
{
	struct rank_pair pair;
	uint32_t length;
	bool found = s->job->n_ranks > 0;
	size_t i;

	for (i = 0; i < s->job->n_ranks; i++)
		s->paths[i].via = JOB_NONE;
	if (found)
		s->paths[s->clocks->reference].via = s->order[s->n_order++] = s->clocks->reference;
	/* A search in breadth: each round extends the paths of one length by all pairs of ranks. */
	for (length = 0; found; length++) {
		found = false;
		for (i = 0; i < s->pairs.n; i++) {
			memcpy(&pair, map_key(&s->pairs, i).p, sizeof pair);
			found |= extend_path(s, length, pair.low, pair.other, s->counts[i]);
			found |= extend_path(s, length, pair.other, pair.low, s->counts[i]);
		}
	}
}

static void count_pair(struct clock_search *s, uint32_t first, uint32_t second)
{
	const struct rank_pair pair = {s->job->kernels[first].rank, s->job->kernels[second].rank};
	const size_t at = map_put(&s->pairs, STR_BYTES(pair));

	s->counts = mem_grow_zero(s->counts, &s->counts_cap, at + 1, sizeof *s->counts);
	s->counts[at]++;
}

/* Stores the pair as a sample of its rank that follows the other one on its path, if it is on a path. */
static void add_sample(struct clock_search *s, uint32_t first, uint32_t second)
{
	const uint32_t low = s->job->kernels[first].rank, other = s->job->kernels[second].rank;
	struct rank_path *path = NULL;

	if (s->paths[other].via == low && other != s->clocks->reference)
		path = &s->paths[other];
	else if (s->paths[low].via == other && low != s->clocks->reference)
		path = &s->paths[low];
	if (!path)
		return;
	path->samples = mem_grow(path->samples, &path->cap, path->n + 1, sizeof *path->samples);
	path->samples[path->n++] =
	    path == &s->paths[low] ? (struct kernel_pair){second, first} : (struct kernel_pair){first, second};
}

/*
 * Calls `use` for the first kernel of a collective and each other one, if clocks can be compared by the collective: it
 * synchronises, and the lowest rank of its group has it.
 */
static void for_each_pair(struct clock_search *s, void (*use)(struct clock_search *s, uint32_t first, uint32_t second))
{
	const struct collectives *all = s->collectives;
	const struct job_kernel *first;
	const struct collective *c;
	size_t i;

	for (c = all->list; all->n && c < all->list + all->n; c++) {
		first = collective_member(all, c, 0);
		if (c->why || c->untimed || first->rank != s->lowest[c->group] ||
		    !coll_operation_synchronises(job_description(s->job, first->description).operation))
			continue;
		for (i = 1; i < c->n; i++)
			use(s, all->members[c->first], all->members[c->first + i]);
	}
}

/* --- the clocks of all ranks --- */

static void set_clock(const struct clock_search *s, uint32_t rank)
{
	const struct rank_path *path = &s->paths[rank];
	struct rank_clock *c = &s->clocks->list[rank];
	const struct rank_clock *before = &s->clocks->list[path->via];
	struct clock_sample *samples = mem_alloc((path->n + 1) * sizeof *samples);
	const struct job_kernel *a, *b;
	int64_t x, y, sum;
	size_t i;

	for (i = 0; i < path->n; i++) {
		a = &s->job->kernels[path->samples[i].before];
		b = &s->job->kernels[path->samples[i].own];
		x = int_add(a->ts, s->clocks->list[a->rank].base);
		y = int_add(b->ts, s->clocks->list[b->rank].base);
		samples[i] = (struct clock_sample){x, int_interval_end(x, a->dur), y, int_interval_end(y, b->dur)};
	}
	c->via = s->job->ranks[path->via].rank;
	if (s->clocks->mode == RANK_CLOCKS_RAW) {
		rank_clock_measure(c, samples, path->n);
		c->ok = true; /* the user vouches for it */
	} else {
		rank_clock_estimate(c, samples, path->n);
		c->at = int_sub(c->at, c->base);
		/* the offset of the preceding rank, at the same time */
		sum = int_sub(rank_clock_time(before, int_sub(rank_clock_time(c, c->at), before->base)),
		    rank_clock_time(c, c->at));
		c->offset = int_add(c->offset, sum);
		/* The uncertainties of all pairs on the path add up. */
		c->low = int_sub(int_add(c->low, sum), int_sub(before->offset, before->low));
		c->high = int_add(int_add(c->high, sum), int_sub(before->high, before->offset));
		c->drift = int_add(c->drift, before->drift);
		c->ok &= before->ok;
	}
	free(samples);
}

void rank_clocks_find(struct rank_clocks *c, const struct collectives *collectives)
{
	const struct job *j = collectives->job;
	struct clock_search s = {.clocks = c, .job = j, .collectives = collectives};
	size_t i;

	if (c->mode == RANK_CLOCKS_FREE || c->mode == RANK_CLOCKS_FILE)
		return;
	s.paths = mem_zero(j->n_ranks + 1, sizeof *s.paths);
	s.order = mem_alloc((j->n_ranks + 1) * sizeof *s.order);
	s.lowest = mem_alloc((collectives->n_groups + 1) * sizeof *s.lowest);
	for (i = j->n; i-- > 0;)
		s.lowest[j->kernels[i].group] = j->kernels[i].rank; /* the kernels are in the order of the ranks */
	/*
	 * The collectives are read twice: the counts of all pairs decide which paths are used, and samples are stored
	 * only for pairs on these paths.
	 */
	for_each_pair(&s, count_pair);
	find_paths(&s);
	for_each_pair(&s, add_sample);
	for (i = 1; i < s.n_order; i++)
		set_clock(&s, s.order[i]);
	for (i = 0; i < j->n_ranks; i++) {
		if (s.paths[i].via == JOB_NONE && c->mode == RANK_CLOCKS_ALIGN)
			c->list[i].ok = false;
		free(s.paths[i].samples);
	}
	map_free(&s.pairs);
	mem_free(s.lowest, s.counts, s.paths, s.order);
}

/* --- records --- */

void rank_clocks_write(const struct rank_clocks *clocks, const struct job *j, struct out *out)
{
	const int64_t reference = j->n_ranks ? j->ranks[clocks->reference].rank : 0;
	const struct rank_clock *c;
	struct buf b = {0};
	size_t i;

	for (i = 0; i < j->n_ranks; i++) {
		if (job_is_process(j->ranks[i].rank))
			continue;
		c = &clocks->list[i];
		record_line_begin(&b, "clock");
		json_write_int(&b, "rank", j->ranks[i].rank);
		json_write_int(&b, "ref", reference);
		if (c->count || i == clocks->reference)
			json_write_int(&b, "via", c->via);
		json_write_int(&b, "base", c->base);
		if (c->count || c->ok) {
			json_write_int(&b, "offset", c->offset);
			json_write_int(&b, "drift", c->drift);
			json_write_int(&b, "at", c->at);
		}
		if (c->count || i == clocks->reference) {
			json_write_int(&b, "lo", c->low);
			json_write_int(&b, "hi", c->high);
			json_write_int(&b, "spread", c->spread);
		}
		json_write_int(&b, "count", (int64_t)c->count);
		json_write_bool(&b, "ok", c->ok);
		record_line_end(&b, out);
	}
	buf_free(&b);
}
