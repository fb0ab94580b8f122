/* busy_time_gaps: the idle intervals of busy_time, their causes, and what the host did. */
#include "busy_time_private.h"

#include "json/write.h"

#include <stdlib.h>

/* An idle interval of a place, before the record `next`. */
struct gap {
	struct busy_time *b;
	size_t place;
	enum idle_cause cause;
	struct event *next;
	struct event_api launch; /* the call that launched `next`; set only if the gap is divided */
};

/* Writes a gap, or a part of it. */
static void write_gap(void *arg, const struct idle_host_part *part)
{
	const struct gap *gap = arg;
	struct busy_time *b = gap->b;
	const struct str last = json_write_str(&b->places[gap->place].last), next = event_get(gap->next, EVENT_NAME);
	struct event e;

	event_clear(&e);
	event_set_ts(&e, part->from);
	event_set_dur(&e, int_sub(part->to, part->from));
	event_set_kind(&e, KIND_GAP);
	places_set(&b->devices.groups, gap->place, &e);
	if (gap->launch.pid.p)
		event_set(&e, EVENT_PID, gap->launch.pid);
	if (gap->launch.tid.p)
		event_set(&e, EVENT_TID, gap->launch.tid);
	json_write_text(&b->more, "cause", str_of(idle_cause_name(gap->cause)));
	if (last.n)
		json_write_json(&b->more, "prev", last);
	if (next.p)
		json_write_json(&b->more, "next", next);
	if (part->range.p)
		json_write_json(&b->more, "range", part->range);
	if (part->host.p)
		json_write_json(&b->more, "host", part->host);
	busy_time_write(b, &e);
}

/* --- reading --- */

static struct busy_time_rank *add_rank(struct busy_time *b, struct event *e)
{
	const size_t rank = places_put_event(&b->rank_ids, e);

	if (rank == b->n_ranks) {
		b->ranks = mem_grow(b->ranks, &b->ranks_cap, rank + 1, sizeof *b->ranks);
		b->ranks[b->n_ranks++] = (struct busy_time_rank){0};
	}
	return &b->ranks[rank];
}

struct busy_time_rank *busy_time_find_rank(struct busy_time *b, struct event *e)
{
	return b->options.begins ? add_rank(b, e) : NULL;
}

/*
 * Returns whether a record of an idle place ends a gap that can be written. `rank`: the rank of the place, or NULL
 * without the option `begins`.
 */
static bool is_gap(const struct busy_time_place *p, const struct busy_time_rank *rank)
{
	return rank ? rank->begun && (p->sweep.any || !rank->worked) : p->sweep.any;
}

void busy_time_take_gap(struct busy_time *b, size_t place, const struct busy_time_rank *rank, struct event *e)
{
	struct busy_time_place *p = &b->places[place];
	struct gap gap = {.b = b, .place = place, .next = e};
	int64_t since, from, length;

	if (!is_gap(p, rank))
		return;
	since = p->sweep.any ? p->sweep.end : rank->begin; /* the beginning of the idle time */
	from = rank && rank->begin > since ? rank->begin : since;
	length = int_sub(e->ts, from);
	if (length < b->options.min && b->options.gaps)
		return;
	gap.cause = idle_cause_find(e, since, b->options.wait, &b->counts);
	p->waits[gap.cause] = int_add(p->waits[gap.cause], length);
	if (!b->options.host && b->options.gaps)
		write_gap(&gap, &(struct idle_host_part){.from = from, .to = e->ts});
	else if (b->options.host && gap.cause == IDLE_HOST && event_api_find(&gap.launch, e))
		idle_host_divide(b->options.host, e, &gap.launch, from, e->ts, write_gap, &gap);
}

void busy_time_forget_host(struct busy_time *b, int64_t was)
{
	size_t i;

	if (was <= b->idle_from) {
		b->idle_from = INT64_MAX;
		for (i = 0; i < b->n; i++) {
			if (b->places[i].sweep.end < b->idle_from)
				b->idle_from = b->places[i].sweep.end;
		}
		for (i = 0; i < b->n_ranks; i++) {
			if (b->ranks[i].begun && !b->ranks[i].worked && b->ranks[i].begin < b->idle_from)
				b->idle_from = b->ranks[i].begin;
		}
	}
	idle_host_forget(b->options.host, b->idle_from);
}

void busy_time_begin(struct busy_time *b, struct event *e)
{
	struct busy_time_rank *r = add_rank(b, e);

	if (r->begun)
		return;
	r->begun = true;
	r->begin = e->ts;
	if (b->options.host && !r->worked && r->begin < b->idle_from)
		idle_host_forget(b->options.host, b->idle_from = r->begin);
}
