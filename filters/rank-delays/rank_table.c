#include "rank_table.h"

#include "base/int_math.h"
#include "base/mem.h"
#include "base/num_format.h"
#include "base/order.h"
#include "base/select.h"
#include "json/string.h"
#include "json/value.h"

#include <math.h>
#include <stdlib.h>

const char *const rank_part_names[RANK_FIGURES] = {"compute_time", "comm_only", "memory_only", "other_only",
    "host_wait", "launched_wait", "unknown_wait", "after_work", "dur", "wait_sync", "wait_p2p"};

enum { NAMED = 8 }; /* a name lists at most this number of ranks */

/* --- reading --- */

static bool get_int(const struct event *e, const char *name, int64_t *v)
{
	return value_integer(iter_find(e->raw, str_of(name)), v);
}

static uint32_t put_rank(struct rank_table *t, int64_t rank)
{
	const size_t i = map_put(&t->numbers, STR_BYTES(rank));

	if (i == t->n) {
		t->ranks = mem_grow_zero(t->ranks, &t->ranks_cap, i + 1, sizeof *t->ranks);
		t->ranks[t->n++] = (struct rank_entry){.rank = rank, .host = RANK_NONE, .stage = RANK_NONE};
	}
	return (uint32_t)i;
}

static struct rank_set *add_set(struct rank_table *t, enum rank_set_kind kind)
{
	t->sets = mem_grow_zero(t->sets, &t->sets_cap, t->n_sets + 1, sizeof *t->sets);
	t->sets[t->n_sets] = (struct rank_set){.kind = kind, .group = RANK_NONE};
	return &t->sets[t->n_sets++];
}

/* Adds a rank to a set, unless it was the last one that was added. */
static void add_to_set(struct rank_set *s, int64_t rank)
{
	if (s->n && s->ranks[s->n - 1] == rank)
		return;
	s->ranks = mem_grow(s->ranks, &s->cap, s->n + 1, sizeof *s->ranks);
	s->ranks[s->n++] = rank;
}

/* Returns the key of a group's name and one of its ranks. */
static struct str name_key(struct rank_table *t, struct str name, int64_t rank)
{
	t->key.n = 0;
	buf_add(&t->key, &rank, sizeof rank);
	buf_add(&t->key, name.p, name.n);
	return buf_str(&t->key);
}

/* A group is known by its name and its list of ranks, which may be cut; its members are the ranks that have it. */
static void add_rank_group(struct rank_table *t, uint32_t rank, struct str name, struct str list, struct str desc)
{
	const size_t groups = t->groups.n;
	size_t i, at;

	t->key.n = 0;
	buf_add(&t->key, name.p, name.n);
	buf_char(&t->key, '\n');
	buf_add(&t->key, list.p, list.n);
	i = map_put(&t->groups, buf_str(&t->key));
	if (i == groups) {
		t->group_sets = mem_grow(t->group_sets, &t->groups_cap, i + 1, sizeof *t->group_sets);
		t->group_sets[i] = (uint32_t)t->n_sets;
		add_set(t, RANK_SET_GROUP);
	}
	if (json_is_string(desc) && desc.n > 2 && !str_eq(desc, STR("\"undefined\"")))
		t->sets[t->group_sets[i]].what = map_key(&t->texts, map_put(&t->texts, json_inner(desc)));
	add_to_set(&t->sets[t->group_sets[i]], t->ranks[rank].rank);
	at = map_put(&t->names, name_key(t, name, t->ranks[rank].rank));
	t->name_sets = mem_grow(t->name_sets, &t->names_cap, at + 1, sizeof *t->name_sets);
	t->name_sets[at] = t->group_sets[i];
}

