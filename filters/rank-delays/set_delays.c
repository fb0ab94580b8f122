#include "set_delays.h"

#include "base/int_math.h"
#include "json/iter_inline.h"
#include "json/string.h"
#include "json/value.h"

#include <stdlib.h>

/* A member kernel of the current collective. `wait`: from its start to that of the last member, for which it is 0. */
struct delay_member {
	uint32_t rank; /* index in the table */
	int64_t ts, dur, wait;
	struct str exposed; /* a view of the record; .p is NULL if the whole kernel is exposed */
};

/*
 * Operations that end on no rank before all ranks have started them, so that the last one delays all others. A
 * broadcast or a reduction to one rank can end earlier on some ranks.
 */
static const char *const synchronising[] = {
    "\"all_reduce\"", "\"all_gather\"", "\"reduce_scatter\"", "\"all_to_all\"", "\"all_to_allv\"", "\"barrier\"", NULL};

/* --- waiting --- */

/* Adds the part of the time from `from` to `to` that is in each window of the rank. */
static void add_wait(const struct rank_table *t, uint32_t rank, int64_t from, int64_t to, enum rank_part part)
{
	struct rank_window *w = rank_table_window(t, rank, from), *end;
	int64_t until;

	end = t->windows + t->ranks[rank].first + t->ranks[rank].n;
	for (; w && w < end && from < to; w++) {
		until = w->ts + w->figure[RANK_DUR];
		from = from > w->ts ? from : w->ts;
		if (from >= to || from >= until)
			continue;
		w->figure[part] += (to < until ? to : until) - from;
	}
}

/* A kernel waits from its start to that of the last member, except where it is hidden. */
static void add_waits(const struct rank_table *t, const struct delay_member *m, enum rank_part part)
{
	const int64_t end = int_add(m->ts, m->wait < m->dur ? m->wait : m->dur);
	struct str from, to;
	int64_t a, b;
	struct iter w;

	if (m->wait <= 0)
		return;
	if (!m->exposed.p) {
		add_wait(t, m->rank, m->ts, end, part);
		return;
	}
	if (!iter_array(&w, m->exposed))
		return;
	while (iter_element(&w, &from) && iter_element(&w, &to) && value_integer(from, &a) && value_integer(to, &b))
		add_wait(t, m->rank, m->ts + a, m->ts + b < end ? m->ts + b : end, part);
}

/* --- groups --- */

static struct str keep(struct set_delays *d, struct str text)
{
	return map_key(&d->texts, map_put(&d->texts, text));
}

/* Whether a group has ranks of several stages. Its list is checked, too: a member may have no kernel in this record. */
static bool crosses_stages(const struct rank_table *t, struct str ranks, const struct delay_member *m, size_t n)
{
	uint32_t stage = RANK_NONE, at;
	struct str item;
	int64_t rank;
	struct iter w;
	size_t i;

	for (i = 1; i < n; i++) {
		if (t->ranks[m[i].rank].stage != t->ranks[m[0].rank].stage)
			return true;
	}
	if (!n || !iter_array(&w, ranks))
		return false;
	stage = t->ranks[m[0].rank].stage;
	while (iter_element(&w, &item)) {
		at = value_integer(item, &rank) ? rank_table_find(t, rank) : RANK_NONE;
		if (at != RANK_NONE && t->ranks[at].stage != stage)
			return true;
	}
	return false;
}

/*
 * Returns the group of a record. A name alone is not enough: the groups of tensor parallelism on
 * different nodes can have the same name, and differ in their ranks.
 */
