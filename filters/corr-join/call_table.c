#include "call_table.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "back_link.h"
#include "call_texts.h"

#include <stdlib.h>

/* Calls are stored in pages that never move: memory grows by one page at a time and never doubles. */
enum { PAGE = 1024, BUCKETS_FIRST = 1024 };

#define NONE UINT32_MAX /* means no call; used only in tables whose calls do not age out */

_Static_assert(sizeof(struct call_table_call) == 48, "a call is larger than call_table.h says");

struct call_table {
	const struct call_places *places;
	struct map names;
	struct call_texts *texts; /* the attachments of calls */
	uint64_t horizon, lead;
	struct call_table_counts counts;
	uint64_t idle;       /* number of calls that aged out before a record was joined to them */
	uint64_t first, end; /* calls are numbered in input order; those below `first` have aged out */
	int64_t oldest;      /* no stored call or text is older than this ts */
	struct call_table_call **pages;
	size_t n_pages, pages_cap;
	uint32_t *buckets; /* for each bucket, the low 32 bits of the number of its last call */
	size_t mask;
	bool *collides; /* indexed by ranks below n_collides; true: collide() was called for the rank */
	size_t n_collides, collides_cap;
};

struct call_table *call_table_new(const struct call_places *places, uint64_t horizon, uint64_t lead)
{
	struct call_table *c = mem_zero(1, sizeof *c);

	c->places = places;
	c->texts = call_texts_new();
	c->horizon = horizon;
	c->lead = lead;
	return c;
}

void call_table_free(struct call_table *c)
{
	while (c->n_pages)
		free(c->pages[--c->n_pages]);
	free(c->pages);
	free(c->buckets);
	free(c->collides);
	map_free(&c->names);
	call_texts_free(c->texts);
	free(c);
}

const struct call_place *call_table_place(const struct call_table *c, const struct call_table_call *call)
{
	return call_places_get(c->places, call->who);
}

/* --- adding --- */

static struct call_table_call *get(const struct call_table *c, uint64_t number)
{
	return &c->pages[number / PAGE - c->first / PAGE][number % PAGE];
}

/*
 * Correlation ids mostly increase by one. Within a block of 65536 ids, each id has its own bucket if the table has
 * enough buckets, and consecutive ids have neighbouring buckets. The first bucket of a block depends on the hash key of
 * this process.
 */
static size_t bucket_of(const struct call_table *c, uint32_t rank, int64_t corr)
{
	uint64_t id = (uint64_t)corr;

	return (size_t)(id ^ hash_pair(id >> 16, rank)) & c->mask;
}

static void link_in(struct call_table *c, uint64_t number)
{
	struct call_table_call *call = get(c, number);
	uint32_t *bucket = &c->buckets[bucket_of(c, call_table_place(c, call)->rank, call->corr)];

	call->before = *bucket;
	*bucket = (uint32_t)number;
}

static void make_buckets(struct call_table *c)
{
	size_t n = c->buckets ? (c->mask + 1) * 2 : BUCKETS_FIRST;
	uint64_t i;

	free(c->buckets);
	c->buckets = mem_alloc(n * sizeof *c->buckets);
	c->mask = n - 1;
	/* `first` - 1 means that there is no link, since no stored call has that number. */
	for (i = 0; i < n; i++)
		c->buckets[i] = (uint32_t)c->first - 1;
	for (i = c->first; i < c->end; i++) {
		if (!get(c, i)->other)
			link_in(c, i);
	}
}

/* Notes that two processes of this rank used the same id. */
static void collide(struct call_table *c, uint32_t rank)
{
	c->collides = mem_grow(c->collides, &c->collides_cap, (size_t)rank + 1, sizeof *c->collides);
	while (c->n_collides <= rank)
		c->collides[c->n_collides++] = false;
	c->collides[rank] = true;
}

/*
 * Compares a new call with the stored calls of its rank and id, and counts it if it is a duplicate or late. Returns
 * true when one of the stored calls is of the same process; a bucket holds at most one such call. Sets *same to the
 * number of that call, and *link to the link that leads to the call.
 */
static bool compare(struct call_table *c, uint32_t who, int64_t corr, uint32_t **link, uint64_t *same)
{
	const struct call_place *mine = call_places_get(c->places, who), *its;
	uint32_t *to = &c->buckets[bucket_of(c, mine->rank, corr)];
	bool late = false, found = false;
	uint64_t at = c->end;
	struct call_table_call *other;

	for (; back_link_follow(c->first, at, *to, &at); to = &other->before) {
		other = get(c, at);
		its = call_table_place(c, other);
		if (other->corr != corr || its->rank != mine->rank)
			continue;
		if (its->process == mine->process) {
			found = true;
			*link = to;
			*same = at;
		} else {
			late |= other->blind;
			collide(c, mine->rank);
		}
	}
	c->counts.duplicates += found;
	c->counts.late += late;
	return found;
}

/*
 * Returns the priority of a call: a pseudo-random number. The tree is also a heap by priority, which keeps it balanced.
 */
static uint32_t weight(uint32_t number)
{
	return (uint32_t)hash_pair(number, 0);
}

