#include "range_search.h"

#include "base/err.h"
#include "record/event_api.h"

static inline void get_position(struct event *e, struct str at[PLACES_MEMBERS])
{
	at[0] = event_get(e, EVENT_RANK);
	at[1] = event_get(e, EVENT_PID);
	at[2] = event_get(e, EVENT_TID);
}

/* Returns the number of the place that contains a position and has this scope. */
static uint32_t host_place(struct range_searches *s, enum places_scope scope, const struct str *at)
{
	const size_t i = places_put(&s->places, at, places_scope_values(scope));

	if (i > UINT32_MAX)
		die_too_many("processes and threads", UINT32_MAX);
	return (uint32_t)i;
}

/*
 * Returns the number of the place of a device record that is matched by its own time. The first value of this place,
 * `device`, is not valid JSON, so the place differs from all places of host_place().
 */
static uint32_t device_place(struct range_searches *s, bool has_pid, const struct str *at)
{
	return host_place(s, has_pid ? PLACES_THREAD : PLACES_PROCESS, (struct str[]){STR("device"), at[0], at[1]});
}

uint32_t range_search_place(
    struct range_searches *s, const struct range_search *search, struct event *e, enum places_scope scope)
{
	struct str at[PLACES_MEMBERS];

	if (search->wanted && !search->launched && !search->by_device)
		return search->places[scope];
	get_position(e, at);
	return host_place(s, scope, at);
}

void range_search_device_places(struct range_searches *s, struct event *e, uint32_t places[2])
{
	struct str at[PLACES_MEMBERS];

	get_position(e, at);
	places[0] = device_place(s, true, at);
	places[1] = device_place(s, false, at);
}

void range_search_set(struct range_searches *s, struct range_search *search, struct event *e, enum event_kind kind)
{
	/* A gpu_range, the device's copy of a range, has device time too. */
	const bool on_device = event_kind_is_device(kind) || kind == KIND_GPU_RANGE;
	struct str at[PLACES_MEMBERS];
	int64_t start = e->ts, end;
	enum places_scope scope;
	struct event_api launch;

	if (!on_device || s->options.by_own) {
		get_position(e, at);
		end = event_end(e);
		search->by_device = on_device;
	} else if (event_api_find(&launch, e)) {
		at[0] = event_get(e, EVENT_RANK);
		at[1] = launch.pid;
		at[2] = launch.tid;
		start = launch.ts;
		end = int_interval_end(launch.ts, launch.dur);
		search->launched = true;
	} else {
		s->alone++;
		return;
	}
	search->wanted = true;
	search->from = s->options.point == RANGE_SEARCH_END ? end : start;
	search->to = s->options.point == RANGE_SEARCH_START ? start : end;
	if (search->by_device) /* it has a process only if the trace names one */
		search->places[PLACES_THREAD] = search->places[PLACES_PROCESS] = device_place(s, at[1].p, at);
	for (scope = search->by_device ? PLACES_ANY : PLACES_THREAD; scope < PLACES_SCOPES; scope++) {
		if (s->scopes >> scope & 1)
			search->places[scope] = host_place(s, scope, at);
	}
}

void range_searches_free(struct range_searches *s)
{
	places_free(&s->places);
}
