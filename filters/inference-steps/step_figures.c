#include "step_figures.h"

#include "base/map.h"
#include "base/order.h"

#include <stdlib.h>

/* A step whose records are being read. */
struct live_step {
	struct step_figures figures;
	int64_t first, reach; /* the start of its first record, and the latest end of those read so far */
	struct map calls;     /* the calls that launched its records */
};

/* An interval in which a rank worked. */
struct busy_interval {
	int64_t from, to;
};

/* The steps of a process that are not complete: live[head] .. live[n_live - 1] are those from `next` on. */
struct open_steps {
	const struct step_sequence *sequence;
	struct live_step *live;
	size_t head, n_live, cap_live, next;
	uint64_t busy; /* number of the first interval of its rank that no complete step has passed */
	bool ended;    /* `end` is valid: the latest end of all complete steps */
	int64_t end;
};

/*
 * The work of a rank: intervals from the number `first` on, in the order of time. All processes of the rank share them,
 * because a trace can have the same work for very many processes.
 */
struct rank_work {
	struct busy_interval *list;
	uint64_t first;
	size_t n, cap, limit; /* limit: with more intervals, those that all processes have passed are removed */
	bool passed;          /* a process has passed the last interval, so it cannot become longer */
	int64_t reach;        /* the latest end of a record, if `worked` */
	bool worked;
};

struct figures_run {
	struct step_log *log;
	struct open_steps *open;
	size_t n;
	size_t *of_process; /* index in `open`, or SIZE_MAX */
	struct rank_work *ranks;
	struct step_others *others;
	void (*take)(void *arg, const struct step_figures *figures);
	void *arg;
};

/* --- complete steps --- */

static uint32_t rank_of(const struct figures_run *r, const struct open_steps *o)
{
	return r->log->rank_of[o->sequence->process];
}

/* Passes the intervals that end before or at `from`. A process can have its first step after very many of them. */
static void skip_passed(const struct rank_work *work, struct open_steps *o, int64_t from)
{
	struct order_range r = {(size_t)(o->busy - work->first), work->n};

	while (r.low < r.high)
		order_halve(&r, work->list[order_middle(&r)].to <= from);
	o->busy = work->first + r.low;
}

/* Passes the intervals up to `to`, and returns the part of their length that is after `from`. */
static int64_t take_busy(struct figures_run *r, struct open_steps *o, int64_t from, int64_t to)
{
	struct rank_work *work = &r->ranks[rank_of(r, o)];
	const struct busy_interval *b;
	int64_t sum = 0, start, end;

	skip_passed(work, o, from);
	for (; o->busy < work->first + work->n; o->busy++) {
		b = &work->list[o->busy - work->first];
		start = b->from > from ? b->from : from;
		end = b->to < to ? b->to : to;
		if (end > start)
			sum = int_add(sum, int_sub(end, start));
		if (b->to > to)
			return sum;
	}
	work->passed = true;
	return sum;
}

static void end_step(struct figures_run *r, struct open_steps *o)
{
	const struct step_sequence *s = o->sequence;
	struct live_step empty = {.first = 0}, *l = o->head < o->n_live ? &o->live[o->head++] : &empty;
	struct step_figures *f = &l->figures;
	int64_t from;

	f->sequence = s;
	f->step = o->next++;
	f->host = o->next < s->n ? int_sub(s->list[o->next].ts, s->list[f->step].ts) : -1;
	if (f->records) {
		f->begins = !o->ended;
		from = o->ended ? o->end : l->first;
		o->end = o->ended && o->end > l->reach ? o->end : l->reach;
		o->ended = true;
		f->wall = int_sub(o->end, from);
		f->wall_busy = take_busy(r, o, from, o->end);
	}
	map_free(&l->calls);
	r->take(r->arg, f);
	if (o->head > 64 && o->head > o->n_live / 2) {
		o->n_live -= o->head;
		memmove(o->live, o->live + o->head, o->n_live * sizeof *o->live);
		o->head = 0;
	}
}

/* Ends the steps that no record at or after ts can belong to. */
static void end_complete(struct figures_run *r, struct open_steps *o, int64_t ts)
{
	const struct step_sequence *s = o->sequence;

	while (o->next + 1 < s->n && int_add(s->list[o->next + 1].ts, r->log->lag) < ts &&
	       (o->head == o->n_live || o->live[o->head].reach <= ts))
		end_step(r, o);
}

/* --- records --- */

/* Returns the step in which a call began, or SIZE_MAX if it began before the first one. */
static size_t find_step(const struct open_steps *o, int64_t call)
{
	const struct step_sequence *s = o->sequence;
	struct order_range r = {0, s->n};

	if (o->next < s->n && s->list[o->next].ts <= call)
		r.low = o->next;
	while (r.low < r.high)
		order_halve(&r, s->list[order_middle(&r)].ts <= call);
	return r.low ? r.low - 1 : SIZE_MAX;
}

