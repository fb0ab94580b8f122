#include "busy_time.h"

#include "record/event_api.h"
#include "json/write.h"
#include "overlap_sweep.h"

#include <stdlib.h>

/* Causes of idle time, as Holistic Trace Analysis defines them (get_idle_time_breakdown). */
enum busy_time_cause {
	BUSY_TIME_HOST,   /* the next work was launched after the preceding work had ended */
	BUSY_TIME_KERNEL, /* not BUSY_TIME_HOST, and the gap is shorter than the option `wait` */
	BUSY_TIME_OTHER,
	BUSY_TIME_CAUSES
};

static const char *const cause_names[] = {"host_wait", "kernel_wait", "other_wait"};

struct busy_time_place {
	struct overlap_sweep sweep;
	uint64_t count;
	int64_t waits[BUSY_TIME_CAUSES];
	struct buf last; /* for gaps: the name of the record that ends last, as JSON */
};

/* A stream: the place that it belongs to, and its index among the streams of this place. */
struct busy_time_stream {
	size_t place, index;
};

struct busy_time {
	struct busy_time_options options;
	struct busy_time_counts counts;
	struct places devices;
	struct places streams;
	struct busy_time_stream *stream; /* indexed by stream */
	size_t stream_cap;
	struct work_types *types;
	struct out *out;
	struct busy_time_place *places; /* indexed by device */
	size_t cap;
	bool sliced;
	int64_t slice_at;
	struct buf more;
};

struct busy_time *busy_time_new(
    const struct busy_time_options *o, const struct places *devices, struct work_types *types, struct out *out)
{
	struct busy_time *b = mem_zero(1, sizeof *b);

	b->options = *o;
	b->devices = *devices;
	b->streams = (struct places){.members = {EVENT_RANK, EVENT_DEV, EVENT_STREAM}, .n_members = 3};
	b->types = types;
	b->out = out;
	return b;
}

const struct busy_time_counts *busy_time_counts(const struct busy_time *b)
{
	return &b->counts;
}

/* --- writing --- */

static void write_record(struct busy_time *b, struct event *e)
{
	e->more = json_write_str(&b->more);
	event_write(b->out, e);
	b->more.n = 0;
}

static void put_share(struct buf *b, const char *key, int64_t part, int64_t whole)
{
	if (whole > 0)
		json_write_double(b, key, (double)part / (double)whole);
}

static void put_times(struct busy_time *b, const struct overlap_sweep *s, int64_t whole)
{
	const int64_t busy = overlap_sweep_union(s, OVERLAP_SWEEP_SETS - 1),
		      comm = overlap_sweep_union(s, 1u << WORK_COMM);
	const int64_t both = overlap_sweep_both(s, 1u << WORK_COMM, 1u << WORK_COMPUTE);

	json_write_int(&b->more, "busy", busy);
	json_write_int(&b->more, "idle", int_sub(whole, busy));
	json_write_int(&b->more, "compute_time", overlap_sweep_union(s, 1u << WORK_COMPUTE));
	json_write_int(&b->more, "comm_time", comm);
	json_write_int(&b->more, "memory_time", overlap_sweep_union(s, 1u << WORK_MEMORY));
	json_write_int(&b->more, "other_time", overlap_sweep_union(s, 1u << WORK_OTHER));
	json_write_int(&b->more, "overlap_time", both);
	json_write_int(&b->more, "concurrent", overlap_sweep_streams(s, 2));
	put_share(&b->more, "busy_share", busy, whole);
	put_share(&b->more, "overlap_share", both, comm);
}

static void write_sums(struct busy_time *b, size_t i)
{
	const struct busy_time_place *p = &b->places[i];
	const int64_t whole = int_sub(p->sweep.end, p->sweep.first);
	enum busy_time_cause cause;
	struct event e;

	event_clear(&e);
	event_set(&e, EVENT_KIND, STR("\"gpu-busy\""));
	places_set(&b->devices, i, &e);
	json_write_int(&b->more, "count", (int64_t)p->count);
	json_write_int(&b->more, "span", whole);
	put_times(b, &p->sweep, whole);
	for (cause = 0; cause < BUSY_TIME_CAUSES; cause++)
		json_write_int(&b->more, cause_names[cause], p->waits[cause]);
	write_record(b, &e);
}

/* Writes the record of a set of types or a number of streams; b->more has the member that states this set or number. */
static void write_set(struct busy_time *b, size_t i, int64_t time)
{
	struct event e;

	event_clear(&e);
	event_set_dur(&e, time);
	event_set(&e, EVENT_KIND, STR("\"gpu-busy\""));
	places_set(&b->devices, i, &e);
	put_share(&b->more, "share", time, overlap_sweep_union(&b->places[i].sweep, OVERLAP_SWEEP_SETS - 1));
	write_record(b, &e);
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

	for (i = 0; i < b->devices.n; i++) {
		struct busy_time_place *p = &b->places[i];

		overlap_sweep_to(&p->sweep, to);
		event_clear(&e);
		event_set_ts(&e, b->slice_at);
		event_set_dur(&e, b->options.slice);
		event_set_kind(&e, KIND_COUNTER);
		event_set(&e, EVENT_NAME, STR("\"busy\""));
		places_set(&b->devices, i, &e);
		put_times(b, &p->sweep, b->options.slice);
		write_record(b, &e);
		overlap_sweep_clear(&p->sweep);
	}
	b->slice_at = to;
}

