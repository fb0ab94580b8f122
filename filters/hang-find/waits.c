#include "waits.h"

#include "base/num_parse.h"
#include "base/order.h"

#include <stdlib.h>

/* --- groups --- */

/*
 * Returns the last number of a group to which a member came, or DUMPS_UNKNOWN. Without the numbers of pg_status,
 * only the open entries of its dump show how far it came.
 */
static int64_t last_enqueued(const struct dump_group *g, const struct dump_member *m)
{
	return g->counts ? m->enqueued : m->open_last;
}

bool waits_misses(const struct dump_group *g, const struct dump_member *m, int64_t number)
{
	return m->dump != DUMPS_NONE && last_enqueued(g, m) < number;
}

bool waits_stopped(const struct dump_group *g, const struct dump_member *m)
{
	return m->dump != DUMPS_NONE && g->counts && m->completed < g->done;
}

bool waits_behind(const struct dump_group *g, const struct dump_member *m)
{
	return g->first != DUMPS_UNKNOWN && waits_misses(g, m, g->first);
}

/* Finds out whether the numbers of pg_status count the collectives of a group: sends and receives change them too. */
static void find_counts(struct dump_group *g)
{
	const struct dump_member *m;
	size_t i;

	/*
	 * pg_status counts a send or receive as well, but an entry of a collective has the number of collectives only.
	 * If the last open number is not the last one of pg_status, the two are different numberings.
	 */
	g->counts = true;
	for (i = 0; i < g->n; i++) {
		m = &g->members[i];
		if (m->open_pairs || (m->dump != DUMPS_NONE && m->enqueued == DUMPS_UNKNOWN) ||
		    (m->open && m->open_last != m->enqueued))
			g->counts = false;
	}
	g->done = DUMPS_UNKNOWN;
	g->least = g->absent < g->n ? INT64_MAX : DUMPS_UNKNOWN;
	for (i = 0; i < g->n; i++) {
		m = &g->members[i];
		if (g->counts && m->dump != DUMPS_NONE && m->completed > g->done)
			g->done = m->completed;
		/* DUMPS_UNKNOWN is less than all numbers. */
		if (m->dump != DUMPS_NONE && last_enqueued(g, m) < g->least)
			g->least = last_enqueued(g, m);
	}
}

/* Finds the first number of each group that somebody misses. */
static void find_first(struct dumps *d)
{
	const struct dump_entry *o;
	struct dump_group *g;
	size_t i;

	for (i = 0; i < d->n_groups; i++) {
		find_counts(&d->groups[i]);
		d->groups[i].first = DUMPS_UNKNOWN;
	}
	for (i = 0; i < d->n_open; i++) {
		o = &d->open[i];
		g = &d->groups[o->group];
		/*
		 * All members came to the collectives up to `least`: these are slow, or wait for a member without a
		 * dump.
		 */
		if (o->pair || o->number <= g->least)
			continue;
		if (g->first == DUMPS_UNKNOWN || o->number < g->first) {
			g->first = o->number;
			g->first_ts = o->ts;
		} else if (o->number == g->first && o->ts < g->first_ts) {
			g->first_ts = o->ts;
		}
	}
}

const struct dump_entry *waits_first_entry(const struct dumps *d, uint32_t dump, uint32_t group)
{
	const struct dump *one = &d->list[dump];
	const struct dump_entry *o;
	size_t i;

	for (i = 0; i < one->open; i++) {
		o = &d->open[one->first_open + i];
		if (o->group == group && !o->pair && o->number == d->groups[group].first)
			return o;
	}
	return NULL;
}

