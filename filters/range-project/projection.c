#include "projection.h"

#include "base/err.h"
#include "base/map.h"
#include "interval/interval_index.h"
#include "record/event_api.h"
#include "record/value_ids.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * Launches are projected in batches, by place: if a place has more ranges than fit in the cache, then its launches of a
 * batch need them there only once.
 */
enum { BATCH = 256 };

#define SEVERAL_KEYS UINT32_MAX /* in place of the number of a value: more than one value */

/* A device record with its call. */
struct projection_launch {
	int64_t ts, end;  /* times of the device record */
	int64_t from, to; /* times of its call */
	size_t place, process;
	uint32_t tid, dev, stream;
	bool first;   /* this is the first record of its call */
	bool outside; /* no range encloses its call */
	bool late;    /* a range that could enclose its call was passed to options.give before */
};

struct projection_place {
	struct projection_work work; /* for a process: the work outside of all ranges */
	int64_t gone;                /* the latest end of the ranges that were passed to options.give */
	bool any_gone;
};

struct projection {
	struct projection_options options;
	struct projection_counts counts;
	struct value_ids keys;           /* values of tid, dev, stream */
	struct places numbers;           /* numbers of places: rank, pid and tid */
	struct projection_place *places; /* indexed by number */
	size_t n_places, places_cap;
	struct interval_index spans;   /* ranges, by thread and by options.scope; `name` is an index in `held` */
	struct projection_range *held; /* ranges that can still get work, in input order */
	size_t n_held, held_cap;
	struct projection_work *work; /* of each of these ranges: apart from them, so that more of it is in the cache */
	size_t work_cap;
	uint32_t *moved; /* new indexes of the ranges after a sweep */
	size_t moved_cap;
	struct projection_launch *waiting; /* launches that wait until all ranges that could enclose them are known */
	size_t head, n_waiting, waiting_cap;
	struct projection_launch **batch; /* those that are projected together, by place */
	size_t batch_cap;
	/* Calls with work: calls[0] since the last sweep, calls[1] between the last two sweeps. */
	struct map calls[2];
	struct buf call;
	int64_t now, sweep; /* now: ts of the stream; sweep: ts of the next search for completed ranges */
	bool started, ended;
};

struct projection *projection_new(const struct projection_options *o)
{
	struct projection *p = mem_zero(1, sizeof *p);

	p->options = *o;
	return p;
}

/* Returns the number of the place with these values (rank, pid, tid) in one scope; adds the place if it is new. */
static size_t put_place(struct projection *p, enum places_scope scope, const struct str *at)
{
	size_t i = places_put(&p->numbers, at, places_scope_values(scope));

	p->places = mem_grow(p->places, &p->places_cap, p->numbers.n, sizeof *p->places);
	while (p->n_places < p->numbers.n)
		p->places[p->n_places++] = (struct projection_place){.any_gone = false};
	return i;
}

void projection_add_range(struct projection *p, struct event *e, int64_t end, uint64_t id, struct str label)
{
	const struct str at[] = {event_get(e, EVENT_RANK), event_get(e, EVENT_PID), event_get(e, EVENT_TID)};
	const size_t thread = put_place(p, PLACES_THREAD, at), place = put_place(p, p->options.scope, at);
	const struct projection_range *parent;
	struct projection_range r = {.start = e->ts, .end = end, .id = id, .place = place};
	struct interval_index_entry span;
	struct str above = {NULL, 0};
	char *copy;

	if (interval_index_innermost(&p->spans, thread, e->ts, end, &span)) {
		parent = &p->held[span.name];
		r.parent = parent->id;
		r.depth = parent->depth + 1;
		above = parent->stack;
	}
	copy = mem_alloc(e->raw.n + above.n + 1 + label.n);
	r.record = (struct str){copy, e->raw.n};
	copy = str_copy(copy, e->raw);
	if (label.p) {
		r.stack.p = copy;
		copy = str_copy(copy, above);
		if (above.n)
			*copy++ = ',';
		r.stack.n = (size_t)(str_copy(copy, label) - r.stack.p);
	}
	if (p->n_held == UINT32_MAX)
		die("too many open ranges: at most %" PRIu32 "; use a smaller --horizon", UINT32_MAX);
	span = (struct interval_index_entry){e->ts, end, (uint32_t)p->n_held, (uint32_t)id};
	interval_index_add(&p->spans, thread, &span);
	if (place != thread)
		interval_index_add(&p->spans, place, &span);
	p->held = mem_grow(p->held, &p->held_cap, p->n_held + 1, sizeof *p->held);
	p->work = mem_grow(p->work, &p->work_cap, p->n_held + 1, sizeof *p->work);
	p->work[p->n_held].records = 0;
	p->held[p->n_held++] = r;
	p->counts.ranges++;
}

/* --- work --- */

static struct projection_work work_of(const struct projection_launch *l)
{
	const int64_t last = l->end > l->ts ? l->end : l->ts;

	return (struct projection_work){.ops = l->first,
	    .records = 1,
	    .first = l->ts,
	    .last = last,
	    .busy = int_sub(last, l->ts),
	    .sum = int_sub(l->end, l->ts),
	    .tid = l->tid,
	    .dev = l->dev,
	    .stream = l->stream,
	    .last_tid = l->tid};
}

