#include "host_during_idle.h"

#include "base/err.h"
#include "host_log.h"
#include "record/places.h"

#include <stdlib.h>

/* A record that may still run, and a copy of its name. */
struct host_during_idle_running {
	int64_t start, end;
	struct buf name;
};

/* Records in the order of their starts; those with the same start, longest first. The innermost is the last one. */
struct host_during_idle_stack {
	struct host_during_idle_running *list;
	size_t n, cap;
	size_t most; /* when n reaches this number, records that have ended are removed */
};

enum { THREAD, PROCESS, STACKS };

struct host_during_idle {
	struct host_log *log;
	int64_t before;       /* the argument of the last host_during_idle_forget() */
	struct places scopes; /* threads (rank, pid, tid) and processes (rank, pid) */
	struct host_during_idle_stack stacks[STACKS];
};

struct host_during_idle *host_during_idle_new(size_t memory)
{
	struct host_during_idle *h = mem_alloc(sizeof *h);

	*h = (struct host_during_idle){.log = host_log_new(memory), .before = INT64_MAX};
	return h;
}

void host_during_idle_free(struct host_during_idle *h)
{
	size_t i, k;

	for (i = 0; i < STACKS; i++) {
		for (k = 0; k < h->stacks[i].cap; k++)
			buf_free(&h->stacks[i].list[k].name);
		free(h->stacks[i].list);
	}
	host_log_free(h->log);
	places_free(&h->scopes);
	free(h);
}

/* Returns the number of a thread (n = 3) or process (n = 2). */
static uint32_t scope_of(struct host_during_idle *h, struct str rank, struct str pid, struct str tid, size_t n)
{
	const size_t scope = places_put(&h->scopes, (struct str[]){rank, pid, tid}, n);

	if (scope >= UINT32_MAX)
		die_too_many("threads", UINT32_MAX - 1);
	return (uint32_t)scope;
}

void host_during_idle_add(struct host_during_idle *h, struct event *e, enum event_kind kind)
{
	struct host_interval v = {.start = e->ts, .name = event_get(e, EVENT_NAME)};
	struct fault fault;

	host_log_forget(h->log, h->before < e->ts ? h->before : e->ts);
	v.end = event_end(e);
	if (v.end <= v.start)
		return;
	v.scope = scope_of(
	    h, event_get(e, EVENT_RANK), event_get(e, EVENT_PID), event_get(e, EVENT_TID), kind == KIND_RANGE ? 2 : 3);
	err_check(host_log_add(h->log, &v, &fault), &fault);
}

void host_during_idle_forget(struct host_during_idle *h, int64_t before)
{
	h->before = before;
}

/* --- the innermost records at an instant --- */

/* Removes all records that have ended. */
static void purge(struct host_during_idle_stack *s, int64_t now)
{
	struct host_during_idle_running *list = s->list, swap;
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		if (list[i].end <= now)
			continue;
		swap = list[n]; /* the buffers of names stay in use */
		list[n++] = list[i];
		list[i] = swap;
	}
	s->n = n;
	s->most = 2 * n + 16;
}

static void push(struct host_during_idle_stack *s, const struct host_interval *v, int64_t now)
{
	struct host_during_idle_running *list, new;
	size_t i;

	if (s->n >= s->most)
		purge(s, now);
	s->list = list = mem_grow_zero(s->list, &s->cap, s->n + 1, sizeof *s->list);
	new = list[s->n];
	new.start = v->start;
	new.end = v->end;
	buf_set(&new.name, v->name);
	for (i = s->n++; i > 0 && list[i - 1].start == v->start && list[i - 1].end < v->end; i--)
		list[i] = list[i - 1];
	list[i] = new;
}

/* Returns the innermost record that runs at `now`, or NULL. */
static const struct host_during_idle_running *innermost(struct host_during_idle_stack *s, int64_t now)
{
	while (s->n && s->list[s->n - 1].end <= now)
		s->n--;
	return s->n ? &s->list[s->n - 1] : NULL;
}

/* --- parts --- */

struct division {
	struct host_during_idle *h;
	int64_t now; /* the parts up to here are done */
	void (*take)(void *arg, const struct host_during_idle_part *part);
	void *arg;
};

static struct str name_of(const struct host_during_idle_running *r)
{
	return r ? (struct str){r->name.p, r->name.n} : (struct str){NULL, 0};
}

/* Makes the parts up to `to`, at which the next record may start. */
static void divide_to(struct division *d, int64_t to)
{
	while (d->now < to) {
		const struct host_during_idle_running *host = innermost(&d->h->stacks[THREAD], d->now);
		const struct host_during_idle_running *range = innermost(&d->h->stacks[PROCESS], d->now);
		struct host_during_idle_part part = {d->now, to, name_of(host), name_of(range)};

		if (host && host->end < part.to)
			part.to = host->end;
		if (range && range->end < part.to)
			part.to = range->end;
		d->take(d->arg, &part);
		d->now = part.to;
	}
}

void host_during_idle_divide(struct host_during_idle *h, struct event *work, const struct event_api *launch,
    int64_t from, int64_t to, void (*take)(void *arg, const struct host_during_idle_part *part), void *arg)
{
	const struct str rank = event_get(work, EVENT_RANK);
	const uint32_t thread = scope_of(h, rank, launch->pid, launch->tid, 3);
	const uint32_t process = scope_of(h, rank, launch->pid, launch->tid, 2);
	struct division d = {h, from, take, arg};
	struct host_log_cursor c;
	struct host_interval v;
	struct fault fault;
	int got;

	h->stacks[THREAD].n = h->stacks[PROCESS].n = 0;
	host_log_seek(h->log, &c, from);
	while ((got = host_log_next(h->log, &c, &v, &fault)) > 0 && v.start < to) {
		if (v.scope != thread && v.scope != process)
			continue;
		divide_to(&d, v.start);
		push(&h->stacks[v.scope == process ? PROCESS : THREAD], &v, d.now);
	}
	err_check(got >= 0, &fault);
	divide_to(&d, to);
}
