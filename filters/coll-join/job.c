#include "job.h"

#include "base/int_math.h"
#include "base/order.h"

#include <stdlib.h>

void job_init(struct job *j)
{
	operation_names(&j->operations);
	j->last_rank = -1;
}

void job_free(struct job *j)
{
	map_free(&j->texts);
	map_free(&j->operations);
	map_free(&j->places);
	map_free(&j->rank_numbers);
	map_free(&j->processes);
	map_free(&j->descriptions);
	map_free(&j->named_groups);
	map_free(&j->pg_configs);
	map_free(&j->strides);
	rank_sets_free(&j->sets);
	buf_free(&j->key);
	free(j->ranks);
	free(j->kernels);
	free(j->pg_sets);
	free(j->stride_sets);
}

/* --- ranks --- */

uint32_t job_find_rank(const struct job *j, int64_t rank)
{
	const size_t i = map_find(&j->rank_numbers, (struct str){(const char *)&rank, sizeof rank});

	return i == MAP_NONE ? JOB_NONE : (uint32_t)i;
}

uint32_t job_rank(struct job *j, int64_t rank)
{
	size_t i;

	if (rank == j->last_rank)
		return j->last_index;
	i = map_put(&j->rank_numbers, (struct str){(const char *)&rank, sizeof rank});
	if (i == j->n_ranks) {
		j->ranks = mem_grow(j->ranks, &j->ranks_cap, i + 1, sizeof *j->ranks);
		j->ranks[j->n_ranks++] = (struct job_rank){.rank = rank, .file = JOB_NONE};
	}
	j->last_rank = rank;
	return j->last_index = (uint32_t)i;
}

/* --- descriptions and groups, stored once each --- */

uint32_t job_add_description(struct job *j, const struct job_description *d)
{
	return (uint32_t)map_put(&j->descriptions, (struct str){(const char *)d, sizeof *d});
}

uint32_t job_add_group(struct job *j, const struct job_named_group *g)
{
	return (uint32_t)map_put(&j->named_groups, (struct str){(const char *)g, sizeof *g});
}

struct job_description job_description(const struct job *j, uint32_t number)
{
	struct job_description d;

	memcpy(&d, map_key(&j->descriptions, number).p, sizeof d);
	return d;
}

struct job_named_group job_named_group(const struct job *j, uint32_t number)
{
	struct job_named_group g;

	memcpy(&g, map_key(&j->named_groups, number).p, sizeof g);
	return g;
}

size_t job_descriptions(const struct job *j)
{
	return j->descriptions.n;
}

size_t job_named_groups(const struct job *j)
{
	return j->named_groups.n;
}

/* --- ranks of groups --- */

static size_t put_name(struct job *j, struct map *map, uint32_t rank, struct str name)
{
	j->key.n = 0;
	buf_add(&j->key, &rank, sizeof rank);
	buf_add(&j->key, name.p, name.n);
	return map_put(map, (struct str){j->key.p, j->key.n});
}

void job_set_pg_config(struct job *j, uint32_t rank, struct str name, uint32_t set)
{
	const size_t i = put_name(j, &j->pg_configs, rank, name);

	j->pg_sets = mem_grow(j->pg_sets, &j->pg_cap, i + 1, sizeof *j->pg_sets);
	j->pg_sets[i] = set;
}

void job_set_stride(struct job *j, uint32_t rank, struct str name, uint32_t set)
{
	const size_t i = put_name(j, &j->strides, rank, name);

	j->stride_sets = mem_grow(j->stride_sets, &j->stride_cap, i + 1, sizeof *j->stride_sets);
	j->stride_sets[i] = set;
}

static uint32_t find_set(const struct map *map, const uint32_t *sets, uint32_t rank, struct str name)
{
	struct buf key = {0};
	size_t i;

	buf_add(&key, &rank, sizeof rank);
	buf_add(&key, name.p, name.n);
	i = map_find(map, (struct str){key.p, key.n});
	buf_free(&key);
	return i == MAP_NONE ? RANK_SETS_NONE : sets[i];
}

uint32_t job_pg_config(const struct job *j, uint32_t rank, struct str name)
{
	return find_set(&j->pg_configs, j->pg_sets, rank, name);
}

uint32_t job_stride(const struct job *j, uint32_t rank, struct str name)
{
	return find_set(&j->strides, j->stride_sets, rank, name);
}

/* --- kernels --- */

struct job_kernel *job_add_kernel(struct job *j)
{
	j->kernels = mem_grow(j->kernels, &j->cap, j->n + 1, sizeof *j->kernels);
	j->kernels[j->n] = (struct job_kernel){.number = (uint32_t)j->n};
	return &j->kernels[j->n++];
}

/* Equal means that the two are the same kernel. `number` decides which copy remains. */
static int compare_same(const struct job_kernel *a, const struct job_kernel *b)
{
	int c = int_compare(a->rank, b->rank);

	c = c ? c : int_compare(a->ts, b->ts);
	c = c ? c : int_compare(a->dur, b->dur);
	c = c ? c : int_compare(a->place, b->place);
	c = c ? c : (a->flags & JOB_HAS_CORR) - (b->flags & JOB_HAS_CORR);
	c = c ? c : int_compare(a->corr, b->corr);
	if (c || !(a->flags & b->flags & JOB_NO_TS))
		return c;
	/* Without a ts, the group, which is in the description, and the number in it identify a kernel. */
	c = int_compare(a->description, b->description);
	return c ? c : int_compare(a->seq, b->seq);
}