static void agree(uint32_t *seen, uint32_t value)
{
	if (*seen != value)
		*seen = SEVERAL_KEYS;
}

/* Adds records that all start at the same ts, and not before any record in *w. */
static void add_work(struct projection_work *w, const struct projection_work *more)
{
	int64_t from;

	if (!w->records) {
		*w = *more;
		return;
	}
	from = more->first > w->last ? more->first : w->last;
	w->records += more->records;
	w->ops += more->ops;
	w->sum = int_add(w->sum, more->sum);
	agree(&w->tid, more->tid);
	agree(&w->dev, more->dev);
	agree(&w->stream, w->dev == more->dev ? more->stream : SEVERAL_KEYS); /* each device has its own stream 7 */
	if (more->last > from)
		w->busy = int_add(w->busy, int_sub(more->last, from));
	if (more->last > w->last) {
		w->last = more->last;
		w->last_tid = more->last_tid;
	}
}

static int compare_id(const void *id, const void *range)
{
	const uint64_t a = *(const uint64_t *)id, b = ((const struct projection_range *)range)->id;

	return (a > b) - (a < b);
}

/* Counts a range that got its first work as a child of the range `id`, unless that is 0 or not held any more. */
static void count_child(struct projection *p, uint64_t id)
{
	struct projection_range *parent = bsearch(&id, p->held, p->n_held, sizeof *p->held, compare_id);

	if (parent)
		parent->children++;
}

static bool is_late(const struct projection *p, const struct projection_launch *l)
{
	return p->places[l->place].any_gone && p->places[l->place].gone >= l->to;
}

/* Adds work to all ranges that enclose its call. Returns whether there are any. */
static bool project_work(struct projection *p, const struct projection_launch *call, const struct projection_work *work)
{
	size_t i, at;

	p->spans.n_found = 0;
	interval_index_find(&p->spans, call->place, call->from, call->to);
	for (i = 0; i < p->spans.n_found; i++) {
		at = p->spans.found[i].name;
		if (!p->work[at].records)
			count_child(p, p->held[at].parent);
		add_work(&p->work[at], work);
	}
	return p->spans.n_found;
}

