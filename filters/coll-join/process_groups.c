#include "process_groups.h"

#include "base/int_math.h"
#include "base/order.h"

#include <stdlib.h>

/* Returns the set of ranks of a named group, or JOB_NONE. The most reliable source is tried first. */
static uint32_t find_set(struct job *j, const struct job_named_group *g)
{
	int64_t world;
	uint32_t set;
	size_t n;

	if (g->rank == JOB_NONE)
		return job_add_rank_list(j, map_key(&j->texts, g->list));
	set = job_group_ranks(j, JOB_PG_CONFIG, g->rank, map_key(&j->texts, g->name));
	if (set != JOB_NONE) {
		job_rank_set(j, set, &n);
		if (!g->size || (size_t)g->size == n)
			return set;
	}
	if (g->is_default) {
		world = j->ranks[j->sorted[g->rank]].world;
		return world ? job_add_rank_range(j, 0, 1, world) : job_add_all_ranks(j);
	}
	return job_group_ranks(j, JOB_STRIDE, g->rank, map_key(&j->texts, g->name));
}

/* Returns the number of a group; adds it when it is new. */
static uint32_t put(struct process_groups *g, const struct process_group *group)
{
	const int64_t key[] = {(int64_t)group->kind, group->name, group->set, group->list, group->stream, group->from,
	    group->to, group->block};
	const size_t i = map_put(&g->keys, (struct str){(const char *)key, sizeof key});

	if (i == g->n) {
		g->list = mem_grow(g->list, &g->cap, i + 1, sizeof *g->list);
		g->list[g->n++] = *group;
	}
	return (uint32_t)i;
}

/* The groups that the metadata name, with their ranks, by the number of the named group. */
static struct process_group *find_named(struct job *j)
{
	const size_t n = j->named_groups.n;
	struct process_group *list = mem_alloc((n + 1) * sizeof *list);
	struct job_named_group named;
	size_t i, ranks;

	for (i = 0; i < n; i++) {
		named = job_named_group(j, (uint32_t)i);
		list[i] = (struct process_group){.kind = PROCESS_GROUP_COLLECTIVE,
		    .name = named.name,
		    .set = find_set(j, &named),
		    .list = JOB_NONE,
		    .stream = JOB_NONE,
		    .from = -1,
		    .to = -1,
		    .size = named.size};
		if (list[i].set == JOB_NONE) {
			list[i].list = named.list;
		} else {
			job_rank_set(j, list[i].set, &ranks);
			list[i].size = (int64_t)ranks;
		}
	}
	return list;
}

/* Returns the number of ranks of the job, or INT64_MAX if no trace contains it. */
static int64_t count_ranks(const struct job *j)
{
	int64_t world = 0, last = -1;
	size_t i;

	for (i = 0; i < j->n_ranks; i++) {
		world = j->ranks[i].world > world ? j->ranks[i].world : world;
		last = j->ranks[i].rank > last ? j->ranks[i].rank : last;
	}
	return !world ? INT64_MAX : last < world ? world : last + 1;
}

/* Returns the group of the kernels of a stream. The last block of a job may be smaller than the others. */
static uint32_t put_stream(
    struct process_groups *g, struct job *j, const struct job_kernel *k, int64_t block, int64_t ranks)
{
	struct process_group group = {
	    .kind = PROCESS_GROUP_STREAM, .name = JOB_NONE, .set = JOB_NONE, .list = JOB_NONE, .from = -1, .to = -1};
	struct str place = map_key(&j->places, k->place), dev;
	int64_t start;

	str_split(&place, '\n', &dev);
	group.stream = (uint32_t)map_put(&j->texts, place);
	if (block && !job_is_process(j->ranks[k->rank].rank)) {
		group.block = j->ranks[k->rank].rank / block;
		start = group.block * block;
		block = block < ranks - start ? block : ranks - start;
		group.set = job_add_rank_range(j, start, 1, block);
		group.size = group.set == JOB_NONE ? 0 : block;
	}
	return put(g, &group);
}

static uint32_t put_named(
    struct process_groups *g, const struct job *j, struct process_group group, const struct job_kernel *k)
{
	const struct job_description d = job_description(j, k->description);
	const int64_t own = j->ranks[k->rank].rank;

