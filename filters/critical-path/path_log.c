#include "path_log.h"

#include "base/err.h"
#include "base/order.h"
#include "json/value.h"
#include "record/event_api.h"

#include <stdlib.h>

/*
 * The calls of the flags PATH_LAUNCH, PATH_LOCK, PATH_BLOCKING and PATH_WAITS, and the records of each enum
 * path_sync_type in its order. They are JSON texts, so that the name of a record is compared without decoding it.
 */
static const char *const launches[] = {"\"cudaLaunchKernel\"", "\"cudaLaunchKernelExC\"", "\"cuLaunchKernel\"",
    "\"cuLaunchKernelEx\"", "\"cudaMemcpyAsync\"", "\"cudaMemsetAsync\"", "\"hipLaunchKernel\"",
    "\"hipExtModuleLaunchKernel\"", "\"hipMemcpyAsync\"", "\"hipMemcpyWithStream\"", "\"hipMemsetAsync\"", NULL};
static const char *const locks[] = {"\"cudaHostAlloc\"", "\"cudaLaunchKernel\"", "\"cudaMemcpyAsync\"", NULL};
static const char *const blocking[] = {"\"cudaDeviceSynchronize\"", "\"cudaStreamSynchronize\"", "\"cudaEventQuery\"",
    "\"cudaEventSynchronize\"", "\"cudaMemcpy\"", NULL};
static const char *const waiting[] = {"\"cudaDeviceSynchronize\"", "\"cudaStreamSynchronize\"",
    "\"cudaEventSynchronize\"", "\"hipDeviceSynchronize\"", "\"hipStreamSynchronize\"", "\"hipEventSynchronize\"",
    NULL};
static const char *const sync_names[] = {
    "\"Stream Sync\"", "\"Context Sync\"", "\"Event Sync\"", "\"Stream Wait Event\"", NULL};

/* Returns the index of a text in a list, or that of the NULL at its end. */
static size_t index_in(const char *const *list, struct str text)
{
	size_t i;

	for (i = 0; list[i] && !str_eq(text, str_of(list[i])); i++)
		;
	return i;
}

static uint32_t number(size_t n, const char *what)
{
	/* Event i has the points 2 * i and 2 * i + 1, which must be less than PATH_NONE. */
	if (n >= PATH_NONE / 2)
		die_too_many(what, PATH_NONE / 2);
	return (uint32_t)n;
}

static uint32_t name_of(struct path_log *l, struct event *e)
{
	const struct str name = event_get(e, EVENT_NAME);

	return number(map_put(&l->names, name.p ? name : STR("\"\"")), "names");
}

static uint32_t place_of(struct places *p, struct event *e, enum event_member m, struct str last)
{
	const struct str values[] = {event_get(e, EVENT_RANK), event_get(e, m), last};

	return number(places_put(p, values, 3), "threads and streams");
}

static struct path_event *add(struct path_log *l, const struct path_event *event)
{
	l->events = mem_grow(l->events, &l->cap, l->n + 1, sizeof *l->events);
	number(l->n, "records");
	l->events[l->n] = *event;
	return &l->events[l->n++];
}

/* Moves the window to a range that may be one of those that define it. */
static void take_range(struct path_log *l, struct event *e)
{
	if (!l->marker || name_match_first(l->marker, event_get(e, EVENT_NAME)) == NAME_MATCH_NONE)
		return;
	if (l->found == l->first) {
		l->begin = e->ts;
		l->end = event_end(e);
	} else if (l->found > l->first && l->found <= l->last && event_end(e) > l->end) {
		l->end = event_end(e);
	}
	l->found++;
}

/* Returns whether a record may be in the window. Before it, only records with the ts of the last one are stored. */
static bool in_window(struct path_log *l, int64_t ts)
{
	if (!l->marker)
		return true;
	if (l->found > l->first)
		return l->found <= l->last || ts <= l->end;
	if (l->n && l->events[l->n - 1].ts != ts)
		l->n = 0;
	return true;
}