/* Orders the elements of projection.batch by place and ts; those with the same times of their calls are neighbours. */
static int compare_launches(const void *a, const void *b)
{
	const struct projection_launch *x = *(struct projection_launch *const *)a,
				       *y = *(struct projection_launch *const *)b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* Sets p->batch to n launches in order. */
static void sort_batch(struct projection *p, struct projection_launch *launches, size_t n)
{
	bool sorted = true;
	size_t i;

	p->batch = mem_grow(p->batch, &p->batch_cap, n, sizeof *p->batch);
	for (i = 0; i < n; i++) {
		p->batch[i] = &launches[i];
		sorted = sorted && (!i || compare_launches(&p->batch[i - 1], &p->batch[i]) <= 0);
	}
	if (!sorted)
		qsort(p->batch, n, sizeof *p->batch, compare_launches);
}

/* Records of one call that start at the same ts, of which a trace can have many, are added to the ranges as a sum. */
static void project_batch(struct projection *p, struct projection_launch *launches, size_t n)
{
	struct projection_work sum, one;
	struct projection_launch *l;
	size_t i, next;
	bool outside;

	sort_batch(p, launches, n);
	for (i = 0; i < n; i = next) {
		sum = work_of(p->batch[i]);
		for (next = i + 1; next < n && compare_launches(&p->batch[i], &p->batch[next]) == 0; next++) {
			one = work_of(p->batch[next]);
			add_work(&sum, &one);
		}
		outside = !project_work(p, p->batch[i], &sum);
		for (; i < next; i++)
			p->batch[i]->outside = outside;
	}
	/* The work outside of ranges is that of a process, with many places: it is added in the order of ts. */
	for (l = launches; l < launches + n; l++) {
		if (l->outside) {
			one = work_of(l);
			add_work(&p->places[l->process].work, &one);
		}
		p->counts.outside += l->outside;
		p->counts.inside += !l->outside;
		p->counts.late += !l->late && is_late(p, l);
	}
}

/*
 * A launch waits until the stream has passed the starts of its call and of its work, since a later range could enclose
 * the call. All later work waits too, so that intervals stay in order. The wait is limited by the horizon.
 */
static bool waits(const struct projection *p, const struct projection_launch *l)
{
	return !p->ended && (l->from >= p->now || l->ts >= p->now) && int_sub(p->now, l->ts) <= p->options.horizon;
}

/* Projects the launches at the head of the queue that need not wait. */
static void project_queue(struct projection *p)
{
	size_t end = p->head;

	while (end < p->n_waiting && !waits(p, &p->waiting[end]))
		end++;
	if (end > p->head)
		project_batch(p, &p->waiting[p->head], end - p->head);
	p->head = end;
	if (p->head > p->n_waiting / 2) {
		p->n_waiting -= p->head;
		memmove(p->waiting, p->waiting + p->head, p->n_waiting * sizeof *p->waiting);
		p->head = 0;
	}
}

bool projection_add_launch(struct projection *p, struct event *e)
{
	struct event_api api;
	const bool joined = event_api_find(&api, e);
	const struct str at[] = {event_get(e, EVENT_RANK), api.pid, api.tid}, corr = event_get(e, EVENT_CORR);
	struct projection_launch l = {.ts = e->ts, .end = event_end(e)};
	struct str call;
	size_t known;

	if (!joined)
		return false;
	l.from = api.ts;
	l.to = int_interval_end(api.ts, api.dur);
	l.place = put_place(p, p->options.scope, at);
	l.process = put_place(p, PLACES_PROCESS, at);
	l.tid = (uint32_t)value_ids_put(&p->keys, at[2]);
	l.dev = (uint32_t)value_ids_put(&p->keys, event_get(e, EVENT_DEV));
	l.stream = (uint32_t)value_ids_put(&p->keys, event_get(e, EVENT_STREAM));
	l.first = true; /* of a call: a process can use its correlation ids again */
	if (corr.n) {
		p->call.n = 0;
		buf_add(&p->call, &l.process, sizeof l.process);
		buf_add(&p->call, &l.from, sizeof l.from);
		buf_add(&p->call, corr.p, corr.n);
		call = buf_str(&p->call);
		known = p->calls[0].n;
		l.first = map_put(&p->calls[0], call) == known && map_find(&p->calls[1], call) == MAP_NONE;
	}
	l.late = is_late(p, &l);
	p->counts.late += l.late;
	p->waiting = mem_grow(p->waiting, &p->waiting_cap, p->n_waiting + 1, sizeof *p->waiting);
	p->waiting[p->n_waiting++] = l;
	p->counts.launches++;
	return true;
}

/* --- results of ranges --- */

static void give(struct projection *p, size_t i)
{
	struct projection_range *r = &p->held[i];
	struct projection_place *at = &p->places[r->place];

	r->work = &p->work[i];
	if (r->work->records) {
		p->counts.used++;
		p->options.give(p->options.arg, r);
	}
	if (!at->any_gone || r->end > at->gone)
		at->gone = r->end;
	at->any_gone = true;
	free((char *)r->record.p);
}

static uint32_t new_place(void *moved, uint32_t place)
{
	return ((uint32_t *)moved)[place];
}

/* Gives the ranges that ended before `limit`, and drops the calls that did not occur since the last sweep. */
static void sweep(struct projection *p, int64_t limit)
{
	size_t n = p->n_held, i;

	p->moved = mem_grow(p->moved, &p->moved_cap, n, sizeof *p->moved);
	p->n_held = 0;
	for (i = 0; i < n; i++) {
		p->moved[i] = (uint32_t)p->n_held;
		if (p->held[i].end < limit) {
			give(p, i);
			continue;
		}
		p->work[p->n_held] = p->work[i];
		p->held[p->n_held++] = p->held[i];
	}
	interval_index_expire(&p->spans, limit, new_place, p->moved);
	map_free(&p->calls[1]);
	p->calls[1] = p->calls[0];
	p->calls[0] = (struct map){0};
}

void projection_advance(struct projection *p, int64_t ts)
{
	if (!p->started)
		p->sweep = int_add(ts, p->options.horizon);
	if (p->started && ts == p->now)
		return;
	p->started = true;
	p->now = ts;
	if (p->n_waiting - p->head >= BATCH || ts > p->sweep)
		project_queue(p);
	if (ts > p->sweep) {
		sweep(p, ts - p->options.horizon); /* no overflow, since the result is later than the first ts */
		p->sweep = int_add(ts, p->options.horizon);
	}
}

void projection_end(struct projection *p)
{
	size_t i;

	p->ended = true;
	project_queue(p);
	for (i = 0; i < p->n_held; i++)
		give(p, i);
	p->n_held = 0;
}

void projection_free(struct projection *p)
{
	size_t i;

	for (i = 0; i < p->n_held; i++)
		free((char *)p->held[i].record.p);
	free(p->held);
	free(p->work);
	free(p->moved);
	free(p->places);
	free(p->waiting);
	free(p->batch);
	places_free(&p->numbers);
	interval_index_free(&p->spans);
	buf_free(&p->call);
	map_free(&p->calls[0]);
	map_free(&p->calls[1]);
	value_ids_free(&p->keys);
	free(p);
}

/* --- results --- */

const struct projection_counts *projection_counts(const struct projection *p)
{
	return &p->counts;
}

struct str projection_key(const struct projection *p, uint32_t key)
{
	return key == SEVERAL_KEYS ? (struct str){NULL, 0} : value_ids_text(&p->keys, key);
}

const struct projection_work *projection_next_outside(
    const struct projection *p, size_t *next, struct str *rank, struct str *pid)
{
	size_t i;

	while ((i = (*next)++) < p->n_places) {
		if (!p->places[i].work.records)
			continue;
		*rank = places_value(&p->numbers, i, 0);
		*pid = places_value(&p->numbers, i, 1);
		return &p->places[i].work;
	}
	return NULL;
}