	if (operation_is_pair(d.operation)) {
		group.kind = d.peer < 0 || d.peer > INT32_MAX || job_is_process(own) ? PROCESS_GROUP_PEERLESS
										     : PROCESS_GROUP_PAIR;
		if (group.kind == PROCESS_GROUP_PAIR) {
			group.from = (int32_t)(d.operation == OPERATION_SEND ? own : d.peer);
			group.to = (int32_t)(d.operation == OPERATION_SEND ? d.peer : own);
			group.size = 2;
		}
	}
	return put(g, &group);
}

/* --- order --- */

struct groups_of_job {
	const struct process_groups *groups;
	const struct job *job;
};

static struct str text_of(const struct job *j, uint32_t text)
{
	return text == JOB_NONE ? (struct str){NULL, 0} : map_key(&j->texts, text);
}

static int compare_sets(const struct job *j, uint32_t a, uint32_t b)
{
	const int32_t *x, *y;
	size_t n, m, i;

	if (a == b || a == JOB_NONE || b == JOB_NONE)
		return int_compare(a == JOB_NONE, b == JOB_NONE);
	x = job_rank_set(j, a, &n);
	y = job_rank_set(j, b, &m);
	for (i = 0; i < n && i < m; i++) {
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	}
	return int_compare((int64_t)n, (int64_t)m);
}

static int compare_groups(const void *arg, size_t a, size_t b)
{
	const struct groups_of_job *of = arg;
	const struct process_group *x = &of->groups->list[a], *y = &of->groups->list[b];
	int c = int_compare(x->kind, y->kind);

	c = c ? c : compare_sets(of->job, x->set, y->set);
	c = c ? c : str_cmp(text_of(of->job, x->name), text_of(of->job, y->name));
	c = c ? c : str_cmp(text_of(of->job, x->list), text_of(of->job, y->list));
	c = c ? c : int_compare(x->from, y->from);
	c = c ? c : int_compare(x->to, y->to);
	c = c ? c : str_cmp(text_of(of->job, x->stream), text_of(of->job, y->stream));
	return c ? c : int_compare(x->block, y->block);
}

/* Sorts the groups, so that their order does not depend on the order of the input. */
static void sort_groups(struct process_groups *g, struct job *j)
{
	const struct groups_of_job of = {g, j};
	size_t *order = order_sort(g->n, compare_groups, &of), i;
	struct process_group *sorted = mem_alloc((g->n + 1) * sizeof *sorted);
	uint32_t *to = mem_alloc((g->n + 1) * sizeof *to);

	for (i = 0; i < g->n; i++) {
		sorted[i] = g->list[order[i]];
		to[order[i]] = (uint32_t)i;
	}
	for (i = 0; i < j->n; i++)
		j->kernels[i].group = to[j->kernels[i].group];
	free(g->list);
	free(order);
	free(to);
	g->list = sorted;
	g->cap = g->n + 1;
}

void process_groups_find(struct process_groups *g, struct job *j, int64_t block)
{
	struct process_group *named = find_named(j);
	const struct process_group nameless = {.kind = PROCESS_GROUP_NAMELESS,
	    .name = JOB_NONE,
	    .set = JOB_NONE,
	    .list = JOB_NONE,
	    .stream = JOB_NONE,
	    .from = -1,
	    .to = -1};
	const int64_t ranks = count_ranks(j);
	struct job_description d;
	size_t i;

	g->by_stream = j->n > 0;
	for (i = 0; i < j->n && g->by_stream; i++)
		g->by_stream = job_description(j, j->kernels[i].description).group == JOB_NONE;
	for (i = 0; i < j->n; i++) {
		d = job_description(j, j->kernels[i].description);
		j->kernels[i].group = d.group != JOB_NONE        ? put_named(g, j, named[d.group], &j->kernels[i])
				      : g->by_stream || d.custom ? put_stream(g, j, &j->kernels[i], block, ranks)
								 : put(g, &nameless);
	}
	free(named);
	sort_groups(g, j);
}

void process_groups_free(struct process_groups *g)
{
	free(g->list);
	map_free(&g->keys);
}
