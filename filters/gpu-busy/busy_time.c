#include "busy_time_private.h"

#include "busy_members.h"
#include "json/write.h"

#include <stdlib.h>

struct busy_time *busy_time_new(
    const struct busy_time_options *o, const struct places *devices, struct work_types *types, struct out *out)
{
	struct busy_time *b = mem_zero(1, sizeof *b);

	b->options = *o;
	b->devices.groups = *devices;
	b->rank_ids = (struct places){.members = {EVENT_RANK}, .n_members = 1};
	b->idle_from = INT64_MAX;
	b->types = types;
	b->out = out;
	return b;
}

const struct idle_counts *busy_time_counts(const struct busy_time *b)
{
	return &b->counts;
}

/* --- writing --- */

void busy_time_write(struct busy_time *b, struct event *e)
{
	e->more = json_write_str(&b->more);
	event_write(b->out, e);
	b->more.n = 0;
}

static void write_sums(struct busy_time *b, size_t i)
{
	const struct busy_time_place *p = &b->places[i];
	const int64_t whole = int_sub(p->sweep.end, p->sweep.first);
	enum idle_cause cause;
	struct event e;

	event_clear(&e);
	event_set(&e, EVENT_KIND, STR("\"gpu-busy\""));
	places_set(&b->devices.groups, i, &e);
	json_write_int(&b->more, "count", (int64_t)p->count);
	json_write_int(&b->more, "span", whole);
	busy_members_write(&b->more, p->sweep.time, overlap_sweep_streams(&p->sweep, 2), whole);
	for (cause = 0; cause < IDLE_CAUSES; cause++)
		json_write_int(&b->more, idle_cause_name(cause), p->waits[cause]);
	busy_time_write(b, &e);
}

/* Writes the record of a set of types or a number of streams; b->more has the member that states this set or number. */
static void write_set(struct busy_time *b, size_t i, int64_t time)
{
	struct event e;

	event_clear(&e);
	event_set_dur(&e, time);
	event_set(&e, EVENT_KIND, STR("\"gpu-busy\""));
	places_set(&b->devices.groups, i, &e);
	busy_members_share(
	    &b->more, "share", time, overlap_sweep_union(b->places[i].sweep.time, OVERLAP_SWEEP_SETS - 1));
	busy_time_write(b, &e);
}

static void write_types(struct busy_time *b, size_t i)
{
	const int64_t *time = b->places[i].sweep.time;
	struct buf name = {0};
	enum work_type type;
	unsigned set;

	for (set = 1; set < OVERLAP_SWEEP_SETS; set++) {
		if (!time[set])
			continue;
		name.n = 0;
		for (type = 0; type < WORK_N; type++) {
			if (!(set >> type & 1))
				continue;
			if (name.n)
				buf_lit(&name, " overlapping ");
			buf_add(&name, work_type_name(type), strlen(work_type_name(type)));
		}
		json_write_text(&b->more, "types", json_write_str(&name));
		write_set(b, i, time[set]);
	}
	buf_free(&name);
}

static void write_streams(struct busy_time *b, size_t i)
{
	const struct overlap_sweep *s = &b->places[i].sweep;
	size_t n;

	for (n = 1; n <= s->streams; n++) {
		if (!s->stream_time[n])
			continue;
		json_write_int(&b->more, "streams", (int64_t)n);
		write_set(b, i, s->stream_time[n]);
	}
}

/* Writes the slice that ends at `to`, for all places, and begins the next slice. */
static void write_slices(struct busy_time *b, int64_t to)
{
	struct event e;
	size_t i;

	for (i = 0; i < b->n; i++) {
		struct busy_time_place *p = &b->places[i];

		overlap_sweep_to(&p->sweep, to);
		event_clear(&e);
		event_set_ts(&e, b->slice_at);
		event_set_dur(&e, b->options.slice);
		event_set_kind(&e, KIND_COUNTER);
		event_set(&e, EVENT_NAME, STR("\"busy\""));
		places_set(&b->devices.groups, i, &e);
		busy_members_write(&b->more, p->sweep.time, overlap_sweep_streams(&p->sweep, 2), b->options.slice);
		busy_time_write(b, &e);
		overlap_sweep_clear(&p->sweep);
	}
	b->slice_at = to;
}

