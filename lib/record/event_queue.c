#include "record/event_queue.h"

#include "json/scan.h"

#include <stdlib.h>

/*
 * A stored record is one block of memory: this struct, the note, the line, and the views of the record. At least
 * SCAN_PAD bytes follow the line; the views are a part of them.
 */
struct event_queue_block {
	size_t cap; /* size of the block, which is reused for the next record in its slot */
	int64_t ts, dur;
	uint32_t n, prefix;   /* n: length of the line; prefix: the same as in struct event */
	uint32_t has;         /* the same as in struct event */
	uint32_t viewed : 29; /* the members that have a view */
	uint32_t reading : 3; /* the same as in struct event */
};

_Static_assert(EVENT_N <= 29, "viewed has too few bits");

struct view {
	uint32_t at, n; /* offset and length in the line */
};

enum {
	FIRST = 1,        /* initial number of slots; 1, because thousands of queues can have only one record each */
	KEEP = 64 * 1024, /* a block larger than this is freed when its record is removed */
};

static void grow(struct event_queue *h)
{
	size_t cap = h->cap ? h->cap * 2 : FIRST, i;
	struct event_queue_block **slots = mem_zero(cap, sizeof *slots);

	for (i = 0; i < h->cap; i++)
		slots[i] = h->slots[(h->first + i) & (h->cap - 1)];
	free(h->slots);
	h->slots = slots;
	h->first = 0;
	h->cap = cap;
}

static struct event_queue_block **slot_at(const struct event_queue *h, size_t i)
{
	return &h->slots[(h->first + i) & (h->cap - 1)];
}

static char *line_of(const struct event_queue *h, struct event_queue_block *b)
{
	return (char *)(b + 1) + h->each;
}

/* Returns the views of a record; they begin at a whole word. */
static struct view *views_of(const struct event_queue *h, struct event_queue_block *b)
{
	return (struct view *)(void *)((char *)b + (sizeof *b + h->each + b->n + 7) / 8 * 8);
}

bool event_queue_push(struct event_queue *h, const struct event *e, const void *note)
{
	/* A ts or dur that is not an integer has a view, but no bit in `has`. */
	const uint32_t viewed = e->has | (uint32_t)(e->m[EVENT_TS].p != NULL) << EVENT_TS |
				(uint32_t)(e->m[EVENT_DUR].p != NULL) << EVENT_DUR;
	const size_t views = 7 + (size_t)__builtin_popcount(viewed) * sizeof(struct view);
	const size_t size =
	    sizeof(struct event_queue_block) + h->each + e->raw.n + (views > SCAN_PAD ? views : SCAN_PAD);
	struct event_queue_block *b, **slot;
	struct view *view;
	uint32_t left;

	if (e->raw.n > UINT32_MAX)
		return false;
	if (h->n == h->cap)
		grow(h);
	slot = slot_at(h, h->n++);
	if (!*slot || (*slot)->cap < size) {
		free(*slot);
		*slot = mem_alloc(size);
		(*slot)->cap = size;
	}
	b = *slot;
	*b = (struct event_queue_block){b->cap, e->ts, e->dur, (uint32_t)e->raw.n, (uint32_t)e->prefix, e->has,
	    viewed & ((1u << EVENT_N) - 1), e->reading & 7u};
	memcpy(b + 1, note, h->each);
	memcpy(line_of(h, b), e->raw.p, e->raw.n);
	memset(line_of(h, b) + e->raw.n, 0, SCAN_PAD);
	view = views_of(h, b);
	for (left = viewed; left; left &= left - 1) {
		const struct str *m = &e->m[__builtin_ctz(left)];

		*view++ = (struct view){(uint32_t)(m->p - e->raw.p), (uint32_t)m->n};
	}
	return true;
}

void *event_queue_at(struct event_queue *h, size_t i, struct event *e)
{
	struct event_queue_block *b = *slot_at(h, i);
	const struct view *view;
	const char *line;
	uint32_t left;

	if (!e)
		return b + 1;
	view = views_of(h, b);
	line = line_of(h, b);
	e->has = b->has;
	e->reading = (enum event_reading)b->reading;
	e->check = EVENT_UNCHECKED;
	e->kind = KIND_UNREAD;
	e->n_listed = 0;
	e->ts = b->ts;
	e->dur = b->dur;
	e->raw = (struct str){line, b->n};
	e->attachments = e->m[EVENT_TS] = e->m[EVENT_DUR] = (struct str){NULL, 0};
	e->prefix = b->prefix;
	for (left = b->viewed; left; left &= left - 1, view++)
		e->m[__builtin_ctz(left)] = (struct str){line + view->at, view->n};
	return b + 1;
}

struct str event_queue_get(const struct event_queue *h, size_t i, enum event_member m)
{
	struct event_queue_block *b = *slot_at(h, i);
	const struct view *view;

	if (!(b->has >> m & 1))
		return (struct str){NULL, 0};
	view = &views_of(h, b)[__builtin_popcount(b->viewed & ((1u << m) - 1))];
	return (struct str){line_of(h, b) + view->at, view->n};
}

void *event_queue_first(struct event_queue *h, struct event *e)
{
	return h->n ? event_queue_at(h, 0, e) : NULL;
}

static void forget(struct event_queue *h, size_t i)
{
	struct event_queue_block **slot = slot_at(h, i);

	if ((*slot)->cap > KEEP) {
		free(*slot);
		*slot = NULL;
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
		free(h->slots[i]);
	free(h->slots);
	*h = (struct event_queue){.each = h->each};
}