static const char *add_window(struct rank_table *t, struct event *e, uint32_t rank, int64_t number)
{
	struct rank_window w = {.rank = rank, .number = number, .ts = e->ts};
	struct str host = iter_find(e->raw, STR("host"));
	size_t i;

	if (!event_has(e, EVENT_TS) || !event_has(e, EVENT_DUR))
		return "window without ts or dur";
	for (i = 0; i <= RANK_DUR; i++)
		get_int(e, rank_part_names[i], &w.figure[i]);
	if (host.p)
		t->ranks[rank].host = (uint32_t)map_put(&t->hosts, json_is_string(host) ? json_inner(host) : host);
	t->windows = mem_grow(t->windows, &t->windows_cap, t->n_windows + 1, sizeof *t->windows);
	t->windows[t->n_windows++] = w;
	return NULL;
}

/* Returns whether the record is about sends or receives without a peer. */
static bool is_message(const struct event *e)
{
	return str_in(
	    iter_find(e->raw, STR("op")), (const char *const[]){"\"send\"", "\"recv\"", "\"sendrecv\"", NULL});
}

static void add_link(struct rank_table *t, int64_t a, int64_t b)
{
	/* Ranks without a trace are entries as well, so that find_stages() finds both ends of each pair. */
	put_rank(t, a);
	put_rank(t, b);
	t->pairs = mem_grow(t->pairs, &t->pairs_cap, t->n_pairs + 1, sizeof *t->pairs);
	t->pairs[t->n_pairs++] = (struct rank_link){a, b};
}

/* Sends without a peer were made within a group: its ranks, as the text of a list, are a pipeline. */
static void add_pipeline(struct rank_table *t, struct str list)
{
	struct str text = json_is_string(list) ? json_inner(list) : list, item;
	int64_t rank, first = -1;

	text = str_from(text, 1); /* the bracket */
	while (str_split(&text, ',', &item)) {
		while (item.n && (item.p[0] == ' ' || item.p[item.n - 1] == ']'))
			item = item.p[0] == ' ' ? str_from(item, 1) : str_head(item, item.n - 1);
		if (!value_integer(item, &rank) || rank < 0 || rank > INT32_MAX)
			return;
		if (first >= 0)
			add_link(t, first, rank);
		first = first < 0 ? rank : first;
	}
}

const char *rank_table_add(struct rank_table *t, struct event *e)
{
	const struct str group = iter_find(e->raw, STR("group"));
	int64_t number, peer, world;
	uint32_t rank;

	if (get_int(e, "world", &world))
		t->world = world > t->world ? world : t->world;
	event_walk(e);
	if (!value_integer(event_get(e, EVENT_RANK), &number) || number < 0)
		return group.p || iter_find(e->raw, STR("step")).p ? "record without a rank" : NULL;
	rank = put_rank(t, number);
	if (get_int(e, "peer", &peer)) {
		add_link(t, number, peer);
	} else if (group.p && is_message(e)) {
		add_pipeline(t, iter_find(e->raw, STR("list")));
	} else if (group.p) {
		add_rank_group(t, rank, group, iter_find(e->raw, STR("list")), iter_find(e->raw, STR("desc")));
	} else if (get_int(e, "step", &peer)) {
		return add_window(t, e, rank, peer);
	}
	return NULL;
}

uint32_t rank_table_find(const struct rank_table *t, int64_t rank)
{
	const struct rank_entry *found = t->n ? bsearch(&rank, t->ranks, t->n, sizeof *found, order_int64s) : NULL;

	return found ? (uint32_t)(found - t->ranks) : RANK_NONE;
}

uint32_t rank_table_group(struct rank_table *t, struct str name, uint32_t rank, struct str list)
{
	const size_t at = map_find(&t->names, name_key(t, name, t->ranks[rank].rank));
	struct rank_set *s;
	struct str item;
	struct iter w;
	int64_t number;

	if (at == MAP_NONE)
		return RANK_NONE;
	s = &t->sets[t->name_sets[at]];
	if (s->whole || !iter_array(&w, list))
		return t->name_sets[at];
	/*
	 * The list of a collective is complete. The ranks so far are those with a trace that names the group, which can
	 * be fewer, so they are replaced.
	 */
	s->whole = true;
	s->n = 0;
	while (iter_element(&w, &item)) {
		if (!value_integer(item, &number) || number < 0 || number > INT32_MAX)
			continue;
		add_to_set(s, number);
	}
	return t->name_sets[at];
}