static struct live_step *live_step(struct open_steps *o, size_t step)
{
	const size_t i = o->head + (step - o->next);

	o->live = mem_grow(o->live, &o->cap_live, i + 1, sizeof *o->live);
	for (; o->n_live <= i; o->n_live++)
		o->live[o->n_live] = (struct live_step){.first = INT64_MAX, .reach = INT64_MIN};
	return &o->live[i];
}

static void add_record(struct live_step *l, const struct logged_work *w)
{
	struct step_figures *f = &l->figures;
	const int64_t call[2] = {w->call, w->corr};
	const uint64_t dur = (uint64_t)int_sub(w->end, w->ts);
	const size_t known = l->calls.n;

	f->records++;
	f->gpu += dur;
	f->graph_gpu += w->graph ? dur : 0;
	if (w->end > l->reach)
		f->gpu_busy = int_add(f->gpu_busy, int_sub(w->end, w->ts > l->reach ? w->ts : l->reach));
	l->first = w->ts < l->first ? w->ts : l->first;
	l->reach = w->end > l->reach ? w->end : l->reach;
	if (map_put(&l->calls, STR_BYTES(call)) == known) {
		f->graphs += w->graph;
		f->calls += !w->graph;
	}
}

/* Removes the intervals that all processes of the rank have passed. */
static void drop_passed(const struct figures_run *r, uint32_t rank)
{
	struct rank_work *work = &r->ranks[rank];
	uint64_t least = work->first + work->n;
	size_t i;

	for (i = 0; i < r->n; i++) {
		if (rank_of(r, &r->open[i]) == rank && r->open[i].busy < least)
			least = r->open[i].busy;
	}
	work->n -= (size_t)(least - work->first);
	memmove(work->list, work->list + (least - work->first), work->n * sizeof *work->list);
	work->first = least;
	work->limit = 2 * work->n + 64;
}

static void add_busy(const struct figures_run *r, uint32_t rank, int64_t from, int64_t to)
{
	struct rank_work *work = &r->ranks[rank];

	if (work->n && !work->passed && work->list[work->n - 1].to == from) {
		work->list[work->n - 1].to = to;
		return;
	}
	if (work->n && work->n >= work->limit)
		drop_passed(r, rank);
	work->list = mem_grow(work->list, &work->cap, work->n + 1, sizeof *work->list);
	work->list[work->n++] = (struct busy_interval){from, to};
	work->passed = false;
}

/* Adds the part of a record in which nothing of its rank ran before. */
static void work_of_rank(struct figures_run *r, const struct logged_work *w)
{
	struct rank_work *work = &r->ranks[w->rank];
	const int64_t from = work->worked && work->reach > w->ts ? work->reach : w->ts;

	if (w->end <= from)
		return;
	work->worked = true;
	work->reach = w->end;
	add_busy(r, w->rank, from, w->end);
}

static void take_work(struct figures_run *r, const struct logged_work *w)
{
	struct open_steps *o;
	size_t step;

	work_of_rank(r, w);
	if (!w->called)
		return;
	if (r->of_process[w->process] == SIZE_MAX) {
		r->others->foreign++;
		return;
	}
	o = &r->open[r->of_process[w->process]];
	end_complete(r, o, w->ts);
	step = find_step(o, w->call);
	if (step == SIZE_MAX) {
		r->others->early++;
		r->others->early_time += (uint64_t)int_sub(w->end, w->ts);
		return;
	}
	add_record(live_step(o, step), w);
}

void step_figures_compute(struct step_log *log, const struct step_begins *begins, struct step_others *others,
    void (*take)(void *arg, const struct step_figures *figures), void *arg)
{
	struct figures_run r = {.log = log, .n = begins->n, .others = others, .take = take, .arg = arg};
	struct logged_work w;
	uint64_t k;
	size_t i;

	*others = (struct step_others){0};
	r.open = mem_zero(r.n + 1, sizeof *r.open);
	r.of_process = mem_alloc((log->processes.n + 1) * sizeof *r.of_process);
	r.ranks = mem_zero(log->ranks.n + 1, sizeof *r.ranks);
	for (i = 0; i < log->processes.n; i++)
		r.of_process[i] = SIZE_MAX;
	for (i = 0; i < r.n; i++) {
		r.open[i].sequence = &begins->list[i];
		r.of_process[begins->list[i].process] = i;
	}
	for (k = 0; k < log->n_work; k++) {
		step_log_work(log, k, &w);
		take_work(&r, &w);
	}
	for (i = 0; i < r.n; i++) {
		while (r.open[i].next < begins->list[i].n)
			end_step(&r, &r.open[i]);
		free(r.open[i].live);
	}
	for (i = 0; i < log->ranks.n; i++)
		free(r.ranks[i].list);
	mem_free(r.open, r.of_process, r.ranks);
}
