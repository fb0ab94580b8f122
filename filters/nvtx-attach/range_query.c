#include "range_query.h"

#include "base/err.h"
#include "record/event_api.h"

/* The rank, process and thread of a record. */
struct host_position {
	struct str rank, pid, tid;
};

static inline struct host_position position_of(struct event *e)
{
	return (struct host_position){event_get(e, EVENT_RANK), event_get(e, EVENT_PID), event_get(e, EVENT_TID)};
}

static uint32_t put_place(struct range_queries *s, const struct str *values, size_t n)
{
	size_t i = places_put(&s->places, values, n);

	if (i > UINT32_MAX)
		die_too_many("processes and threads", UINT32_MAX);
	return (uint32_t)i;
}

/* Returns the number of the place that contains the position and has this scope. */
static uint32_t host_place(struct range_queries *s, enum places_scope scope, const struct host_position *at)
{
	const struct str values[] = {at->rank, at->pid, at->tid};

	return put_place(s, values, places_scope_values(scope));
}

/*
 * Returns the number of the place of a device record that is matched by its own time. The first value of this place,
 * `device`, is not valid JSON, so the place differs from all places of host_place().
 */
static uint32_t device_place(struct range_queries *s, enum places_scope scope, const struct host_position *at)
{
	const struct str values[] = {STR("device"), at->rank, at->pid};

	return put_place(s, values, places_scope_values(scope) + 1);
}

/* --- ranges --- */

uint32_t range_query_place(
    struct range_queries *s, const struct range_query *q, struct event *e, enum places_scope scope)
{
	struct host_position at;

	if (q->wanted && !q->launched && !q->by_device)
		return q->places[scope];
	at = position_of(e);
	return host_place(s, scope, &at);
}

void range_query_device_places(struct range_queries *s, struct event *e, uint32_t places[2])
{
	struct host_position at = position_of(e);

	places[0] = device_place(s, PLACES_PROCESS, &at);
	places[1] = device_place(s, PLACES_ANY, &at);
}

/* --- searches --- */

static void ask_at(
    struct range_queries *s, struct range_query *q, const struct host_position *at, int64_t start, int64_t end)
{
	enum places_scope scope;

	q->wanted = true;
	q->from = s->options.point == RANGE_QUERY_END ? end : start;
	q->to = s->options.point == RANGE_QUERY_START ? start : end;
	if (q->by_device)
		q->places[PLACES_THREAD] = q->places[PLACES_PROCESS] =
		    device_place(s, at->pid.p ? PLACES_PROCESS : PLACES_ANY, at);
	for (scope = q->by_device ? PLACES_ANY : PLACES_THREAD; scope < PLACES_SCOPES; scope++) {
		if (s->scopes >> scope & 1)
			q->places[scope] = host_place(s, scope, at);
	}
}

void range_query_ask(struct range_queries *s, struct range_query *q, struct event *e, enum event_kind kind)
{
	/* A gpu_range, the device's copy of a range, has device time too. */
	bool on_device = event_kind_is_device(kind) || kind == KIND_GPU_RANGE;
	struct host_position at;
	struct event_api launch;

	if (!on_device || s->options.by_own) {
		at = position_of(e);
		/* A device record has a process only if the trace names one. */
		q->by_device = on_device;
		ask_at(s, q, &at, e->ts, event_end(e));
	} else if (event_api_find(&launch, e)) {
		at = (struct host_position){event_get(e, EVENT_RANK), launch.pid, launch.tid};
		q->launched = true;
		ask_at(s, q, &at, launch.ts, int_interval_end(launch.ts, launch.dur));
	} else {
		s->alone++;
	}
}

void range_queries_free(struct range_queries *s)
{
	places_free(&s->places);
}
