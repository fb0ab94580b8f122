#include "busy_windows.h"

#include "base/num_parse.h"
#include "busy_members.h"
#include "device/exposed_time.h"
#include "json/write.h"
#include "overlap_sweep.h"
#include "record/event_api.h"
#include "work_places.h"

#include <stdlib.h>

enum {
	LATE = 5,   /* work starts late if it waits for more than a fifth of a step */
	EARLY = 16, /* work without a call is launched before the first range only if it starts before range 17 */
};

/*
 * The rules for the borders of windows: the starts of ranges, or the time when a device has also ended all work that
 * was launched before. Which of them a rank has is known at the end of the input, so both are followed.
 */
enum window_rule { WINDOW_HOST, WINDOW_LAUNCH, WINDOW_RULES };

/* The ranges of a rank. */
struct window_rank {
	struct window_range {
		int64_t start, end; /* end is INT64_MAX if unknown */
		size_t name;        /* index in busy_windows.names */
	} * ranges;
	size_t n, cap;       /* number of ranges, and of windows */
	bool provisional;    /* its window is that of its work, until it has a range */
	int64_t last_launch; /* the latest launch of work, or INT64_MIN */
	int64_t lag;         /* sum of the times from the launch of a kernel to its start */
	uint64_t kernels;    /* number of these kernels */
	/* at the end */
	enum window_rule rule;
	bool mixed; /* the windows have work of earlier steps, because the launches of some work are unknown */
};

/*
 * The borders of the windows by one rule: window i lasts from border i to border i + 1. By WINDOW_HOST, a rank has the
 * same borders on all devices; by WINDOW_LAUNCH, each device has its own ones, which move to a later time while work
 * that was launched before is added. The last border, the end of the last window, always moves.
 */
struct window_clock {
	size_t rank;
	int64_t *borders; /* one more than windows */
	size_t cap;
	int64_t last_start;   /* the start of the last record, or INT64_MIN */
	int64_t work_end;     /* the latest end of all work so far, or INT64_MIN */
	int64_t launched_end; /* the same, of the work that was launched before last_start */
	bool joined;          /* the call of a record is known */
	bool lost;            /* work in later ranges has no call: the borders by WINDOW_LAUNCH are unknown */
};

/* Sums over the time from the first record of a place to a border; a window has the difference of two. */
struct window_sums {
	int64_t border;
	int64_t time[OVERLAP_SWEEP_SETS]; /* as in overlap_sweep */
	int64_t concurrent;
	uint128 filled;
	int64_t idle[IDLE_CAUSES];
	uint64_t count;  /* number of records that start before the border */
	uint64_t at_end; /* number of records that start at the border */
};

/* The end of all work of a stream so far, and whether the call of one of these records is known. */
struct window_stream {
	int64_t end;
	bool any, joined; /* any: `end` is set */
};

struct window_place {
	struct overlap_sweep sweep;
	size_t rank;
	struct window_cuts {
		size_t clock;
		struct window_sums *sums;
		size_t n; /* number of borders with sums; later records may move the last of these to a later time */
		size_t cap;
	} cuts[WINDOW_RULES];
	uint64_t count; /* number of records */
	int64_t idle[IDLE_CAUSES];
	bool uses_sms;      /* a kernel has a number of blocks per SM */
	int64_t last_start; /* the start of the last record, and the number of records that started then */
	uint64_t last_count;
	struct window_stream *streams;
	size_t streams_cap;
};

struct busy_windows {
	struct busy_windows_options options;
	struct busy_windows_counts counts;
	enum window_rule rules; /* number of rules that are followed: --whole has no launches */
	struct work_places devices;
	struct work_types *types;
	struct out *out;
	struct places rank_ids;
	struct map names;
	struct window_rank *ranks; /* indexed by number in rank_ids */
	size_t n_ranks, ranks_cap;
	struct window_clocks {
		struct places ids;
		struct window_clock *list; /* indexed by number in ids */
		size_t n, cap;
	} clocks[WINDOW_RULES];
	struct window_place *places; /* indexed by place */
	size_t n, cap;
	struct exposed_time *exposed; /* NULL if communication is not written */
	struct buf attachments;
};

