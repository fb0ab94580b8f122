#include "pending_records.h"

#include "base/err.h"
#include "base/hash.h"
#include "json/scan.h"
#include "io/spool.h"

#include <stdlib.h>

#define NONE UINT32_MAX

enum { BUCKETS_FIRST = 256 };

struct pending_slot {
	struct pending_record w;
	size_t n; /* length of the text in bytes */
	union {
		char *text;
		uint64_t offset; /* offset of the text in the spool, if `spilt` */
	} at;
	uint32_t before, after; /* neighbours in input order; in unused slots, `after` is the next unused slot */
	uint32_t same;          /* the next slot in the bucket; the last slot leads to the first */
	bool spilt;
};

_Static_assert(sizeof(struct pending_slot) == 80, "a record is larger than pending_records.h says");

struct pending_records {
	size_t memory; /* bytes for texts */
	bool keyed;
	uint64_t added : 48; /* number of records that were added */
	size_t n;            /* number of records that wait */
	size_t used;         /* bytes of texts in memory */
	struct pending_slot *slots;
	size_t n_slots, cap;
	uint32_t free, oldest, newest; /* indexes of the first unused slot, and of the oldest and newest record */
	uint32_t *buckets;             /* the last slot of each bucket; its `same` is the first slot */
	size_t mask;
	size_t n_spilt; /* number of records whose text is in `spool` */
	struct spool spool;
	struct spool_window window;
};

struct pending_records *pending_records_new(size_t memory, bool keyed)
{
	struct pending_records *p = mem_alloc(sizeof *p);

	*p = (struct pending_records){.memory = memory, .keyed = keyed, .free = NONE, .oldest = NONE, .newest = NONE};
	spool_init(&p->spool);
	return p;
}

/* --- texts --- */

static bool keep_text(struct pending_records *p, struct pending_slot *s, struct str text, struct fault *f)
{
	s->n = text.n;
	s->spilt = text.n && p->used + text.n + SCAN_PAD > p->memory;
	s->at.text = NULL;
	if (s->spilt) {
		if (!p->n_spilt++)
			spool_clear(&p->spool, &p->window);
		s->at.offset = p->spool.size;
		return spool_add(&p->spool, text.p, text.n, f);
	}
	if (text.n) {
		s->at.text = mem_alloc(text.n + SCAN_PAD);
		memcpy(s->at.text, text.p, text.n);
		memset(s->at.text + text.n, 0, SCAN_PAD);
		p->used += text.n + SCAN_PAD;
	}
	return true;
}

/* --- buckets --- */

/*
 * Returns the bucket of the device records with the rank and id of `w`, and with its process; if `blind`, of those
 * without a pid.
 */
static uint32_t *bucket_of(const struct pending_records *p, const struct pending_record *w, bool blind)
{
	uint64_t who = (uint64_t)w->rank << 32 | (blind ? UINT32_MAX : w->process);

	return &p->buckets[(size_t)hash_pair((uint64_t)w->corr, who) & p->mask];
}

static void link_in(struct pending_records *p, uint32_t i)
{
	uint32_t *bucket = bucket_of(p, &p->slots[i].w, p->slots[i].w.blind), last = *bucket;

	p->slots[i].same = last == NONE ? i : p->slots[last].same;
	if (last != NONE)
		p->slots[last].same = i;
	*bucket = i;
}

static void make_buckets(struct pending_records *p)
{
	size_t n = p->buckets ? (p->mask + 1) * 2 : BUCKETS_FIRST, i;
	uint32_t slot;

	free(p->buckets);
	p->buckets = mem_alloc(n * sizeof *p->buckets);
	p->mask = n - 1;
	for (i = 0; i < n; i++)
		p->buckets[i] = NONE;
	for (slot = p->oldest; slot != NONE; slot = p->slots[slot].after) {
		if (p->slots[slot].w.device)
			link_in(p, slot);
	}
}

/* --- adding and removing --- */

bool pending_records_add(struct pending_records *p, const struct pending_record *w, struct str text, struct fault *f)
{
	uint32_t i = p->free;

	if (i != NONE) {
		p->free = p->slots[i].after;
	} else {
		if (p->n_slots == NONE)
			die_too_many("waiting records", NONE);
		p->slots = mem_grow(p->slots, &p->cap, p->n_slots + 1, sizeof *p->slots);
		i = (uint32_t)p->n_slots++;
	}
	p->slots[i].w = *w;
	p->slots[i].w.order = p->added++;
	p->slots[i].before = p->newest;
	p->slots[i].after = NONE;
	*(p->newest != NONE ? &p->slots[p->newest].after : &p->oldest) = i;
	p->newest = i;
	p->n++;
	if (p->keyed && (!p->buckets || p->n > p->mask))
		make_buckets(p);
	else if (p->keyed && w->device)
		link_in(p, i);
	return keep_text(p, &p->slots[i], text, f);
}

