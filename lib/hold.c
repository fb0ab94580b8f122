#include "hold.h"

#include "scan.h"

#include <stdlib.h>

struct held {
	struct event e;
	struct buf text; /* its line; kept for the next one of the slot */
};

enum { FIRST = 1 /* for thousands of stacks of one record */, KEEP = 64 * 1024 /* text that an empty slot may keep */ };

static void grow(struct hold *h)
{
	size_t cap = h->cap ? h->cap * 2 : FIRST, i;
	struct held *slots = mem_zero(cap, sizeof *slots);
	char *notes = mem_zero(cap, h->each);

	for (i = 0; i < h->n; i++) {
		size_t from = (h->first + i) & (h->cap - 1);

		slots[i] = h->slots[from];
		memcpy(notes + i * h->each, h->notes + from * h->each, h->each);
	}
	free(h->slots);
	free(h->notes);
	h->slots = slots;
	h->notes = notes;
	h->first = 0;
	h->cap = cap;
}

/* The same views, of the line's copy. */
static void move_views(struct event *e, const char *to)
{
	uint32_t left = e->has;

	left |= e->m[EVENT_TS].p ? 1u << EVENT_TS : 0; /* which may be there without their bit */
	left |= e->m[EVENT_DUR].p ? 1u << EVENT_DUR : 0;
	for (; left; left &= left - 1) {
		struct str *view = &e->m[__builtin_ctz(left)];

		view->p = to + (view->p - e->raw.p);
	}
	e->raw.p = to;
}

void hold_push(struct hold *h, const struct event *e, const void *note)
{
	struct held *slot;
	size_t at;

	if (h->n == h->cap)
		grow(h);
	at = (h->first + h->n++) & (h->cap - 1);
	slot = &h->slots[at];
	slot->text.n = 0;
	buf_add(&slot->text, e->raw.p, e->raw.n);
	scan_pad(&slot->text);
	slot->e = *e;
	move_views(&slot->e, slot->text.p);
	memcpy(h->notes + at * h->each, note, h->each);
}

void *hold_at(struct hold *h, size_t i, struct event **e)
{
	size_t at = (h->first + i) & (h->cap - 1);

	*e = &h->slots[at].e;
	return h->notes + at * h->each;
}

void *hold_first(struct hold *h, struct event **e)
{
	return h->n ? hold_at(h, 0, e) : NULL;
}

static void forget(struct hold *h, size_t i)
{
	struct buf *text = &h->slots[(h->first + i) & (h->cap - 1)].text;

	if (text->cap > KEEP)
		buf_free(text);
}

void hold_pop(struct hold *h)
{
	forget(h, 0);
	h->first = (h->first + 1) & (h->cap - 1);
	h->n--;
}

void hold_drop(struct hold *h)
{
	forget(h, --h->n);
}

void hold_free(struct hold *h)
{
	size_t i;

	for (i = 0; i < h->cap; i++)
		buf_free(&h->slots[i].text);
	free(h->slots);
	free(h->notes);
	*h = (struct hold){.each = h->each};
}
