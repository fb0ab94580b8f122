#include "rank_clocks.h"

#include "clock_estimate.h"

#include <stdlib.h>

/* Two ranks, compared by their common collectives; an edge of a graph. */
struct rank_pair {
	uint32_t low, other; /* indexes of ranks; low is the lowest of a group of both */
};

struct clock_search {
	struct rank_clocks *clocks;
	const struct job *job;
	const struct collectives *collectives;
	uint32_t *lowest; /* by group: its lowest rank that has kernels */
	struct map pairs; /* key: struct rank_pair */
	uint64_t *counts; /* of each pair: number of collectives */
	size_t counts_cap;
	uint32_t *via;   /* by rank: the rank before it on the path from the reference; JOB_NONE if there is no path */
	uint32_t *level; /* by rank: length of the path */
	uint32_t *order; /* the ranks with a path, by level */
	size_t n_order;
	size_t *starts;            /* by rank: the place of its first sample in `samples`; one more at the end */
	struct rank_pair *samples; /* indexes of two kernels: of the rank before it, and of the rank */
};

void rank_clocks_init(struct rank_clocks *c, const struct job *j)
{
	size_t i;

	c->list = mem_zero(j->n_ranks + 1, sizeof *c->list);
	for (i = 0; i < j->n_ranks && !j->ranks[i].kernels; i++)
		;
	c->reference = (uint32_t)(i < j->n_ranks ? i : 0);
	for (i = 0; i < j->n_ranks; i++)
		c->list[i] = (struct rank_clock){.base = int_sub(j->ranks[i].base, j->ranks[c->reference].base),
		    .via = j->ranks[c->reference].rank,
		    .ok = true};
}

void rank_clocks_free(struct rank_clocks *c)
{
	free(c->list);
}

/* --- the graph --- */

static void find_lowest(struct clock_search *s, size_t n_groups)
{
	const struct job *j = s->job;
	uint32_t *lowest = s->lowest = mem_alloc((n_groups + 1) * sizeof *lowest);
	size_t i;

	for (i = 0; i < n_groups; i++)
		lowest[i] = JOB_NONE;
	for (i = 0; i < j->n; i++) {
		if (j->kernels[i].rank < lowest[j->kernels[i].group])
			lowest[j->kernels[i].group] = j->kernels[i].rank;
	}
}

static const struct job_kernel *member(const struct clock_search *s, const struct collective *c, size_t i)
{
	return &s->job->kernels[s->collectives->members[c->first + i]];
}

/* Returns whether clocks can be compared by a collective: it synchronises, and the lowest rank of its group has it. */
static bool compares(const struct clock_search *s, const struct collective *c)
{
	const struct job_kernel *first = member(s, c, 0);

	return c->n > 1 && !c->why && !c->untimed && first->rank == s->lowest[c->group] &&
	       operation_synchronises(job_description(s->job, first->description).operation);
}

static void count_pairs(struct clock_search *s)
{
	const struct collectives *all = s->collectives;
	struct rank_pair pair;
	size_t c, i, at;

	for (c = 0; c < all->n; c++) {
		if (!compares(s, &all->list[c]))
			continue;
		for (i = 1; i < all->list[c].n; i++) {
			pair = (struct rank_pair){member(s, &all->list[c], 0)->rank, member(s, &all->list[c], i)->rank};
			at = map_put(&s->pairs, (struct str){(const char *)&pair, sizeof pair});
			if (at >= s->counts_cap) {
				size_t from = s->counts_cap;

				s->counts = mem_grow(s->counts, &s->counts_cap, at + 1, sizeof *s->counts);
				memset(s->counts + from, 0, (s->counts_cap - from) * sizeof *s->counts);
			}
			s->counts[at]++;
		}
	}
}

/* An edge in one direction, for the search from the reference. */
struct clock_edge {
	uint32_t from, to;
	uint64_t count;
};

