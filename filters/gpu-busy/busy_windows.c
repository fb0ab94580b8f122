#include "busy_windows.h"

#include "base/num_parse.h"
#include "busy_members.h"
#include "json/write.h"
#include "overlap_sweep.h"
#include "record/event_api.h"
#include "work_places.h"

#include <stdlib.h>

struct busy_window {
	int64_t start,
	    end;     /* the end of the last window of a rank is that of its range and of the work launched in it */
	size_t name; /* index in busy_windows.names */
};

/* The windows of a rank. Each window ends where the next one begins. */
struct window_rank {
	struct busy_window *windows;
	size_t n, cap;
	int64_t range_end; /* end of the last range; INT64_MAX if unknown */
	bool provisional;  /* its window is that of its work, until it has a range */
	int64_t work_end;  /* the latest end of all work of the rank so far */
};

/* The sums of a window and a place. */
struct window_sums {
	int64_t time[OVERLAP_SWEEP_SETS]; /* as in overlap_sweep */
	int64_t concurrent;
	uint128 filled;
	int64_t idle[IDLE_CAUSES];
	uint64_t count; /* number of records that start in the window */
};

struct window_place {
	struct overlap_sweep sweep; /* its times are those since the start of the current window */
	size_t rank;
	uint64_t count;           /* number of records */
	struct window_sums *sums; /* indexed by window of the rank; later windows than sums[n - 1] have no sums yet */
	size_t n, cap;
	/*
	 * The sums of the rank's last window up to final_end. The window may grow after the sweep has passed its end,
	 * and other work may have run since; `final` is valid if the window still ends at final_end.
	 */
	struct window_sums final;
	int64_t final_end;
	bool has_final;
	bool uses_sms;      /* a kernel has a number of blocks per SM */
	int64_t last_start; /* the start of the last record, and the number of records that started then */
	uint64_t last_count;
};

struct busy_windows {
	bool whole, all;
	struct busy_windows_counts counts;
	struct work_places devices;
	struct work_types *types;
	struct out *out;
	struct places rank_ids;
	struct map names;
	struct window_rank *ranks; /* indexed by number in rank_ids */
	size_t n_ranks, ranks_cap;
	struct window_place *places; /* indexed by place */
	size_t n, cap;
	struct buf attachments;
};

struct busy_windows *busy_windows_new(
    const struct places *devices, bool whole, bool all, struct work_types *types, struct out *out)
{
	struct busy_windows *b = mem_zero(1, sizeof *b);

	b->devices.groups = *devices;
	b->whole = whole;
	b->all = all;
	b->types = types;
	b->out = out;
	b->rank_ids = (struct places){.members = {EVENT_RANK}, .n_members = 1};
	return b;
}

const struct busy_windows_counts *busy_windows_counts(const struct busy_windows *b)
{
	return &b->counts;
}

static size_t find_rank(struct busy_windows *b, struct event *e)
{
	const size_t rank = places_put_event(&b->rank_ids, e);

	if (rank == b->n_ranks) {
		b->ranks = mem_grow(b->ranks, &b->ranks_cap, rank + 1, sizeof *b->ranks);
		b->ranks[b->n_ranks++] = (struct window_rank){.work_end = INT64_MIN};
	}
	return rank;
}

/* Returns the sums of a window, which are 0 if they are new. */
static struct window_sums *sums_of(struct window_place *p, size_t window)
{
	p->sums = mem_grow(p->sums, &p->cap, window + 1, sizeof *p->sums);
	while (p->n <= window)
		p->sums[p->n++] = (struct window_sums){0};
	return &p->sums[window];
}

/* Sets the times of the sums of the current window to those of the sweep. */
static void take_times(struct window_sums *sums, const struct overlap_sweep *s)
{
	memcpy(sums->time, s->time, sizeof sums->time);
	sums->concurrent = overlap_sweep_streams(s, 2);
	sums->filled = s->filled;
}

/* --- windows --- */

/* Ends the current window of a place, if there is one, and begins the next one, which has the index `next`. */
static void begin_window(struct window_place *p, size_t next, int64_t ts)
{
	/* Records that started at ts were counted in the preceding window, but they belong to the next one. */
	const uint64_t count = p->last_start == ts ? p->last_count : 0;

	overlap_sweep_to(&p->sweep, ts);
	if (next) {
		take_times(sums_of(p, next - 1), &p->sweep);
		p->sums[next - 1].count -= count;
	}
	sums_of(p, next)->count = count;
	overlap_sweep_clear(&p->sweep);
	p->has_final = false;
}