static void write_gap(
    struct busy_time *b, size_t place, int64_t from, int64_t to, enum busy_time_cause cause, struct str next)
{
	struct busy_time_place *p = &b->places[place];
	struct event e;

	event_clear(&e);
	event_set_ts(&e, from);
	event_set_dur(&e, int_sub(to, from));
	event_set_kind(&e, KIND_GAP);
	places_set(&b->devices, place, &e);
	json_write_text(&b->more, "cause", str_of(cause_names[cause]));
	if (p->last.n)
		json_write_json(&b->more, "prev", json_write_str(&p->last));
	if (next.p)
		json_write_json(&b->more, "next", next);
	write_record(b, &e);
}

/* --- reading --- */

/* Adds the gap between the end of the last work and the start of e to the sums; writes it if gaps are requested. */
static void take_gap(struct busy_time *b, size_t place, struct event *e)
{
	struct busy_time_place *p = &b->places[place];
	const int64_t from = p->sweep.end, length = int_sub(e->ts, from);
	struct event_api launch;
	enum busy_time_cause cause;
	bool joined;

	if (length < b->options.min && b->options.gaps)
		return;
	event_walk(e);
	joined = event_api_find(&launch, e);
	b->counts.causeless += !joined;
	b->counts.early += joined && launch.ts > e->ts;
	if (joined && launch.ts > from)
		cause = BUSY_TIME_HOST;
	else
		cause = length < b->options.wait ? BUSY_TIME_KERNEL : BUSY_TIME_OTHER;
	p->waits[cause] = int_add(p->waits[cause], length);
	if (b->options.gaps)
		write_gap(b, place, from, e->ts, cause, event_get(e, EVENT_NAME));
}

/*
 * Adds the record's stream, which is new, and its place if that is new too. The record must be added to the sweep of the
 * place before the next stream, because the sweep counts the streams.
 */
static void add_stream(struct busy_time *b, struct event *e)
{
	const size_t known = b->devices.n, place = places_put_event(&b->devices, e);

	if (place == known) {
		b->places = mem_grow(b->places, &b->cap, known + 1, sizeof *b->places);
		b->places[place] = (struct busy_time_place){0};
	}
	b->stream = mem_grow(b->stream, &b->stream_cap, b->streams.n, sizeof *b->stream);
	b->stream[b->streams.n - 1] = (struct busy_time_stream){place, b->places[place].sweep.streams};
}

void busy_time_add(struct busy_time *b, struct event *e, enum event_kind kind)
{
	const size_t known = b->streams.n, stream = places_put_event(&b->streams, e);
	const int64_t end = event_end(e);
	struct busy_time_place *p;
	size_t i;
	struct str name;

	if (stream == known)
		add_stream(b, e);
	i = b->stream[stream].place;
	p = &b->places[i];
	overlap_sweep_to(&p->sweep, e->ts);
	if (p->sweep.any && overlap_sweep_is_idle(&p->sweep))
		take_gap(b, i, e);
	if (b->options.gaps && (!p->sweep.any || end >= p->sweep.end)) {
		name = event_get(e, EVENT_NAME);
		p->last.n = 0;
		buf_add(&p->last, name.p, name.n);
	}
	p->count++;
	overlap_sweep_add(&p->sweep, e->ts, end, work_types_of(b->types, kind, e), b->stream[stream].index);
}

/* Returns the start of the slice that contains ts. */
static int64_t slice_of(const struct busy_time *b, int64_t ts)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): only called with slices, which last 1 ns or more */
	const int64_t past = ts % b->options.slice;

	return int_sub(ts, past < 0 ? past + b->options.slice : past);
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
		write_slices(b, int_add(b->slice_at, b->options.slice));
		if (!far)
			continue;
		for (i = 0; i < b->devices.n; i++) {
			overlap_sweep_to(&b->places[i].sweep, to);
			overlap_sweep_clear(&b->places[i].sweep);
		}
		b->slice_at = to;
	}
	return !far;
}

bool busy_time_pass(struct busy_time *b, int64_t ts)
{
	return pass(b, slice_of(b, ts));
}

bool busy_time_end(struct busy_time *b)
{
	int64_t end = INT64_MIN;
	size_t i;

	for (i = 0; i < b->devices.n; i++) {
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
	return !b->sliced || pass(b, int_add(slice_of(b, int_sub(end, 1)), b->options.slice));
}

void busy_time_write_sums(struct busy_time *b)
{
	size_t i;

	for (i = 0; i < b->devices.n; i++)
		write_sums(b, i);
}

void busy_time_write_types(struct busy_time *b)
{
	size_t i;

	for (i = 0; i < b->devices.n; i++)
		write_types(b, i);
}

void busy_time_write_streams(struct busy_time *b)
{
	size_t i;

	for (i = 0; i < b->devices.n; i++)
		write_streams(b, i);
}

void busy_time_free(struct busy_time *b)
{
	size_t i;

	for (i = 0; i < b->devices.n; i++) {
		overlap_sweep_free(&b->places[i].sweep);
		buf_free(&b->places[i].last);
	}
	free(b->places);
	free(b->stream);
	places_free(&b->devices);
	places_free(&b->streams);
	buf_free(&b->more);
	free(b);
}