static int compare_edges(const void *a, const void *b)
{
	const struct clock_edge *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* Makes a list of the edges of all ranks, sorted by rank; sets first[i] to the place of the first edge of rank i. */
static struct clock_edge *list_edges(const struct clock_search *s, size_t *first)
{
	const size_t n = s->pairs.n;
	struct clock_edge *edges = mem_alloc((2 * n + 1) * sizeof *edges);
	struct rank_pair pair;
	size_t i, rank;

	for (i = 0; i < n; i++) {
		memcpy(&pair, map_key(&s->pairs, i).p, sizeof pair);
		edges[2 * i] = (struct clock_edge){pair.low, pair.other, s->counts[i]};
		edges[2 * i + 1] = (struct clock_edge){pair.other, pair.low, s->counts[i]};
	}
	qsort(edges, 2 * n, sizeof *edges, compare_edges);
	for (i = 0, rank = 0; rank <= s->job->n_ranks; rank++) {
		while (i < 2 * n && edges[i].from < rank)
			i++;
		first[rank] = i;
	}
	return edges;
}

/* Sets via, level and order: shortest paths; of several, that with most collectives, then over the lowest rank. */
static void find_paths(struct clock_search *s)
{
	const size_t n = s->job->n_ranks;
	size_t *first = mem_alloc((n + 2) * sizeof *first), at, i;
	struct clock_edge *edges = list_edges(s, first);
	uint64_t *best = mem_zero(n + 1, sizeof *best);
	const struct clock_edge *e;

	for (i = 0; i < n; i++)
		s->via[i] = JOB_NONE;
	s->via[s->clocks->reference] = s->clocks->reference;
	s->order[s->n_order++] = s->clocks->reference;
	for (at = 0; at < s->n_order; at++) {
		const uint32_t from = s->order[at];

		for (e = edges + first[from]; e < edges + first[from + 1]; e++) {
			if (s->via[e->to] == JOB_NONE) {
				s->level[e->to] = s->level[from] + 1;
				s->order[s->n_order++] = e->to;
			} else if (s->level[e->to] != s->level[from] + 1 || e->count < best[e->to] ||
				   (e->count == best[e->to] && from > s->via[e->to])) {
				continue;
			}
			s->via[e->to] = from;
			best[e->to] = e->count;
		}
	}
	free(first);
	free(edges);
	free(best);
}

/* --- samples --- */

/* Calls `take` for each pair of kernels that compares a rank with the one before it on its path. */
static void walk_samples(
    struct clock_search *s, void (*take)(struct clock_search *, uint32_t rank, uint32_t before, uint32_t own))
{
	const struct collectives *all = s->collectives;
	uint32_t low, other;
	size_t c, i;

	for (c = 0; c < all->n; c++) {
		if (!compares(s, &all->list[c]))
			continue;
		low = member(s, &all->list[c], 0)->rank;
		for (i = 1; i < all->list[c].n; i++) {
			const uint32_t first = all->members[all->list[c].first];
			const uint32_t second = all->members[all->list[c].first + i];

			other = s->job->kernels[second].rank;
			if (s->via[other] == low && other != s->clocks->reference)
				take(s, other, first, second);
			else if (s->via[low] == other && low != s->clocks->reference)
				take(s, low, second, first);
		}
	}
}

static void count_sample(struct clock_search *s, uint32_t rank, uint32_t before, uint32_t own)
{
	(void)before;
	(void)own;
	s->starts[rank + 2]++;
}

static void add_sample(struct clock_search *s, uint32_t rank, uint32_t before, uint32_t own)
{
	s->samples[s->starts[rank + 1]++] = (struct rank_pair){before, own};
}

static void collect_samples(struct clock_search *s)
{
	const size_t n = s->job->n_ranks;
	size_t i;

	s->starts = mem_zero(n + 3, sizeof *s->starts);
	walk_samples(s, count_sample);
	for (i = 2; i < n + 2; i++)
		s->starts[i] += s->starts[i - 1];
	s->samples = mem_alloc((s->starts[n + 1] + 1) * sizeof *s->samples);
	walk_samples(s, add_sample);
}

/* Returns the samples of a rank; times are ts plus base. */
static struct clock_sample *make_samples(const struct clock_search *s, uint32_t rank, size_t *n)
{
	const size_t from = s->starts[rank];
	struct clock_sample *list;
	size_t i;

	*n = s->starts[rank + 1] - from;
	list = mem_alloc((*n + 1) * sizeof *list);
	for (i = 0; i < *n; i++) {
		const struct job_kernel *a = &s->job->kernels[s->samples[from + i].low];
		const struct job_kernel *b = &s->job->kernels[s->samples[from + i].other];
		const int64_t x = int_add(a->ts, s->clocks->list[a->rank].base);
		const int64_t y = int_add(b->ts, s->clocks->list[b->rank].base);

		list[i] = (struct clock_sample){x, int_interval_end(x, a->dur), y, int_interval_end(y, b->dur)};
	}
	return list;
}

/* --- clocks --- */

static void estimate(const struct clock_search *s, uint32_t rank)
{
	struct rank_clock *c = &s->clocks->list[rank];
	const struct rank_clock *before = &s->clocks->list[s->via[rank]];
	size_t n;
	struct clock_sample *samples = make_samples(s, rank, &n);
	int64_t sum;

	c->via = s->job->ranks[s->via[rank]].rank;
	if (s->clocks->mode == RANK_CLOCKS_RAW) {
		clock_measure(c, samples, n);
		c->ok = true; /* the user vouches for it */
	} else {
		clock_estimate(c, samples, n);
		c->at = int_sub(c->at, c->base);
		/* the offset of the rank before it, at the same time */
		sum = int_sub(rank_clock_time(before, int_sub(rank_clock_time(c, c->at), before->base)),
		    rank_clock_time(c, c->at));
		c->offset = int_add(c->offset, sum);
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
	s.via = mem_alloc((j->n_ranks + 1) * sizeof *s.via);
	s.level = mem_zero(j->n_ranks + 1, sizeof *s.level);
	s.order = mem_alloc((j->n_ranks + 1) * sizeof *s.order);
	find_lowest(&s, collectives->n_groups);
	count_pairs(&s);
	if (j->n_ranks)
		find_paths(&s);
	collect_samples(&s);
	for (i = 1; i < s.n_order; i++)
		estimate(&s, s.order[i]);
	for (i = 0; i < j->n_ranks; i++) {
		if (s.via[i] == JOB_NONE && c->mode == RANK_CLOCKS_ALIGN)
			c->list[i].ok = false;
	}
	map_free(&s.pairs);
	free(s.lowest);
	free(s.counts);
	free(s.via);
	free(s.level);
	free(s.order);
	free(s.starts);
	free(s.samples);
}