static void add_window(struct busy_windows *b, size_t rank, int64_t start, int64_t range_end, size_t name)
{
	struct window_rank *r = &b->ranks[rank];
	int64_t end = range_end == INT64_MAX ? start : range_end;
	size_t i;

	if (r->work_end > end) /* work that was launched earlier may run longer than the range */
		end = r->work_end;
	if (r->n)
		r->windows[r->n - 1].end = start;
	for (i = 0; i < b->n; i++) {
		if (b->places[i].rank == rank)
			begin_window(&b->places[i], r->n, start);
	}
	r->windows = mem_grow(r->windows, &r->cap, r->n + 1, sizeof *r->windows);
	r->windows[r->n++] = (struct busy_window){start, end, name};
	r->range_end = range_end;
}

/* Removes the window of a rank that has no ranges. */
static void drop_provisional(struct busy_windows *b, size_t rank)
{
	struct window_rank *r = &b->ranks[rank];
	size_t i;

	if (!r->provisional)
		return;
	r->provisional = false;
	r->n = 0;
	for (i = 0; i < b->n; i++) {
		if (b->places[i].rank == rank)
			b->places[i].n = 0;
	}
}

bool busy_windows_begin(struct busy_windows *b, struct event *range, struct str *preceding)
{
	const size_t rank = find_rank(b, range);
	const struct window_rank *r = &b->ranks[rank];

	drop_provisional(b, rank);

	if (r->n && r->range_end != INT64_MAX && r->range_end > range->ts) {
		*preceding = map_key(&b->names, r->windows[r->n - 1].name);
		return false;
	}
	add_window(b, rank, range->ts, event_get(range, EVENT_DUR).p ? event_end(range) : INT64_MAX,
	    map_put(&b->names, event_get(range, EVENT_NAME)));
	return true;
}

/* --- work --- */

/* Adds an idle interval of a place to the windows that contain parts of it; `to` is at most the current time. */
static void add_idle(
    const struct window_rank *r, struct window_place *p, int64_t from, int64_t to, enum idle_cause cause)
{
	int64_t end = to;
	size_t i;

	for (i = r->n; i-- > 0 && end > from;) {
		const int64_t start = r->windows[i].start > from ? r->windows[i].start : from;
		int64_t *idle = &sums_of(p, i)->idle[cause];

		if (end > start)
			*idle = int_add(*idle, int_sub(end, start));
		end = start;
	}
}

/* Saves the sums of the last window, which has ended according to the records so far. */
static void take_final(const struct window_rank *r, struct window_place *p)
{
	const int64_t end = r->windows[r->n - 1].end;

	if (p->has_final && p->final_end == end)
		return;
	overlap_sweep_to(&p->sweep, end);
	p->final = *sums_of(p, r->n - 1);
	take_times(&p->final, &p->sweep);
	p->final_end = end;
	p->has_final = true;
}

/* Advances a place to the start of its next record, and adds the idle interval that ends there. */
static void advance(struct busy_windows *b, struct window_rank *r, struct window_place *p, struct event *e)
{
	const struct busy_window *last = &r->windows[r->n - 1];
	/* the start of the idle interval, if the place is idle */
	const int64_t end = last->end, from = p->sweep.any ? p->sweep.end : r->windows[0].start;
	enum idle_cause cause;
	int64_t start;

	if (e->ts > end)
		take_final(r, p);
	overlap_sweep_to(&p->sweep, e->ts);
	if (!overlap_sweep_is_idle(&p->sweep) || from >= e->ts)
		return;
	cause = idle_cause_find(e, from, IDLE_CAUSE_WAIT, &b->counts.idle);
	add_idle(r, p, from, e->ts, cause);
	start = from > last->start ? from : last->start;
	if (e->ts > end && end > start)
		p->final.idle[cause] = int_add(p->final.idle[cause], int_sub(end, start));
}

/* Returns the part of the device that a kernel uses while it runs. */
static uint32_t find_load(struct window_place *p, struct event *e)
{
	const struct str args = event_get(e, EVENT_ARGS);
	double blocks;

	if (!args.p || !num_double(iter_find(args, STR("blocks per SM")), &blocks) || !(blocks >= 0))
		return 0;
	p->uses_sms = true;
	return (uint32_t)((blocks < 1 ? blocks : 1) * OVERLAP_SWEEP_FULL);
}

/* Lengthens the last window of a rank to the end of the work, if the work was launched before the range ended. */
static void lengthen(const struct busy_windows *b, struct window_rank *r, struct event *e)
{
	struct busy_window *last = &r->windows[r->n - 1];
	const int64_t end = event_end(e);
	struct event_api launch;
	int64_t launched = e->ts;

	if (end <= last->end)
		return;
	event_walk(e);
	if (event_api_find(&launch, e) && launch.ts < launched)
		launched = launch.ts;
	if (launched < r->range_end || b->all)
		last->end = end;
}

