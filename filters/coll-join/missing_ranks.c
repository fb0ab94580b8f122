#include "missing_ranks.h"

#include <stdlib.h>

struct missing_ranks_span {
	int64_t first, last; /* first > last if the rank has no kernel of the group */
};

static const struct job_kernel *member(const struct missing_ranks *m, const struct collective *c, size_t i)
{
	return &m->job->kernels[m->collectives->members[c->first + i]];
}

static const struct process_group *group_of(const struct missing_ranks *m, const struct collective *c)
{
	return &m->collectives->groups[c->group];
}

/* Returns the i-th rank of a group whose ranks are known; a pair has two. */
int64_t missing_ranks_at(const struct missing_ranks *m, const struct process_group *g, size_t i)
{
	size_t n;

	if (g->kind == PROCESS_GROUP_PAIR)
		return i ? g->to : g->from;
	return job_rank_set(m->job, g->set, &n)[i];
}

/* Returns the number of ranks of a group, 0 if they are unknown. */
size_t missing_ranks_count(const struct missing_ranks *m, const struct process_group *g)
{
	size_t n = 0;

	if (g->kind == PROCESS_GROUP_PAIR)
		return 2;
	if (g->set != JOB_NONE)
		job_rank_set(m->job, g->set, &n);
	return n;
}

static size_t find_in_group(const struct missing_ranks *m, const struct process_group *g, int64_t rank)
{
	size_t low = 0, high = missing_ranks_count(m, g), middle;

	if (g->kind == PROCESS_GROUP_PAIR)
		return rank == g->from ? 0 : 1;
	while (low + 1 < high) {
		middle = (low + high) / 2;
		if (missing_ranks_at(m, g, middle) <= rank)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Finds the positions between which each rank has kernels of its groups. */
static void find_spans(struct missing_ranks *m)
{
	const struct collectives *all = m->collectives;
	struct missing_ranks_span *span;
	const struct process_group *g;
	const struct collective *c;
	size_t i, k, at, n = 0;

	m->ranges = mem_alloc((m->collectives->n_groups + 1) * sizeof *m->ranges);
	for (i = 0; i < m->collectives->n_groups; i++) {
		m->ranges[i] = n;
		n += missing_ranks_count(m, &m->collectives->groups[i]);
	}
	m->spans = mem_alloc((n + 1) * sizeof *m->spans);
	for (i = 0; i < n; i++)
		m->spans[i] = (struct missing_ranks_span){INT64_MAX, INT64_MIN};
	for (at = 0; at < all->n; at++) {
		c = &all->list[at];
		g = group_of(m, c);
		if (!missing_ranks_count(m, g) || c->why)
			continue;
		for (k = 0; k < c->n; k++) {
			i = find_in_group(m, g, m->job->ranks[member(m, c, k)->rank].rank);
			if (missing_ranks_at(m, g, i) != m->job->ranks[member(m, c, k)->rank].rank)
				continue; /* the rank is not in the list of its own group */
			span = &m->spans[m->ranges[c->group] + i];
			span->first = c->position < span->first ? c->position : span->first;
			span->last = c->position > span->last ? c->position : span->last;
		}
	}
}

const char *missing_ranks_why(const struct missing_ranks *m, const struct collective *c, size_t i)
{
	const struct missing_ranks_span *span = &m->spans[m->ranges[c->group] + i];

	if (!job_has_rank(m->job, missing_ranks_at(m, group_of(m, c), i)))
		return "lost";
	if (span->first > span->last || (span->first < c->position && span->last > c->position))
		return "absent";
	return span->first > c->position ? "before" : "after";
}

bool missing_ranks_has(const struct missing_ranks *m, const struct collective *c, int64_t rank)
{
	size_t low = 0, high = c->n, middle;
	int64_t found;

	if (group_of(m, c)->kind == PROCESS_GROUP_PAIR)
		return m->job->ranks[member(m, c, 0)->rank].rank == rank ||
		       m->job->ranks[member(m, c, c->n - 1)->rank].rank == rank;
	while (low < high) {
		middle = (low + high) / 2;
		found = m->job->ranks[member(m, c, middle)->rank].rank;
		if (found == rank)
			return true;
		if (found < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

bool missing_ranks_any(const struct missing_ranks *m, const struct collective *c)
{
	return !c->why && c->n < missing_ranks_count(m, group_of(m, c));
}

void missing_ranks_init(struct missing_ranks *m, const struct job *j, const struct collectives *collectives)
{
	*m = (struct missing_ranks){.job = j, .collectives = collectives};
	find_spans(m);
}

void missing_ranks_free(struct missing_ranks *m)
{
	free(m->ranges);
	free(m->spans);
}