/* --- steps --- */

static int compare_windows(const void *a, const void *b)
{
	const struct rank_window *x = a, *y = b;
	const int c = int_compare(x->rank, y->rank);

	return c ? c : int_compare(x->number, y->number);
}

static int compare_entries(const void *arg, size_t a, size_t b)
{
	const struct rank_entry *list = arg;

	return int_compare(list[a].rank, list[b].rank);
}

/* Sorts the ranks, and gives their windows the new indexes. */
static void sort_ranks(struct rank_table *t)
{
	size_t *order = order_sort(t->n, compare_entries, t->ranks), i;
	struct rank_entry *sorted = mem_alloc((t->n + 1) * sizeof *sorted);
	uint32_t *to = mem_alloc((t->n + 1) * sizeof *to);

	for (i = 0; i < t->n; i++) {
		sorted[i] = t->ranks[order[i]];
		to[order[i]] = (uint32_t)i;
	}
	for (i = 0; i < t->n_windows; i++)
		t->windows[i].rank = to[t->windows[i].rank];
	mem_free(t->ranks, order, to);
	t->ranks = sorted;
	t->ranks_cap = t->n + 1;
}

/* Finds the numbers that all ranks with a trace have. A rank with several devices has the window of the first one. */
static void find_steps(struct rank_table *t)
{
	int64_t *numbers = mem_alloc((t->n_windows + 1) * sizeof *numbers);
	struct rank_window *w;
	size_t i, n = 0, run;

	if (t->n_windows)
		qsort(t->windows, t->n_windows, sizeof *t->windows, compare_windows);
	for (i = 0, w = t->windows; i < t->n_windows; i++) {
		if (n && w[n - 1].rank == w[i].rank && w[n - 1].number == w[i].number)
			continue;
		w[n] = w[i];
		numbers[n++] = w[i].number;
	}
	t->n_windows = n;
	for (i = 0; i < n; i++) {
		t->ranks[w[i].rank].first = t->ranks[w[i].rank].n ? t->ranks[w[i].rank].first : i;
		t->n_traces += t->ranks[w[i].rank].n++ == 0;
	}
	if (n)
		qsort(numbers, n, sizeof *numbers, order_int64s);
	for (i = 0; i < n; i += run) {
		for (run = 1; i + run < n && numbers[i + run] == numbers[i]; run++)
			;
		if (run == t->n_traces)
			numbers[t->n_steps++] = numbers[i];
	}
	t->steps = numbers;
	for (i = 0; i < n; i++) {
		const int64_t *found = bsearch(&w[i].number, t->steps, t->n_steps, sizeof *t->steps, order_int64s);

		w[i].step = found ? (uint32_t)(found - t->steps) : RANK_NONE;
		t->partial += !found;
	}
}

int64_t rank_table_mean(int64_t sum, size_t n)
{
	return n ? (int64_t)nearbyint((double)sum / (double)n) : 0;
}

void rank_table_find_means(struct rank_table *t)
{
	struct rank_entry *r;
	size_t i, k;
	int64_t sum = 0;

	for (r = t->ranks; r < t->ranks + t->n; r++) {
		for (k = 0; k < RANK_FIGURES; k++) {
			r->mean[k] = 0;
			for (i = r->first; i < r->first + r->n; i++)
				r->mean[k] =
				    int_add(r->mean[k], t->windows[i].step == RANK_NONE ? 0 : t->windows[i].figure[k]);
			sum = int_add(sum, k == RANK_DUR ? r->mean[k] : 0);
			r->computes = k == RANK_COMPUTE ? r->mean[k] : r->computes;
			r->mean[k] = rank_table_mean(r->mean[k], t->n_steps);
		}
	}
	t->step = rank_table_mean(sum, t->n_steps * t->n_traces);
}