struct busy_windows *busy_windows_new(
    const struct busy_windows_options *options, const struct places *devices, struct work_types *types, struct out *out)
{
	struct busy_windows *b = mem_alloc(sizeof *b);

	*b = (struct busy_windows){.options = *options, .devices.groups = *devices, .types = types, .out = out};
	b->rules = options->whole ? WINDOW_LAUNCH : WINDOW_RULES;
	b->exposed = options->pieces ? exposed_time_new(devices, NULL, true, out) : NULL;
	b->rank_ids = (struct places){.members = {EVENT_RANK}, .n_members = 1};
	b->clocks[WINDOW_HOST].ids = b->rank_ids;
	/* The streams of a device have the same windows. */
	b->clocks[WINDOW_LAUNCH].ids = *devices;
	b->clocks[WINDOW_LAUNCH].ids.n_members = devices->n_members < 2 ? 1 : 2;
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
		b->ranks[b->n_ranks++] = (struct window_rank){.last_launch = INT64_MIN};
	}
	return rank;
}

/* --- windows --- */

/* Sets the start of the last window, and its end so far. */
static void set_borders(const struct busy_windows *b, enum window_rule rule, struct window_clock *c)
{
	const struct window_rank *r = &b->ranks[c->rank];
	const struct window_range *range = &r->ranges[r->n - 1];
	const int64_t start = range->start;
	int64_t *last, end = range->end == INT64_MAX ? start : range->end;

	c->borders = mem_grow(c->borders, &c->cap, r->n + 1, sizeof *c->borders);
	last = &c->borders[r->n - 1];
	*last = start;
	if (rule == WINDOW_LAUNCH) {
		const int64_t launched_end = c->last_start < start ? c->work_end : c->launched_end;

		*last = launched_end > start ? launched_end : start;
		end = *last > end ? *last : end;
	} else if (c->work_end > end) { /* work that was launched earlier may run longer than the range */
		end = c->work_end;
	}
	last[1] = end;
}

/* Returns the number of the clock of a record. */
static size_t find_clock(struct busy_windows *b, enum window_rule rule, struct event *e, size_t rank)
{
	struct window_clocks *clocks = &b->clocks[rule];
	const size_t clock = places_put_event(&clocks->ids, e);
	const struct window_rank *r = &b->ranks[rank];
	struct window_clock *c;
	size_t i;

	if (clock < clocks->n)
		return clock;
	clocks->list = mem_grow(clocks->list, &clocks->cap, clock + 1, sizeof *clocks->list);
	c = &clocks->list[clocks->n++];
	*c = (struct window_clock){
	    .rank = rank, .last_start = INT64_MIN, .work_end = INT64_MIN, .launched_end = INT64_MIN};
	if (r->n) {
		c->borders = mem_grow(c->borders, &c->cap, r->n + 1, sizeof *c->borders);
		for (i = 0; i < r->n; i++)
			c->borders[i] = r->ranges[i].start;
		set_borders(b, rule, c);
	}
	return clock;
}

static void add_window(struct busy_windows *b, size_t rank, int64_t start, int64_t range_end, size_t name)
{
	struct window_rank *r = &b->ranks[rank];
	enum window_rule rule;
	size_t i;

	r->ranges = mem_grow(r->ranges, &r->cap, r->n + 1, sizeof *r->ranges);
	r->ranges[r->n++] = (struct window_range){start, range_end, name};
	for (rule = 0; rule < WINDOW_RULES; rule++) {
		for (i = 0; i < b->clocks[rule].n; i++) {
			if (b->clocks[rule].list[i].rank == rank)
				set_borders(b, rule, &b->clocks[rule].list[i]);
		}
	}
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
			b->places[i].cuts[WINDOW_HOST].n = b->places[i].cuts[WINDOW_LAUNCH].n = 0;
	}
}

