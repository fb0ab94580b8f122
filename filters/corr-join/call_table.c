#include "call_table.h"

#include "base/err.h"
#include "base/hash.h"

#include <stdlib.h>

/* --- places --- */

uint32_t call_places_put(struct call_places *p, struct str rank, struct str pid, struct str tid)
{
	const struct str values[] = {rank, pid, tid};
	size_t known = p->numbers.n, number = places_put(&p->numbers, values, 3);

	if (number > CALL_PLACES_MOST)
		die_too_many("processes and threads", CALL_PLACES_MOST + 1);
	if (number == known) {
		p->list = mem_grow(p->list, &p->cap, number + 1, sizeof *p->list);
		p->list[number] = (struct call_place){
		    .rank = (uint32_t)value_ids_put(&p->ranks, rank),
		    .process = (uint32_t)value_ids_put(&p->processes, pid),
		    .pid = places_value(&p->numbers, number, 1),
		    .tid = places_value(&p->numbers, number, 2),
		};
	}
	return (uint32_t)number;
}

void call_places_free(struct call_places *p)
{
	places_free(&p->numbers);
	value_ids_free(&p->ranks);
	value_ids_free(&p->processes);
	free(p->list);
}

/* --- links --- */

/*
 * Follows a link from a call to an earlier one. A link is the low 32 bits of the number of the earlier call. Links to
 * calls that have aged out need not be removed, since they are recognised here. Sets *number to the largest number
 * below `at` whose low 32 bits are `low`; returns false when it is below `first`, the number of the oldest call, or
 * does not exist.
 */
static inline bool follow_link(uint64_t first, uint64_t at, uint32_t low, uint64_t *number)
{
	const uint32_t back = (uint32_t)at - low;

	if (back == 0 || back > at - first)
		return false;
	*number = at - back;
	return true;
}

/* --- the texts of calls --- */

/* The attachments of calls: each distinct text is stored once, until the calls with that text are dropped. */
struct call_texts {
	struct map texts[2];
	unsigned young; /* the index of the map that takes new texts */
	bool any;
	int64_t since; /* the ts of the stream when this map became the young map */
};

/* --- the calls, numbered in input order, in pages that never move: memory grows by at most 2 MiB at a time --- */

/*
 * A page has PAGE calls. The first SINGLE pages are allocated one by one, since most traces are small; all others in
 * chunks of CHUNK pages, which the system can back by a large page.
 */
enum { PAGE = 1024, SINGLE = 8, CHUNK = 43 };

_Static_assert(sizeof(struct stored_call[CHUNK][PAGE]) >= MEM_LARGE, "a chunk does not get large pages");

/* Zero-initialise. */
struct stored_calls {
	uint64_t first, end; /* the numbers of the stored calls: first .. end - 1 */
	struct stored_call **pages, **chunks;
	size_t n, cap, n_chunks, chunks_cap;
};

/* Returns a stored call. */
static inline struct stored_call *get_stored(const struct stored_calls *p, uint64_t number)
{
	return &p->pages[number / PAGE - p->first / PAGE][number % PAGE];
}

static void add_pages(struct stored_calls *p)
{
	const size_t end = p->n + (p->n < SINGLE ? 1 : CHUNK);
	struct stored_call *page = mem_table((end - p->n) * PAGE * sizeof *page);

	p->chunks = mem_grow(p->chunks, &p->chunks_cap, p->n_chunks + 1, sizeof *p->chunks);
	p->chunks[p->n_chunks++] = page;
	p->pages = mem_grow(p->pages, &p->cap, end, sizeof *p->pages);
	for (; p->n < end; page += PAGE)
		p->pages[p->n++] = page;
}

/* Adds a copy of a call, whose number is the old p->end, and returns the copy. */
static struct stored_call *add_stored(struct stored_calls *p, const struct stored_call *call)
{
	struct stored_call *copy;

	if (p->end / PAGE - p->first / PAGE == p->n)
		add_pages(p);
	copy = get_stored(p, p->end++);
	*copy = *call;
	return copy;
}

/* Drops the first call. */
static void drop_stored(struct stored_calls *p)
{
	struct stored_call *page = p->pages[0];

	if (p->first++ % PAGE != PAGE - 1)
		return;
	/* The page becomes the last page, to be filled again. */
	memmove(p->pages, p->pages + 1, (p->n - 1) * sizeof *p->pages);
	p->pages[p->n - 1] = page;
}

/* --- the calls with one rank, process and id, in a table whose calls do not age out: the first call has a tree --- */

#define NONE UINT32_MAX /* means no call */

/* Returns the priority of a call, a pseudo-random number; the tree is a heap by priority, which keeps it balanced. */
static uint32_t weight(uint32_t number)
{
	return (uint32_t)hash_pair(number, 0);
}

