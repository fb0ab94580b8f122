#include "collective_match.h"

#include "base/int_math.h"
#include "base/num_format.h"
#include "base/order.h"
#include "coll_operation.h"
#include "order_match.h"

#include <stdlib.h>

const char *const collective_key_names[] = {"id", "seq", "order", "stream", "none"};
const char *const collective_why_names[] = {"", "no metadata", "no peer", "no order fits", "one rank"};

static const struct process_group nameless = {.kind = PROCESS_GROUP_NAMELESS,
    .name = JOB_NONE,
    .text = JOB_NONE,
    .set = JOB_NONE,
    .list = JOB_NONE,
    .stream = JOB_NONE,
    .pair = {-1, -1}};

/* --- groups --- */

/* Returns whether a group without a list of ranks is that of all ranks. */
static bool is_default(const struct job *j, const struct job_named_group *g)
{
	return g->list != JOB_NONE && g->text != JOB_NONE && str_eq(map_key(&j->texts, g->list), STR("[]")) &&
	       str_eq(map_key(&j->texts, g->text), STR("default_pg"));
}

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
	if (is_default(j, g)) {
		world = j->ranks[j->sorted[g->rank]].world;
		return world ? job_add_rank_range(j, 0, 1, world) : job_add_all_ranks(j);
	}
	return job_group_ranks(j, JOB_STRIDE, g->rank, map_key(&j->texts, g->name));
}

/* Returns the index of a group; adds it when it is new. */
static uint32_t add_group(struct collectives *c, const struct process_group *g)
{
	const int64_t key[] = {(int64_t)g->kind, g->name, g->set, g->list, g->stream, g->pair[0], g->pair[1], g->block};
	const size_t i = map_put(&c->group_keys, STR_BYTES(key));

	if (i == c->n_groups) {
		c->groups = mem_grow(c->groups, &c->groups_cap, i + 1, sizeof *c->groups);
		c->groups[c->n_groups++] = *g;
	}
	if (c->groups[i].text == JOB_NONE)
		c->groups[i].text = g->text;
	return (uint32_t)i;
}

/* Returns the groups that the metadata name, with their ranks, by the number of the named group. */
static struct process_group *find_named(struct job *j)
{
	struct process_group *list = mem_alloc((j->named_groups.n + 1) * sizeof *list), *g;
	struct job_named_group named;
	size_t i, ranks;

	for (i = 0, g = list; i < j->named_groups.n; i++, g++) {
		memcpy(&named, map_key(&j->named_groups, i).p, sizeof named);
		*g = nameless;
		g->kind = PROCESS_GROUP_COLLECTIVE;
		g->name = named.name;
		g->text = named.text;
		g->set = find_set(j, &named);
		g->list = g->set == JOB_NONE ? named.list : JOB_NONE;
		g->size = named.size;
		if (g->set != JOB_NONE) {
			job_rank_set(j, g->set, &ranks);
			g->size = (int64_t)ranks;
		}
	}
	return list;
}

/* Returns the group of the kernels of a stream. The last block of a job may be smaller than the others. */
static uint32_t add_stream(struct collectives *c, const struct job_kernel *k, int64_t block, int64_t ranks)
{
	struct job *j = c->job;
	struct process_group group = nameless;
	struct str stream = map_key(&j->streams, k->stream), dev;
	int64_t start;

	group.kind = PROCESS_GROUP_STREAM;
	str_split(&stream, '\n', &dev);
	group.stream = (uint32_t)map_put(&j->texts, stream);
	if (block && !job_is_process(j->ranks[k->rank].rank)) {
		group.block = j->ranks[k->rank].rank / block;
		start = group.block * block;
		block = block < ranks - start ? block : ranks - start;
		group.set = job_add_rank_range(j, start, 1, block);
		group.size = group.set == JOB_NONE ? 0 : block;
	}
	return add_group(c, &group);
}