bool busy_windows_begin(struct busy_windows *b, struct event *range, struct str *preceding)
{
	const size_t rank = find_rank(b, range);
	const struct window_rank *r = &b->ranks[rank];

	drop_provisional(b, rank);

	if (r->n && r->ranges[r->n - 1].end != INT64_MAX && r->ranges[r->n - 1].end > range->ts) {
		*preceding = map_key(&b->names, r->ranges[r->n - 1].name);
		return false;
	}
	add_window(b, rank, range->ts, event_get(range, EVENT_DUR).p ? event_end(range) : INT64_MAX,
	    map_put(&b->names, event_get(range, EVENT_NAME)));
	return true;
}

/* --- work --- */

/* Removes the sums at borders that have moved since. Returns the next border without sums, or NULL after the last. */
static const int64_t *next_border(const struct busy_windows *b, struct window_place *p, enum window_rule rule)
{
	struct window_cuts *cuts = &p->cuts[rule];
	const struct window_rank *r = &b->ranks[p->rank];
	const int64_t *borders;

	if (rule >= b->rules || b->clocks[rule].list[cuts->clock].lost)
		return NULL;
	borders = b->clocks[rule].list[cuts->clock].borders;
	while (cuts->n && (cuts->n > r->n + 1 || cuts->sums[cuts->n - 1].border != borders[cuts->n - 1]))
		cuts->n--;
	return cuts->n <= r->n ? &borders[cuts->n] : NULL;
}

/* Stores the sums of a place at a border. */
static void add_sums(
    struct window_place *p, struct window_cuts *cuts, int64_t border, int64_t idle_from, enum idle_cause cause)
{
	struct window_sums *sums;

	cuts->sums = mem_grow(cuts->sums, &cuts->cap, cuts->n + 1, sizeof *cuts->sums);
	sums = &cuts->sums[cuts->n++];
	sums->border = border;
	overlap_sweep_to(&p->sweep, border);
	memcpy(sums->time, p->sweep.time, sizeof sums->time);
	sums->concurrent = overlap_sweep_streams(&p->sweep, 2);
	sums->filled = p->sweep.filled;
	memcpy(sums->idle, p->idle, sizeof sums->idle);
	if (idle_from < border)
		sums->idle[cause] = int_add(sums->idle[cause], int_sub(border, idle_from));
	sums->at_end = p->last_start == border ? p->last_count : 0;
	sums->count = p->count - sums->at_end;
}

/*
 * Stores the sums of a place at each border before ts, which must not be later than the next record; INT64_MAX: at all
 * borders. The place is idle since `idle_from`, unless this is later than ts.
 */
static void take_sums(
    const struct busy_windows *b, struct window_place *p, int64_t ts, int64_t idle_from, enum idle_cause cause)
{
	const int64_t *host, *launch;
	enum window_rule next;

	/* The sweep goes forward only, so the borders of both rules are taken in one order. */
	for (;;) {
		host = next_border(b, p, WINDOW_HOST);
		launch = next_border(b, p, WINDOW_LAUNCH);
		next = !launch || (host && *host <= *launch) ? WINDOW_HOST : WINDOW_LAUNCH;
		host = next == WINDOW_HOST ? host : launch;
		if (!host || (*host >= ts && ts != INT64_MAX))
			break;
		add_sums(p, &p->cuts[next], *host, idle_from, cause);
	}
}