/* Inserts a call into the tree of `first`, after the calls of the same ts. */
static void insert(const struct stored_calls *c, struct stored_call *first, uint32_t number)
{
	struct stored_call *call = get_stored(c, number), *at;
	uint32_t *to = &first->again, *left = &call->left, *right = &call->right, rest;

	while (*to != NONE && weight(*to) > weight(number)) {
		at = get_stored(c, *to);
		to = call->ts < at->ts ? &at->left : &at->right;
	}
	/* Split the subtree at this position into the calls before the new call and those after it. */
	for (rest = *to; rest != NONE;) {
		at = get_stored(c, rest);
		if (call->ts < at->ts) {
			*right = rest;
			right = &at->left;
			rest = at->left;
		} else {
			*left = rest;
			left = &at->right;
			rest = at->right;
		}
	}
	*left = *right = NONE;
	*to = number;
}

/*
 * Returns `first` or one of the other calls: the one whose ts is nearest to *ts, or the last one if `ts` is NULL or no
 * call has a ts.
 */
static struct stored_call *find_repeated(const struct stored_calls *c, struct stored_call *first, const int64_t *ts)
{
	struct stored_call *before = NULL, *after = NULL, *at;
	uint32_t i = first->again;

	if (!ts || (!first->has_ts && i == NONE))
		return get_stored(c, first->last);
	if (first->has_ts)
		*(first->ts <= *ts ? &before : &after) = first;
	while (i != NONE) {
		at = get_stored(c, i);
		if (at->ts <= *ts) {
			if (!before || at->ts >= before->ts)
				before = at;
			i = at->right;
		} else {
			if (!after || at->ts < after->ts || (at->ts == after->ts && after != first))
				after = at;
			i = at->left;
		}
	}
	if (!before || !after)
		return before ? before : after;
	return call_table_distance(before->ts, *ts) <= call_table_distance(after->ts, *ts) ? before : after;
}

enum { BUCKETS_FIRST = 1024 };

_Static_assert(sizeof(struct stored_call) == 48, "a call is larger than call_table.h says");

struct call_table {
	const struct call_places *places;
	struct map names;
	struct call_texts texts;
	uint64_t horizon, lead;
	struct call_table_counts counts;
	uint64_t idle;  /* number of calls that aged out before a record was joined to them */
	int64_t oldest; /* no stored call or text is older than this ts */
	struct stored_calls calls;
	uint32_t *buckets; /* for each bucket, the low 32 bits of the number of its last call */
	size_t mask;
	bool *collides; /* indexed by ranks below n_collides; true: collide() was called for the rank */
	size_t n_collides;
};

struct call_table *call_table_new(const struct call_places *places, uint64_t horizon, uint64_t lead)
{
	struct call_table *c = mem_alloc(sizeof *c);

	*c = (struct call_table){.places = places, .horizon = horizon, .lead = lead};
	return c;
}

void call_table_free(struct call_table *c)
{
	while (c->calls.n_chunks)
		free(c->calls.chunks[--c->calls.n_chunks]);
	mem_free(c->calls.chunks, c->calls.pages, c->buckets, c->collides);
	maps_free(&c->names, &c->texts.texts[0], &c->texts.texts[1]);
	free(c);
}

const struct call_place *call_table_place(const struct call_table *c, const struct stored_call *call)
{
	return call_places_get(c->places, call->who);
}

/* --- adding --- */

static struct stored_call *get(const struct call_table *c, uint64_t number)
{
	return get_stored(&c->calls, number);
}

/*
 * Correlation ids mostly increase by one. Within a block of 65536 ids, the heads have buckets of their own if the table
 * has enough buckets, and consecutive ids have neighbouring buckets; so have the other calls of an id whose processes
 * have consecutive numbers. The first bucket of a block, and of an id, depends on the hash key of this process.
 */
static uint32_t *bucket_of(const struct call_table *c, const struct call_place *place, int64_t corr, bool apart)
{
	uint64_t id = (uint64_t)corr;
	uint64_t bucket = apart ? place->process + hash_pair(id, place->rank) : id ^ hash_pair(id >> 16, place->rank);

	return &c->buckets[(size_t)bucket & c->mask];
}

void call_table_prefetch(const struct call_table *c, uint32_t who, int64_t corr)
{
	uint64_t number;

	if (!c->buckets)
		return;
	if (follow_link(
		c->calls.first, c->calls.end, *bucket_of(c, call_places_get(c->places, who), corr, false), &number))
		__builtin_prefetch(get(c, number));
}

/* Links a call that is newer than all calls in its bucket. */
static void link_in(struct call_table *c, uint64_t number)
{
	struct stored_call *call = get(c, number);
	uint32_t *bucket = bucket_of(c, call_table_place(c, call), call->corr, call->apart);

	call->before = *bucket;
	*bucket = (uint32_t)number;
}