/* Inserts a call into the tree of `first`, after the calls of the same ts. */
static void put_other(struct call_table *c, struct call_table_call *first, uint32_t number)
{
	struct call_table_call *call = get(c, number), *at;
	uint32_t *to = &first->again, *left = &call->left, *right = &call->right, rest;

	while (*to != NONE && weight(*to) > weight(number)) {
		at = get(c, *to);
		to = call->ts < at->ts ? &at->left : &at->right;
	}
	/* Split the subtree at this position into the calls before the new call and those after it. */
	for (rest = *to; rest != NONE;) {
		at = get(c, rest);
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

static struct call_table_call *append(
    struct call_table *c, const struct call_table_call *new, struct str name, struct str attachments)
{
	struct call_table_call *call;

	if (!c->horizon && c->end == NONE)
		die_too_many("calls", NONE);
	if (c->end / PAGE - c->first / PAGE == c->n_pages) {
		c->pages = mem_grow(c->pages, &c->pages_cap, c->n_pages + 1, sizeof *c->pages);
		c->pages[c->n_pages++] = mem_alloc(PAGE * sizeof **c->pages);
	}
	call = get(c, c->end);
	*call = *new;
	call->name = (uint32_t)map_put(&c->names, name);
	call->more = call_texts_put(c->texts, attachments);
	call->again = NONE;
	call->last = (uint32_t)c->end++;
	return call;
}

struct call_table_call *call_table_add(
    struct call_table *c, const struct call_table_call *new, struct str name, struct str attachments)
{
	struct call_table_call *call, *first;
	uint32_t *link;
	uint64_t same;

	if (!c->buckets || c->end - c->first > c->mask / 2)
		make_buckets(c);
	c->counts.added++;
	if (!compare(c, new->who, new->corr, &link, &same)) {
		call = append(c, new, name, attachments);
		link_in(c, c->end - 1);
		return call;
	}
	first = get(c, same);
	if (c->horizon) {
		/* The old call can no longer be found, but stays stored until it ages out. */
		*link = first->before;
		call = append(c, new, name, attachments);
		call->blind = first->blind;
		link_in(c, c->end - 1);
		return call;
	}
	call = append(c, new, name, attachments);
	call->other = true;
	first->last = call->last;
	if (call->has_ts)
		put_other(c, first, call->last);
	return call;
}

struct str call_table_name(const struct call_table *c, const struct call_table_call *call)
{
	return map_key(&c->names, call->name);
}

struct str call_table_attachments(const struct call_table *c, const struct call_table_call *call)
{
	return call_texts_get(c->texts, call->more);
}

uint32_t call_table_newest(const struct call_table *c)
{
	return (uint32_t)(c->end - 1);
}

/* --- finding --- */

struct call_table_call *call_table_at(const struct call_table *c, uint32_t number)
{
	return get(c, c->end - (uint32_t)((uint32_t)c->end - number));
}

/* Returns `first` or a call of its tree: the one whose ts is nearest to *ts, or the last one if `ts` is NULL. */
static struct call_table_call *nearest(const struct call_table *c, struct call_table_call *first, const int64_t *ts)
{
	struct call_table_call *before = NULL, *after = NULL, *at;
	uint32_t i = first->again;

	if (!ts || (!first->has_ts && i == NONE))
		return get(c, first->last);
	if (first->has_ts)
		*(first->ts <= *ts ? &before : &after) = first;
	while (i != NONE) {
		at = get(c, i);
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

enum call_table_answer call_table_find(
    const struct call_table *c, uint32_t who, int64_t corr, const int64_t *ts, struct call_table_found *found)
{
	const struct call_place *mine = call_places_get(c->places, who), *its;
	enum call_table_answer answer = CALL_TABLE_NONE;
	uint32_t process = mine->process, low;
	bool blind = !mine->pid.p;
	uint64_t at = c->end;
	struct call_table_call *other;

	if (!c->buckets)
		return CALL_TABLE_NONE;
	low = c->buckets[bucket_of(c, mine->rank, corr)];
	for (; back_link_follow(c->first, at, low, &at); low = other->before) {
		other = get(c, at);
		its = call_table_place(c, other);
		if (other->corr != corr || its->rank != mine->rank)
			continue;
		if (c->lead && call_table_distance(other->ts, *ts) > c->horizon)
			continue; /* too old for this record, but other records can still need it */
		if (answer == CALL_TABLE_ONE && its->process != process)
			return CALL_TABLE_AMBIGUOUS;
		if (answer == CALL_TABLE_NONE && (blind || its->process == process)) {
			found->key = found->call = other;
			found->number = (uint32_t)at;
			answer = CALL_TABLE_ONE;
			process = its->process;
			if (!blind)
				break;
		}
	}
	if (answer == CALL_TABLE_ONE && !c->horizon && found->key->again != NONE)
		found->call = nearest(c, found->key, ts);
	return answer;
}

/* --- ageing --- */

static void drop_page(struct call_table *c)
{
	struct call_table_call *page = c->pages[0];

	/* The page becomes the last page, so that ageing neither frees nor allocates memory. */
	memmove(c->pages, c->pages + 1, (c->n_pages - 1) * sizeof *c->pages);
	c->pages[c->n_pages - 1] = page;
}

static void drop_calls(struct call_table *c, int64_t ts)
{
	const struct call_table_call *call;
	int64_t since;

	for (; c->first < c->end; c->first++) {
		call = get(c, c->first);
		if ((uint64_t)ts - (uint64_t)call->ts <= c->horizon + c->lead)
			break;
		c->idle += !call->joined;
		if (c->first % PAGE == PAGE - 1)
			drop_page(c);
	}
	since = call_texts_age(c->texts, ts, c->horizon + c->lead);
	c->oldest = c->first < c->end ? get(c, c->first)->ts : ts;
	c->oldest = since < c->oldest ? since : c->oldest;
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

	for (i = c->first; i < c->end; i++)
		n += !get(c, i)->joined;
	return n;
}
