#include "collective_match.h"

#include "base/order.h"

#include <stdlib.h>

const char *const collective_key_names[] = {"id", "seq", "order", "stream", "none"};
const char *const collective_why_names[] = {"", "no metadata", "no peer", "no order fits", "one rank"};

/* The kernels of a group. */
struct group_kernels {
	struct job *job;
	uint32_t *list; /* in the order of rank and ts */
	size_t n;
	enum collective_key key;
};

/* --- by number --- */

static enum collective_key find_key(const struct group_kernels *g, const struct process_group *group)
{
	uint8_t all = JOB_HAS_SEQ | JOB_HAS_COMMS;
	size_t i;

	if (group->kind == PROCESS_GROUP_STREAM)
		return COLLECTIVE_STREAM;
	if (group->kind == PROCESS_GROUP_PAIR)
		return COLLECTIVE_ORDER;
	for (i = 0; i < g->n; i++)
		all &= g->job->kernels[g->list[i]].flags;
	return all & JOB_HAS_COMMS ? COLLECTIVE_ID : all & JOB_HAS_SEQ ? COLLECTIVE_SEQ : COLLECTIVE_ORDER;
}

/* Compares the Seq or Comms Id of two kernels. Kernels with equal numbers are in one collective, or in several. */
static int compare_numbers(const struct group_kernels *g, size_t a, size_t b)
{
	const struct job_kernel *x = &g->job->kernels[g->list[a]], *y = &g->job->kernels[g->list[b]];

	if (g->key == COLLECTIVE_SEQ)
		return (x->seq > y->seq) - (x->seq < y->seq);
	if ((x->flags ^ y->flags) & JOB_COMMS_TEXT)
		return x->flags & JOB_COMMS_TEXT ? 1 : -1;
	return (x->comms > y->comms) - (x->comms < y->comms);
}

static int compare_numbered(const void *arg, size_t a, size_t b)
{
	const int c = compare_numbers(arg, a, b);

	return c ? c : (a > b) - (a < b);
}

/*
 * Kernels with equal numbers are one collective. If a rank has a number several times (coalesced operations share one),
 * its n-th kernel belongs to the n-th of several collectives.
 */
static void match_numbers(struct group_kernels *g)
{
	size_t *order = order_sort(g->n, compare_numbered, g), i;
	uint32_t first = 0, next = 0, rank = 0, nth = 0;
	struct job_kernel *k;

	for (i = 0; i < g->n; i++) {
		k = &g->job->kernels[g->list[order[i]]];
		if (i && compare_numbers(g, order[i - 1], order[i]) != 0) {
			first = next;
			nth = 0;
		} else {
			nth = i && k->rank == rank ? nth + 1 : 0;
		}
		rank = k->rank;
		k->key = first + nth;
		next = k->key >= next ? k->key + 1 : next;
	}
	free(order);
}

/* --- by order --- */

static bool is_next_lane(const struct group_kernels *g, bool pair, size_t a, size_t b)
{
	const struct job_kernel *x = &g->job->kernels[g->list[a]], *y = &g->job->kernels[g->list[b]];

	return x->rank != y->rank || (pair && job_description(g->job, x->description).operation !=
						  job_description(g->job, y->description).operation);
}

/* Moves the sends of a pair before its receives; a rank may send to itself. */
static void split_pair(struct group_kernels *g)
{
	uint32_t *list = mem_alloc(g->n * sizeof *list);
	size_t n = 0, i, pass;

	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < g->n; i++) {
			const struct job_kernel *k = &g->job->kernels[g->list[i]];

			if ((job_description(g->job, k->description).operation == OPERATION_SEND) == !pass)
				list[n++] = g->list[i];
		}
	}
	memcpy(g->list, list, n * sizeof *list);
	free(list);
}

static void match_order(struct group_kernels *g, struct order_match *order, bool pair)
{
	struct order_lane *lanes = NULL;
	size_t n = 0, cap = 0, i;

	if (pair)
		split_pair(g);
	for (i = 0; i < g->n; i++) {
		if (!i || is_next_lane(g, pair, i - 1, i)) {
			lanes = mem_grow(lanes, &cap, n + 1, sizeof *lanes);
			lanes[n++] =
			    (struct order_lane){.kernels = g->list + i, .rank = g->job->kernels[g->list[i]].rank};
		}
		lanes[n - 1].n++;
	}
	order_match_group(order, lanes, n, COLLECTIVE_NO_ORDER);
	free(lanes);
}

static int compare_launches(const void *arg, size_t a, size_t b)
{
	const struct job_kernel *x = (const struct job_kernel *)arg + a, *y = (const struct job_kernel *)arg + b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->corr != y->corr)
		return x->corr < y->corr ? -1 : 1;
	return (a > b) - (a < b);
}

/*
 * Kernels of a CUDA graph have the correlation id of their launch. Sets `key` of each kernel of a stream to its number
 * among the kernels of its launch, and of all other kernels to 0.
 */
static void number_launches(struct job *j, const struct process_groups *groups)
{
	struct job_kernel *k, *last = NULL;
	size_t *order, i;

	for (i = 0; i < groups->n && groups->list[i].kind != PROCESS_GROUP_STREAM; i++)
		;
	if (i == groups->n)
		return;
	order = order_sort(j->n, compare_launches, j->kernels);
	for (i = 0; i < j->n; i++, last = k) {
		k = &j->kernels[order[i]];
		k->key = last && k->flags & JOB_HAS_CORR && last->rank == k->rank && last->corr == k->corr &&
				 last->flags & JOB_HAS_CORR
			     ? last->key + 1
			     : 0;
	}
	free(order);
	for (i = 0; i < j->n; i++) {
		if (groups->list[j->kernels[i].group].kind != PROCESS_GROUP_STREAM)
			j->kernels[i].key = 0;
	}
}