static void make_buckets(struct call_table *c)
{
	size_t n = c->buckets ? (c->mask + 1) * 4 : BUCKETS_FIRST;
	uint64_t i;

	free(c->buckets);
	c->buckets = mem_table(n * sizeof *c->buckets);
	c->mask = n - 1;
	/* `first` - 1 means that there is no link, since no stored call has that number. */
	for (i = 0; i < n; i++)
		c->buckets[i] = (uint32_t)c->calls.first - 1;
	for (i = c->calls.first; i < c->calls.end; i++) {
		if (!get(c, i)->unlinked)
			link_in(c, i);
	}
}

/* Notes that two processes of this rank used the same id. */
static void collide(struct call_table *c, uint32_t rank)
{
	c->collides = mem_grow_zero(c->collides, &c->n_collides, (size_t)rank + 1, sizeof *c->collides);
	c->collides[rank] = true;
}

/* A linked call, with the link that leads to it. If the call was not found, `call` is NULL. */
struct linked_call {
	struct stored_call *call;
	uint64_t number;
	uint32_t *link;
};

/* Searches for the head of mine's rank and of `corr`; if `apart`, for a call of mine's process that is not a head. */
static struct linked_call search(const struct call_table *c, const struct call_place *mine, int64_t corr, bool apart)
{
	struct linked_call at = {NULL, c->calls.end, bucket_of(c, mine, corr, apart)};
	const struct call_place *its;
	struct stored_call *call;

	for (; follow_link(c->calls.first, at.number, *at.link, &at.number); at.link = &call->before) {
		call = get(c, at.number);
		its = call_table_place(c, call);
		if (call->corr == corr && call->apart == apart && its->rank == mine->rank &&
		    (!apart || its->process == mine->process)) {
			at.call = call;
			break;
		}
	}
	return at;
}

/* Searches for the linked call with the rank and process of `mine` and the id `corr`; `head` is the head of the id. */
static struct linked_call search_process(
    const struct call_table *c, const struct linked_call *head, const struct call_place *mine, int64_t corr)
{
	if (!head->call || call_table_place(c, head->call)->process == mine->process)
		return *head;
	return search(c, mine, corr, true);
}

/*
 * Returns true and sets *number if the head, or another linked call with its rank and id, is `blind`. Such calls belong
 * to one process: when a call becomes `blind`, no other process has a linked call with its rank and id, and once there
 * is one, no further call of the rank becomes `blind`.
 */
static bool find_blind(const struct call_table *c, const struct linked_call *head, uint64_t *number)
{
	*number = head->number;
	if (!head->call || head->call->blind)
		return head->call != NULL;
	return c->horizon && follow_link(c->calls.first, head->number, head->call->other_blind, number);
}

/* Makes the head a call that is found by its process. It can be older than other calls in its new bucket. */
static void set_apart(struct call_table *c, const struct linked_call *head)
{
	uint32_t *link = bucket_of(c, call_table_place(c, head->call), head->call->corr, true);
	uint64_t at = c->calls.end;

	*head->link = head->call->before;
	while (follow_link(c->calls.first, at, *link, &at) && at > head->number)
		link = &get(c, at)->before;
	head->call->apart = true;
	head->call->before = *link;
	*link = (uint32_t)head->number;
}

/*
 * In a table whose calls age out, makes the call that was just appended the head of its rank and id. `own`: the linked
 * call with its process. It can no longer be found, but stays stored until it ages out.
 */
static void set_head(struct call_table *c, const struct linked_call *head, const struct linked_call *own)
{
	struct stored_call *call = get(c, c->calls.end - 1);
	uint64_t number;

	if (find_blind(c, head, &number) && !(own->call && number == own->number))
		call->other_blind = (uint32_t)number;
	if (own->call) {
		call->blind = own->call->blind;
		*own->link = own->call->before;
		own->call->unlinked = true;
	}
	if (head->call != own->call) {
		call->other_process = (uint32_t)head->number;
		set_apart(c, head);
	} else if (head->call && follow_link(c->calls.first, head->number, head->call->other_process, &number)) {
		call->other_process = (uint32_t)number;
	}
	link_in(c, c->calls.end - 1);
}

struct stored_call *call_table_add(
    struct call_table *c, const struct stored_call *new, struct str name, struct str attachments)
{
	const struct call_place *mine = call_places_get(c->places, new->who);
	struct linked_call head, own;
	struct stored_call *call;
	uint64_t number;

