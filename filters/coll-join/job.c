#include "job.h"

#include "base/int_math.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "base/order.h"
#include "json/write.h"

#include <stdlib.h>

/* The number of the first process; the others follow. */
#define FIRST_PROCESS INT64_MIN

void job_init(struct job *j)
{
	coll_operation_names(&j->operations);
	j->last_rank = -1;
}

void job_free(struct job *j)
{
	maps_free(&j->texts, &j->operations, &j->streams, &j->descriptions, &j->named_groups, &j->rank_numbers,
	    &j->processes, &j->rank_sets, &j->group_ranks);
	bufs_free(&j->key, &j->set_ranks);
	mem_free(j->ranks, j->kernels, j->sorted, j->group_ranks_value);
}

/* --- ranks and processes --- */

bool job_has_rank(const struct job *j, int64_t rank)
{
	return map_find(&j->rank_numbers, STR_BYTES(rank)) != MAP_NONE;
}

uint32_t job_rank(struct job *j, int64_t rank)
{
	size_t i;

	if (rank == j->last_rank)
		return j->last_index;
	i = map_put(&j->rank_numbers, STR_BYTES(rank));
	if (i == j->n_ranks) {
		j->ranks = mem_grow(j->ranks, &j->ranks_cap, i + 1, sizeof *j->ranks);
		j->ranks[j->n_ranks++] = (struct job_rank){.rank = rank, .file = JOB_NONE};
	}
	j->last_rank = rank;
	return j->last_index = (uint32_t)i;
}

int64_t job_add_process(struct job *j, struct str host, int64_t pid)
{
	j->key.n = 0;
	buf_add(&j->key, &pid, sizeof pid);
	buf_add(&j->key, host.p, host.n);
	return FIRST_PROCESS + (int64_t)map_put(&j->processes, (struct str){j->key.p, j->key.n});
}

struct str job_process(const struct job *j, int64_t process, int64_t *pid)
{
	const struct str key = map_key(&j->processes, (size_t)(process - FIRST_PROCESS));

	memcpy(pid, key.p, sizeof *pid);
	return str_from(key, sizeof *pid);
}

void job_write_rank(const struct job *j, int64_t rank, struct buf *to)
{
	int64_t number = rank;
	struct str host;

	if (job_is_process(rank)) {
		host = job_process(j, rank, &number);
		buf_add(to, host.p, host.n);
		buf_char(to, ':');
	} else {
		buf_lit(to, "rank ");
	}
	num_add_i64(to, number);
}

/* --- sets of ranks --- */

static void add_set_rank(struct job *j, int64_t rank)
{
	const int32_t value = (int32_t)rank;

	buf_add(&j->set_ranks, &value, sizeof value);
}

static int compare_set_ranks(const void *a, const void *b)
{
	return int_compare(*(const int32_t *)a, *(const int32_t *)b);
}

/* Returns the set of the ranks that were added; JOB_NONE if no rank was added. */
static uint32_t add_rank_set(struct job *j)
{
	const size_t size = sizeof(int32_t);
	const size_t n = order_distinct(j->set_ranks.p, j->set_ranks.n / size, size, compare_set_ranks);

	return n ? (uint32_t)map_put(&j->rank_sets, (struct str){j->set_ranks.p, n * size}) : JOB_NONE;
}

uint32_t job_add_rank_list(struct job *j, struct str list)
{
	struct str item;
	int64_t rank;

	j->set_ranks.n = 0;
	list = str_trim(list);
	if (list.n < 2 || list.p[0] != '[' || list.p[list.n - 1] != ']')
		return JOB_NONE;
	list = (struct str){list.p + 1, list.n - 2};
	while (str_split(&list, ',', &item)) {
		if (num_int(str_trim(item), &rank) != NUM_OK || rank < 0 || rank > INT32_MAX)
			return JOB_NONE;
		add_set_rank(j, rank);
	}
	return add_rank_set(j);
}

uint32_t job_add_rank_range(struct job *j, int64_t start, int64_t stride, int64_t n)
{
	int64_t i;

	if (n < 1 || n > JOB_RANK_RANGE_MOST || stride < 1 || stride > INT32_MAX || start < 0 || start > INT32_MAX ||
	    start + stride * (n - 1) > INT32_MAX)
		return JOB_NONE;
	j->set_ranks.n = 0;
	for (i = 0; i < n; i++)
		add_set_rank(j, start + i * stride);
	return add_rank_set(j);
}

uint32_t job_add_all_ranks(struct job *j)
{
	size_t i;

	j->set_ranks.n = 0;
	for (i = 0; i < j->n_ranks; i++) {
		if (!job_is_process(j->ranks[i].rank))
			add_set_rank(j, j->ranks[i].rank);
	}
	return add_rank_set(j);
}

const int32_t *job_rank_set(const struct job *j, uint32_t set, size_t *n)
{
	const struct str ranks = map_key(&j->rank_sets, set);

	*n = ranks.n / sizeof(int32_t);
	return (const int32_t *)(const void *)ranks.p;
}

/* --- descriptions and groups --- */

uint32_t job_add_description(struct job *j, const struct job_description *d)
{
	return (uint32_t)map_put(&j->descriptions, STR_BYTES(*d));
}

struct job_description job_description(const struct job *j, uint32_t number)
{
	struct job_description d;

	memcpy(&d, map_key(&j->descriptions, number).p, sizeof d);
	return d;
}

