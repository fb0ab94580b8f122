#include "path_search.h"

#include "base/order.h"

#include <stdlib.h>

enum {
	NO_KERNEL_DELAY = 1500000
}; /* a kernel that starts this long after the end of the last one was not held up by it */

/* The open records of a thread. */
struct thread {
	uint32_t *stack;
	size_t n, cap;
	size_t open;   /* number of open records that are points */
	uint32_t last; /* the last point that was passed */
};

struct stream {
	uint32_t last;  /* the work that started last, PATH_NONE before the first */
	uint32_t ended; /* the work that ended last */
};

/* The end of a call depends on a device record. */
struct wait {
	uint32_t call, work;
};

struct sweep {
	struct path_search *result;
	struct path_log *log;
	bool guess;
	struct thread *threads;
	struct stream *streams;
	uint32_t *started; /* the calls with the lock that started since the last one ended */
	size_t n_started, started_cap;
	uint32_t lock_end; /* the last end of such a call */
	struct wait *waits;
	size_t n_waits, waits_cap;
	size_t *sync_order, next_sync;
	size_t *launch_order, n_launches; /* device records by stream and call */
};

/*
 * Uses the edge from `from` to `point` if no path to the point so far is longer. Points are passed in the order of
 * time, so the distance of `from` is final if it is set. An edge that leads back in time is left out: the clocks of
 * host and device can differ by some microseconds.
 */
static void reach(struct sweep *w, uint32_t point, uint32_t from, int64_t weight, enum path_edge edge, uint32_t by)
{
	struct path_search *r = w->result;
	int64_t distance;

	if (from == PATH_NONE || r->edges[from] == PATH_UNSEEN ||
	    path_point_time(w->log, from) > path_point_time(w->log, point))
		return;
	distance = int_add(r->points[from].distance, weight);
	if (r->edges[point] != PATH_UNSEEN && distance <= r->points[point].distance)
		return;
	r->points[point] = (struct path_point){distance, from, by};
	r->edges[point] = (unsigned char)edge;
}

/* Ends the search of the edges to a point. */
static void settle(struct sweep *w, uint32_t point)
{
	struct path_search *r = w->result;

	/* A path begins at a point that no edge reaches. Of equally long paths, the one that ends first is used. */
	if (r->edges[point] == PATH_UNSEEN) {
		r->points[point] = (struct path_point){0, PATH_NONE, PATH_NONE};
		r->edges[point] = PATH_SOURCE;
	}
	if (r->last == PATH_NONE || r->points[point].distance > r->points[r->last].distance)
		r->last = point;
}

/* Returns the time between two points in ns. */
static int64_t passed(const struct sweep *w, uint32_t from, uint32_t to)
{
	return int_sub(path_point_time(w->log, to), path_point_time(w->log, from));
}

/* --- host --- */

/*
 * The start of a record follows the last point of its thread. The time between them is that of the innermost open
 * record. Outside all open records, the host may have done anything, so this time has no weight.
 */
static void start_host(struct sweep *w, uint32_t event)
{
	const struct path_event *v = &w->log->events[event];
	struct thread *t = &w->threads[v->place];
	const uint32_t point = 2 * event, last = t->last;
	const struct path_event *before = last == PATH_NONE ? NULL : &w->log->events[last / 2];
	const bool locked = before && !(last & 1) && before->flags & v->flags & PATH_LOCK;
	uint32_t by;

	if (v->flags & PATH_NODE) {
		/*
		 * Two calls that take the lock and overlap do not depend on each other's start: end_lock() orders them.
		 */
		if (before && !locked) {
			by = !(last & 1) ? last / 2 : t->n ? t->stack[t->n - 1] : PATH_NONE;
			if (t->open)
				reach(w, point, last, passed(w, last, point), PATH_OPERATOR, by);
			else
				reach(w, point, last, 0, PATH_DEPENDENCY, PATH_NONE);
		}
		settle(w, point);
		t->open++;
		t->last = point;
		if (v->flags & PATH_LOCK) {
			w->started = mem_grow(w->started, &w->started_cap, w->n_started + 1, sizeof *w->started);
			w->started[w->n_started++] = event;
		}
	}
	t->stack = mem_grow(t->stack, &t->cap, t->n + 1, sizeof *t->stack);
	t->stack[t->n++] = event;
}