/* Advances a place to the start of its next record, and adds the idle interval that ends there. */
static void advance(struct busy_windows *b, struct window_place *p, struct event *e)
{
	/* the start of the idle interval, if the place is idle */
	const int64_t from = p->sweep.any ? p->sweep.end : b->ranks[p->rank].ranges[0].start;
	enum idle_cause cause;

	if (from >= e->ts) {
		take_sums(b, p, e->ts, INT64_MAX, IDLE_AFTER);
		return;
	}
	cause = idle_cause_find(e, from, IDLE_CAUSE_WAIT, &b->counts.idle);
	take_sums(b, p, e->ts, from, cause);
	p->idle[cause] = int_add(p->idle[cause], int_sub(e->ts, from));
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

/* Kernels of a graph wait for each other, so only calls that launch one kernel show how long work waits. */
static void add_lag(struct window_rank *r, const struct event_api *launch, int64_t start)
{
	if (launch->name.p && str_find(launch->name, STR("GraphLaunch")) < launch->name.n)
		return;
	r->lag = int_add(r->lag, int_sub(start, launch->ts));
	r->kernels++;
}

/* Finds when a record was launched, by each rule: when it starts, or earlier. */
static void find_launch(struct busy_windows *b, struct window_place *p, size_t stream, struct event *e,
    enum event_kind kind, int64_t launched[WINDOW_RULES])
{
	struct window_rank *r = &b->ranks[p->rank];
	struct window_clock *c = &b->clocks[WINDOW_LAUNCH].list[p->cuts[WINDOW_LAUNCH].clock];
	struct window_stream *s;
	struct event_api launch;
	bool joined;

	event_walk(e);
	joined = event_api_find(&launch, e);
	launched[WINDOW_HOST] = launched[WINDOW_LAUNCH] = joined && launch.ts < e->ts ? launch.ts : e->ts;
	if (r->last_launch < launched[WINDOW_HOST])
		r->last_launch = launched[WINDOW_HOST];
	if (joined && kind == KIND_KERNEL)
		add_lag(r, &launch, e->ts);
	p->streams = mem_grow_zero(p->streams, &p->streams_cap, stream + 1, sizeof *p->streams);
	s = &p->streams[stream];
	s->joined |= joined;
	c->joined |= joined;
	if (!s->joined) {
		s->end = !s->any || event_end(e) > s->end ? event_end(e) : s->end;
		s->any = true;
		c->lost |= r->n > EARLY;
		/* A stream runs its work in order, so this was launched before the recording began. */
		launched[WINDOW_LAUNCH] = INT64_MIN;
	}
}

/*
 * Moves the borders that a record delays. The last window lasts at least to the end of the work that was launched
 * before its range ended; by WINDOW_LAUNCH, each window begins when the work launched before its range has ended.
 */
static void move_borders(
    const struct busy_windows *b, enum window_rule rule, const struct window_clock *c, int64_t launched, int64_t end)
{
	const struct window_rank *r = &b->ranks[c->rank];
	size_t i = r->n;

	if (launched >= r->ranges[r->n - 1].end && !b->options.all)
		return;
	do {
		if (c->borders[i] < end)
			c->borders[i] = end;
	} while (rule == WINDOW_LAUNCH && i > 0 && launched < r->ranges[--i].start);
}

/* Adds the work of a record to the clock. */
static void add_to_clock(struct window_clock *c, struct event *e, int64_t launched)
{
	const int64_t end = event_end(e);

	if (c->last_start < e->ts)
		c->launched_end = c->work_end;
	if (launched < e->ts && c->launched_end < end)
		c->launched_end = end;
	if (c->work_end < end)
		c->work_end = end;
	c->last_start = e->ts;
}

static void add_place(struct busy_windows *b, struct event *e)
{
	struct window_place p = {.rank = find_rank(b, e)};
	enum window_rule rule;

	for (rule = 0; rule < b->rules; rule++)
		p.cuts[rule].clock = find_clock(b, rule, e, p.rank);
	b->places = mem_grow(b->places, &b->cap, b->n + 1, sizeof *b->places);
	b->places[b->n++] = p;
}

void busy_windows_add(struct busy_windows *b, struct event *e, enum event_kind kind)
{
	const struct work_place at = work_places_put(&b->devices, e);
	const enum work_type type = work_types_of(b->types, kind, e);
	int64_t launched[WINDOW_RULES] = {e->ts, e->ts};
	struct window_rank *r;
	struct window_clock *c;
	struct window_place *p;
	enum window_rule rule;

	if (at.place == b->n)
		add_place(b, e);
	p = &b->places[at.place];
	r = &b->ranks[p->rank];
	if ((b->options.whole || b->options.all) && !r->n) {
		add_window(b, p->rank, e->ts, INT64_MAX, map_put(&b->names, (struct str){NULL, 0}));
		r->provisional = b->options.all;
	}
	if (r->n)
		advance(b, p, e);
	if (!b->options.whole)
		find_launch(b, p, at.stream, e, kind, launched);
	for (rule = 0; rule < b->rules; rule++) {
		c = &b->clocks[rule].list[p->cuts[rule].clock];
		if (r->n && !c->lost)
			move_borders(b, rule, c, launched[rule], event_end(e));
		add_to_clock(c, e, launched[rule]);
	}
	if (p->last_start != e->ts)
		p->last_count = 0;
	p->last_start = e->ts;
	p->last_count++;
	p->count++;
	overlap_sweep_add(&p->sweep, e->ts, event_end(e), type, at.stream, kind == KIND_KERNEL ? find_load(p, e) : 0);
	if (b->exposed)
		exposed_time_add(b->exposed, e, type);
}

/* --- end of input --- */

static void write_window(struct busy_windows *b, size_t place, size_t window)
{
	const struct window_place *p = &b->places[place];
	const struct window_rank *r = &b->ranks[p->rank];
	const struct window_sums *from = &p->cuts[r->rule].sums[window], *to = from + 1;
	const int64_t whole = int_sub(to->border, from->border);
	const unsigned compute = 1u << WORK_COMPUTE, comm = 1u << WORK_COMM, memory = 1u << WORK_MEMORY;
	int64_t time[OVERLAP_SWEEP_SETS], idle[IDLE_CAUSES];
	struct event e;
	size_t i;

	for (i = 0; i < OVERLAP_SWEEP_SETS; i++)
		time[i] = int_sub(to->time[i], from->time[i]);
	for (i = 0; i < IDLE_CAUSES; i++)
		idle[i] = int_sub(to->idle[i], from->idle[i]);
	event_clear(&e);
	event_set_ts(&e, from->border);
	event_set_dur(&e, whole);
	event_set(&e, EVENT_KIND, STR("\"gpu-busy\""));
	if (!b->options.whole && map_key(&b->names, r->ranges[window].name).n)
		event_set(&e, EVENT_NAME, map_key(&b->names, r->ranges[window].name));
	places_set(&b->devices.groups, place, &e);
	/* Work without a duration may start at the end of the last window. */
	json_write_int(
	    &b->attachments, "count", (int64_t)(to->count - from->count + (window + 1 == r->n ? to->at_end : 0)));
	busy_members_write(&b->attachments, time, int_sub(to->concurrent, from->concurrent), whole);
	json_write_int(&b->attachments, "comm_only", overlap_sweep_only(time, comm, compute));
	json_write_int(&b->attachments, "memory_only", overlap_sweep_only(time, memory, compute | comm));
	json_write_int(
	    &b->attachments, "other_only", overlap_sweep_only(time, 1u << WORK_OTHER, compute | comm | memory));
	idle_cause_write_parts(&b->attachments, idle);
	if (p->uses_sms && whole > 0)
		json_write_double(&b->attachments, "sm_share",
		    (double)(to->filled - from->filled) / OVERLAP_SWEEP_FULL / (double)whole);
	if (!b->options.whole && !r->provisional)
		json_write_text(&b->attachments, "steps",
		    str_of(r->rule == WINDOW_LAUNCH ? "launch"
			   : r->mixed               ? "mixed"
						    : "host"));
	if (!b->options.whole && r->kernels)
		json_write_int(&b->attachments, "lag", r->lag / (int64_t)r->kernels);
	event_write_attached(b->out, &e, &b->attachments);
	b->counts.written++;
}

/*
 * Returns whether the windows of a device are known by WINDOW_LAUNCH. The first work of a stream may have no known
 * call: it was launched before the first range. But if a stream never has a call, the steps of its work are unknown,
 * unless this work has ended in the first window.
 */
static bool is_known(const struct busy_windows *b, const struct window_place *p)
{
	const struct window_clock *c = &b->clocks[WINDOW_LAUNCH].list[p->cuts[WINDOW_LAUNCH].clock];
	size_t i;

	for (i = 0; i < p->sweep.streams; i++) {
		if (!p->streams[i].joined && p->streams[i].end >= c->borders[1])
			return false;
	}
	return c->joined && !c->lost;
}

/*
 * Chooses the rule for the windows of a rank. If kernels start late after their launch, by more than a fifth of a
 * step, the work in the windows of the host is that of other steps.
 */
static void choose_rule(struct busy_windows *b, size_t rank)
{
	struct window_rank *r = &b->ranks[rank];
	const struct window_range *last = &r->ranges[r->n - 1];
	const bool ends = last->end != INT64_MAX;
	const int64_t n = (int64_t)r->n - !ends; /* the steps whose lengths are known */
	bool late = false, known = b->rules > WINDOW_LAUNCH && !r->provisional;
	int64_t length;
	size_t i;

	for (i = 0; i < b->n && known; i++)
		known = b->places[i].rank != rank || is_known(b, &b->places[i]);
	if (r->kernels && n > 0) {
		length = int_sub(ends ? last->end : last->start, r->ranges[0].start);
		late = (int128)r->lag * LATE * n >= (int128)length * (int64_t)r->kernels;
	}
	r->rule = known && (late || b->options.by_launch) ? WINDOW_LAUNCH : WINDOW_HOST;
	r->mixed = late && !known;
	b->counts.mixed += r->mixed;
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
			write_window(b, i, window);
			works = true;
		}
	}
	return works;
}