	if (!c->buckets || c->calls.end - c->calls.first > c->mask)
		make_buckets(c);
	head = search(c, mine, new->corr, false);
	own = search_process(c, &head, mine, new->corr);
	c->counts.added++;
	c->counts.duplicates += own.call != NULL;
	c->counts.late += find_blind(c, &head, &number) && !(own.call && number == own.number);
	if (head.call != own.call)
		collide(c, mine->rank);
	if (!c->horizon && c->calls.end == NONE)
		die_too_many("calls", NONE);
	call = add_stored(&c->calls, new);
	call->name = (uint32_t)map_put(&c->names, name);
	call->attachments =
	    attachments.n ? (uint32_t)map_put(&c->texts.texts[c->texts.young], attachments) * 2 + c->texts.young + 1
			  : 0;
	call->last = call_table_newest(c);
	call->again = c->horizon ? call->last : NONE;
	if (c->horizon) {
		set_head(c, &head, &own);
	} else if (own.call) {
		call->unlinked = true;
		own.call->last = call->last;
		if (call->has_ts)
			insert(&c->calls, own.call, call->last);
	} else {
		call->apart = head.call != NULL;
		if (head.call)
			head.call->shared = true;
		link_in(c, c->calls.end - 1);
	}
	return call;
}

struct str call_table_name(const struct call_table *c, const struct stored_call *call)
{
	return map_key(&c->names, call->name);
}

struct str call_table_attachments(const struct call_table *c, const struct stored_call *call)
{
	const uint32_t number = call->attachments - 1;

	return call->attachments ? map_key(&c->texts.texts[number & 1], number / 2) : (struct str){NULL, 0};
}

uint32_t call_table_newest(const struct call_table *c)
{
	return (uint32_t)(c->calls.end - 1);
}

/* --- finding --- */

struct stored_call *call_table_at(const struct call_table *c, uint32_t number)
{
	return get(c, c->calls.end - (uint32_t)((uint32_t)c->calls.end - number));
}

/* Returns true if the call is too old for a record with this ts; with --lead, other records can still need it. */
static bool is_old(const struct call_table *c, const struct stored_call *call, const int64_t *ts)
{
	return c->lead && call_table_distance(call->ts, *ts) > c->horizon;
}

enum call_table_answer call_table_find(
    const struct call_table *c, uint32_t who, int64_t corr, const int64_t *ts, struct call_table_found *found)
{
	const struct call_place *mine = call_places_get(c->places, who);
	struct linked_call at;
	uint64_t other;

	if (!c->buckets)
		return CALL_TABLE_NONE;
	at = search(c, mine, corr, false);
	if (mine->pid.p)
		at = search_process(c, &at, mine, corr);
	if (!at.call || is_old(c, at.call, ts))
		return CALL_TABLE_NONE;
	/* Without a pid, a call of another process than the head's matches as well. */
	if (!mine->pid.p && (c->horizon ? follow_link(c->calls.first, at.number, at.call->other_process, &other) &&
					      !is_old(c, get(c, other), ts)
					: at.call->shared))
		return CALL_TABLE_AMBIGUOUS;
	found->key = found->call = at.call;
	found->number = (uint32_t)at.number;
	if (!c->horizon && at.call->last != found->number)
		found->call = find_repeated(&c->calls, at.call, ts);
	return CALL_TABLE_ONE;
}

/* --- ageing --- */

static void drop_calls(struct call_table *c, int64_t ts)
{
	const struct stored_call *call;
	struct call_texts *t = &c->texts;

	for (; c->calls.first < c->calls.end; drop_stored(&c->calls)) {
		call = get(c, c->calls.first);
		if ((uint64_t)ts - (uint64_t)call->ts <= c->horizon + c->lead)
			break;
		c->idle += !call->joined;
	}
	/*
	 * The texts of a call are in the map that was young when the call was added. When the young map is older than
	 * the lifetime of a call, all calls with texts in the other map have been dropped.
	 */
	if (!t->any) {
		t->any = true;
		t->since = ts;
	} else if ((uint64_t)ts - (uint64_t)t->since > c->horizon + c->lead) {
		t->young = !t->young;
		map_free(&t->texts[t->young]);
		t->since = ts;
	}
	c->oldest = c->calls.first < c->calls.end ? get(c, c->calls.first)->ts : ts;
	c->oldest = t->since < c->oldest ? t->since : c->oldest;
}

void call_table_age(struct call_table *c, int64_t ts)
{
	if ((uint64_t)ts - (uint64_t)c->oldest > c->horizon + c->lead)
		drop_calls(c, ts);
}

/* --- counts --- */

const struct call_table_counts *call_table_counts(const struct call_table *c)
{
	return &c->counts;
}

bool call_table_collide(const struct call_table *c, uint32_t who)
{
	uint32_t rank = call_places_get(c->places, who)->rank;

	return rank < c->n_collides && c->collides[rank];
}

uint64_t call_table_idle(const struct call_table *c)
{
	uint64_t n = c->idle, i;

	for (i = c->calls.first; i < c->calls.end; i++)
		n += !get(c, i)->joined;
	return n;
}