/* The call holds the lock of the runtime: it cannot end before the calls that started earlier. */
static void end_lock(struct sweep *w, uint32_t event)
{
	const uint32_t start = 2 * event, end = start + 1;
	size_t i;

	for (i = 0; i < w->n_started; i++) {
		if (w->started[i] == event)
			reach(w, end, start, passed(w, start, end), PATH_OPERATOR, event);
	}
	for (i = 0; i < w->n_started; i++) {
		if (w->started[i] != event)
			reach(w, end, 2 * w->started[i], 0, PATH_DEPENDENCY, PATH_NONE);
	}
	if (!w->n_started)
		reach(w, end, w->lock_end, 0, PATH_DEPENDENCY, PATH_NONE);
	w->n_started = 0;
	w->lock_end = end;
}

/* Adds the edges from the work that the call waited for. */
static void end_waits(struct sweep *w, uint32_t event)
{
	const struct path_event *v = &w->log->events[event], *work;
	size_t i, n = 0;

	for (i = 0; i < w->n_waits; i++) {
		if (w->waits[i].call == event)
			reach(w, 2 * event + 1, 2 * w->waits[i].work + 1, 0, PATH_SYNC, PATH_NONE);
		else
			w->waits[n++] = w->waits[i];
	}
	w->n_waits = n;
	if (!w->guess || !(v->flags & PATH_WAITS))
		return;
	for (i = 0; i < w->log->streams.n; i++) {
		if (w->streams[i].ended == PATH_NONE)
			continue;
		work = &w->log->events[w->streams[i].ended];
		if (work->end >= v->ts && work->end <= v->end)
			reach(w, 2 * event + 1, 2 * w->streams[i].ended + 1, 0, PATH_SYNC, PATH_NONE);
	}
}

static void end_host(struct sweep *w, uint32_t event)
{
	const struct path_event *v = &w->log->events[event];
	struct thread *t = &w->threads[v->place];
	const uint32_t point = 2 * event + 1, last = t->last;
	const bool locked = v->flags & PATH_LOCK && w->log->events[last / 2].flags & PATH_LOCK;

	if (t->n)
		t->n--;
	if (!(v->flags & PATH_NODE))
		return;
	if (v->flags & PATH_LOCK)
		end_lock(w, event);
	if (!locked)
		reach(w, point, last, v->flags & PATH_BLOCKING ? 0 : passed(w, last, point), PATH_OPERATOR,
		    last & 1 ? event : last / 2);
	end_waits(w, event);
	settle(w, point);
	t->open--;
	t->last = point;
}

/* --- device --- */

/* The end of work follows its own start. */
static void end_work(struct sweep *w, uint32_t event)
{
	const uint32_t start = 2 * event;

	reach(w, start + 1, start, passed(w, start, start + 1), PATH_OPERATOR, event);
	settle(w, start + 1);
	w->streams[w->log->events[event].place].ended = event;
}

/* Returns the start of the call, if the time since then is the delay of a launch into an idle stream; or PATH_NONE. */
static uint32_t launch_point(
    const struct sweep *w, const struct path_event *v, const struct path_event *last, const struct path_event *other)
{
	uint32_t call;

	if (!(v->flags & PATH_LAUNCH) || v->flags & PATH_QUEUED || (last && last->end >= v->call) ||
	    (other && other->end >= v->call))
		return PATH_NONE;
	call = path_log_call(w->log, v->call, v->thread, v->call_name);
	return call == PATH_NONE ? PATH_NONE : 2 * call;
}

static const struct path_event *event_or_null(const struct sweep *w, uint32_t event)
{
	return event == PATH_NONE ? NULL : &w->log->events[event];
}

static void start_work(struct sweep *w, uint32_t event)
{
	const struct path_event *v = &w->log->events[event];
	struct stream *s = &w->streams[v->place];
	const struct path_event *ended = event_or_null(w, s->ended), *other = event_or_null(w, v->waited_for);
	const uint32_t point = 2 * event, launch = launch_point(w, v, event_or_null(w, s->last), other);

	if (other)
		reach(w, point, 2 * v->waited_for + 1, 0, PATH_SYNC, PATH_NONE);
	if (launch != PATH_NONE)
		reach(w, point, launch, int_sub(v->ts, v->call), PATH_LAUNCH_DELAY, event);
	/*
	 * The work of a stream runs one after the other. If a synchronisation ended later than the preceding work, the
	 * work waited for that instead.
	 */
	else if (ended && int_sub(v->ts, ended->end) < NO_KERNEL_DELAY && (!other || other->end < ended->end))
		reach(w, point, 2 * s->ended + 1, int_sub(v->ts, ended->end), PATH_KERNEL_DELAY, s->ended);
	w->result->without_cause += w->result->edges[point] == PATH_UNSEEN;
	settle(w, point);
	s->last = event;
	if (v->end == v->ts)
		end_work(w, event);
}