static struct str group_ranks_key(struct job *j, enum job_source source, uint32_t rank, struct str name)
{
	j->key.n = 0;
	buf_char(&j->key, (char)source);
	buf_add(&j->key, &rank, sizeof rank);
	buf_add(&j->key, name.p, name.n);
	return (struct str){j->key.p, j->key.n};
}

void job_set_group_ranks(struct job *j, enum job_source source, uint32_t rank, struct str name, uint32_t set)
{
	const size_t i = map_put(&j->group_ranks, group_ranks_key(j, source, rank, name));

	j->group_ranks_value = mem_grow(j->group_ranks_value, &j->group_ranks_cap, i + 1, sizeof *j->group_ranks_value);
	j->group_ranks_value[i] = set;
}

uint32_t job_group_ranks(struct job *j, enum job_source source, uint32_t rank, struct str name)
{
	const size_t i = map_find(&j->group_ranks, group_ranks_key(j, source, rank, name));

	return i == MAP_NONE ? JOB_NONE : j->group_ranks_value[i];
}

/* --- kernels --- */

struct job_kernel *job_add_kernel(struct job *j)
{
	j->kernels = mem_grow(j->kernels, &j->cap, j->n + 1, sizeof *j->kernels);
	j->kernels[j->n] = (struct job_kernel){.number = (uint32_t)j->n};
	return &j->kernels[j->n++];
}

void job_write_kernel(const struct job *j, const struct job_kernel *k, struct buf *to)
{
	struct str stream = map_key(&j->streams, k->stream), dev;

	str_split(&stream, '\n', &dev);
	if (dev.n)
		json_write_json(to, "dev", dev);
	if (stream.n)
		json_write_json(to, "stream", stream);
	if (k->flags & JOB_HAS_CORR)
		json_write_int(to, "corr", k->corr);
	if (k->flags & JOB_HAS_EXPOSED)
		json_write_int(to, "exposed", k->exposed);
	else if (k->flags & JOB_EXPOSED_PIECES)
		json_write_json(to, "exposed", map_key(&j->texts, (size_t)k->exposed));
}

/* Returns 0 if the two are the same kernel. */
static int compare_same(const struct job_kernel *a, const struct job_kernel *b)
{
	int c = int_compare(a->rank, b->rank);

	c = c ? c : int_compare(a->ts, b->ts);
	c = c ? c : int_compare(a->dur, b->dur);
	c = c ? c : int_compare(a->stream, b->stream);
	c = c ? c : (a->flags & JOB_HAS_CORR) - (b->flags & JOB_HAS_CORR);
	c = c ? c : int_compare(a->corr, b->corr);
	if (c || !(a->flags & b->flags & JOB_NO_TS))
		return c;
	/* Without a ts, the group, which is in the description, and the number in it identify a kernel. */
	c = int_compare(a->description, b->description);
	return c ? c : int_compare(a->seq, b->seq);
}

/* Of kernels that are the same, the first one in the input remains. */
static int compare_kernels(const void *a, const void *b)
{
	const struct job_kernel *x = a, *y = b;
	const int c = compare_same(x, y);

	return c ? c : int_compare(x->number, y->number);
}

static int compare_ranks(const void *arg, size_t a, size_t b)
{
	const struct job *j = arg;
	const int64_t x = j->ranks[a].rank, y = j->ranks[b].rank;
	int64_t p, q;
	int c;

	if (!job_is_process(x) || !job_is_process(y))
		return int_compare(x, y);
	c = str_cmp(job_process(j, x, &p), job_process(j, y, &q));
	return c ? c : int_compare(p, q);
}

/* Sorts the ranks, sets j->sorted, and gives the processes numbers that do not depend on the order of the input. */
static void sort_ranks(struct job *j)
{
	size_t *order = order_sort(j->n_ranks, compare_ranks, j), i;
	struct job_rank *ranks = mem_alloc((j->n_ranks + 1) * sizeof *ranks);
	struct map numbers = {0}, processes = {0};
	struct str process;

	j->sorted = mem_alloc((j->n_ranks + 1) * sizeof *j->sorted);
	for (i = 0; i < j->n_ranks; i++) {
		ranks[i] = j->ranks[order[i]];
		if (job_is_process(ranks[i].rank)) {
			process = map_key(&j->processes, (size_t)(ranks[i].rank - FIRST_PROCESS));
			ranks[i].rank = FIRST_PROCESS + (int64_t)map_put(&processes, process);
		}
		map_put(&numbers, STR_BYTES(ranks[i].rank));
		j->sorted[order[i]] = (uint32_t)i;
	}
	maps_free(&j->rank_numbers, &j->processes);
	mem_free(j->ranks, order);
	j->rank_numbers = numbers;
	j->processes = processes;
	j->ranks = ranks;
}

void job_sort(struct job *j)
{
	size_t i, n = 0;

	sort_ranks(j);
	for (i = 0; i < j->n; i++)
		j->kernels[i].rank = j->sorted[j->kernels[i].rank];
	for (i = 1; i < j->n && compare_kernels(&j->kernels[i - 1], &j->kernels[i]) <= 0; i++)
		;
	if (i < j->n)
		qsort(j->kernels, j->n, sizeof *j->kernels, compare_kernels);
	for (i = 0; i < j->n; i++) {
		if (!n || compare_same(&j->kernels[n - 1], &j->kernels[i]) != 0)
			j->kernels[n++] = j->kernels[i];
	}
	j->doubles = j->n - n;
	j->n = n;
	for (i = 0; i < n; i++)
		j->ranks[j->kernels[i].rank].kernels++;
}
