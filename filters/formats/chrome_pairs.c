/* Begin and end events (B E, async b e, S F) of the Trace Event format, joined into whole ranges. */
#include "chrome.h"

#include <stdlib.h>

/* A begin that waits: its record's members, copied into one block behind it. */
struct open {
	struct open *below; /* the begin before it on the same thread, or of the same id */
	struct event e;
	char text[];
};

struct chrome_pairs {
	struct map keys;    /* thread or id -> number */
	struct open **tops; /* by number */
	size_t cap, next;   /* next: of chrome_unpaired() */
	struct open *current; /* what *e of the last answer points into */
	struct buf key, args;
};

static char phase(const struct chrome_raw *raw)
{
	return raw->ph.n == 3 ? raw->ph.p[1] : 0;
}

bool chrome_is_half(const struct chrome_raw *raw)
{
	char ph = phase(raw);

	return ph == 'B' || ph == 'E' || ph == 'b' || ph == 'e' || ph == 'S' || ph == 'F';
}

/* B and E pair on their thread, the others by category and id. */
static size_t number_of(struct chrome_pairs *p, const struct chrome_raw *raw)
{
	char ph = phase(raw);
	bool thread = ph == 'B' || ph == 'E';
	struct str first = thread ? raw->pid : raw->cat, second = thread ? raw->tid : raw->id;
	size_t n;

	p->key.n = 0;
	buf_char(&p->key, thread ? 'B' : ph == 'b' || ph == 'e' ? 'b' : 'S');
	buf_add(&p->key, first.p, first.n);
	buf_char(&p->key, ' ');
	buf_add(&p->key, second.p, second.n);
	n = map_put(&p->keys, (struct str){p->key.p, p->key.n});
	if (n >= p->cap) {
		size_t before = p->cap;

		p->tops = mem_grow(p->tops, &p->cap, n + 1, sizeof *p->tops);
		memset(p->tops + before, 0, (p->cap - before) * sizeof *p->tops);
	}
	return n;
}

static void push(struct chrome_pairs *p, size_t number, const struct event *e)
{
	struct open *o;
	size_t need = 0;
	enum event_member m;
	char *at;

	for (m = EVENT_KIND; m < EVENT_SRC; m++)
		need += event_has(e, m) ? e->m[m].n : 0;
	o = mem_alloc(sizeof *o + need);
	o->e = *e;
	o->e.has &= ~(1u << EVENT_SRC | 1u << EVENT_DUR);
	for (at = o->text, m = EVENT_KIND; m < EVENT_SRC; m++) {
		if (!event_has(e, m) || !e->m[m].n)
			continue;
		memcpy(at, e->m[m].p, e->m[m].n);
		o->e.m[m].p = at;
		at += e->m[m].n;
	}
	o->below = p->tops[number];
	p->tops[number] = o;
}

static struct open *pop(struct chrome_pairs *p, size_t number)
{
	struct open *o = p->tops[number];

	free(p->current);
	p->current = o;
	if (o)
		p->tops[number] = o->below;
	return o;
}

/* The begin's args, and the end's behind them. */
static void join_args(struct chrome_pairs *p, struct event *e, struct str end)
{
	struct str begin = e->m[EVENT_ARGS];

	p->args.n = 0;
	if (event_has(e, EVENT_ARGS) && begin.n > 2 && end.n > 2) {
		buf_add(&p->args, begin.p, begin.n - 1);
		buf_char(&p->args, ',');
		buf_add(&p->args, end.p + 1, end.n - 1);
	} else if (!event_has(e, EVENT_ARGS) || end.n > 2) {
		buf_add(&p->args, end.p, end.n);
	} else {
		return;
	}
	event_set(e, EVENT_ARGS, (struct str){p->args.p, p->args.n});
}

int chrome_pair(struct chrome_pairs **pairs, const struct chrome_raw *raw, struct event *e)
{
	struct chrome_pairs *p = *pairs;
	char ph = phase(raw);
	struct event end = *e;
	struct open *o;
	size_t number;

	if (!p)
		p = *pairs = mem_zero(1, sizeof *p);
	number = number_of(p, raw);
	if (ph == 'B' || ph == 'b' || ph == 'S') {
		push(p, number, e);
		return 0;
	}
	o = pop(p, number);
	if (!o)
		return -1;
	*e = o->e;
	if (event_has(e, EVENT_TS) && event_has(&end, EVENT_TS))
		event_set_dur(e, (int64_t)((uint64_t)end.ts - (uint64_t)e->ts));
	if (event_has(&end, EVENT_ARGS))
		join_args(p, e, end.m[EVENT_ARGS]);
	return 1;
}

int chrome_unpaired(struct chrome_pairs *p, struct event *e)
{
	struct open *o;

	for (; p && p->next < p->keys.n; p->next++) {
		o = pop(p, p->next);
		if (o) {
			*e = o->e;
			return 1;
		}
	}
	return 0;
}

void chrome_pairs_free(struct chrome_pairs *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->keys.n; i++) {
		while (pop(p, i))
			;
	}
	free(p->current);
	free(p->tops);
	map_free(&p->keys);
	buf_free(&p->key);
	buf_free(&p->args);
	free(p);
}