void busy_windows_add(struct busy_windows *b, struct event *e, enum event_kind kind)
{
	const struct work_place at = work_places_put(&b->devices, e);
	struct window_rank *r;
	struct window_place *p;

	if (at.place == b->n) {
		b->places = mem_grow(b->places, &b->cap, b->n + 1, sizeof *b->places);
		b->places[b->n++] = (struct window_place){.rank = find_rank(b, e)};
	}
	p = &b->places[at.place];
	r = &b->ranks[p->rank];
	if ((b->whole || b->all) && !r->n) {
		add_window(b, p->rank, e->ts, INT64_MAX, map_put(&b->names, (struct str){NULL, 0}));
		r->provisional = b->all;
	}
	if (p->last_start != e->ts)
		p->last_count = 0;
	p->last_start = e->ts;
	p->last_count++;
	if (r->n) {
		advance(b, r, p, e);
		sums_of(p, r->n - 1)->count++;
		lengthen(b, r, e);
	}
	p->count++;
	if (event_end(e) > r->work_end)
		r->work_end = event_end(e);
	overlap_sweep_add(&p->sweep, e->ts, event_end(e), work_types_of(b->types, kind, e), at.stream,
	    kind == KIND_KERNEL ? find_load(p, e) : 0);
}

/* --- end of input --- */

static void write_window(struct busy_windows *b, size_t place, const struct busy_window *window)
{
	const struct window_place *p = &b->places[place];
	const struct window_sums *sums = &p->sums[window - b->ranks[p->rank].windows];
	const int64_t whole = int_sub(window->end, window->start);
	const unsigned compute = 1u << WORK_COMPUTE, comm = 1u << WORK_COMM, memory = 1u << WORK_MEMORY;
	struct event e;

	event_clear(&e);
	event_set_ts(&e, window->start);
	event_set_dur(&e, whole);
	event_set(&e, EVENT_KIND, STR("\"gpu-busy\""));
	if (!b->whole && map_key(&b->names, window->name).n)
		event_set(&e, EVENT_NAME, map_key(&b->names, window->name));
	places_set(&b->devices.groups, place, &e);
	json_write_int(&b->attachments, "count", (int64_t)sums->count);
	busy_members_write(&b->attachments, sums->time, sums->concurrent, whole);
	json_write_int(&b->attachments, "comm_only", overlap_sweep_only(sums->time, comm, compute));
	json_write_int(&b->attachments, "memory_only", overlap_sweep_only(sums->time, memory, compute | comm));
	json_write_int(
	    &b->attachments, "other_only", overlap_sweep_only(sums->time, 1u << WORK_OTHER, compute | comm | memory));
	idle_cause_write_parts(&b->attachments, sums->idle);
	if (p->uses_sms && whole > 0)
		json_write_double(
		    &b->attachments, "sm_share", (double)sums->filled / OVERLAP_SWEEP_FULL / (double)whole);
	e.attachments = buf_str(&b->attachments);
	event_write(b->out, &e);
	b->attachments.n = 0;
	b->counts.written++;
}

/* Writes the windows of a rank. Returns false if the rank has no device records. */
static bool write_rank(struct busy_windows *b, size_t rank)
{
	const struct window_rank *r = &b->ranks[rank];
	bool works = false;
	size_t window, i;

	for (window = 0; window < r->n; window++) {
		for (i = 0; i < b->n; i++) {
			if (b->places[i].rank != rank)
				continue;
			write_window(b, i, &r->windows[window]);
			works = true;
		}
	}
	return works;
}

void busy_windows_write(struct busy_windows *b)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		struct window_place *p = &b->places[i];
		const struct window_rank *r = &b->ranks[p->rank];

		if (!r->n) {
			b->counts.outside += p->count;
			continue;
		}
		take_final(r, p);
		p->sums[r->n - 1] = p->final;
		if (p->sweep.end < r->windows[r->n - 1].end)
			add_idle(r, p, p->sweep.end, r->windows[r->n - 1].end, IDLE_AFTER);
	}
	for (i = 0; i < b->n_ranks; i++) {
		if (!write_rank(b, i))
			b->counts.workless += b->ranks[i].n;
	}
}

void busy_windows_free(struct busy_windows *b)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		overlap_sweep_free(&b->places[i].sweep);
		free(b->places[i].sums);
	}
	for (i = 0; i < b->n_ranks; i++)
		free(b->ranks[i].windows);
	free(b->places);
	free(b->ranks);
	work_places_free(&b->devices);
	places_free(&b->rank_ids);
	map_free(&b->names);
	buf_free(&b->attachments);
	free(b);
}