static uint32_t add_named(struct collectives *c, struct process_group group, const struct job_kernel *k)
{
	const struct job_description d = job_description(c->job, k->description);
	const int64_t own = c->job->ranks[k->rank].rank;

	if (coll_operation_is_pair(d.operation)) {
		group.kind = PROCESS_GROUP_PEERLESS;
		if (d.peer >= 0 && d.peer <= INT32_MAX && !job_is_process(own)) {
			group.kind = PROCESS_GROUP_PAIR;
			group.pair[0] = (int32_t)(d.operation == COLL_SEND ? own : d.peer);
			group.pair[1] = (int32_t)(d.operation == COLL_SEND ? d.peer : own);
			group.size = 2;
		}
	}
	return add_group(c, &group);
}

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
	const struct collectives *all = arg;
	const struct job *j = all->job;
	const struct process_group *x = &all->groups[a], *y = &all->groups[b];
	int c = int_compare(x->kind, y->kind);

	c = c ? c : compare_sets(j, x->set, y->set);
	c = c ? c : str_cmp(text_of(j, x->name), text_of(j, y->name));
	c = c ? c : str_cmp(text_of(j, x->list), text_of(j, y->list));
	c = c ? c : int_compare(x->pair[0], y->pair[0]);
	c = c ? c : int_compare(x->pair[1], y->pair[1]);
	c = c ? c : str_cmp(text_of(j, x->stream), text_of(j, y->stream));
	return c ? c : int_compare(x->block, y->block);
}

/* Sorts the groups, so that their order does not depend on the order of the input. */
static void sort_groups(struct collectives *c)
{
	size_t *order = order_sort(c->n_groups, compare_groups, c), i;
	struct process_group *sorted = mem_alloc((c->n_groups + 1) * sizeof *sorted);
	uint32_t *to = mem_alloc((c->n_groups + 1) * sizeof *to);

	for (i = 0; i < c->n_groups; i++) {
		sorted[i] = c->groups[order[i]];
		to[order[i]] = (uint32_t)i;
	}
	for (i = 0; i < c->job->n; i++)
		c->job->kernels[i].group = to[c->job->kernels[i].group];
	mem_free(c->groups, order, to);
	c->groups = sorted;
	c->groups_cap = c->n_groups + 1;
}

static void find_groups(struct collectives *c, int64_t block)
{
	struct job *j = c->job;
	struct process_group *named = find_named(j);
	int64_t world = 0, last = -1, ranks; /* ranks: the number of ranks of the job, INT64_MAX if it is unknown */
	struct job_description d;
	size_t i;

	for (i = 0; i < j->n_ranks; i++) {
		world = j->ranks[i].world > world ? j->ranks[i].world : world;
		last = j->ranks[i].rank > last ? j->ranks[i].rank : last;
	}
	ranks = !world ? INT64_MAX : last < world ? world : last + 1;
	c->by_stream = j->n > 0;
	for (i = 0; i < j->n && c->by_stream; i++)
		c->by_stream = job_description(j, j->kernels[i].description).group == JOB_NONE;
	for (i = 0; i < j->n; i++) {
		d = job_description(j, j->kernels[i].description);
		j->kernels[i].group = d.group != JOB_NONE        ? add_named(c, named[d.group], &j->kernels[i])
				      : c->by_stream || d.custom ? add_stream(c, &j->kernels[i], block, ranks)
								 : add_group(c, &nameless);
	}
	free(named);
	sort_groups(c);
}

/* The kernels of a group. */
struct group_kernels {
	struct job *job;
	uint32_t *list;         /* in the order of rank and ts */
	size_t n, run, longest; /* numbers of kernels: of all, of the last rank, of the rank that has most */
	uint32_t group;
	enum collective_key key;
};

static struct job_kernel *kernel_of(const struct group_kernels *g, size_t i)
{
	return &g->job->kernels[g->list[i]];
}

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
		all &= kernel_of(g, i)->flags;
	return all & JOB_HAS_COMMS ? COLLECTIVE_ID : all & JOB_HAS_SEQ ? COLLECTIVE_SEQ : COLLECTIVE_ORDER;
}

