#include "enclosing_ranges.h"

#include "base/err.h"
#include "record/event_api.h"

#include <inttypes.h>
#include <stdlib.h>

struct enclosing_ranges {
	struct enclosing_ranges_options options;
	struct enclosing_ranges_counts counts;
	struct range_names *names;
	uint32_t at_level[PLACES_SCOPES]; /* for each scope, the kinds of ranges that have this scope, as bits */
	struct places places;
	struct interval_index spans;
	uint32_t seq;
	int64_t forgotten; /* ranges that ended before this ts have been removed */
};

/*
 * Operators, calls and Python functions enclose records of their thread; ranges that users mark enclose records of
 * their process.
 */
static void set_levels(struct enclosing_ranges *c)
{
	const uint32_t of_threads = 1u << KIND_OP | 1u << KIND_PYTHON | 1u << KIND_API, kinds = c->options.kinds;

	if (c->options.scope >= 0) {
		c->at_level[c->options.scope] = kinds;
		return;
	}
	c->at_level[PLACES_THREAD] = kinds & of_threads;
	c->at_level[PLACES_PROCESS] = kinds & ~of_threads;
}

struct enclosing_ranges *enclosing_ranges_new(const struct enclosing_ranges_options *o, struct range_names *names)
{
	struct enclosing_ranges *c = mem_zero(1, sizeof *c);

	c->options = *o;
	c->names = names;
	c->forgotten = INT64_MIN;
	set_levels(c);
	return c;
}

/* The rank, process and thread of a record. */
struct host_position {
	struct str rank, pid, tid;
};

static struct host_position position_of(struct event *e)
{
	return (struct host_position){event_get(e, EVENT_RANK), event_get(e, EVENT_PID), event_get(e, EVENT_TID)};
}

static uint32_t put_place(struct enclosing_ranges *c, const struct str *values, size_t n)
{
	size_t i = places_put(&c->places, values, n);

	if (i > UINT32_MAX)
		die_too_many("processes and threads", UINT32_MAX);
	return (uint32_t)i;
}

/* Returns the number of the place that contains the position and has this scope. */
static uint32_t host_place(struct enclosing_ranges *c, enum places_scope scope, const struct host_position *at)
{
	const struct str values[] = {at->rank, at->pid, at->tid};

	return put_place(c, values, places_scope_values(scope));
}

/*
 * Returns the number of the place of a device record that is matched by its own time. The first value of this place,
 * `device`, is not valid JSON, so the place differs from all places of host_place().
 */
static uint32_t device_place(struct enclosing_ranges *c, enum places_scope scope, const struct host_position *at)
{
	const struct str values[] = {STR("device"), at->rank, at->pid};

	return put_place(c, values, places_scope_values(scope) + 1);
}

/* --- ranges --- */

/* Removes the ranges that no search can find any more. */
static void expire(struct enclosing_ranges *c, int64_t oldest)
{
	int64_t kept = c->options.by_own ? 0 : c->options.horizon;

	c->forgotten = oldest < INT64_MIN + kept ? INT64_MIN : oldest - kept;
	range_names_expire(c->names, &c->spans, c->forgotten);
}

void enclosing_ranges_add(
    struct enclosing_ranges *c, struct enclosing_ranges_query *q, struct event *e, enum event_kind kind, int64_t oldest)
{
	struct interval_index_entry span = {e->ts, event_end(e), 0, c->seq++};
	struct host_position at = position_of(e);
	enum places_scope scope = PLACES_THREAD;

	if (interval_index_grown(&c->spans))
		expire(c, oldest);
	while (!(c->at_level[scope] >> kind & 1))
		scope++;
	span.name = range_names_put(c->names, event_get(e, EVENT_NAME));
	interval_index_add(&c->spans, host_place(c, scope, &at), &span);
	if (c->options.by_own && c->options.scope != PLACES_ANY) {
		interval_index_add(&c->spans, device_place(c, PLACES_PROCESS, &at), &span);
		interval_index_add(&c->spans, device_place(c, PLACES_ANY, &at), &span);
	}
	q->is_range = true;
	q->seq = span.seq;
}