static void list_groups(struct waits *w, const struct dumps *d)
{
	const struct dump_group *g;
	struct rank_wait *rank;
	size_t i, k, n = 0;

	/*
	 * The lists of all ranks are slices of one array: the groups of each rank are counted, the slices are laid out,
	 * and then filled in the order of the names of groups.
	 */
	for (i = 0; i < d->n_groups; i++) {
		for (k = 0; k < d->groups[i].n; k++) {
			if (d->groups[i].members[k].dump != DUMPS_NONE)
				w->ranks[d->groups[i].members[k].dump].n_groups++;
		}
	}
	for (i = 0; i < d->n; i++) {
		w->ranks[i].first_group = n;
		n += w->ranks[i].n_groups;
		w->ranks[i].n_groups = 0;
	}
	w->groups = mem_zero(n + 1, sizeof *w->groups);
	for (i = 0; i < d->n_groups; i++) {
		g = &d->groups[w->order[i]];
		for (k = 0; k < g->n; k++) {
			if (g->members[k].dump == DUMPS_NONE)
				continue;
			rank = &w->ranks[g->members[k].dump];
			w->groups[rank->first_group + rank->n_groups++] = (uint32_t)w->order[i];
		}
	}
}

/* Orders groups by name: integers by value, before other names. */
static int compare_groups(const void *arg, size_t a, size_t b)
{
	const struct dump_group *groups = arg, *x = &groups[a], *y = &groups[b];
	int64_t i, k;
	const bool x_is = num_int(x->name, &i) == NUM_OK, y_is = num_int(y->name, &k) == NUM_OK;

	if (x_is != y_is)
		return x_is ? -1 : 1;
	if (x_is && i != k)
		return i < k ? -1 : 1;
	return str_eq(x->name, y->name) ? order_int64s(x->ranks, y->ranks) : str_cmp(x->name, y->name);
}

/* --- waiting --- */

/* Whether no dump says that a collective was completed. */
static bool is_nowhere_completed(const struct dump_group *g, int64_t number)
{
	return g->completed < number && g->done < number;
}

static void find_wait(struct rank_wait *rank, const struct dumps *d, const struct dump *dump)
{
	const struct dump_entry *o;
	const struct dump_group *g;
	size_t i;

	/*
	 * A stream runs collectives in the order of their entries, so a rank waits in the first one that another rank
	 * misses. An entry that only a member without a dump can miss is used only if there is no such collective.
	 */
	rank->entry = SIZE_MAX;
	for (i = dump->first_open; i < dump->first_open + dump->open; i++) {
		o = &d->open[i];
		g = &d->groups[o->group];
		if (o->pair)
			continue;
		if (o->number > g->least) {
			if (rank->entry == SIZE_MAX)
				rank->entry = i;
			return;
		}
		if (rank->entry == SIZE_MAX && g->absent && is_nowhere_completed(g, o->number)) {
			rank->entry = i;
			rank->absent = true;
		}
	}
}

/* Names the ranks that others wait for and that wait for nobody. */
static void find_named(struct waits *w, const struct dumps *d)
{
	const struct dump_entry *o;
	const struct dump_group *g;
	struct rank_wait *other;
	int64_t *visited =
	    mem_alloc((d->n_groups + 1) * sizeof *visited); /* by group: the last number that was visited */
	size_t i, k;

	for (i = 0; i < d->n_groups; i++)
		visited[i] = DUMPS_UNKNOWN;
	for (i = 0; i < d->n; i++) {
		if (w->ranks[i].entry == SIZE_MAX)
			continue;
		w->any_absent |= w->ranks[i].absent;
		o = &d->open[w->ranks[i].entry];
		g = &d->groups[o->group];
		/* All ranks that wait in one collective miss the same members, so each collective is visited once. */
		if (w->ranks[i].absent || visited[o->group] == o->number)
			continue;
		visited[o->group] = o->number;
		for (k = 0; k < g->n; k++) {
			if (!waits_misses(g, &g->members[k], o->number))
				continue;
			other = &w->ranks[g->members[k].dump];
			other->named = other->entry == SIZE_MAX;
			w->any_named |= other->named;
		}
	}
	free(visited);
}

/* --- roots --- */