struct rank_window *rank_table_window(const struct rank_table *t, uint32_t rank, int64_t ts)
{
	const struct rank_entry *r = &t->ranks[rank];
	struct order_range part = {r->first, r->first + r->n};
	struct rank_window *w;

	/* The windows of a rank are in the order of their numbers, which is the order of time. */
	while (part.low < part.high)
		order_halve(&part, t->windows[order_middle(&part)].ts <= ts);
	if (part.low == r->first)
		return NULL;
	w = &t->windows[part.low - 1];
	return ts - w->ts < w->figure[RANK_DUR] ? w : NULL;
}

const struct rank_window *rank_table_step(const struct rank_table *t, uint32_t rank, size_t step)
{
	const struct rank_entry *r = &t->ranks[rank];

	return r->n ? bsearch(&t->steps[step], t->windows + r->first, r->n, sizeof *t->windows, order_int64s) : NULL;
}

/* --- stages --- */

static size_t find_root(const uint32_t *parents, size_t i)
{
	while (parents[i] != i)
		i = parents[i];
	return i;
}

/*
 * Ranks that send to each other, directly or through others, are a pipeline. If all ranks are in pipelines of one
 * length, the i-th ranks of all pipelines are stage i.
 */
static void find_stages(struct rank_table *t)
{
	uint32_t *parents = mem_alloc((t->n + 1) * sizeof *parents), *place = mem_zero(t->n + 1, sizeof *place);
	size_t i, a, b, length = 0;
	bool equal = t->n_pairs > 0;

	for (i = 0; i < t->n; i++)
		parents[i] = (uint32_t)i;
	for (i = 0; i < t->n_pairs; i++) {
		a = find_root(parents, rank_table_find(t, t->pairs[i].a));
		b = find_root(parents, rank_table_find(t, t->pairs[i].b));
		/*
		 * The root of a pipeline is its lowest rank, so that below each root is numbered before its other
		 * ranks.
		 */
		parents[a > b ? a : b] = (uint32_t)(a > b ? b : a);
	}
	for (i = 0; i < t->n; i++)
		t->ranks[i].stage = place[find_root(parents, i)]++;
	length = t->n ? place[find_root(parents, 0)] : 0;
	for (i = 0; i < t->n; i++)
		equal &= place[find_root(parents, i)] == length;
	t->n_stages = equal && length > 1 && length < t->n ? length : 0;
	for (i = 0; i < t->n && !t->n_stages; i++)
		t->ranks[i].stage = RANK_NONE;
	mem_free(parents, place);
}

/* --- sets --- */

/* Returns the median computing, in all steps, of the ranks of a stage for which `in` is `is`, or -1. */
static int64_t median_compute(const struct rank_table *t, uint32_t stage, const bool *in, bool is)
{
	int64_t *list = mem_alloc((t->n + 1) * sizeof *list), median;
	size_t i, n = 0;

	for (i = 0; i < t->n; i++) {
		if (t->ranks[i].n && t->ranks[i].stage == stage && in[i] == is)
			list[n++] = t->ranks[i].computes;
	}
	median = n ? select_median(list, n) : -1;
	free(list);
	return median;
}

/* Returns what the ranks of a set compute longer than the others of their stage; of several stages the greatest. */
static int64_t find_excess(const struct rank_table *t, const struct rank_set *s)
{
	bool *in = mem_zero(t->n + 1, sizeof *in), any = false;
	int64_t own, others, most = 0;
	uint32_t stage, at;
	size_t i;

	for (i = 0; i < s->n; i++) {
		at = rank_table_find(t, s->ranks[i]);
		if (at != RANK_NONE)
			in[at] = true;
	}
	/* The stages of a pipeline do different work, so ranks are compared only with those of their stage. */
	for (stage = t->n_stages ? 0 : RANK_NONE; stage == RANK_NONE || stage < t->n_stages; stage++) {
		own = median_compute(t, stage, in, true);
		others = median_compute(t, stage, in, false);
		if (own >= 0 && others >= 0) {
			most = any && most > own - others ? most : own - others;
			any = true;
		}
		if (stage == RANK_NONE)
			break;
	}
	free(in);
	return rank_table_mean(most, t->n_steps);
}