/* Compares the Seq or Comms Id of two kernels. Kernels with equal numbers are in one collective, or in several. */
static int compare_numbers(const void *group, size_t a, size_t b)
{
	const struct group_kernels *g = group;
	const struct job_kernel *x = kernel_of(g, a), *y = kernel_of(g, b);

	if (g->key == COLLECTIVE_SEQ)
		return int_compare(x->seq, y->seq);
	if ((x->flags ^ y->flags) & JOB_COMMS_TEXT)
		return x->flags & JOB_COMMS_TEXT ? 1 : -1;
	return (x->comms > y->comms) - (x->comms < y->comms);
}

/*
 * Kernels with equal numbers are one collective. If a rank has a number several times (coalesced operations share one),
 * its n-th kernel belongs to the n-th of several collectives.
 */
static void match_numbers(struct group_kernels *g)
{
	size_t *order = order_sort(g->n, compare_numbers, g), i;
	uint32_t first = 0, next = 0, rank = 0, nth = 0;
	struct job_kernel *k;

	for (i = 0; i < g->n; i++) {
		k = kernel_of(g, order[i]);
		if (i && compare_numbers(g, order[i - 1], order[i]) != 0) {
			first = next;
			nth = 0;
		} else {
			nth = i && k->rank == rank ? nth + 1 : 0;
		}
		rank = k->rank;
		k->match = first + nth;
		next = k->match >= next ? k->match + 1 : next;
	}
	free(order);
}

/* --- by order --- */

struct item_list {
	struct order_item *list;
	size_t n, cap;
};

struct order_search {
	struct job *job;
	const struct rank_clock *clocks;
	bool trusted;
	uint32_t *fingerprints; /* by description */
	struct map fingerprint_numbers;
	/* Ranks whose clocks were compared form trees. By rank: its parent, and clock of the parent - own clock, ns */
	uint32_t *parents;
	int64_t *offsets;
	/*
	 * The collectives of the lanes of a group that were matched so far: one item for each, with ends on the clock
	 * of the first lane. They have numbers in the order in which the collectives were added: of the kernels of
	 * the first lane, their positions; of others, their positions without the sign bit.
	 */
	struct item_list items;
	struct item_list own, merged; /* the items of a lane, and room for the next `items` */
	struct order_pairs pairs;
};

/* The kernels of a rank in a group, in the order of ts. */
struct order_lane {
	const uint32_t *kernels; /* indexes in job.kernels */
	size_t n;
	uint32_t rank; /* index in job.ranks */
};

static uint32_t add_fingerprint(struct order_search *o, const int64_t *key, size_t size)
{
	return (uint32_t)map_put(&o->fingerprint_numbers, (struct str){(const char *)key, size});
}

static void init_order(struct order_search *o, struct job *j, const struct rank_clock *clocks, bool trusted)
{
	struct job_description d;
	bool sized;
	size_t i;

	*o = (struct order_search){.job = j, .clocks = clocks, .trusted = trusted};
	o->fingerprints = mem_alloc((j->descriptions.n + 1) * sizeof *o->fingerprints);
	for (i = 0; i < j->descriptions.n; i++) {
		/* Kernels of a collective have equal fingerprints. The ranks of all_to_allv have different sizes. */
		d = job_description(j, (uint32_t)i);
		d.operation = coll_operation_is_pair(d.operation) ? COLL_SENDRECV : d.operation;
		sized = d.operation != COLL_ALL_TO_ALLV;
		o->fingerprints[i] =
		    add_fingerprint(o, (int64_t[]){d.name, d.operation, d.dtype, sized ? d.in : -1, sized ? d.out : -1},
			5 * sizeof(int64_t));
	}
	o->parents = mem_alloc((j->n_ranks + 1) * sizeof *o->parents);
	o->offsets = mem_zero(j->n_ranks + 1, sizeof *o->offsets);
	for (i = 0; i < j->n_ranks; i++)
		o->parents[i] = (uint32_t)i;
}

static void free_order(struct order_search *o)
{
	mem_free(o->fingerprints, o->parents, o->offsets);
	map_free(&o->fingerprint_numbers);
}

