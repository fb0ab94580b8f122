#include "record/event_queue.h"

#include "json/scan.h"

#include <stdlib.h>

/*
 * A stored record is one block of memory: the note, this struct, the views of the record, its line, and SCAN_PAD bytes.
 */
struct packed {
	int64_t ts, dur;
	size_t n, prefix;     /* n: length of the line; prefix: the same as in struct event */
	uint32_t has, viewed; /* has: the same as in struct event; viewed: the members that have a view */
	unsigned char views;  /* number of views */
	bool twice, walked, plain;
};

struct view {
	uint32_t at, n; /* offset and length in the line */
};

struct event_queue_slot {
	char *block; /* memory of the record, reused for the next record in this slot */
	size_t cap;
};

enum {
	FIRST = 1,        /* initial number of slots; 1, because thousands of queues can have only one record each */
	KEEP = 64 * 1024, /* a block larger than this is freed when its record is removed */
};

static void grow(struct event_queue *h)
{
	size_t cap = h->cap ? h->cap * 2 : FIRST, i;
	struct event_queue_slot *slots = mem_zero(cap, sizeof *slots);

	for (i = 0; i < h->cap; i++)
		slots[i] = h->slots[(h->first + i) & (h->cap - 1)];
	free(h->slots);
	h->slots = slots;
	h->first = 0;
	h->cap = cap;
}

static struct event_queue_slot *slot_at(const struct event_queue *h, size_t i)
{
	return &h->slots[(h->first + i) & (h->cap - 1)];
}

/* The size of the note is rounded up to whole words, so that the data after it is aligned. */
static struct packed *packed_of(const struct event_queue *h, char *block)
{
	return (struct packed *)(void *)(block + (h->each + 7) / 8 * 8);
}

static void make_room(struct event_queue_slot *slot, size_t n)
{
	if (slot->cap >= n)
		return;
	free(slot->block);
	slot->block = mem_alloc(n);
	slot->cap = n;
}

bool event_queue_push(struct event_queue *h, const struct event *e, const void *note)
{
	/* A ts or dur that is not an integer has a view, but no bit in `has`. */
	const uint32_t viewed = e->has | (uint32_t)(e->m[EVENT_TS].p != NULL) << EVENT_TS |
				(uint32_t)(e->m[EVENT_DUR].p != NULL) << EVENT_DUR;
	const size_t views = (size_t)__builtin_popcount(viewed);
	struct packed *p;
	struct event_queue_slot *slot;
	struct view *view;
	uint32_t left;
	char *line;

	if (e->raw.n > UINT32_MAX)
		return false;
	if (h->n == h->cap)
		grow(h);
	slot = slot_at(h, h->n++);
	make_room(slot, (h->each + 7) / 8 * 8 + sizeof *p + views * sizeof *view + e->raw.n + SCAN_PAD);
	memcpy(slot->block, note, h->each);
	p = packed_of(h, slot->block);
	*p = (struct packed){
	    e->ts, e->dur, e->raw.n, e->prefix, e->has, viewed, (unsigned char)views, e->twice, e->walked, e->plain};
	view = (struct view *)(p + 1);
	for (left = viewed; left; left &= left - 1) {
		const struct str *m = &e->m[__builtin_ctz(left)];

		*view++ = (struct view){(uint32_t)(m->p - e->raw.p), (uint32_t)m->n};
	}
	line = (char *)view;
	memcpy(line, e->raw.p, e->raw.n);
	memset(line + e->raw.n, 0, SCAN_PAD);
	return true;
}

void *event_queue_at(struct event_queue *h, size_t i, struct event *e)
{
	char *block = slot_at(h, i)->block;
	const struct packed *p = packed_of(h, block);
	const struct view *view = (const struct view *)(p + 1);
	const char *line = (const char *)(view + p->views);
	uint32_t left;

	if (!e)
		return block;
	e->has = p->has;
	e->twice = p->twice;
	e->walked = p->walked;
	e->plain = p->plain;
	e->broken = e->durless = e->sound = e->has_kind = false; /* computed again when needed */
	e->n_listed = 0;
	e->ts = p->ts;
	e->dur = p->dur;
	e->raw = (struct str){line, p->n};
	e->more = e->m[EVENT_TS] = e->m[EVENT_DUR] = (struct str){NULL, 0};
	e->prefix = p->prefix;
	for (left = p->viewed; left; left &= left - 1, view++)
		e->m[__builtin_ctz(left)] = (struct str){line + view->at, view->n};
	return block;
}

struct str event_queue_get(const struct event_queue *h, size_t i, enum event_member m)
{
	const struct packed *p = packed_of(h, slot_at(h, i)->block);
	const struct view *views = (const struct view *)(p + 1), *view;

	if (!(p->has >> m & 1))
		return (struct str){NULL, 0};
	view = &views[__builtin_popcount(p->viewed & ((1u << m) - 1))];
	return (struct str){(const char *)(views + p->views) + view->at, view->n};
}

void *event_queue_first(struct event_queue *h, struct event *e)
{
	return h->n ? event_queue_at(h, 0, e) : NULL;
}

static void forget(struct event_queue *h, size_t i)
{
	struct event_queue_slot *slot = slot_at(h, i);

	if (slot->cap > KEEP) {
		free(slot->block);
		*slot = (struct event_queue_slot){0};
	}
}

void event_queue_pop(struct event_queue *h)
{
	forget(h, 0);
	h->first = (h->first + 1) & (h->cap - 1);
	h->n--;
}

void event_queue_drop(struct event_queue *h)
{
	forget(h, --h->n);
}

void event_queue_free(struct event_queue *h)
{
	size_t i;

	for (i = 0; i < h->cap; i++)
		free(h->slots[i].block);
	free(h->slots);
	*h = (struct event_queue){.each = h->each};
}
