#include "idle_gaps.h"

#include "host_during_idle.h"
#include "json/write.h"

#include <stdlib.h>

struct idle_gaps_place {
	bool any;        /* a device record was added */
	int64_t end;     /* the latest end of all records */
	struct buf last; /* the name of the record that ends last, as JSON */
};

/* The beginning of the gaps of a rank. */
struct idle_gaps_rank {
	int64_t begin;
	bool begun, worked; /* worked: a device record was added */
};

struct idle_gaps {
	struct idle_gaps_options options;
	struct idle_counts counts;
	struct places devices;
	struct out *out;
	struct idle_gaps_place *places; /* indexed by device */
	size_t cap;
	struct places rank_ids;
	struct idle_gaps_rank *ranks; /* with options.begins: indexed by number in rank_ids */
	size_t ranks_cap;
	int64_t idle_from; /* with options.host: the earliest end of the last work of a place */
	struct buf attachments;
};

struct idle_gaps *idle_gaps_new(const struct idle_gaps_options *o, const struct places *devices, struct out *out)
{
	struct idle_gaps *g = mem_alloc(sizeof *g);

	*g = (struct idle_gaps){.options = *o, .devices = *devices, .idle_from = INT64_MAX, .out = out};
	g->rank_ids = (struct places){.members = {EVENT_RANK}, .n_members = 1};
	return g;
}

void idle_gaps_free(struct idle_gaps *g)
{
	size_t i;

	for (i = 0; i < g->devices.n; i++)
		buf_free(&g->places[i].last);
	mem_free(g->places, g->ranks);
	places_free(&g->rank_ids);
	places_free(&g->devices);
	buf_free(&g->attachments);
	free(g);
}

const struct idle_counts *idle_gaps_counts(const struct idle_gaps *g)
{
	return &g->counts;
}

/* --- writing --- */

/* An idle interval of a place, before the record `next`. */
struct gap {
	struct idle_gaps *g;
	size_t place;
	enum idle_cause cause;
	struct event *next;
	struct event_api launch; /* the call that launched `next`; set only if the gap is divided */
};

/* Writes a gap, or a part of it. */
static void write_gap(void *arg, const struct host_during_idle_part *part)
{
	const struct gap *gap = arg;
	struct buf *to = &gap->g->attachments;
	const struct str last = buf_str(&gap->g->places[gap->place].last), next = event_get(gap->next, EVENT_NAME);
	struct event e;

	event_clear(&e);
	event_set_ts(&e, part->from);
	event_set_dur(&e, int_sub(part->to, part->from));
	event_set_kind(&e, KIND_GAP);
	places_set(&gap->g->devices, gap->place, &e);
	event_set(&e, EVENT_PID, gap->launch.pid);
	event_set(&e, EVENT_TID, gap->launch.tid);
	json_write_text(to, "cause", str_of(idle_cause_name(gap->cause)));
	if (last.n)
		json_write_json(to, "prev", last);
	json_write_json(to, "next", next);
	json_write_json(to, "range", part->range);
	if (part->host.p)
		json_write_json(to, "host", part->host);
	else if (gap->g->options.names_host && gap->launch.tid.p)
		json_write_text(to, "host", STR("(no call)"));
	event_write_attached(gap->g->out, &e, to);
}

/* --- reading --- */

static struct idle_gaps_rank *add_rank(struct idle_gaps *g, struct event *e)
{
	const size_t rank = places_put_event(&g->rank_ids, e);

	g->ranks = mem_grow_zero(g->ranks, &g->ranks_cap, g->rank_ids.n, sizeof *g->ranks);
	return &g->ranks[rank];
}

void idle_gaps_begin(struct idle_gaps *g, struct event *e)
{
	struct idle_gaps_rank *r = add_rank(g, e);

	if (r->begun)
		return;
	r->begun = true;
	r->begin = e->ts;
	if (g->options.host && !r->worked && r->begin < g->idle_from)
		host_during_idle_forget(g->options.host, g->idle_from = r->begin);
}

/* Writes the idle time before e, which is added next to a place that is idle at the start of e. */
static void take_gap(struct idle_gaps *g, size_t place, const struct idle_gaps_rank *rank, struct event *e)
{
	const struct idle_gaps_place *p = &g->places[place];
	struct gap gap = {.g = g, .place = place, .next = e};
	int64_t since, from;

	if (rank ? !rank->begun || (!p->any && rank->worked) : !p->any)
		return;                        /* nothing has begun */
	since = p->any ? p->end : rank->begin; /* the beginning of the idle time */
	from = rank && rank->begin > since ? rank->begin : since;
	if (int_sub(e->ts, from) < g->options.min)
		return;
	gap.cause = idle_cause_find(e, since, g->options.wait, &g->counts);
	if (!g->options.host)
		write_gap(&gap, &(struct host_during_idle_part){.from = from, .to = e->ts});
	else if (gap.cause == IDLE_HOST && event_api_find(&gap.launch, e))
		host_during_idle_divide(g->options.host, e, &gap.launch, from, e->ts, write_gap, &gap);
}

/*
 * With the option `host`: forgets the records of the host that ended before all idle intervals which can still be
 * written. `was`: the end of the last work of the place before the current record, or INT64_MIN if there was none.
 */
static void forget_host(struct idle_gaps *g, int64_t was)
{
	size_t i;

	if (was <= g->idle_from) {
		g->idle_from = INT64_MAX;
		for (i = 0; i < g->devices.n; i++) {
			if (g->places[i].end < g->idle_from)
				g->idle_from = g->places[i].end;
		}
		for (i = 0; i < g->rank_ids.n; i++) {
			if (g->ranks[i].begun && !g->ranks[i].worked && g->ranks[i].begin < g->idle_from)
				g->idle_from = g->ranks[i].begin;
		}
	}
	host_during_idle_forget(g->options.host, g->idle_from);
}

void idle_gaps_add(struct idle_gaps *g, struct event *e)
{
	struct idle_gaps_rank *rank = g->options.begins ? add_rank(g, e) : NULL;
	const size_t place = places_put_event(&g->devices, e);
	const struct str name = event_get(e, EVENT_NAME);
	struct idle_gaps_place *p;
	int64_t was;

	g->places = mem_grow_zero(g->places, &g->cap, g->devices.n, sizeof *g->places);
	p = &g->places[place];
	if (!p->any || p->end <= e->ts)
		take_gap(g, place, rank, e);
	if (rank)
		rank->worked = true;
	was = p->any ? p->end : INT64_MIN;
	if (!p->any || event_end(e) >= p->end) {
		p->any = true;
		p->end = event_end(e);
		buf_set(&p->last, name);
	}
	if (g->options.host)
		forget_host(g, was);
}