/* The groups in which a rank misses a collective. `preceded`: a rank issued another group's first entry before its. */
struct missed_group {
	uint32_t group;
	bool preceded;
};

/* Marks the groups whose first entry comes after that of another candidate on a rank. */
static void mark_preceded(const struct dumps *d, struct missed_group *list, size_t n, uint32_t *number)
{
	const struct dump_entry *o;
	const struct dump_group *g;
	uint32_t first, place;
	size_t i, k, m;

	for (i = 0; i < n; i++)
		number[list[i].group] = (uint32_t)i;
	for (i = 0; i < n; i++) {
		g = &d->groups[list[i].group];
		for (m = 0; m < g->n; m++) {
			if (g->members[m].dump == DUMPS_NONE)
				continue;
			first = DUMPS_NONE;
			for (k = 0; k < d->list[g->members[m].dump].open; k++) {
				o = &d->open[d->list[g->members[m].dump].first_open + k];
				place = number[o->group];
				if (o->pair || place == DUMPS_NONE || o->number != d->groups[o->group].first)
					continue;
				if (first == DUMPS_NONE)
					first = place;
				else if (first != place)
					list[place].preceded = true;
			}
		}
	}
	for (i = 0; i < n; i++)
		number[list[i].group] = DUMPS_NONE;
}

/* Returns the earliest of the candidates that no other precedes, or of all if each is preceded. */
static uint32_t choose_root(const struct dumps *d, const struct missed_group *list, size_t n)
{
	const struct missed_group *best = NULL;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!best || (best->preceded && !list[i].preceded) ||
		    (best->preceded == list[i].preceded &&
			d->groups[list[i].group].first_ts < d->groups[best->group].first_ts))
			best = &list[i];
	}
	return best ? best->group : DUMPS_NONE;
}

/*
 * Lists the groups whose first missed collective a rank misses. If the entries of a full buffer were overwritten, there
 * may be no such group: then those in which it misses a later one.
 */
static size_t list_candidates(const struct waits *w, const struct dumps *d, size_t dump, struct missed_group *list)
{
	const struct rank_wait *rank = &w->ranks[dump];
	const struct dump_group *g;
	const struct dump_member *m;
	bool later = false;
	size_t k, n = 0;

	do {
		for (k = 0; k < rank->n_groups; k++) {
			g = &d->groups[w->groups[rank->first_group + k]];
			m = &g->members[dumps_member(g, d->list[dump].rank)];
			if (later ? waits_misses(g, m, g->open_last) : waits_behind(g, m))
				list[n++] = (struct missed_group){(uint32_t)(g - d->groups), false};
		}
		later = !later;
	} while (!n && later);
	return n;
}

/* Finds the group in which each named rank first missed a collective. Ranks often miss the same groups. */
static void find_roots(struct waits *w, struct dumps *d)
{
	struct missed_group *list = mem_zero(d->n_groups + 1, sizeof *list);
	uint32_t *number = mem_alloc((d->n_groups + 1) * sizeof *number), last = DUMPS_NONE;
	struct buf key = {0}, before = {0}, other;
	struct rank_wait *rank;
	size_t i, k, n;

	memset(number, 0xff, (d->n_groups + 1) * sizeof *number);
	for (i = 0; i < d->n; i++) {
		rank = &w->ranks[i];
		if (!rank->named)
			continue;
		n = list_candidates(w, d, i, list);
		key.n = 0;
		for (k = 0; k < n; k++)
			buf_add(&key, &list[k].group, sizeof list[k].group);
		if (last == DUMPS_NONE || !str_eq(buf_str(&key), buf_str(&before))) {
			mark_preceded(d, list, n, number);
			last = choose_root(d, list, n);
			other = key, key = before, before = other;
		}
		rank->root = last;
		if (last != DUMPS_NONE)
			d->groups[last].root = true;
	}
	bufs_free(&key, &before);
	mem_free(list, number);
}