/* --- searches --- */

static void ask_at(struct enclosing_ranges *c, struct enclosing_ranges_query *q, const struct host_position *at,
    int64_t start, int64_t end)
{
	enum places_scope scope;

	q->wanted = true;
	q->from = c->options.point == ENCLOSING_RANGES_END ? end : start;
	q->to = c->options.point == ENCLOSING_RANGES_START ? start : end;
	for (scope = 0; scope < PLACES_SCOPES; scope++) {
		if (c->at_level[scope])
			q->scopes[q->n_scopes++] = host_place(c, scope, at);
	}
}

/* A device record has no thread. It has a process only if the trace names one. */
static void use_device_scope(
    struct enclosing_ranges *c, struct enclosing_ranges_query *q, const struct host_position *at)
{
	if (c->options.scope == PLACES_ANY)
		return;
	q->n_scopes = 1;
	q->scopes[0] = device_place(c, at->pid.p ? PLACES_PROCESS : PLACES_ANY, at);
}

void enclosing_ranges_ask(
    struct enclosing_ranges *c, struct enclosing_ranges_query *q, struct event *e, enum event_kind kind)
{
	/* A gpu_range, the device's copy of a range, has device time too. */
	bool on_device = event_kind_is_device(kind) || kind == KIND_GPU_RANGE;
	struct host_position at;
	struct event_api launch;

	if (!on_device || c->options.by_own) {
		at = position_of(e);
		ask_at(c, q, &at, e->ts, event_end(e));
		if (on_device)
			use_device_scope(c, q, &at);
	} else if (event_api_find(&launch, e)) {
		at = (struct host_position){event_get(e, EVENT_RANK), launch.pid, launch.tid};
		q->launched = true;
		ask_at(c, q, &at, launch.ts, int_interval_end(launch.ts, launch.dur));
	} else {
		c->counts.alone++;
		return;
	}
	q->until = int_add(e->ts, c->options.horizon);
	q->until = q->from < q->until ? q->from : q->until;
}

/*
 * Searches the list of found ranges: for the record itself if it is a range, else for the call that launched it.
 * Returns the index in the list (of several equal ranges, the last), or n_found if the list does not contain it.
 */
static size_t find_self(const struct enclosing_ranges *c, const struct enclosing_ranges_query *q, const struct event *e)
{
	const struct interval_index_entry *found = c->spans.found;
	size_t n = c->spans.n_found, i;
	struct event_api call = {0};
	uint32_t name = UINT32_MAX;

	if (!q->is_range && (!q->launched || !(c->options.kinds >> KIND_API & 1)))
		return n;
	if (!q->is_range && event_api_find(&call, e))
		name = range_names_find(c->names, call.name);
	for (i = n; i > 0; i--) {
		if (q->is_range ? found[i - 1].seq == q->seq
				: found[i - 1].name == name && found[i - 1].start == call.ts &&
				      found[i - 1].end == int_interval_end(call.ts, call.dur))
			return i - 1;
	}
	return n;
}

size_t enclosing_ranges_find(struct enclosing_ranges *c, const struct enclosing_ranges_query *q, const struct event *e,
    int64_t ts, const struct interval_index_entry **found)
{
	struct interval_index *s = &c->spans;
	size_t i;

	s->n_found = 0;
	for (i = 0; i < q->n_scopes; i++)
		interval_index_find(s, q->scopes[i], q->from, q->to);
	c->counts.far += q->wanted && (q->to < c->forgotten || (q->until < q->from && q->from >= ts));
	if (!s->n_found)
		return 0;
	interval_index_sort(s);
	i = find_self(c, q, e);
	if (i < s->n_found)
		memmove(s->found + i, s->found + i + 1, (--s->n_found - i) * sizeof *s->found);
	*found = s->found;
	return s->n_found;
}

const struct enclosing_ranges_counts *enclosing_ranges_counts(const struct enclosing_ranges *c)
{
	return &c->counts;
}

void enclosing_ranges_free(struct enclosing_ranges *c)
{
	places_free(&c->places);
	interval_index_free(&c->spans);
	free(c);
}