static uint32_t put_delay_group(struct set_delays *d, struct rank_table *t, const struct collective_record *c,
    const struct delay_member *m, size_t n)
{
	const struct str name = c->m[COLLECTIVE_GROUP], ranks = c->m[COLLECTIVE_RANKS];
	struct delay_group *g;
	size_t i;

	d->key.n = 0;
	buf_add(&d->key, name.p, name.n);
	buf_char(&d->key, '\n');
	buf_add(&d->key, ranks.p, ranks.n);
	i = map_put(&d->keys, buf_str(&d->key));
	if (i == d->n_groups) {
		d->groups = mem_grow(d->groups, &d->groups_cap, i + 1, sizeof *d->groups);
		g = &d->groups[d->n_groups++];
		*g = (struct delay_group){.set = RANK_NONE, .missing = -1};
		g->name = keep(d, json_is_string(name) ? json_inner(name) : name);
		if (name.p && n)
			g->set = rank_table_group(t, name, m[0].rank, ranks);
		g->crosses = t->n_stages && crosses_stages(t, ranks, m, n);
	}
	return (uint32_t)i;
}

/* Stores the operation of a group; it is empty when the group has several ones. */
static void note_operation(struct set_delays *d, struct delay_group *g, struct str name)
{
	const struct str op = json_is_string(name) ? json_inner(name) : name;

	if (!g->some_op)
		g->op = keep(d, op);
	else if (!str_eq(g->op, op))
		g->op.n = 0;
	g->some_op = true;
}

/* --- lateness --- */

static bool contains(const struct rank_table *t, uint32_t rank, uint32_t set)
{
	const struct rank_entry *r = &t->ranks[rank];
	size_t i;

	for (i = 0; i < r->n_sets; i++) {
		if (r->sets[i] == set)
			return true;
	}
	return false;
}

static struct set_delay *put_delay(struct set_delays *d, const struct rank_table *t, uint32_t set, uint32_t group)
{
	const uint32_t key[] = {set, group};
	const size_t i = map_put(&d->delays, STR_BYTES(key));

	if (i == d->n) {
		d->list = mem_grow_zero(d->list, &d->list_cap, i + 1, sizeof *d->list);
		/* One number for each step, and one more, so that a row is not empty without steps. */
		d->late = mem_grow_zero(d->late, &d->late_cap, (i + 1) * (t->n_steps + 1), sizeof *d->late);
		d->list[d->n++] = (struct set_delay){.set = set, .group = group};
	}
	return &d->list[i];
}

/*
 * The last member is in the set: adds the time since the last start of a member that is not. The
 * first member began last. Members of the set do not count, so that two slow ranks of a set do not
 * hide each other.
 */
static void add_late(struct set_delays *d, const struct rank_table *t, struct set_delay *delay, size_t n)
{
	const struct delay_member *m = d->members_list;
	const struct rank_window *w = rank_table_window(t, m[0].rank, m[0].ts);
	int64_t *late;
	size_t i;

	delay->last++;
	if (!w || w->step == RANK_NONE)
		return;
	for (i = 1; i < n && contains(t, m[i].rank, delay->set); i++)
		;
	if (i < n) {
		delay->sum = int_add(delay->sum, m[i].wait);
		late = &d->late[(size_t)(delay - d->list) * (t->n_steps + 1) + w->step];
		*late = int_add(*late, m[i].wait);
	}
}

static int compare_waits(const void *a, const void *b)
{
	const struct delay_member *x = a, *y = b;
	const int c = int_compare(x->wait, y->wait);

	return c ? c : int_compare(x->rank, y->rank);
}

/* Counts a collective for each set that has some of its members, but not all. The members are in descending order. */
static void add_lateness(struct set_delays *d, const struct rank_table *t, uint32_t group, size_t n)
{
	const struct rank_entry *r;
	struct set_delay *delay;
	size_t n_touched = 0, i, k;
	uint32_t set;

	if (!d->marks)
		d->marks = mem_zero(t->n_sets + 1, sizeof *d->marks);
	qsort(d->members_list, n, sizeof *d->members_list, compare_waits);
	for (i = 0; i < n; i++) {
		r = &t->ranks[d->members_list[i].rank];
		for (k = 0; k < r->n_sets; k++) {
			set = r->sets[k];
			/* Only marks with the number of this collective are valid: they need not be cleared. */
			if (d->marks[set].collective != d->collectives) {
				d->marks[set] = (struct delay_mark){.collective = d->collectives};
				d->touched = mem_grow(d->touched, &d->touched_cap, n_touched + 1, sizeof *d->touched);
				d->touched[n_touched++] = set;
			}
			d->marks[set].n++;
		}
	}
	for (i = 0; i < n_touched; i++) {
		set = d->touched[i];
		if (d->marks[set].n >= n)
			continue;
		delay = put_delay(d, t, set, group);
		delay->collectives++;
		if (contains(t, d->members_list[0].rank, set))
			add_late(d, t, delay, n);
	}
}

