#include "order_match.h"

#include "base/order.h"

#include <stdlib.h>

/* --- fingerprints --- */

static uint32_t put_fingerprint(struct group_order *o, const int64_t *key, size_t n)
{
	return (uint32_t)map_put(&o->fingerprint_numbers, (struct str){(const char *)key, n * sizeof *key});
}

/* Kernels of a collective have equal fingerprints. The sizes of all_to_allv differ from rank to rank. */
static uint32_t make_fingerprint(struct group_order *o, const struct job_description *d)
{
	const bool pair = operation_is_pair(d->operation), sized = d->operation != OPERATION_ALL_TO_ALLV;
	const int64_t key[] = {d->name, pair ? OPERATION_SENDRECV : (int64_t)d->operation, d->dtype, sized ? d->in : -1,
	    sized ? d->out : -1};

	return put_fingerprint(o, key, sizeof key / sizeof *key);
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
	size_t *order = order_sort(j->n, compare_launches, j->kernels), i;
	struct job_kernel *k, *last = NULL;

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

void group_order_init(struct group_order *o, const struct process_groups *groups)
{
	struct job *j = o->job;
	const size_t n = j->descriptions.n;
	struct job_description d;
	bool streams = false;
	size_t i;

	o->fingerprints = mem_alloc((n + 1) * sizeof *o->fingerprints);
	for (i = 0; i < n; i++) {
		d = job_description(j, (uint32_t)i);
		o->fingerprints[i] = make_fingerprint(o, &d);
	}
	for (i = 0; i < groups->n; i++)
		streams |= groups->list[i].kind == PROCESS_GROUP_STREAM;
	if (streams)
		number_launches(j, groups);
	o->parents = mem_alloc((j->n_ranks + 1) * sizeof *o->parents);
	o->offsets = mem_zero(j->n_ranks + 1, sizeof *o->offsets);
	for (i = 0; i < j->n_ranks; i++)
		o->parents[i] = (uint32_t)i;
}

void group_order_free(struct group_order *o)
{
	free(o->fingerprints);
	map_free(&o->fingerprint_numbers);
	free(o->parents);
	free(o->offsets);
}

/* --- differences of clocks --- */

/* Returns the root of a rank's tree; sets *offset to what must be added to its clock to get that of the root. */
static uint32_t find_root(const struct group_order *o, uint32_t rank, int64_t *offset)
{
	*offset = 0;
	while (o->parents[rank] != rank) {
		*offset = int_add(*offset, o->offsets[rank]);
		rank = o->parents[rank];
	}
	return rank;
}

/* Returns the offset from the clock of `own` to that of `to`, if earlier matches have compared the two. */
static struct sequence_match_clock find_clock(const struct group_order *o, uint32_t to, uint32_t own)
{
	int64_t a, b;
	const bool known = find_root(o, to, &a) == find_root(o, own, &b);

	return o->trusted ? (struct sequence_match_clock){true, 0}
			  : (struct sequence_match_clock){known, known ? int_sub(b, a) : 0};
}

/* Stores that the clock of `own` plus `offset` is that of `to`. */
static void join_clocks(struct group_order *o, uint32_t to, uint32_t own, int64_t offset)
{
	int64_t a, b;
	const uint32_t root = find_root(o, to, &a), other = find_root(o, own, &b);

	if (root == other)
		return;
	o->parents[other] = root;
	o->offsets[other] = int_sub(int_add(offset, a), b);
}

/* --- matching --- */

static int compare_lanes(const void *a, const void *b)
{
	const struct group_order_lane *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : (x->rank > y->rank) - (x->rank < y->rank);
}

static struct sequence_item make_item(struct group_order *o, const struct group_order_lane *lane, size_t i)
{
	const struct job_kernel *k = &o->job->kernels[lane->kernels[i]];
	const int64_t start = rank_clock_time(&o->clocks[k->rank], k->ts);
	const struct job_description d = job_description(o->job, k->description);
	const int64_t launch[] = {o->fingerprints[k->description], k->key};

	return (struct sequence_item){.start = start,
	    .end = int_interval_end(start, k->dur),
	    .fingerprint = (k->key ? put_fingerprint(o, launch, 2) : o->fingerprints[k->description]) & INT32_MAX,
	    .loose = !operation_synchronises(d.operation),
	    .place = -1};
}

/* The first lane is the reference: its kernels are the first collectives. */
static void begin_group(struct group_order *o, const struct group_order_lane *lane)
{
	struct job_kernel *k;
	size_t i;

	o->items = mem_grow(o->items, &o->items_cap, lane->n, sizeof *o->items);
	o->keys = mem_grow(o->keys, &o->keys_cap, lane->n, sizeof *o->keys);
	for (i = 0; i < lane->n; i++) {
		k = &o->job->kernels[lane->kernels[i]];
		o->items[i] = make_item(o, lane, i);
		o->items[i].place = (int32_t)i;
		k->key = o->keys[i] = (uint32_t)i;
		k->shift = 0;
	}
	o->n = lane->n;
}

static void add_merged(struct group_order *o, size_t *n, struct sequence_item item, uint32_t key)
{
	o->merged = mem_grow(o->merged, &o->merged_cap, *n + 1, sizeof *o->merged);
	o->merged_keys = mem_grow(o->merged_keys, &o->merged_keys_cap, *n + 1, sizeof *o->merged_keys);
	o->merged[*n] = item;
	o->merged_keys[(*n)++] = key;
}

static void swap_merged(struct group_order *o, size_t n)
{
	struct sequence_item *items = o->items;
	uint32_t *keys = o->keys;
	size_t cap = o->items_cap, keys_cap = o->keys_cap;

	o->items = o->merged;
	o->keys = o->merged_keys;
	o->items_cap = o->merged_cap;
	o->keys_cap = o->merged_keys_cap;
	o->merged = items;
	o->merged_keys = keys;
	o->merged_cap = cap;
	o->merged_keys_cap = keys_cap;
	o->n = n;
}

/* Returns the difference of the ends of the lane's first match, for the items that precede it; 0 without a match. */
static int64_t first_difference(const struct group_order *o, const struct group_order_lane *lane)
{
	const uint32_t *to = o->match.to;
	size_t j;

	for (j = 0; j < lane->n && to[j] == SEQUENCE_MATCH_NONE; j++)
		;
	return j < lane->n ? int_sub(o->items[to[j]].end, o->own[j].end) : 0;
}

/*
 * Kernels that match none of the collectives so far are new collectives: other ranks may have them, too. Inserts them
 * by their ends.
 */
static void merge_lane(struct group_order *o, const struct group_order_lane *lane)
{
	const uint32_t *to = o->match.to;
	int64_t offset = first_difference(o, lane);
	size_t i = 0, j, n = 0, later = 0; /* later: the next item of the lane that matches */
	uint32_t next = (uint32_t)o->n;
	struct sequence_item item;

	for (j = 0; j < lane->n; j++) {
		if (to[j] != SEQUENCE_MATCH_NONE) {
			for (; i <= to[j]; i++)
				add_merged(o, &n, o->items[i], o->keys[i]);
			offset = int_sub(o->items[to[j]].end, o->own[j].end);
			continue;
		}
		for (later = later > j ? later : j; later < lane->n && to[later] == SEQUENCE_MATCH_NONE; later++)
			;
		item = o->own[j];
		item.start = int_add(item.start, offset);
		item.end = int_add(item.end, offset);
		/* The collective of a later kernel of the lane must remain later. */
		for (; i < (later < lane->n ? to[later] : o->n) && o->items[i].end <= item.end; i++)
			add_merged(o, &n, o->items[i], o->keys[i]);
		o->job->kernels[lane->kernels[j]].key = next;
		add_merged(o, &n, item, next++);
	}
	for (; i < o->n; i++)
		add_merged(o, &n, o->items[i], o->keys[i]);
	swap_merged(o, n);
}

/* Matches a lane with the collectives of the lanes before it. */
static bool match_lane(struct group_order *o, const struct group_order_lane *lane, uint32_t reference)
{
	const struct sequence_match_clock clock = find_clock(o, reference, lane->rank);
	struct job_kernel *k;
	size_t j, unmatched = 0;

	o->own = mem_grow(o->own, &o->own_cap, lane->n, sizeof *o->own);
	for (j = 0; j < lane->n; j++)
		o->own[j] = make_item(o, lane, j);
	if (!sequence_match_find(&o->match, o->items, o->n, o->own, lane->n, clock))
		return false;
	for (j = 0; j < lane->n; j++) {
		k = &o->job->kernels[lane->kernels[j]];
		k->shift = (int32_t)o->match.shift;
		k->flags |= o->match.ambiguous ? JOB_AMBIGUOUS : 0;
		if (o->match.to[j] == SEQUENCE_MATCH_NONE)
			unmatched++;
		else
			k->key = o->keys[o->match.to[j]];
	}
	join_clocks(o, reference, lane->rank, o->match.offset);
	if (unmatched)
		merge_lane(o, lane);
	return true;
}

/* Changes the keys from the order in which they were added to the order of the group. */
static void order_keys(struct group_order *o, const struct group_order_lane *lanes, size_t n)
{
	uint32_t *place = mem_alloc((o->n + 1) * sizeof *place);
	struct job_kernel *k;
	size_t i, j;

	for (i = 0; i < o->n; i++)
		place[o->keys[i]] = (uint32_t)i;
	for (i = 0; i < n; i++) {
		for (j = 0; j < lanes[i].n; j++) {
			k = &o->job->kernels[lanes[i].kernels[j]];
			k->key = place[k->key];
		}
	}
	free(place);
}

static void refuse(struct group_order *o, const struct group_order_lane *lane, uint8_t why)
{
	size_t j;

	for (j = 0; j < lane->n; j++) {
		o->job->kernels[lane->kernels[j]].why = why;
		o->job->kernels[lane->kernels[j]].key = 0;
	}
}

/* Frees the memory of a group, which may be as large as that of its kernels. */
static void end_group(struct group_order *o)
{
	sequence_match_free(&o->match);
	free(o->items);
	free(o->merged);
	free(o->own);
	free(o->keys);
	free(o->merged_keys);
	o->items = o->merged = o->own = NULL;
	o->keys = o->merged_keys = NULL;
	o->n = o->items_cap = o->merged_cap = o->own_cap = o->keys_cap = o->merged_keys_cap = 0;
}

void group_order_match(struct group_order *o, struct group_order_lane *lanes, size_t n, uint8_t refused)
{
	size_t i, matched = 0;

	qsort(lanes, n, sizeof *lanes, compare_lanes);
	begin_group(o, &lanes[0]);
	for (i = 1; i < n; i++) {
		if (match_lane(o, &lanes[i], lanes[0].rank))
			matched++;
		else
			refuse(o, &lanes[i], refused);
	}
	order_keys(o, lanes, n);
	if (n > 1 && !matched)
		refuse(o, &lanes[0], refused);
	end_group(o);
}