/* --- synchronisation --- */

static int compare_launches(const void *arg, size_t a, size_t b)
{
	const struct path_event *events = arg, *x = &events[a], *y = &events[b];
	const bool host_x = !(x->flags & PATH_DEVICE), host_y = !(y->flags & PATH_DEVICE);

	/* The records of the host are at the end, and are not counted in n_launches. */
	if (host_x != host_y)
		return host_x - host_y;
	return x->place != y->place ? int_compare(x->place, y->place) : int_compare(x->call, y->call);
}

/* Returns the index in launch_order of the first work of the stream that was launched after `ts`. */
static size_t launched_after(const struct sweep *w, uint32_t stream, int64_t ts)
{
	struct order_range r = {0, w->n_launches};
	const struct path_event *v;

	while (r.low < r.high) {
		v = &w->log->events[w->launch_order[order_middle(&r)]];
		order_halve(&r, v->place < stream || (v->place == stream && v->call <= ts));
	}
	return r.low;
}

/* Returns the last work of the stream that was launched before the event was recorded, or PATH_NONE. */
static uint32_t recorded_work(const struct sweep *w, const struct path_sync *s)
{
	const struct path_record_call *calls = w->log->record_calls;
	struct order_range r = {0, w->log->n_record_calls};
	size_t i;

	while (r.low < r.high)
		order_halve(&r, calls[order_middle(&r)].corr < s->record_event);
	if (r.low == w->log->n_record_calls || calls[r.low].corr != s->record_event)
		return PATH_NONE;
	i = launched_after(w, s->stream, calls[r.low].ts);
	if (!i || w->log->events[w->launch_order[i - 1]].place != s->stream)
		return PATH_NONE;
	return (uint32_t)w->launch_order[i - 1];
}

/* A stream waited for an event: the next work that the thread launches into it starts after that of the event. */
static void link_streams(struct sweep *w, const struct path_sync *s)
{
	const uint32_t source = recorded_work(w, s);
	struct path_event *v;
	size_t i;

	if (source == PATH_NONE)
		return;
	/* Only work that the same thread launched later is certain to be behind the wait in the stream. */
	for (i = launched_after(w, s->waiting, s->call); i < w->n_launches; i++) {
		v = &w->log->events[w->launch_order[i]];
		if (v->place != s->waiting)
			return;
		if (v->thread == s->thread) {
			v->waited_for = source;
			return;
		}
	}
}

static void add_wait(struct sweep *w, uint32_t call, uint32_t work)
{
	if (work == PATH_NONE)
		return;
	w->waits = mem_grow(w->waits, &w->waits_cap, w->n_waits + 1, sizeof *w->waits);
	w->waits[w->n_waits++] = (struct wait){call, work};
}

/* Takes the synchronisation records that end at or before `ts`. */
static void take_syncs(struct sweep *w, int64_t ts)
{
	const struct path_sync *s;
	uint32_t call;
	size_t i;

	/*
	 * A call waits for the last work that had started on the stream when the synchronisation ended: its end is
	 * passed before that of the call, which end_waits() handles.
	 */
	for (; w->next_sync < w->log->n_syncs; w->next_sync++) {
		s = &w->log->syncs[w->sync_order[w->next_sync]];
		if (s->end > ts)
			return;
		call = path_log_call(w->log, s->call, s->thread, s->call_name);
		if (s->type == PATH_SYNC_WAIT || call == PATH_NONE || w->log->foreign[w->log->events[call].place])
			continue;
		if (s->type == PATH_SYNC_STREAM)
			add_wait(w, call, w->streams[s->stream].last);
		else if (s->type == PATH_SYNC_EVENT)
			add_wait(w, call, recorded_work(w, s));
		else
			for (i = 0; i < w->log->streams.n; i++)
				add_wait(w, call, w->streams[i].last);
	}
}