/* --- collectives --- */

static struct collective *add(struct collectives *c, uint32_t group, uint8_t key)
{
	c->list = mem_grow(c->list, &c->cap, c->n + 1, sizeof *c->list);
	c->list[c->n] = (struct collective){.first = (uint32_t)c->n_members, .group = group, .key = key};
	return &c->list[c->n++];
}

/* Orders kernels that are alone by their ts, and the others by their keys. */
static int compare_keys(const void *arg, size_t a, size_t b)
{
	const struct group_kernels *g = arg;
	const struct job_kernel *x = &g->job->kernels[g->list[a]], *y = &g->job->kernels[g->list[b]];

	if (!x->why != !y->why)
		return x->why ? 1 : -1;
	if (x->key != y->key && !x->why)
		return x->key < y->key ? -1 : 1;
	return (a > b) - (a < b);
}

static void add_group(struct collectives *c, const struct group_kernels *g, uint32_t group)
{
	size_t *order = order_sort(g->n, compare_keys, g), i;
	struct collective *last = NULL;
	const struct job_kernel *k, *before = NULL;

	for (i = 0; i < g->n; i++, before = k) {
		k = &g->job->kernels[g->list[order[i]]];
		if (!before || k->why || before->why || k->key != before->key) {
			last = add(c, group, k->why ? COLLECTIVE_ALONE : (uint8_t)g->key);
			last->why = k->why;
			last->position = k->flags & JOB_HAS_SEQ && g->key <= COLLECTIVE_SEQ ? k->seq : k->key;
		}
		last->ambiguous |= (k->flags & JOB_AMBIGUOUS) != 0;
		last->untimed |= k->flags & JOB_NO_TS || job_is_process(g->job->ranks[k->rank].rank);
		last->n++;
		c->members[c->n_members++] = g->list[order[i]];
	}
	free(order);
}

static uint8_t find_why(const struct process_group *group, bool one_rank)
{
	return one_rank                                ? COLLECTIVE_ONE_RANK
	       : group->kind == PROCESS_GROUP_NAMELESS ? COLLECTIVE_NO_METADATA
	       : group->kind == PROCESS_GROUP_PEERLESS ? COLLECTIVE_NO_PEER
						       : COLLECTIVE_MATCHED;
}

/* Sorts the indexes of the kernels by group; sets starts[i] to the place of the first kernel of group i. */
static uint32_t *sort_by_group(const struct job *j, size_t n_groups, size_t **starts)
{
	uint32_t *list = mem_alloc((j->n + 1) * sizeof *list);
	size_t *at = mem_zero(n_groups + 2, sizeof *at), i;

	for (i = 0; i < j->n; i++)
		at[j->kernels[i].group + 2]++;
	for (i = 2; i < n_groups + 2; i++)
		at[i] += at[i - 1];
	for (i = 0; i < j->n; i++)
		list[at[j->kernels[i].group + 1]++] = (uint32_t)i;
	*starts = at;
	return list;
}

struct group_length {
	size_t longest; /* kernels of one rank */
	uint32_t group;
};

static int compare_lengths(const void *a, const void *b)
{
	const struct group_length *x = a, *y = b;

	return x->longest != y->longest ? (x->longest < y->longest) - (x->longest > y->longest)
					: (x->group > y->group) - (x->group < y->group);
}

/* The groups with the longest sequences are matched first, because they give the best estimate of the clocks. */
static struct group_length *sort_groups(const struct job *j, const uint32_t *list, const size_t *starts, size_t n)
{
	struct group_length *lengths = mem_alloc((n + 1) * sizeof *lengths);
	size_t g, i, run;

	for (g = 0; g < n; g++) {
		lengths[g] = (struct group_length){0, (uint32_t)g};
		for (i = starts[g], run = 0; i < starts[g + 1]; i++) {
			run = i > starts[g] && j->kernels[list[i]].rank == j->kernels[list[i - 1]].rank ? run + 1 : 1;
			lengths[g].longest = run > lengths[g].longest ? run : lengths[g].longest;
		}
	}
	qsort(lengths, n, sizeof *lengths, compare_lengths);
	return lengths;
}

void collectives_match(
    struct collectives *c, struct job *j, const struct process_groups *groups, struct order_match *order, bool one_rank)
{
	size_t *starts, i, m;
	uint32_t *list = sort_by_group(j, groups->n, &starts);
	struct group_length *lengths = sort_groups(j, list, starts, groups->n);
	const struct process_group *group;
	struct group_kernels g = {.job = j};
	uint8_t why;

	number_launches(j, groups);
	c->members = mem_alloc((j->n + 1) * sizeof *c->members);
	for (i = 0; i < groups->n; i++) {
		group = &groups->list[lengths[i].group];
		g.list = list + starts[lengths[i].group];
		g.n = starts[lengths[i].group + 1] - starts[lengths[i].group];
		g.key = find_key(&g, group);
		why = find_why(group, one_rank);
		for (m = 0; m < g.n && why; m++)
			j->kernels[g.list[m]].why = why;
		if (!why && g.key <= COLLECTIVE_SEQ)
			match_numbers(&g);
		else if (!why)
			match_order(&g, order, group->kind == PROCESS_GROUP_PAIR);
		add_group(c, &g, lengths[i].group);
	}
	free(lengths);
	free(list);
	free(starts);
}

void collectives_free(struct collectives *c)
{
	free(c->list);
	free(c->members);
}