/* --- ranks without a trace --- */

static void add_to_class(struct delay_classes *c, struct str key, int64_t latency)
{
	const size_t i = map_put(&c->keys, key);

	c->list = mem_grow_zero(c->list, &c->cap, i + 1, sizeof *c->list);
	c->list[i].n++;
	c->list[i].latency = int_add(c->list[i].latency, latency);
}

/* The key of collectives that take equal times: operation, type, bytes, and number of ranks. */
static void set_class_key(struct set_delays *d, const struct collective_record *r)
{
	const struct str parts[] = {r->name, r->m[COLLECTIVE_DTYPE], r->m[COLLECTIVE_BYTES], r->m[COLLECTIVE_SIZE]};
	size_t i;

	d->key.n = 0;
	for (i = 0; i < sizeof parts / sizeof *parts; i++) {
		buf_add(&d->key, parts[i].p, parts[i].n);
		buf_char(&d->key, ' ');
	}
}

/*
 * A rank without a trace may have been late for a collective. Then all others wait, nobody is late, and the shortest
 * member is longer than in complete collectives of the same size.
 */
static void add_class(struct set_delays *d, const struct collective_record *r, uint32_t group)
{
	const struct str missing = r->m[COLLECTIVE_MISSING];
	struct str item;
	int64_t latency;
	struct iter w;

	if (!value_integer(r->m[COLLECTIVE_LATENCY], &latency))
		return;
	set_class_key(d, r);
	if (missing.p) {
		if (iter_array(&w, missing) && iter_element(&w, &item) &&
		    str_eq(iter_find(item, STR("why")), STR("\"lost\"")))
			value_integer(iter_find(item, STR("rank")), &d->groups[group].missing);
		buf_add(&d->key, &group, sizeof group);
	}
	add_to_class(missing.p ? &d->incomplete : &d->complete, buf_str(&d->key), latency);
}

/* --- records --- */

/* Reads the members; returns their number. A member of a rank without windows has no place in the table. */
static size_t read_delay_members(struct set_delays *d, const struct rank_table *t, struct str list)
{
	struct str item, key, value;
	struct delay_member m;
	struct iter w, v;
	int64_t rank;
	size_t n = 0;

	if (!iter_array(&w, list))
		return 0;
	while (iter_element(&w, &item)) {
		m = (struct delay_member){.rank = RANK_NONE};
		iter_init(&v, item);
		while (iter_quick(&v, &key, &value) > 0) {
			if (str_eq(key, STR("rank")) && value_integer(value, &rank))
				m.rank = rank_table_find(t, rank);
			else if (str_eq(key, STR("ts")))
				value_integer(value, &m.ts);
			else if (str_eq(key, STR("dur")))
				value_integer(value, &m.dur);
			else if (str_eq(key, STR("wait")))
				value_integer(value, &m.wait);
			else if (str_eq(key, STR("exposed")))
				m.exposed = value;
		}
		if (m.rank == RANK_NONE)
			continue;
		d->members_list = mem_grow(d->members_list, &d->members_cap, n + 1, sizeof *d->members_list);
		d->members_list[n++] = m;
	}
	return n;
}