static void add_host(struct path_log *l, struct event *e, enum event_kind kind)
{
	const struct str name = event_get(e, EVENT_NAME), stream = event_get(e, EVENT_STREAM);
	struct path_event h = {.ts = e->ts, .end = event_end(e), .waited_for = PATH_NONE};
	int64_t corr, number_of_stream;

	if (kind == KIND_RANGE || kind == KIND_OP)
		take_range(l, e);
	/* A record without a length adds nothing to a path. */
	if (h.end == h.ts || !in_window(l, e->ts))
		return;
	h.name = name_of(l, e);
	h.place = place_of(&l->threads, e, EVENT_PID, event_get(e, EVENT_TID));
	l->foreign = mem_grow_zero(l->foreign, &l->foreign_cap, h.place + 1, sizeof *l->foreign);
	if (kind != KIND_API && value_integer(stream, &number_of_stream)) {
		l->foreign[h.place] |= number_of_stream >= 0;
		return;
	}
	if (kind == KIND_API || kind == KIND_OP ||
	    (l->data_load && name_match_first(l->data_load, name) != NAME_MATCH_NONE))
		h.flags = PATH_NODE;
	if (kind == KIND_PYTHON)
		h.flags |= PATH_FUNCTION;
	if (kind == KIND_API) {
		h.flags |= PATH_API | (str_in(name, locks) ? PATH_LOCK : 0);
		h.flags |= (str_in(name, blocking) ? PATH_BLOCKING : 0) | (str_in(name, waiting) ? PATH_WAITS : 0);
		if (str_eq(name, STR("\"cudaEventRecord\"")) && value_integer(event_get(e, EVENT_CORR), &corr)) {
			l->record_calls = mem_grow(
			    l->record_calls, &l->record_calls_cap, l->n_record_calls + 1, sizeof *l->record_calls);
			l->record_calls[l->n_record_calls++] = (struct path_record_call){corr, e->ts};
		}
	}
	add(l, &h);
}

/* Reads the call of a device record; returns false if it has none. */
static bool read_call(struct path_log *l, struct event *e, struct event_api *api, uint32_t *thread, uint32_t *call_name)
{
	size_t name;

	if (!event_api_find(api, e))
		return false;
	*thread =
	    number(places_put(&l->threads, (struct str[]){event_get(e, EVENT_RANK), api->pid, api->tid}, 3), "threads");
	name = api->name.p ? map_find(&l->names, api->name) : MAP_NONE;
	*call_name = name == MAP_NONE ? PATH_NONE : (uint32_t)name;
	return true;
}

static void add_work(struct path_log *l, struct event *e)
{
	struct path_event d = {.ts = e->ts, .end = event_end(e), .waited_for = PATH_NONE, .flags = PATH_DEVICE};
	struct event_api api;

	if (l->marker && l->found <= l->first)
		return;
	if (!read_call(l, e, &api, &d.thread, &d.call_name)) {
		l->uncalled++;
		return;
	}
	d.call = api.ts;
	if (l->marker && d.call < l->begin)
		return;
	d.name = name_of(l, e);
	d.place = place_of(&l->streams, e, EVENT_DEV, event_get(e, EVENT_STREAM));
	l->past = mem_grow_zero(l->past, &l->past_cap, d.place + 1, sizeof *l->past);
	if (l->past[d.place])
		return;
	/*
	 * The first work of a stream after the window is stored until path_log_end(), because mark_queued() needs the
	 * time at which it was launched.
	 */
	l->past[d.place] = l->marker && l->found > l->last && d.call > l->end;
	d.flags |= PATH_NODE | (str_in(api.name, launches) ? PATH_LAUNCH : 0);
	add(l, &d);
}

static void add_sync(struct path_log *l, struct event *e)
{
	const size_t type = index_in(sync_names, event_get(e, EVENT_NAME));
	const struct str args = event_get(e, EVENT_ARGS), waited = iter_find(args, STR("wait_on_stream"));
	struct path_sync s = {.type = (enum path_sync_type)type, .end = event_end(e)};
	struct event_api api;
	int64_t end;

	if (!sync_names[type])
		return;
	l->any_sync = true;
	if (!read_call(l, e, &api, &s.thread, &s.call_name))
		return;
	end = int_interval_end(api.ts, api.dur);
	s.end = s.end < end || type == PATH_SYNC_WAIT ? s.end : end;
	s.call = api.ts;
	s.waiting = place_of(&l->streams, e, EVENT_DEV, event_get(e, EVENT_STREAM));
	s.stream = s.waiting;
	if (type == PATH_SYNC_EVENT || type == PATH_SYNC_WAIT) {
		if (!value_integer(iter_find(args, STR("wait_on_cuda_event_record_corr_id")), &s.record_event))
			return;
		s.stream = place_of(&l->streams, e, EVENT_DEV, waited);
	}
	l->syncs = mem_grow(l->syncs, &l->syncs_cap, l->n_syncs + 1, sizeof *l->syncs);
	l->syncs[l->n_syncs++] = s;
}

