#include "enclosing_ranges.h"

#include "record/event_api.h"

#include <stdlib.h>

struct enclosing_ranges {
	struct enclosing_ranges_options options;
	uint32_t at_level[PLACES_SCOPES]; /* for each scope, the kinds of ranges that have this scope, as bits */
	uint32_t scopes;                  /* the scopes that ranges have: 1u << PLACES_* */
	struct interval_index spans;
	int64_t forgotten; /* ranges that ended before this ts have been removed */
	uint64_t far;
};

/*
 * Operators, calls and Python functions enclose records of their thread; ranges that users mark enclose records of
 * their process.
 */
static void set_levels(struct enclosing_ranges *c)
{
	const uint32_t of_threads = 1u << KIND_OP | 1u << KIND_PYTHON | 1u << KIND_API, kinds = c->options.kinds;
	enum places_scope scope;

	if (c->options.scope >= 0) {
		c->at_level[c->options.scope] = kinds;
	} else {
		c->at_level[PLACES_THREAD] = kinds & of_threads;
		c->at_level[PLACES_PROCESS] = kinds & ~of_threads;
	}
	for (scope = 0; scope < PLACES_SCOPES; scope++)
		c->scopes |= (uint32_t)(c->at_level[scope] != 0) << scope;
	c->options.queries->scopes |= c->scopes;
}

struct enclosing_ranges *enclosing_ranges_new(const struct enclosing_ranges_options *o)
{
	struct enclosing_ranges *c = mem_zero(1, sizeof *c);

	c->options = *o;
	c->forgotten = INT64_MIN;
	set_levels(c);
	return c;
}

/* --- ranges --- */

/* Removes the ranges that no search can find any more. */
static void expire(struct enclosing_ranges *c, int64_t oldest)
{
	const struct range_query_options *o = &c->options.queries->options;
	int64_t kept = o->by_own ? 0 : o->horizon;

	c->forgotten = oldest < INT64_MIN + kept ? INT64_MIN : oldest - kept;
	range_names_expire(c->options.names, &c->spans, c->forgotten);
}

void enclosing_ranges_add(struct enclosing_ranges *c, struct range_query *q, struct event *e, enum event_kind kind,
    uint32_t seq, int64_t oldest)
{
	struct range_queries *queries = c->options.queries;
	struct interval_index_entry span = {e->ts, event_end(e), 0, seq};
	enum places_scope scope = PLACES_THREAD;
	uint32_t of_device[2];

	if (interval_index_grown(&c->spans))
		expire(c, oldest);
	while (!(c->at_level[scope] >> kind & 1))
		scope++;
	span.name = range_names_put(c->options.names, event_get(e, EVENT_NAME));
	interval_index_add(&c->spans, range_query_place(queries, q, e, scope), &span);
	if (queries->options.by_own && c->options.scope != PLACES_ANY) {
		range_query_device_places(queries, e, of_device);
		interval_index_add(&c->spans, of_device[0], &span);
		interval_index_add(&c->spans, of_device[1], &span);
	}
	q->layers |= 1u << c->options.layer;
	q->seq = seq;
}

/* --- searches --- */

static void find_all(struct enclosing_ranges *c, const struct range_query *q)
{
	uint32_t left = c->scopes;

	if (q->by_device && c->options.scope != PLACES_ANY)
		left = 1u << PLACES_PROCESS;
	for (; left; left &= left - 1)
		interval_index_find(&c->spans, q->places[__builtin_ctz(left)], q->from, q->to);
}

/*
 * Searches the list of found ranges: for the record itself if it is a range, else for the call that launched it.
 * Returns the index in the list (of several equal ranges, the last), or n_found if the list does not contain it.
 */
static size_t find_self(const struct enclosing_ranges *c, const struct range_query *q, const struct event *e)
{
	const struct interval_index_entry *found = c->spans.found;
	bool is_range = q->layers >> c->options.layer & 1;
	size_t n = c->spans.n_found, i;
	struct event_api call = {0};
	uint32_t name = UINT32_MAX;

	if (!is_range && (!q->launched || !(c->options.kinds >> KIND_API & 1)))
		return n;
	if (!is_range && event_api_find(&call, e))
		name = range_names_find(c->options.names, call.name);
	for (i = n; i > 0; i--) {
		if (is_range ? found[i - 1].seq == q->seq
			     : found[i - 1].name == name && found[i - 1].start == call.ts &&
				   found[i - 1].end == int_interval_end(call.ts, call.dur))
			return i - 1;
	}
	return n;
}

size_t enclosing_ranges_find(struct enclosing_ranges *c, const struct range_query *q, const struct event *e, int64_t ts,
    const struct interval_index_entry **found)
{
	struct interval_index *s = &c->spans;
	size_t i;

	s->n_found = 0;
	find_all(c, q);
	c->far += q->to < c->forgotten || (range_query_until(c->options.queries, q) < q->from && q->from >= ts);
	if (!s->n_found)
		return 0;
	interval_index_sort(s);
	i = find_self(c, q, e);
	if (i < s->n_found)
		memmove(s->found + i, s->found + i + 1, (--s->n_found - i) * sizeof *s->found);
	*found = s->found;
	return s->n_found;
}

uint64_t enclosing_ranges_far(const struct enclosing_ranges *c)
{
	return c->far;
}

void enclosing_ranges_free(struct enclosing_ranges *c)
{
	interval_index_free(&c->spans);
	free(c);
}