/*
 * Removes the last range of a rank if nothing is launched in it: a profiler writes such a range for the time between
 * the last step and its own end. Returns whether it has removed one.
 */
static bool drop_last_range(struct busy_windows *b, size_t rank)
{
	struct window_rank *r = &b->ranks[rank];
	enum window_rule rule;
	int64_t end;
	size_t i;

	if (r->n < 2 || r->last_launch == INT64_MIN || r->last_launch >= r->ranges[r->n - 1].start)
		return false;
	r->n--;
	end = r->ranges[r->n - 1].end;
	for (rule = 0; rule < b->rules; rule++) {
		for (i = 0; i < b->clocks[rule].n; i++) {
			struct window_clock *c = &b->clocks[rule].list[i];

			if (c->rank != rank)
				continue;
			c->borders[r->n] = end == INT64_MAX || end < c->borders[r->n - 1] ? c->borders[r->n - 1] : end;
			if (c->borders[r->n] < c->work_end)
				c->borders[r->n] = c->work_end;
		}
	}
	return true;
}

void busy_windows_write(struct busy_windows *b)
{
	size_t i;

	if (b->exposed)
		exposed_time_write(b->exposed);
	for (i = 0; i < b->n_ranks; i++) {
		while (drop_last_range(b, i))
			;
	}
	for (i = 0; i < b->n; i++) {
		struct window_place *p = &b->places[i];

		if (b->ranks[p->rank].n)
			take_sums(b, p, INT64_MAX, p->sweep.end, IDLE_AFTER);
		else
			b->counts.outside += p->count;
	}
	for (i = 0; i < b->n_ranks; i++) {
		if (b->ranks[i].n)
			choose_rule(b, i);
		if (!write_rank(b, i))
			b->counts.workless += b->ranks[i].n;
	}
}

void busy_windows_free(struct busy_windows *b)
{
	enum window_rule rule;
	size_t i;

	for (i = 0; i < b->n; i++) {
		overlap_sweep_free(&b->places[i].sweep);
		free(b->places[i].streams);
		for (rule = 0; rule < WINDOW_RULES; rule++)
			free(b->places[i].cuts[rule].sums);
	}
	for (i = 0; i < b->n_ranks; i++)
		free(b->ranks[i].ranges);
	for (rule = 0; rule < WINDOW_RULES; rule++) {
		for (i = 0; i < b->clocks[rule].n; i++)
			free(b->clocks[rule].list[i].borders);
		free(b->clocks[rule].list);
		places_free(&b->clocks[rule].ids);
	}
	mem_free(b->places, b->ranks);
	work_places_free(&b->devices);
	if (b->exposed)
		exposed_time_free(b->exposed);
	places_free(&b->rank_ids);
	map_free(&b->names);
	buf_free(&b->attachments);
	free(b);
}