/* By stage; in a stage, the ranks with a trace come first, by their computing. */
static int compare_computing(const void *arg, size_t a, size_t b)
{
	const struct rank_entry *list = arg, *x = &list[a], *y = &list[b];
	int c = int_compare(x->stage, y->stage);

	c = c ? c : (x->n == 0) - (y->n == 0);
	return c ? c : int_compare(x->computes, y->computes);
}

/* Returns the median computing of n > 0 ranks in this order, of which `skip` is left out if it is less than n. */
static int64_t median_without(const struct rank_table *t, const size_t *order, size_t n, size_t skip)
{
	const size_t m = skip < n ? n - 1 : n, low = (m - 1) / 2, high = m / 2;
	int64_t middle[2];

	middle[0] = t->ranks[order[low + (low >= skip)]].computes;
	middle[1] = t->ranks[order[high + (high >= skip)]].computes;
	return select_median(middle, 2);
}

/*
 * Sets the peers of each rank: the median computing of the other ranks of its stage. The ranks are sorted once, because
 * a job can have many thousands of them.
 */
static void find_peers(struct rank_table *t)
{
	size_t *order = order_sort(t->n, compare_computing, t->ranks), begin, end, traces, i;
	struct rank_entry *r;
	int64_t peers;

	for (begin = 0; begin < t->n; begin = end) {
		const uint32_t stage = t->ranks[order[begin]].stage;

		for (end = begin, traces = 0; end < t->n && t->ranks[order[end]].stage == stage; end++)
			traces += t->ranks[order[end]].n > 0;
		for (i = begin; i < end; i++) {
			r = &t->ranks[order[i]];
			peers = r->computes;
			if (traces > (r->n > 0)) /* another rank has a trace */
				peers = median_without(t, order + begin, traces, i - begin);
			r->peers = rank_table_mean(peers, t->n_steps);
			r->excess = rank_table_mean(r->computes - peers, t->n_steps);
		}
	}
	free(order);
}

/* The ranks that compute longer than their peers by at least 2 % of a step, and half of the largest such difference. */
static void add_excess_set(struct rank_table *t)
{
	struct rank_set *s = add_set(t, RANK_SET_EXCESS);
	int64_t most = 0, excess;
	size_t i, pass;

	/* The first pass finds the largest difference. */
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < t->n; i++) {
			excess = t->ranks[i].excess;
			if (!t->ranks[i].n || excess * 50 < t->step || excess <= 0)
				continue;
			most = excess > most ? excess : most;
			if (pass && excess * 2 >= most)
				add_to_set(s, t->ranks[i].rank);
		}
	}
}

static void add_place_sets(struct rank_table *t, enum rank_set_kind kind, size_t n)
{
	const size_t first = t->n_sets;
	uint32_t number;
	size_t i;

	for (i = 0; i < n; i++)
		add_set(t, kind)->number = (uint32_t)i;
	for (i = 0; i < t->n; i++) {
		number = kind == RANK_SET_HOST ? t->ranks[i].host : t->ranks[i].stage;
		if (number != RANK_NONE)
			add_to_set(&t->sets[first + number], t->ranks[i].rank);
	}
}

bool rank_set_equal(const struct rank_set *a, const struct rank_set *b)
{
	return a->n == b->n && (!a->n || memcmp(a->ranks, b->ranks, a->n * sizeof *a->ranks) == 0);
}

