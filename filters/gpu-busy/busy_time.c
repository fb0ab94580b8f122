#include "busy_time.h"

#include "busy_members.h"
#include "json/write.h"
#include "overlap_sweep.h"
#include "work_places.h"

#include <stdlib.h>

struct busy_time_place {
	struct overlap_sweep sweep;
	uint64_t count;
	int64_t idle[IDLE_CAUSES];
};

struct busy_time {
	struct busy_time_slices slices;
	struct idle_counts counts;
	struct work_places devices;
	struct work_types *types;
	struct out *out;
	struct busy_time_place *places; /* indexed by device */
	size_t n, cap;
	bool sliced;      /* the first slice has begun */
	int64_t slice_at; /* the start of the current slice */
	struct buf attachments;
};

struct busy_time *busy_time_new(
    const struct busy_time_slices *slices, const struct places *devices, struct work_types *types, struct out *out)
{
	struct busy_time *b = mem_alloc(sizeof *b);

	*b = (struct busy_time){.slices = *slices, .devices.groups = *devices, .types = types, .out = out};
	return b;
}

const struct idle_counts *busy_time_counts(const struct busy_time *b)
{
	return &b->counts;
}

/* --- writing --- */

void busy_time_write_sums(struct busy_time *b)
{
	struct event e;
	int64_t whole;
	size_t i;

	for (i = 0; i < b->n; i++) {
		const struct busy_time_place *p = &b->places[i];

		whole = int_sub(p->sweep.end, p->sweep.first);
		event_clear(&e);
		event_set(&e, EVENT_KIND, STR("\"gpu-busy\""));
		places_set(&b->devices.groups, i, &e);
		json_write_int(&b->attachments, "count", (int64_t)p->count);
		json_write_int(&b->attachments, "span", whole);
		busy_members_write(&b->attachments, p->sweep.time, overlap_sweep_streams(&p->sweep, 2), whole);
		idle_cause_write(&b->attachments, p->idle);
		event_write_attached(b->out, &e, &b->attachments);
	}
}

/* Writes the record of a set of types or a number of streams, which b->attachments states. */
static void write_set(struct busy_time *b, size_t i, int64_t time)
{
	struct event e;

	event_clear(&e);
	event_set_dur(&e, time);
	event_set(&e, EVENT_KIND, STR("\"gpu-busy\""));
	places_set(&b->devices.groups, i, &e);
	busy_members_share(
	    &b->attachments, "share", time, overlap_sweep_union(b->places[i].sweep.time, OVERLAP_SWEEP_SETS - 1));
	event_write_attached(b->out, &e, &b->attachments);
}

void busy_time_write_types(struct busy_time *b)
{
	struct buf name = {0};
	enum work_type type;
	unsigned set;
	size_t i;

	for (i = 0; i < b->n; i++) {
		for (set = 1; set < OVERLAP_SWEEP_SETS; set++) {
			if (!b->places[i].sweep.time[set])
				continue;
			name.n = 0;
			for (type = 0; type < WORK_N; type++) {
				if (!(set >> type & 1))
					continue;
				if (name.n)
					buf_lit(&name, " overlapping ");
				buf_add(&name, work_type_name(type), strlen(work_type_name(type)));
			}
			json_write_text(&b->attachments, "types", buf_str(&name));
			write_set(b, i, b->places[i].sweep.time[set]);
		}
	}
	buf_free(&name);
}

void busy_time_write_streams(struct busy_time *b)
{
	size_t i, n;

	for (i = 0; i < b->n; i++) {
		const struct overlap_sweep *s = &b->places[i].sweep;

		for (n = 1; n <= s->streams; n++) {
			if (!s->stream_time[n])
				continue;
			json_write_int(&b->attachments, "streams", (int64_t)n);
			write_set(b, i, s->stream_time[n]);
		}
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
		event_set_dur(&e, b->slices.length);
		event_set_kind(&e, KIND_COUNTER);
		event_set(&e, EVENT_NAME, STR("\"busy\""));
		places_set(&b->devices.groups, i, &e);
		busy_members_write(
		    &b->attachments, p->sweep.time, overlap_sweep_streams(&p->sweep, 2), b->slices.length);
		event_write_attached(b->out, &e, &b->attachments);
		overlap_sweep_clear(&p->sweep);
	}
	b->slice_at = to;
}

/* --- reading --- */

void busy_time_add(struct busy_time *b, struct event *e, enum event_kind kind)
{
	const struct work_place at = work_places_put(&b->devices, e);
	struct busy_time_place *p;
	enum idle_cause cause;

	if (at.place == b->n) {
		b->places = mem_grow(b->places, &b->cap, b->n + 1, sizeof *b->places);
		b->places[b->n++] = (struct busy_time_place){0};
	}
	p = &b->places[at.place];
	overlap_sweep_to(&p->sweep, e->ts);
	if (p->sweep.any && overlap_sweep_is_idle(&p->sweep)) {
		cause = idle_cause_find(e, p->sweep.end, IDLE_CAUSE_WAIT, &b->counts);
		p->idle[cause] = int_add(p->idle[cause], int_sub(e->ts, p->sweep.end));
	}
	p->count++;
	overlap_sweep_add(&p->sweep, e->ts, event_end(e), work_types_of(b->types, kind, e), at.stream, 0);
}

/* Returns the time from the start of the slice that contains ts to ts; it is less than the length of a slice. */
static int64_t slice_past(const struct busy_time *b, int64_t ts)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): only called with slices, which last 1 ns or more */
	const int64_t past = (int64_t)(((int128)ts - b->slices.origin) % b->slices.length);

	return past < 0 ? past + b->slices.length : past;
}

/* Returns the end of the slice that contains ts. */
static int64_t slice_end(const struct busy_time *b, int64_t ts)
{
	return int_add(ts, b->slices.length - slice_past(b, ts));
}

/*
 * Ends all slices before the one that begins at `to`. If there are more than MOST slices, writes only the first one and
 * returns false.
 */
static bool pass(struct busy_time *b, int64_t to)
{
	enum { MOST = 1000000 };
	const bool far = b->sliced && int_sub(to, b->slice_at) / b->slices.length > MOST;
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
		if (!b->slices.length)
			overlap_sweep_to(s, s->end);
	}
	/*
	 * The last slice contains the end of the last work. If the work ends exactly at the end of a slice, that slice
	 * is the last.
	 */
	return !b->sliced || pass(b, slice_end(b, int_sub(end, 1)));
}

void busy_time_free(struct busy_time *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		overlap_sweep_free(&b->places[i].sweep);
	free(b->places);
	work_places_free(&b->devices);
	buf_free(&b->attachments);
	free(b);
}