/* --- reading --- */

void busy_time_add(struct busy_time *b, struct event *e, enum event_kind kind)
{
	struct busy_time_rank *rank = busy_time_find_rank(b, e);
	const struct work_place at = work_places_put(&b->devices, e);
	const int64_t end = event_end(e);
	struct busy_time_place *p;
	struct str name;
	int64_t was;

	if (at.place == b->n) {
		b->places = mem_grow(b->places, &b->cap, b->n + 1, sizeof *b->places);
		b->places[b->n++] = (struct busy_time_place){0};
	}
	p = &b->places[at.place];
	overlap_sweep_to(&p->sweep, e->ts);
	if (overlap_sweep_is_idle(&p->sweep))
		busy_time_take_gap(b, at.place, rank, e);
	if (rank)
		rank->worked = true;
	if (b->options.gaps && (!p->sweep.any || end >= p->sweep.end)) {
		name = event_get(e, EVENT_NAME);
		p->last.n = 0;
		buf_add(&p->last, name.p, name.n);
	}
	p->count++;
	was = p->sweep.any ? p->sweep.end : INT64_MIN;
	overlap_sweep_add(&p->sweep, e->ts, end, work_types_of(b->types, kind, e), at.stream, 0);
	if (b->options.host)
		busy_time_forget_host(b, was);
}

/* Returns the time from the start of the slice that contains ts to ts; it is less than the length of a slice. */
static int64_t slice_past(const struct busy_time *b, int64_t ts)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): only called with slices, which last 1 ns or more */
	const int64_t past = (int64_t)(((int128)ts - b->options.origin) % b->options.slice);

	return past < 0 ? past + b->options.slice : past;
}

/* Returns the end of the slice that contains ts. */
static int64_t slice_end(const struct busy_time *b, int64_t ts)
{
	return int_add(ts, b->options.slice - slice_past(b, ts));
}

/*
 * Ends all slices before the one that begins at `to`. If there are more than MOST slices, writes only the first one and
 * returns false.
 */
static bool pass(struct busy_time *b, int64_t to)
{
	enum { MOST = 1000000 };
	const bool far = b->sliced && int_sub(to, b->slice_at) / b->options.slice > MOST;
	size_t i;

	if (!b->sliced)
		b->slice_at = to;
	b->sliced = true;
	while (b->slice_at < to) {
		write_slices(b, slice_end(b, b->slice_at));
		if (!far)
			continue;
		for (i = 0; i < b->n; i++) {
			overlap_sweep_to(&b->places[i].sweep, to);
			overlap_sweep_clear(&b->places[i].sweep);
		}
		b->slice_at = to;
	}
	return !far;
}

bool busy_time_pass(struct busy_time *b, int64_t ts)
{
	return pass(b, int_sub(ts, slice_past(b, ts)));
}

bool busy_time_end(struct busy_time *b)
{
	int64_t end = INT64_MIN;
	size_t i;

	for (i = 0; i < b->n; i++) {
		struct overlap_sweep *s = &b->places[i].sweep;

		if (s->end > end)
			end = s->end;
		if (!b->options.slice)
			overlap_sweep_to(s, s->end);
	}
	/*
	 * The last slice contains the end of the last work. If the work ends exactly at the end of a slice, that slice
	 * is the last.
	 */
	return !b->sliced || pass(b, slice_end(b, int_sub(end, 1)));
}

void busy_time_write_sums(struct busy_time *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		write_sums(b, i);
}

void busy_time_write_types(struct busy_time *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		write_types(b, i);
}

void busy_time_write_streams(struct busy_time *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		write_streams(b, i);
}

void busy_time_free(struct busy_time *b)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		overlap_sweep_free(&b->places[i].sweep);
		buf_free(&b->places[i].last);
	}
	free(b->places);
	free(b->ranks);
	places_free(&b->rank_ids);
	work_places_free(&b->devices);
	buf_free(&b->more);
	free(b);
}