/* A set of one rank, of all ranks, or of the ranks of another set has no name of its own. */
static bool has_own_name(const struct rank_table *t, size_t i)
{
	const struct rank_set *s = &t->sets[i];
	size_t k;

	if (s->kind == RANK_SET_RANK)
		return t->ranks[i].n > 0;
	if (s->n < (s->kind == RANK_SET_EXCESS ? 1 : 2) || s->n >= t->n_traces)
		return false;
	for (k = 0; s->kind == RANK_SET_EXCESS && k < t->n_sets; k++) {
		if (k != i && rank_set_equal(s, &t->sets[k]))
			return false;
	}
	return true;
}

/* The sets of single ranks precede the others, so that rank i has set i. */
static void find_sets(struct rank_table *t)
{
	struct rank_set *groups = t->sets, *s;
	const size_t n_groups = t->n_sets;
	struct rank_entry *r;
	size_t i, k;

	t->sets = NULL;
	t->n_sets = t->sets_cap = 0;
	for (i = 0; i < t->n; i++)
		add_to_set(add_set(t, RANK_SET_RANK), t->ranks[i].rank);
	for (i = 0; i < n_groups; i++)
		*add_set(t, RANK_SET_GROUP) = groups[i];
	free(groups);
	for (i = 0; i < t->names.n; i++)
		t->name_sets[i] += (uint32_t)t->n;
	add_place_sets(t, RANK_SET_HOST, t->hosts.n);
	add_place_sets(t, RANK_SET_STAGE, t->n_stages);
	add_excess_set(t);
	for (i = 0, s = t->sets; i < t->n_sets; i++, s++)
		s->n = order_distinct(s->ranks, s->n, sizeof *s->ranks, order_int64s);
	for (i = 0, s = t->sets; i < t->n_sets; i++, s++) {
		s->applies = has_own_name(t, i);
		if (!s->applies)
			continue;
		s->excess = s->kind == RANK_SET_RANK ? t->ranks[i].excess : find_excess(t, s);
		for (k = 0; k < s->n; k++) {
			r = &t->ranks[rank_table_find(t, s->ranks[k])];
			r->sets = mem_grow(r->sets, &r->sets_cap, r->n_sets + 1, sizeof *r->sets);
			r->sets[r->n_sets++] = (uint32_t)i;
		}
	}
}

void rank_table_complete(struct rank_table *t)
{
	sort_ranks(t);
	find_steps(t);
	rank_table_find_means(t);
	find_stages(t);
	find_peers(t);
	find_sets(t);
}

/* --- names --- */

/* Appends the ranks of a set; of many, or of a host, the first and the last one. */
static void add_ranks(const struct rank_set *s, struct buf *to)
{
	const bool all = s->n <= NAMED && s->kind != RANK_SET_HOST;
	size_t i;

	for (i = 0; i < (all ? s->n : 1); i++) {
		if (i)
			buf_char(to, ' ');
		num_add_i64(to, s->ranks[i]);
	}
	if (all)
		return;
	buf_lit(to, " to ");
	num_add_i64(to, s->ranks[s->n - 1]);
}

void rank_set_name(const struct rank_table *t, const struct rank_set *s, struct buf *to)
{
	static const char *const words[] = {"rank", "ranks", "host", "stage", "ranks"};
	const struct str word = s->what.n ? s->what : str_of(words[s->kind]);
	struct str host;

	buf_add(to, word.p, word.n);
	buf_char(to, ' ');
	if (s->kind == RANK_SET_STAGE) {
		num_add_i64(to, s->number);
	} else if (s->kind == RANK_SET_HOST) {
		host = map_key(&t->hosts, s->number);
		buf_add(to, host.p, host.n);
		buf_lit(to, " (ranks ");
		add_ranks(s, to);
		buf_char(to, ')');
	} else {
		add_ranks(s, to);
	}
}

void rank_table_free(struct rank_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		free(t->ranks[i].sets);
	for (i = 0; i < t->n_sets; i++)
		free(t->sets[i].ranks);
	mem_free(t->ranks, t->windows, t->steps, t->sets, t->group_sets, t->name_sets, t->pairs);
	maps_free(&t->hosts, &t->numbers, &t->groups, &t->names, &t->texts);
	buf_free(&t->key);
}