void path_log_add(struct path_log *l, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const struct str rank = event_get(e, EVENT_RANK);

	places_put(&l->ranks, &rank, 1);
	if (kind == KIND_SYNC)
		add_sync(l, e);
	else if (event_kind_is_device(kind))
		add_work(l, e);
	else
		add_host(l, e, kind);
}

/* Sets PATH_QUEUED: goes from the last record to the first, with the call of the next work of each stream. */
static void mark_queued(struct path_log *l)
{
	int64_t *next = mem_alloc((l->streams.n + 1) * sizeof *next);
	struct path_event *v;
	size_t i;

	for (i = 0; i < l->streams.n; i++)
		next[i] = INT64_MAX;
	for (i = l->n; i-- > 0;) {
		v = &l->events[i];
		if (!(v->flags & PATH_DEVICE))
			continue;
		if (next[v->place] < v->ts)
			v->flags |= PATH_QUEUED;
		next[v->place] = v->call;
	}
	free(next);
}

/* Returns the thread with operators or ranges whose names contain `word`; PATH_NONE if it is not exactly one. */
static uint32_t thread_with(const struct path_log *l, struct str word)
{
	bool *contains = mem_zero(l->names.n + 1, sizeof *contains);
	uint32_t thread = PATH_NONE;
	size_t i, threads = 0;

	/* Names are searched once each, because a window has far fewer names than records. */
	for (i = 0; i < l->names.n; i++)
		contains[i] = str_find(map_key(&l->names, i), word) < map_key(&l->names, i).n;
	for (i = 0; i < l->n; i++) {
		if (l->events[i].flags & (PATH_DEVICE | PATH_API | PATH_FUNCTION) || !contains[l->events[i].name] ||
		    l->events[i].place == thread)
			continue;
		thread = l->events[i].place;
		threads++;
	}
	free(contains);
	return threads == 1 ? thread : PATH_NONE;
}

/* If one thread runs the forward pass and another one autograd, they take turns: they become one thread. */
static void merge_backward(struct path_log *l)
{
	const uint32_t forward = thread_with(l, STR("forward")), backward = thread_with(l, STR("autograd"));
	size_t i;

	if (forward == PATH_NONE || backward == PATH_NONE)
		return;
	l->merged = backward;
	l->merged_into = forward;
	for (i = 0; i < l->n; i++) {
		if (!(l->events[i].flags & PATH_DEVICE) && l->events[i].place == backward)
			l->events[i].place = forward;
	}
}

static int compare_record_calls(const void *pa, const void *pb)
{
	const struct path_record_call *a = pa, *b = pb;

	return a->corr != b->corr ? (a->corr < b->corr ? -1 : 1) : (a->ts > b->ts) - (a->ts < b->ts);
}

bool path_log_end(struct path_log *l)
{
	size_t i, n = 0;
	int64_t at;

	if (l->marker && l->found <= l->last)
		return false;
	l->merged = PATH_NONE;
	mark_queued(l);
	if (!l->marker) {
		l->begin = l->n ? l->events[0].ts : 0;
		l->end = l->begin;
	}
	for (i = 0; i < l->n; i++) {
		at = l->events[i].flags & PATH_DEVICE ? l->events[i].call : l->events[i].ts;
		if (!l->marker && l->events[i].end > l->end)
			l->end = l->events[i].end;
		if (!l->marker || (at >= l->begin && at <= l->end))
			l->events[n++] = l->events[i];
	}
	l->n = n;
	merge_backward(l);
	if (l->n_record_calls)
		qsort(l->record_calls, l->n_record_calls, sizeof *l->record_calls, compare_record_calls);
	return true;
}

uint32_t path_log_call(const struct path_log *l, int64_t ts, uint32_t thread, uint32_t name)
{
	struct order_range r = {0, l->n};
	const struct path_event *v;

	/* merge_backward() moved the calls of this thread to the thread of the forward pass. */
	thread = thread == l->merged ? l->merged_into : thread;
	while (r.low < r.high)
		order_halve(&r, l->events[order_middle(&r)].ts < ts);
	for (; r.low < l->n && l->events[r.low].ts == ts; r.low++) {
		v = &l->events[r.low];
		if (v->flags & PATH_API && v->place == thread && (name == PATH_NONE || v->name == name))
			return (uint32_t)r.low;
	}
	return PATH_NONE;
}

void path_log_free(struct path_log *l)
{
	mem_free(l->events, l->syncs, l->record_calls, l->foreign, l->past);
	map_free(&l->names);
	places_free(&l->threads);
	places_free(&l->streams);
	places_free(&l->ranks);
}