static int compare_syncs(const void *arg, size_t a, size_t b)
{
	const struct path_sync *syncs = arg;

	return int_compare(syncs[a].end, syncs[b].end);
}

static void prepare_syncs(struct sweep *w)
{
	const struct path_log *l = w->log;
	size_t i;

	if (!l->n_syncs)
		return;
	w->sync_order = order_sort(l->n_syncs, compare_syncs, l->syncs);
	w->launch_order = order_sort(l->n, compare_launches, l->events);
	for (i = 0; i < l->n; i++)
		w->n_launches += l->events[i].flags & PATH_DEVICE ? 1 : 0;
	for (i = 0; i < l->n_syncs; i++) {
		if (l->syncs[w->sync_order[i]].type == PATH_SYNC_WAIT)
			link_streams(w, &l->syncs[w->sync_order[i]]);
	}
}

/* --- the order of points --- */

/* Starts: of the host first, then longer ones first. */
static int compare_starts(const void *arg, size_t a, size_t b)
{
	const struct path_event *events = arg, *x = &events[a], *y = &events[b];

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	if ((x->flags ^ y->flags) & PATH_DEVICE)
		return x->flags & PATH_DEVICE ? 1 : -1;
	return x->flags & PATH_DEVICE ? 0 : int_compare(y->end, x->end);
}

/* Ends: of the device first, then shorter records first. */
static int compare_ends(const void *arg, size_t a, size_t b)
{
	const struct path_event *events = arg, *x = &events[a], *y = &events[b];

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	if ((x->flags ^ y->flags) & PATH_DEVICE)
		return x->flags & PATH_DEVICE ? -1 : 1;
	if (x->ts != y->ts)
		return x->ts > y->ts ? -1 : 1;
	return a > b ? -1 : 1;
}

static void pass_end(struct sweep *w, uint32_t event)
{
	const struct path_event *v = &w->log->events[event];

	if (v->flags & PATH_DEVICE) {
		/* Work of length 0 ends in start_work(), because its end is passed before its start. */
		if (v->end > v->ts)
			end_work(w, event);
		return;
	}
	if (w->log->foreign[v->place])
		return;
	take_syncs(w, v->end);
	end_host(w, event);
}

static void pass_start(struct sweep *w, uint32_t event)
{
	const struct path_event *v = &w->log->events[event];

	take_syncs(w, v->ts);
	if (v->flags & PATH_DEVICE)
		start_work(w, event);
	else if (!w->log->foreign[v->place])
		start_host(w, event);
}

static void pass_points(struct sweep *w)
{
	const struct path_event *events = w->log->events;
	size_t *starts = order_sort(w->log->n, compare_starts, events);
	size_t *ends = order_sort(w->log->n, compare_ends, events);
	size_t s = 0, e;

	/*
	 * At the same time, ends are passed before starts, so that a record can depend on one that ends when it begins.
	 */
	for (e = 0; e < w->log->n; e++) {
		while (s < w->log->n && events[starts[s]].ts < events[ends[e]].end)
			pass_start(w, (uint32_t)starts[s++]);
		pass_end(w, (uint32_t)ends[e]);
	}
	while (s < w->log->n)
		pass_start(w, (uint32_t)starts[s++]);
	mem_free(starts, ends);
}

void path_search_run(struct path_search *s, struct path_log *l, bool guess)
{
	struct sweep w = {.result = s, .log = l, .guess = guess, .lock_end = PATH_NONE};
	size_t i;

	*s = (struct path_search){.last = PATH_NONE};
	s->points = mem_zero(2 * l->n + 1, sizeof *s->points);
	s->edges = mem_zero(2 * l->n + 1, 1);
	w.threads = mem_zero(l->threads.n + 1, sizeof *w.threads);
	w.streams = mem_zero(l->streams.n + 1, sizeof *w.streams);
	for (i = 0; i < l->threads.n; i++)
		w.threads[i].last = PATH_NONE;
	for (i = 0; i < l->streams.n; i++)
		w.streams[i] = (struct stream){PATH_NONE, PATH_NONE};
	prepare_syncs(&w);
	pass_points(&w);
	for (i = 0; i < l->threads.n; i++)
		free(w.threads[i].stack);
	mem_free(w.threads, w.streams, w.started, w.waits, w.sync_order, w.launch_order);
}

void path_search_free(struct path_search *s)
{
	mem_free(s->points, s->edges);
}
