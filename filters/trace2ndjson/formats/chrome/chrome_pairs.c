#include "chrome_pairs.h"

#include "chrome_event.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/write.h"

#include <stdlib.h>

/* A begin event that waits for its end. Millions can wait, so it has only what makes its record again. */
struct chrome_begin {
	struct chrome_begin *below; /* the preceding waiting begin event of the same thread or id */
	uint64_t offset;
	int64_t ts;
	uint32_t has; /* the members of the record; never EVENT_DUR */
	size_t length[EVENT_N];
	char text[]; /* of all members, without a gap */
};

/* Returns the index of the key that both halves of a pair have: for B and E the thread, otherwise category and id. */
static size_t key_number(struct chrome_pairs *p, const struct chrome_raw *raw)
{
	const char ph = chrome_phase(raw);
	const bool thread = ph == 'B' || ph == 'E';
	const bool local = !thread && !raw->m[RAW_ID].p; /* ids in id2 are unique only within their process */
	const struct str type = thread ? STR("B") : ph == 'b' || ph == 'e' ? STR("b") : STR("S"), none = {NULL, 0};
	const struct str local_key[] = {type, raw->m[RAW_CAT], raw->m[RAW_ID2], raw->m[RAW_PID]},
			 key[] = {type, thread ? raw->m[RAW_PID] : raw->m[RAW_CAT],
			     thread ? raw->m[RAW_TID] : raw->m[RAW_ID], none};
	size_t n = places_put(&p->keys, local ? local_key : key, sizeof key / sizeof *key);

	p->tops = mem_grow_zero(p->tops, &p->cap, n + 1, sizeof *p->tops);
	return n;
}

static void push_begin(struct chrome_pairs *p, size_t number, uint64_t offset, const struct event *e)
{
	struct chrome_begin *o;
	size_t need = 0;
	enum event_member m;
	char *at;

	for (m = EVENT_KIND; m < EVENT_N; m++)
		need += event_has(e, m) ? e->m[m].n : 0;
	o = mem_alloc(sizeof *o + need + SCAN_PAD);
	o->offset = offset;
	o->ts = e->ts;
	o->has = e->has & ~(1u << EVENT_DUR);
	for (at = o->text, m = EVENT_KIND; m < EVENT_N; m++) {
		if (event_has(e, m)) {
			o->length[m] = e->m[m].n;
			at = str_copy(at, e->m[m]);
		}
	}
	o->below = p->tops[number];
	p->tops[number] = o;
}

/* Makes the record of a begin event; its members are views of o->text. */
static void make_record(const struct chrome_begin *o, struct event *e)
{
	const char *at = o->text;
	enum event_member m;

	event_clear(e);
	e->ts = o->ts;
	e->has = o->has;
	for (m = EVENT_KIND; m < EVENT_N; m++) {
		if (event_has(e, m)) {
			e->m[m] = (struct str){at, o->length[m]};
			at += o->length[m];
		}
	}
}

static struct chrome_begin *pop_begin(struct chrome_pairs *p, size_t number)
{
	struct chrome_begin *o = p->tops[number];

	free(p->current);
	p->current = o;
	if (o)
		p->tops[number] = o->below;
	return o;
}

/* Adds the members of an object to *to, except those that `other` has too. */
static void add_members(struct buf *to, struct str object, struct str other)
{
	struct iter w;
	struct str key, value;

	iter_init(&w, object);
	while (iter_next(&w, &key, &value) > 0) {
		if (!other.p || !iter_find(other, key).p)
			json_write_member(to, key, value);
	}
}

/* Joins the args or the src of both halves. If both halves have the same member, the value in the end event is used. */
static void join_members(struct event *e, const struct event *end, enum event_member m, struct buf *to)
{
	/* The whole range has no phase: leave "ph" out. */
	static const char object[8 + SCAN_PAD] = "{\"ph\":0}"; /* readers may load bytes after the text */
	const struct str without = {m == EVENT_SRC ? object : NULL, 8};

	to->n = 0;
	if (event_has(e, m))
		add_members(to, e->m[m], event_has(end, m) ? end->m[m] : without);
	if (event_has(end, m))
		add_members(to, end->m[m], without);
	if (to->n) {
		to->p[0] = '{';
		buf_char(to, '}');
		event_set(e, m, (struct str){to->p, to->n});
	} else if (m == EVENT_SRC) {
		e->has &= ~(1u << m);
	}
}

int chrome_pair(struct chrome_pairs *p, const struct chrome_raw *raw, uint64_t offset, struct event *e)
{
	const char ph = chrome_phase(raw);
	const size_t number = key_number(p, raw);
	struct event end = *e;
	struct chrome_begin *o;

	if (ph == 'B' || ph == 'b' || ph == 'S') {
		push_begin(p, number, offset, e);
		return 0;
	}
	o = pop_begin(p, number);
	if (!o)
		return -1;
	make_record(o, e);
	if (event_has(e, EVENT_TS) && event_has(&end, EVENT_TS))
		event_set_dur(e, (int64_t)((uint64_t)end.ts - (uint64_t)e->ts));
	join_members(e, &end, EVENT_ARGS, &p->args);
	join_members(e, &end, EVENT_SRC, &p->src);
	return 1;
}

int chrome_unpaired(struct chrome_pairs *p, struct event *e, uint64_t *offset)
{
	struct chrome_begin *o;

	for (; p->next < p->keys.n; p->next++) {
		o = pop_begin(p, p->next);
		if (o) {
			make_record(o, e);
			*offset = o->offset;
			return 1;
		}
	}
	return 0;
}

void chrome_pairs_free(struct chrome_pairs *p)
{
	size_t i;

	for (i = 0; i < p->keys.n; i++) {
		while (pop_begin(p, i))
			;
	}
	mem_free(p->current, p->tops);
	places_free(&p->keys);
	bufs_free(&p->args, &p->src);
}