/* --- circles and absent ranks --- */

/* Returns a rank, with a dump, for which a rank waits, or DUMPS_NONE. */
static uint32_t follow(const struct waits *w, const struct dumps *d, uint32_t dump)
{
	const struct rank_wait *rank = &w->ranks[dump];
	const struct dump_group *g;
	size_t k;

	if (rank->entry == SIZE_MAX || rank->absent)
		return DUMPS_NONE;
	g = &d->groups[d->open[rank->entry].group];
	for (k = 0; k < g->n; k++) {
		if (waits_misses(g, &g->members[k], d->open[rank->entry].number))
			return g->members[k].dump;
	}
	return DUMPS_NONE;
}

/* Finds ranks that wait for each other: following the waits leads back to a rank. */
static void find_circle(struct waits *w, const struct dumps *d)
{
	uint32_t *seen = mem_zero(d->n + 1, sizeof *seen), at, next, start;

	for (start = 0; start < d->n && !w->n_circle; start++) {
		/*
		 * Each walk leaves its own mark. A walk that meets the mark of an earlier one cannot find a circle,
		 * because that one did not. So each rank is visited once.
		 */
		for (at = start; at != DUMPS_NONE && !seen[at]; at = follow(w, d, at))
			seen[at] = start + 1;
		if (at == DUMPS_NONE || seen[at] != start + 1)
			continue;
		w->circle = mem_zero(d->n, sizeof *w->circle);
		next = at;
		do {
			w->circle[w->n_circle++] = d->list[next].rank;
			next = follow(w, d, next);
		} while (next != at);
	}
	free(seen);
}

/* Finds the members without a dump that all waits for such members have in common; without these, all of them. */
static void find_absent(struct waits *w, const struct dumps *d)
{
	struct map ranks = {0};
	uint64_t *counts = NULL, sets = 0;
	bool *visited = mem_zero(d->n_groups + 1, sizeof *visited), whole;
	const struct dump_group *g;
	size_t i, k, n, cap = 0;

	for (i = 0; i < d->n; i++) {
		if (w->ranks[i].entry == SIZE_MAX || !w->ranks[i].absent || visited[d->open[w->ranks[i].entry].group])
			continue;
		g = &d->groups[d->open[w->ranks[i].entry].group];
		visited[g - d->groups] = true;
		sets++;
		for (k = 0; k < g->n; k++) {
			if (g->members[k].dump != DUMPS_NONE)
				continue;
			n = map_put(&ranks, STR_BYTES(g->ranks[k]));
			counts = mem_grow_zero(counts, &cap, n + 1, sizeof *counts);
			counts[n]++;
		}
	}
	w->absent = mem_zero(ranks.n + 1, sizeof *w->absent);
	for (whole = true; !w->n_absent && ranks.n; whole = false) {
		for (i = 0; i < ranks.n; i++) {
			if (!whole || counts[i] == sets)
				memcpy(&w->absent[w->n_absent++], map_key(&ranks, i).p, sizeof *w->absent);
		}
	}
	qsort(w->absent, w->n_absent, sizeof *w->absent, order_int64s);
	map_free(&ranks);
	mem_free(counts, visited);
}

void waits_find(struct waits *w, struct dumps *d)
{
	size_t i;

	w->dumps = d;
	w->ranks = mem_zero(d->n + 1, sizeof *w->ranks);
	find_first(d);
	w->order = order_sort(d->n_groups, compare_groups, d->groups);
	list_groups(w, d);
	for (i = 0; i < d->n; i++)
		find_wait(&w->ranks[i], d, &d->list[i]);
	find_named(w, d);
	if (w->any_named)
		find_roots(w, d);
	else if (!w->any_absent)
		find_circle(w, d);
	if (w->any_absent)
		find_absent(w, d);
}

void waits_free(struct waits *w)
{
	mem_free(w->ranks, w->groups, w->order, w->circle, w->absent);
}