/* Passes the record to `take` and frees its slot, which must not be in a bucket. */
static bool hand_out(struct pending_records *p, uint32_t i, pending_records_take *take, void *arg, struct fault *f)
{
	struct pending_slot *s = &p->slots[i];
	struct str text = {s->at.text, s->n};

	if (s->spilt) {
		text.p = spool_read(&p->spool, &p->window, s->at.offset, s->n, f);
		if (!text.p)
			return false;
		p->n_spilt--;
	}
	take(arg, &s->w, text);
	if (!s->spilt && s->n) {
		p->used -= s->n + SCAN_PAD;
		free(s->at.text);
	}
	*(s->before != NONE ? &p->slots[s->before].after : &p->oldest) = s->after;
	*(s->after != NONE ? &p->slots[s->after].before : &p->newest) = s->before;
	s->after = p->free;
	p->free = i;
	p->n--;
	return true;
}

/* Removes the slot after `before` from the ring of its bucket, whose last slot is `last`. */
static void unlink_slot(struct pending_records *p, uint32_t *bucket, uint32_t before, uint32_t last)
{
	uint32_t i = p->slots[before].same;

	p->slots[before].same = p->slots[i].same;
	if (i == last)
		*bucket = before == i ? NONE : before;
}

/* A walk around the ring of a bucket; the next slot is the one after `before`. */
struct ring_walk {
	uint32_t *bucket;
	uint32_t last, before;
	bool end;
};

static uint32_t next_slot(const struct pending_records *p, const struct ring_walk *w)
{
	return p->slots[w->before].same;
}

/* Goes on to the first slot that is wanted; its record stays in the ring. Returns false at the end of the ring. */
static bool find_wanted(
    const struct pending_records *p, struct ring_walk *w, const struct pending_record *key, bool blind)
{
	const struct pending_record *r;
	uint32_t i;

	for (; !w->end; w->before = i) {
		i = next_slot(p, w);
		r = &p->slots[i].w;
		if (r->corr == key->corr && r->rank == key->rank && (r->blind ? blind : r->process == key->process))
			return true;
		w->end = i == w->last;
	}
	return false;
}

bool pending_records_match(struct pending_records *p, const struct pending_record *key, bool blind,
    pending_records_judge *judge, pending_records_take *take, void *arg, struct fault *f)
{
	enum pending_records_verdict verdict;
	struct ring_walk walks[2], *w;
	bool other;
	uint32_t i;

	if (!p->n || !p->buckets)
		return true;
	for (i = 0; i < 2; i++) {
		w = &walks[i];
		w->bucket = bucket_of(p, key, i);
		w->last = w->before = *w->bucket;
		w->end = *w->bucket == NONE;
	}
	/* Both kinds of records can be in one bucket. */
	walks[1].end |= !blind || walks[1].bucket == walks[0].bucket;
	for (;;) {
		w = &walks[0];
		other = find_wanted(p, &walks[1], key, blind);
		if (!find_wanted(p, w, key, blind) && !other)
			return true;
		if (other && (w->end || p->slots[next_slot(p, &walks[1])].w.order < p->slots[next_slot(p, w)].w.order))
			w = &walks[1];
		i = next_slot(p, w);
		w->end = i == w->last;
		verdict = judge(arg, &p->slots[i].w);
		if (verdict == PENDING_RECORDS_WAITS) {
			w->before = i;
			continue;
		}
		unlink_slot(p, w->bucket, w->before, w->last);
		if (verdict == PENDING_RECORDS_SETTLED)
			p->slots[i].w.device = false;
		else if (!hand_out(p, i, take, arg, f))
			return false;
	}
}

const struct pending_record *pending_records_oldest(const struct pending_records *p)
{
	return p->oldest == NONE ? NULL : &p->slots[p->oldest].w;
}

bool pending_records_out(struct pending_records *p, pending_records_take *take, void *arg, struct fault *f)
{
	uint32_t *bucket;

	if (p->buckets && p->slots[p->oldest].w.device) {
		/* The oldest record is also the first of its bucket. */
		bucket = bucket_of(p, &p->slots[p->oldest].w, p->slots[p->oldest].w.blind);
		unlink_slot(p, bucket, *bucket, *bucket);
	}
	return hand_out(p, p->oldest, take, arg, f);
}

void pending_records_free(struct pending_records *p)
{
	uint32_t i;

	for (i = p->oldest; i != NONE; i = p->slots[i].after) {
		if (!p->slots[i].spilt)
			free(p->slots[i].at.text);
	}
	spool_free(&p->spool);
	spool_window_free(&p->window);
	mem_free(p->slots, p->buckets);
	free(p);
}