static int compare_kernels(const void *arg, size_t a, size_t b)
{
	const struct job_kernel *kernels = arg;
	const int c = compare_same(&kernels[a], &kernels[b]);

	return c ? c : int_compare(kernels[a].number, kernels[b].number);
}

/* Sorts indexes and then moves each kernel once, because a sort of the kernels would need a second array of kernels. */
static void sort_kernels(struct job_kernel *kernels, size_t n)
{
	struct job_kernel moved;
	size_t *from, i, to, next;

	for (i = 1; i < n && compare_kernels(kernels, i - 1, i) <= 0; i++)
		;
	if (i >= n)
		return;
	from = order_sort(n, compare_kernels, kernels);
	for (i = 0; i < n; i++) {
		if (from[i] == i)
			continue;
		moved = kernels[i];
		for (to = i; (next = from[to]) != i; to = next) {
			kernels[to] = kernels[next];
			from[to] = to;
		}
		kernels[to] = moved;
		from[to] = to;
	}
	free(from);
}

static int compare_ranks(const void *a, const void *b)
{
	return int_compare(((const struct job_rank *)a)->rank, ((const struct job_rank *)b)->rank);
}

/* Gives the processes the numbers in their order. The indexes in j->ranks do not change. */
static void sort_processes(struct job *j)
{
	int64_t *to = process_names_sort(&j->processes);
	struct map numbers = {0};
	size_t i;

	for (i = 0; i < j->n_ranks; i++) {
		struct job_rank *r = &j->ranks[i];

		if (process_names_is(r->rank))
			r->rank = process_names_moved(to, r->rank);
		map_put(&numbers, (struct str){(const char *)&r->rank, sizeof r->rank});
	}
	map_free(&j->rank_numbers);
	j->rank_numbers = numbers;
	free(to);
}

/* Sorts the ranks by number, and sets *to to their new indexes. */
static uint32_t *sort_ranks(struct job *j)
{
	uint32_t *to = mem_alloc((j->n_ranks + 1) * sizeof *to);
	struct map sorted = {0};
	size_t i;

	if (j->processes.n)
		sort_processes(j);
	if (j->n_ranks)
		qsort(j->ranks, j->n_ranks, sizeof *j->ranks, compare_ranks);
	for (i = 0; i < j->n_ranks; i++) {
		to[job_find_rank(j, j->ranks[i].rank)] = (uint32_t)i;
		map_put(&sorted, (struct str){(const char *)&j->ranks[i].rank, sizeof j->ranks[i].rank});
	}
	map_free(&j->rank_numbers);
	j->rank_numbers = sorted;
	j->last_rank = -1;
	return to;
}

/* Changes the indexes of ranks in the keys of a map; the numbers of its keys do not change. */
static void renumber(struct job *j, struct map *map, const uint32_t *to)
{
	struct map changed = {0};
	struct str key;
	uint32_t rank;
	size_t i;

	for (i = 0; i < map->n; i++) {
		key = map_key(map, i);
		memcpy(&rank, key.p, sizeof rank);
		put_name(j, &changed, to[rank], str_from(key, sizeof rank));
	}
	map_free(map);
	*map = changed;
}

static void renumber_groups(struct job *j, const uint32_t *to)
{
	struct map changed = {0};
	struct job_named_group g;
	size_t i;

	for (i = 0; i < j->named_groups.n; i++) {
		g = job_named_group(j, (uint32_t)i);
		if (g.rank != JOB_NONE)
			g.rank = to[g.rank];
		map_put(&changed, (struct str){(const char *)&g, sizeof g});
	}
	map_free(&j->named_groups);
	j->named_groups = changed;
}

void job_sort(struct job *j)
{
	uint32_t *to = sort_ranks(j);
	size_t i, n = 0, n_doubles = 0;
	struct job_kernel *doubles = NULL;
	size_t doubles_cap = 0;

	renumber(j, &j->pg_configs, to);
	renumber(j, &j->strides, to);
	renumber_groups(j, to);
	for (i = 0; i < j->n; i++)
		j->kernels[i].rank = to[j->kernels[i].rank];
	free(to);
	sort_kernels(j->kernels, j->n);
	for (i = 0; i < j->n; i++) {
		if (n && compare_same(&j->kernels[n - 1], &j->kernels[i]) == 0) {
			doubles = mem_grow(doubles, &doubles_cap, n_doubles + 1, sizeof *doubles);
			doubles[n_doubles] = j->kernels[i];
			doubles[n_doubles++].flags |= JOB_DOUBLE;
		} else {
			j->kernels[n++] = j->kernels[i];
		}
	}
	if (n_doubles)
		memcpy(j->kernels + n, doubles, n_doubles * sizeof *doubles);
	free(doubles);
	j->doubles = n_doubles;
	j->n = n;
	for (i = 0; i < n; i++)
		j->ranks[j->kernels[i].rank].kernels++;
}