void set_delays_add(struct set_delays *d, struct rank_table *t, struct event *e)
{
	struct collective_record r;
	int64_t dur = 0, wait = 0;
	bool pair, aligned;
	size_t n, i;
	uint32_t group;

	if (!str_eq(event_get(e, EVENT_KIND), STR("\"collective\"")))
		return;
	collective_record_read(&r, e);
	pair = str_eq(r.name, STR("\"sendrecv\""));
	aligned = str_eq(r.m[COLLECTIVE_ALIGNED], STR("true"));
	n = read_delay_members(d, t, r.m[COLLECTIVE_MEMBERS]);
	d->members += n;
	if (n < 2) {
		d->unmatched += str_eq(r.m[COLLECTIVE_MATCH], STR("\"none\"")) ? n : 0;
		return;
	}
	d->collectives++;
	for (i = 0; i < n; i++) {
		dur = int_add(dur, d->members_list[i].dur);
		wait = int_add(wait, d->members_list[i].wait);
	}
	collective_sums_add(&d->sums, t, &r, dur, wait);
	for (i = 0; i < n; i++)
		add_waits(t, &d->members_list[i], pair ? RANK_WAIT_P2P : RANK_WAIT_SYNC);
	if (!aligned)
		d->unaligned++;
	if (!str_in(r.name, synchronising))
		return;
	group = put_delay_group(d, t, &r, d->members_list, n);
	add_class(d, &r, group);
	/*
	 * In a group of several stages, the members start at different times because of the pipeline, and no rank is
	 * late.
	 */
	if (d->groups[group].crosses || !aligned)
		return;
	d->aligned++;
	note_operation(d, &d->groups[group], r.name);
	add_lateness(d, t, group, n);
}

/* --- the end --- */

int64_t set_delays_late(const struct set_delays *d, const struct rank_table *t, size_t set, size_t step)
{
	return d->late[set * (t->n_steps + 1) + step];
}

/* Sets late_wait of each group: how much longer its incomplete collectives took than complete ones. */
static void find_late_waits(struct set_delays *d)
{
	const struct delay_class *lacking, *complete;
	struct str key;
	uint32_t group;
	size_t i, at;

	for (i = 0; i < d->incomplete.keys.n; i++) {
		/* The key of incomplete collectives is that of the complete ones, and the number of the group. */
		key = map_key(&d->incomplete.keys, i);
		memcpy(&group, key.p + key.n - sizeof group, sizeof group);
		at = map_find(&d->complete.keys, str_head(key, key.n - sizeof group));
		if (at == MAP_NONE)
			continue;
		lacking = &d->incomplete.list[i];
		complete = &d->complete.list[at];
		d->groups[group].late_wait +=
		    lacking->latency - (int64_t)lacking->n * (complete->latency / (int64_t)complete->n);
	}
}

void set_delays_complete(struct set_delays *d, struct rank_table *t)
{
	const size_t width = t->n_steps + 1;
	int64_t *most = mem_zero((t->n_sets + 1) * width, sizeof *most), *sums = mem_zero(t->n_sets + 1, sizeof *sums);
	const struct set_delay *x;
	struct rank_set *s;
	int64_t *own;
	size_t i, k;

	for (i = 0, x = d->list; i < d->n; i++, x++) {
		s = &t->sets[x->set];
		/*
		 * The members of several groups can wait for a set at the same time, so the cost of a step is the
		 * largest sum of a group, not that of all groups.
		 */
		for (k = 0; k < t->n_steps; k++) {
			own = &most[x->set * width + k];
			*own = d->late[i * width + k] > *own ? d->late[i * width + k] : *own;
		}
		if (s->group == RANK_NONE || x->sum > sums[x->set]) {
			sums[x->set] = x->sum;
			s->group = x->group;
			s->collectives = x->collectives;
			s->last = x->last;
		}
	}
	for (i = 0; i < t->n_sets; i++) {
		for (k = 0; k < t->n_steps; k++)
			t->sets[i].cost += most[i * width + k];
		t->sets[i].cost = rank_table_mean(t->sets[i].cost, t->n_steps);
	}
	find_late_waits(d);
	rank_table_find_means(t);
	free(d->late);
	d->late = most; /* from now on by set and step */
	free(sums);
}

void set_delays_free(struct set_delays *d)
{
	collective_sums_free(&d->sums);
	maps_free(&d->keys, &d->texts, &d->delays, &d->complete.keys, &d->incomplete.keys);
	mem_free(
	    d->groups, d->list, d->late, d->complete.list, d->incomplete.list, d->members_list, d->touched, d->marks);
	buf_free(&d->key);
}