/* Returns the root of a rank's tree; sets *offset to what must be added to its clock to get that of the root. */
static uint32_t find_root(const struct order_search *o, uint32_t rank, int64_t *offset)
{
	*offset = 0;
	while (o->parents[rank] != rank) {
		*offset = int_add(*offset, o->offsets[rank]);
		rank = o->parents[rank];
	}
	return rank;
}

static void add_item(struct item_list *l, struct order_item item)
{
	l->list = mem_grow(l->list, &l->cap, l->n + 1, sizeof *l->list);
	l->list[l->n++] = item;
}

static uint32_t item_match(const struct order_item *item)
{
	return (uint32_t)item->position & INT32_MAX;
}

static int compare_lanes(const void *a, const void *b)
{
	const struct order_lane *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Sets *items to the kernels of a lane. */
static void read_lane(struct order_search *o, const struct order_lane *lane, struct item_list *items)
{
	const struct job_kernel *k;
	uint32_t fingerprint;
	int64_t start;
	size_t i;

	items->n = 0;
	for (i = 0; i < lane->n; i++) {
		k = &o->job->kernels[lane->kernels[i]];
		start = rank_clock_time(&o->clocks[k->rank], k->ts);
		fingerprint = o->fingerprints[k->description];
		if (k->in_launch)
			fingerprint = add_fingerprint(o, (int64_t[]){fingerprint, k->in_launch}, 2 * sizeof(int64_t));
		add_item(
		    items, (struct order_item){.start = start,
			       .end = int_interval_end(start, k->dur),
			       .fingerprint = fingerprint & INT32_MAX,
			       .loose = !coll_operation_synchronises(job_description(o->job, k->description).operation),
			       .position = (int32_t)i});
	}
}

/*
 * Kernels that match none of the collectives so far are new collectives: other ranks may have them, too. Inserts them
 * by their ends.
 */
static void merge_lane(struct order_search *o, const struct order_lane *lane)
{
	const struct item_list old = o->items;
	const struct order_item *own = o->own.list;
	const uint32_t *to = o->pairs.to;
	struct item_list *merged = &o->merged;
	int64_t offset;
	size_t i, j, next = 0; /* next: the next item of the lane that matches */
	struct order_item item;

	merged->n = 0;
	for (j = 0; j < lane->n && to[j] == ORDER_UNMATCHED; j++)
		;
	/* The items before the first match have its difference of ends. */
	offset = j < lane->n ? int_sub(old.list[to[j]].end, own[j].end) : 0;
	for (i = j = 0; j < lane->n; j++) {
		if (to[j] != ORDER_UNMATCHED) {
			for (; i <= to[j]; i++)
				add_item(merged, old.list[i]);
			offset = int_sub(old.list[to[j]].end, own[j].end);
			continue;
		}
		for (next = next > j ? next : j; next < lane->n && to[next] == ORDER_UNMATCHED; next++)
			;
		item = own[j];
		item.start = int_add(item.start, offset);
		item.end = int_add(item.end, offset);
		/* The collective of a later kernel of the lane must remain later. */
		for (; i < (next < lane->n ? to[next] : old.n) && old.list[i].end <= item.end; i++)
			add_item(merged, old.list[i]);
		item.position = INT32_MIN + (int32_t)(old.n + merged->n - i);
		o->job->kernels[lane->kernels[j]].match = item_match(&item);
		add_item(merged, item);
	}
	for (; i < old.n; i++)
		add_item(merged, old.list[i]);
	o->items = *merged;
	o->merged = old;
}

/* Matches a lane with the collectives of the preceding lanes; returns false when it does not fit. */
static bool match_lane(struct order_search *o, const struct order_lane *lane, uint32_t reference)
{
	int64_t to, own;
	const uint32_t root = find_root(o, reference, &to), other = find_root(o, lane->rank, &own);
	const struct order_clock clock = {
	    .known = o->trusted || root == other, .offset = !o->trusted && root == other ? int_sub(own, to) : 0};
	struct job_kernel *k;
	size_t j, unmatched = 0;

	read_lane(o, lane, &o->own);
	if (!order_match_sequences(&o->pairs, o->items.list, o->items.n, o->own.list, lane->n, clock))
		return false;
	for (j = 0; j < lane->n; j++) {
		k = &o->job->kernels[lane->kernels[j]];
		k->shift = (int32_t)o->pairs.shift;
		k->flags |= o->pairs.ambiguous ? JOB_AMBIGUOUS : 0;
		if (o->pairs.to[j] == ORDER_UNMATCHED)
			unmatched++;
		else
			k->match = item_match(&o->items.list[o->pairs.to[j]]);
	}
	if (root != other) {
		o->parents[other] = root;
		o->offsets[other] = int_sub(int_add(o->pairs.offset, to), own);
	}
	if (unmatched)
		merge_lane(o, lane);
	return true;
}

static void refuse_lane(struct job *j, const struct order_lane *lane)
{
	size_t i;

	for (i = 0; i < lane->n; i++) {
		j->kernels[lane->kernels[i]].why = COLLECTIVE_NO_ORDER;
		j->kernels[lane->kernels[i]].match = 0;
	}
}

/*
 * Sets `match`, `shift` and `flags` of the kernels of a group: kernels with equal `match` are one collective, in the
 * order of the group. Sorts the lanes, and refuses those that do not fit.
 */
static void match_lanes(struct order_search *o, struct order_lane *lanes, size_t n)
{
	struct job_kernel *kernels = o->job->kernels;
	uint32_t *position, *match;
	size_t i, j, matched = 0;

	qsort(lanes, n, sizeof *lanes, compare_lanes);
	/* The first lane is the reference: its kernels are the first collectives. */
	read_lane(o, &lanes[0], &o->items);
	for (i = 0; i < lanes[0].n; i++) {
		kernels[lanes[0].kernels[i]].match = (uint32_t)i;
		kernels[lanes[0].kernels[i]].shift = 0;
	}
	for (i = 1; i < n; i++) {
		if (match_lane(o, &lanes[i], lanes[0].rank))
			matched++;
		else
			refuse_lane(o->job, &lanes[i]);
	}
	/* Change the numbers from the order in which the collectives were added to the order of the group. */
	position = mem_alloc((o->items.n + 1) * sizeof *position);
	for (i = 0; i < o->items.n; i++)
		position[item_match(&o->items.list[i])] = (uint32_t)i;
	for (i = 0; i < n; i++) {
		for (j = 0; j < lanes[i].n; j++) {
			match = &kernels[lanes[i].kernels[j]].match;
			*match = position[*match];
		}
	}
	if (n > 1 && !matched)
		refuse_lane(o->job, &lanes[0]);
	order_pairs_free(&o->pairs);
	mem_free(position, o->items.list, o->merged.list, o->own.list);
	o->items = o->merged = o->own = (struct item_list){.n = 0};
}

static bool is_send(const struct group_kernels *g, size_t i)
{
	return job_description(g->job, kernel_of(g, i)->description).operation == COLL_SEND;
}

static void match_order(struct group_kernels *g, struct order_search *order, bool pair)
{
	struct order_lane *lanes = NULL;
	const struct job_kernel *k, *last = NULL;
	bool send, last_send = false;
	uint32_t *list;
	size_t n = 0, cap = 0, i, pass;

	if (pair) { /* the sends first: a rank may send to itself */
		list = mem_alloc(g->n * sizeof *list);
		for (pass = 0; pass < 2; pass++) {
			for (i = 0; i < g->n; i++) {
				if (is_send(g, i) == !pass)
					list[n++] = g->list[i];
			}
		}
		memcpy(g->list, list, n * sizeof *list);
		free(list);
	}
	for (n = 0, i = 0; i < g->n; i++, last = k, last_send = send) {
		k = kernel_of(g, i);
		send = pair && is_send(g, i);
		if (!last || k->rank != last->rank || send != last_send) {
			lanes = mem_grow(lanes, &cap, n + 1, sizeof *lanes);
			lanes[n++] = (struct order_lane){.kernels = g->list + i, .rank = k->rank};
		}
		lanes[n - 1].n++;
	}
	match_lanes(order, lanes, n);
	free(lanes);
}

/* Orders kernels by rank and launch. Kernels without a correlation id precede those of the launch 0. */
static int compare_launches(const void *arg, size_t a, size_t b)
{
	const struct job_kernel *x = (const struct job_kernel *)arg + a, *y = (const struct job_kernel *)arg + b;
	int c = int_compare(x->rank, y->rank);

	c = c ? c : int_compare(x->flags & JOB_HAS_CORR, y->flags & JOB_HAS_CORR);
	return c ? c : int_compare(x->corr, y->corr);
}

/*
 * Kernels of a CUDA graph have the correlation id of their launch. Sets `in_launch` of each kernel of a stream to its
 * number among the kernels of its launch, and of all other kernels to 0.
 */
static void number_launches(struct collectives *c)
{
	struct job_kernel *k, *last = NULL;
	size_t *order = order_sort(c->job->n, compare_launches, c->job->kernels), i;
	uint32_t number = 0;

	for (i = 0; i < c->job->n; i++, last = k) {
		k = &c->job->kernels[order[i]];
		number = last && last->flags & k->flags & JOB_HAS_CORR && last->rank == k->rank && last->corr == k->corr
			     ? number + 1
			     : 0;
		k->in_launch = c->groups[k->group].kind == PROCESS_GROUP_STREAM ? number : 0;
	}
	free(order);
}

/* --- collectives --- */

/* Orders kernels that are alone by their ts, and the others by `match`. */
static int compare_matches(const void *arg, size_t a, size_t b)
{
	const struct group_kernels *g = arg;
	const struct job_kernel *x = kernel_of(g, a), *y = kernel_of(g, b);

	if (!x->why != !y->why)
		return x->why ? 1 : -1;
	return x->why ? 0 : int_compare(x->match, y->match);
}

static void add_collectives(struct collectives *c, const struct group_kernels *g)
{
	size_t *order = order_sort(g->n, compare_matches, g), i;
	struct collective *last = NULL;
	const struct job_kernel *k, *before = NULL;

	for (i = 0; i < g->n; i++, before = k) {
		k = kernel_of(g, order[i]);
		if (!before || k->why || before->why || k->match != before->match) {
			c->list = mem_grow(c->list, &c->cap, c->n + 1, sizeof *c->list);
			last = &c->list[c->n++];
			*last = (struct collective){.first = (uint32_t)c->n_members,
			    .group = g->group,
			    .key = k->why ? COLLECTIVE_ALONE : (uint8_t)g->key,
			    .why = k->why,
			    .position = k->flags & JOB_HAS_SEQ && g->key <= COLLECTIVE_SEQ ? k->seq : k->match};
		}
		last->ambiguous |= (k->flags & JOB_AMBIGUOUS) != 0;
		last->untimed |= k->flags & JOB_NO_TS || job_is_process(g->job->ranks[k->rank].rank);
		last->n++;
		c->members[c->n_members++] = g->list[order[i]];
	}
	free(order);
}

static int compare_lengths(const void *a, const void *b)
{
	const struct group_kernels *x = a, *y = b;

	return x->longest != y->longest ? (x->longest < y->longest ? 1 : -1) : int_compare(x->group, y->group);
}

/*
 * Lists the groups with their kernels, which are indexes in `room`. The groups with the longest sequences are matched
 * first, because they give the best estimate of the clocks.
 */
static struct group_kernels *list_groups(struct collectives *c, uint32_t *room)
{
	struct group_kernels *groups = mem_zero(c->n_groups + 1, sizeof *groups), *g;
	const struct job_kernel *kernels = c->job->kernels;
	size_t i;

	for (i = 0; i < c->job->n; i++)
		groups[kernels[i].group].n++;
	for (i = 0; i < c->n_groups; i++) {
		groups[i].job = c->job;
		groups[i].group = (uint32_t)i;
		groups[i].list = room;
		room += groups[i].n;
		groups[i].n = 0;
	}
	for (i = 0; i < c->job->n; i++) {
		g = &groups[kernels[i].group];
		g->run = g->n && kernels[g->list[g->n - 1]].rank == kernels[i].rank ? g->run + 1 : 1;
		g->longest = g->run > g->longest ? g->run : g->longest;
		g->list[g->n++] = (uint32_t)i;
	}
	qsort(groups, c->n_groups, sizeof *groups, compare_lengths);
	return groups;
}

void collectives_match(
    struct collectives *c, struct job *j, int64_t block, const struct rank_clock *clocks, bool trusted)
{
	const struct process_group *group;
	struct group_kernels *groups, *g;
	struct order_search order;
	uint32_t *room;
	size_t i;
	uint8_t why;

	c->job = j;
	find_groups(c, block);
	room = mem_alloc((j->n + 1) * sizeof *room);
	groups = list_groups(c, room);
	/* The groups are sorted by their kinds. */
	if (c->n_groups && c->groups[c->n_groups - 1].kind >= PROCESS_GROUP_STREAM)
		number_launches(c);
	init_order(&order, j, clocks, trusted);
	c->members = mem_alloc((j->n + 1) * sizeof *c->members);
	for (g = groups; c->n_groups && g < groups + c->n_groups; g++) {
		group = &c->groups[g->group];
		g->key = find_key(g, group);
		why = j->n_ranks == 1                         ? COLLECTIVE_ONE_RANK
		      : group->kind == PROCESS_GROUP_NAMELESS ? COLLECTIVE_NO_METADATA
		      : group->kind == PROCESS_GROUP_PEERLESS ? COLLECTIVE_NO_PEER
							      : COLLECTIVE_MATCHED;
		for (i = 0; i < g->n && why; i++)
			kernel_of(g, i)->why = why;
		if (!why && g->key <= COLLECTIVE_SEQ)
			match_numbers(g);
		else if (!why)
			match_order(g, &order, group->kind == PROCESS_GROUP_PAIR);
		add_collectives(c, g);
	}
	free_order(&order);
	mem_free(groups, room);
}

/* Returns the operation of a member, for comparisons. PyTorch names an all-to-all by its arguments on each rank. */
static uint32_t operation_of(const struct job *j, const struct job_kernel *k)
{
	const uint32_t operation = job_description(j, k->description).operation;

	return operation == COLL_ALL_TO_ALLV ? COLL_ALL_TO_ALL : operation;
}

/* Appends "all_reduce on rank 0". */
static void put_operation(struct buf *to, const struct job *j, const struct job_kernel *k)
{
	const struct str name = map_key(&j->operations, operation_of(j, k));

	buf_add(to, name.p, name.n);
	buf_lit(to, " on ");
	job_write_rank(j, j->ranks[k->rank].rank, to);
}

size_t collectives_mixed(const struct collectives *all, struct buf *first)
{
	const struct job_kernel *one, *other;
	const struct collective *c;
	size_t n = 0, i, k;

	for (i = 0; i < all->n; i++) {
		c = &all->list[i];
		if (c->key > COLLECTIVE_SEQ || all->groups[c->group].kind == PROCESS_GROUP_PAIR)
			continue;
		one = other = collective_member(all, c, 0);
		for (k = 1; k < c->n && operation_of(all->job, other) == operation_of(all->job, one); k++)
			other = collective_member(all, c, k);
		if (operation_of(all->job, other) == operation_of(all->job, one) || n++)
			continue;
		if (one->flags & JOB_HAS_SEQ) {
			buf_lit(first, "seq ");
			num_add_i64(first, one->seq);
			buf_lit(first, ": ");
		}
		put_operation(first, all->job, one);
		buf_lit(first, ", ");
		put_operation(first, all->job, other);
	}
	return n;
}

void collectives_free(struct collectives *c)
{
	mem_free(c->groups, c->list, c->members);
	map_free(&c->group_keys);
}
