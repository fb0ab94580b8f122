#include "launches.h"

#include "base/order.h"
#include "json/string.h"
#include "record/step_mark.h"

#include <stdlib.h>

/* A launch whose kernels are being read. */
struct open_launch {
	uint64_t number;
	struct launch_list list;
	size_t cap_names, cap_streams;
	size_t *streams; /* the streams of its kernels, as numbers of places */
	size_t cap_places;
	size_t on_streams; /* number of streams whose last record is of this launch */
	size_t annotated;  /* number of kernels with an annotation */
	size_t next_free;  /* of a closed launch: the next place that is free */
};

/*
 * The launches of a thread that were not walked yet: waiting[head] .. waiting[n - 1], in the order of their ts, which
 * all differ. All open launches are among them.
 */
struct launch_thread {
	uint64_t *waiting;
	size_t head, n, cap;
	int64_t newest;  /* the ts of the latest launch */
	uint32_t anchor; /* the capture of the last launch that was walked, if it is certain; CAPTURES_NONE if not */
	uint32_t rank;   /* of captures_rank() */
};

/* The last step of a process. */
struct step {
	int64_t ts, end, tokens;
};

struct launch *launches_get(struct launches *l, uint64_t number)
{
	return &l->list[number - l->first];
}

/* --- steps --- */

/* Returns the last step of a process. */
static struct step *step_of(struct launches *l, struct str rank, struct str pid)
{
	const size_t known = l->processes.n, i = places_put(&l->processes, (struct str[]){rank, pid}, 2);

	l->of_process = mem_grow_zero(l->of_process, &l->cap_processes, i + 1, sizeof *l->of_process);
	if (i == known)
		l->of_process[i] = (struct step){INT64_MIN, INT64_MIN, 0};
	return &l->of_process[i];
}

/* Returns the number of new tokens that are known, or 0. */
static int64_t tokens_of(const struct step_mark *mark)
{
	const int64_t context = mark->counts[STEP_CONTEXT_TOKENS], generation = mark->counts[STEP_GENERATION_TOKENS];

	return int_add(context > 0 ? context : 0, generation > 0 ? generation : 0);
}

void launches_take_range(struct launches *l, struct event *e)
{
	const struct str name = event_get(e, EVENT_NAME);
	struct step_mark mark;
	struct step *step;

	if (!json_is_string(name) || step_mark_read(json_inner(name), &mark) != STEP_MARK_FOUND || !event_has_time(e))
		return;
	step = step_of(l, event_get(e, EVENT_RANK), event_get(e, EVENT_PID));
	if (e->ts >= step->end) /* a mark inside another one is no step */
		*step = (struct step){e->ts, event_end(e), tokens_of(&mark)};
}

/* --- threads: launches of equal captures are decided by their order --- */

/* Returns the capture that follows in the group of a capture, or precedes it; the group is a cycle. */
static uint32_t next_capture(const struct captures *c, uint32_t capture, bool back)
{
	const struct capture_group *group = &c->groups[c->list[capture].group];

	return group->captures[(c->list[capture].place + (back ? group->n - 1 : 1)) % group->n];
}

/* Returns the index of a capture among those that are possible, or -1, also if these are of several groups. */
static int32_t find_choice(const struct captures *c, const struct launch *launch, uint32_t capture)
{
	int32_t found = -1;
	size_t i;

	for (i = 0; i < launch->match->n; i++) {
		if (c->list[launch->match->captures[i]].group != c->list[capture].group)
			return -1;
		if (launch->match->captures[i] == capture)
			found = (int32_t)i;
	}
	return found;
}

/*
 * Chooses captures for the waiting launches from..to of a thread, one after the other, beginning with the capture
 * after `capture`, or going back from it. Returns the last capture that was chosen, or CAPTURES_NONE if a launch cannot
 * have run its capture.
 */
static uint32_t walk(
    struct launches *l, const struct launch_thread *t, size_t from, size_t to, uint32_t capture, bool back)
{
	struct launch *launch;
	size_t i;

	for (i = 0; i < to - from; i++) {
		launch = launches_get(l, t->waiting[back ? to - 1 - i : from + i]);
		capture = next_capture(l->captures, capture, back);
		if (launch->state == LAUNCH_EMPTY)
			continue;
		if (launch->state != LAUNCH_WAITS)
			return CAPTURES_NONE;
		launch->choice = find_choice(l->captures, launch, capture);
		if (launch->choice < 0)
			return CAPTURES_NONE;
	}
	return capture;
}

/* Counts the nodes without a kernel of a launch that has a choice. */
static void count_decided(struct launches *l, const struct launch *launch)
{
	const struct launch_match *match = launch->match;
	const struct node_map *map = match->maps[launch->choice];

	if (map)
		l->counts.dropped += l->captures->list[match->captures[launch->choice]].n - map->paired;
}

/* Decides the waiting launches from..to of a thread; `good`: all have a choice. */
static void decide(struct launches *l, struct launch_thread *t, size_t from, size_t to, bool good)
{
	struct launch *launch;
	size_t i;

	for (i = from; i < to; i++) {
		launch = launches_get(l, t->waiting[i]);
		if (launch->state != LAUNCH_WAITS)
			continue;
		launch->state = LAUNCH_DECIDED;
		if (good) {
			launch->rule = launch->match->rule == MATCH_LIST ? MATCH_ORDER : launch->match->rule;
			launch_match_agreed(launch->match, l->captures, 0);
			l->counts.differ |= launch->match->differ;
			count_decided(l, launch);
		} else {
			launch->rule = MATCH_AMBIGUOUS;
			launch->choice = -1;
		}
	}
}

/* Returns the capture of a launch that is certain without its neighbours, or CAPTURES_NONE. */
static uint32_t anchor_of(const struct launch *launch)
{
	const bool is = launch->state == LAUNCH_DECIDED && launch->choice >= 0;

	return is ? launch->match->captures[launch->choice] : CAPTURES_NONE;
}

/* Returns the first launch that waits, from..to, or `to`. */
static size_t first_waiting(struct launches *l, const struct launch_thread *t, size_t from, size_t to)
{
	while (from < to && launches_get(l, t->waiting[from])->state != LAUNCH_WAITS)
		from++;
	return from;
}

/* Decides the stretch from..to of a thread, between the anchors t->anchor and `after`; each may be CAPTURES_NONE. */
static void decide_stretch(struct launches *l, struct launch_thread *t, size_t from, size_t to, uint32_t after)
{
	const size_t first = first_waiting(l, t, from, to);
	uint32_t last;

	if (first == to)
		return;
	if (t->anchor != CAPTURES_NONE) {
		last = walk(l, t, from, to, t->anchor, false);
		if (last != CAPTURES_NONE && after != CAPTURES_NONE && next_capture(l->captures, last, false) != after)
			last = CAPTURES_NONE;
	} else if (after != CAPTURES_NONE) {
		last = walk(l, t, from, to, after, true);
	} else { /* the first launch ran the first capture that is possible */
		last = launches_get(l, t->waiting[first])->match->captures[0];
		last =
		    first == from ? walk(l, t, first, to, next_capture(l->captures, last, true), false) : CAPTURES_NONE;
	}
	decide(l, t, from, to, last != CAPTURES_NONE);
}

/* Removes the launches before `to`, which need not wait any more, from those of the thread. */
static void pass_launches(struct launches *l, struct launch_thread *t, size_t to)
{
	while (t->head < to)
		launches_get(l, t->waiting[t->head++])->walked = true;
	if (t->head > 64 && t->head > t->n / 2) {
		memmove(t->waiting, t->waiting + t->head, (t->n - t->head) * sizeof *t->waiting);
		t->n -= t->head;
		t->head = 0;
	}
}

/* Decides the launches of a thread up to its last anchor before an open launch; at the end of the input, all. */
static void walk_thread(struct launches *l, struct launch_thread *t, bool end)
{
	uint32_t capture;
	size_t i;

	for (i = t->head; i < t->n && launches_get(l, t->waiting[i])->state != LAUNCH_OPEN; i++) {
		capture = anchor_of(launches_get(l, t->waiting[i]));
		if (capture == CAPTURES_NONE)
			continue;
		decide_stretch(l, t, t->head, i, capture);
		t->anchor = capture;
		pass_launches(l, t, i + 1);
		i = t->head - 1;
	}
	if (end) {
		decide_stretch(l, t, t->head, t->n, CAPTURES_NONE);
		pass_launches(l, t, t->n);
	} else if (t->head < t->n && first_waiting(l, t, t->head, i) == i && t->anchor == CAPTURES_NONE) {
		pass_launches(l, t, i); /* launches without a capture at the beginning: nothing depends on them */
	}
}

/* --- launches --- */

static size_t thread_of(struct launches *l, struct str rank, struct str pid, struct str tid)
{
	const size_t known = l->threads.n, i = places_put(&l->threads, (struct str[]){rank, pid, tid}, 3);

	if (i == known) {
		l->of_thread = mem_grow(l->of_thread, &l->cap_threads, i + 1, sizeof *l->of_thread);
		l->of_thread[i] = (struct launch_thread){
		    .newest = INT64_MIN, .anchor = CAPTURES_NONE, .rank = captures_rank(l->captures, rank)};
	}
	return i;
}

/* Returns an open launch. The pointer is valid until a launch is added. */
static struct open_launch *open_of(struct launches *l, uint64_t number)
{
	return &l->open[launches_get(l, number)->open];
}

/* Returns the open launch of a thread that began at ts, or NULL. */
static struct open_launch *find_open(struct launches *l, size_t thread, int64_t ts)
{
	const struct launch_thread *t = &l->of_thread[thread];
	struct order_range r = {t->head, t->n};
	const struct launch *found;

	while (r.low < r.high)
		order_halve(&r, launches_get(l, t->waiting[order_middle(&r)])->ts < ts);
	if (r.low == t->n)
		return NULL;
	found = launches_get(l, t->waiting[r.low]);
	return found->ts == ts && found->state == LAUNCH_OPEN ? &l->open[found->open] : NULL;
}

/* Returns the index of a free place for an open launch. */
static size_t take_open(struct launches *l)
{
	size_t i;

	if (l->n_open++ == l->used_open) {
		l->open = mem_grow_zero(l->open, &l->cap_open, l->used_open + 1, sizeof *l->open);
		return l->used_open++;
	}
	i = l->free_open;
	l->free_open = l->open[i].next_free;
	return i;
}

static struct open_launch *add_launch(struct launches *l, size_t thread, int64_t ts, int64_t tokens)
{
	struct launch_thread *t = &l->of_thread[thread];
	const size_t open = take_open(l);
	struct open_launch *o = &l->open[open];

	l->list = mem_grow(l->list, &l->cap, l->n + 1, sizeof *l->list);
	l->list[l->n] = (struct launch){
	    .ts = ts, .thread = (uint32_t)thread, .choice = -1, .open = (uint32_t)open, .state = LAUNCH_OPEN};
	t->waiting = mem_grow(t->waiting, &t->cap, t->n + 1, sizeof *t->waiting);
	t->waiting[t->n++] = l->first + l->n;
	t->newest = ts;
	o->number = l->first + l->n++;
	o->list.n = o->list.n_streams = 0;
	o->on_streams = o->annotated = 0;
	o->list.rank = t->rank;
	o->list.tokens = tokens;
	l->counts.launches++;
	return o;
}

void launches_take_call(struct launches *l, struct event *e)
{
	const struct str rank = event_get(e, EVENT_RANK), pid = event_get(e, EVENT_PID);
	const size_t thread = thread_of(l, rank, pid, event_get(e, EVENT_TID));
	const struct step *step = step_of(l, rank, pid);

	/* A launch is known if its first kernel came before it. */
	if (event_has_time(e) && e->ts > l->of_thread[thread].newest)
		add_launch(l, thread, e->ts, step->tokens);
}

/* Remembers the first names that differ, if no launch had a capture so far. */
static void note_difference(struct launches *l, const struct launch_list *list)
{
	const struct captures *c = l->captures;
	const uint32_t *names;
	size_t i, at, best = 0;

	for (i = 0; i < c->n; i++) {
		names = captures_names(c, (uint32_t)i);
		for (at = 0; at < list->n && at < c->list[i].n; at++) {
			if (!launch_match_may_be(list->names[at], names[at]))
				break;
		}
		if (at == list->n || at == c->list[i].n || (l->differs && at <= best))
			continue;
		best = at;
		l->differs = true;
		l->kernel_name = list->names[at];
		l->node_name = names[at];
	}
}

/* All kernels of a launch were read. */
static void close_launch(struct launches *l, struct open_launch *o)
{
	struct launch *launch = launches_get(l, o->number);
	size_t i;

	for (i = 0; i < o->list.n_streams; i++) {
		if (l->on_stream[o->streams[i]] == o->number)
			l->on_stream[o->streams[i]] = LAUNCHES_NONE;
	}
	launch->state = LAUNCH_DECIDED;
	if (!o->list.n) {
		launch->state = LAUNCH_EMPTY;
		l->counts.empty++;
	} else if (o->annotated == o->list.n) {
		launch->rule = MATCH_NODE;
	} else {
		launch->match = launch_match_find(&l->matches, &o->list);
		launch->rule = launch->match->rule;
		if (launch->match->n == 1) {
			launch->choice = 0;
			count_decided(l, launch);
		} else if (launch->match->n > 1) {
			launch->state = LAUNCH_WAITS;
		} else if (!l->differs) {
			note_difference(l, &o->list);
		}
	}
	o->next_free = l->free_open;
	l->free_open = launch->open;
	l->n_open--;
	l->last = LAUNCHES_NONE;
	walk_thread(l, &l->of_thread[launch->thread], false);
}

static size_t stream_of(struct launches *l, const struct str stream[3])
{
	const size_t known = l->streams.n, i = places_put(&l->streams, stream, 3);

	if (i == known) {
		l->on_stream = mem_grow(l->on_stream, &l->cap_streams, i + 1, sizeof *l->on_stream);
		l->on_stream[i] = LAUNCHES_NONE;
	}
	return i;
}

/* A record that is not of the launch `number` is on a stream: the launch of its last record has gone on. */
static void leave_stream(struct launches *l, size_t stream, uint64_t number)
{
	const uint64_t last = l->on_stream[stream];
	struct open_launch *o;

	l->on_stream[stream] = number;
	l->last = LAUNCHES_NONE;
	if (last == LAUNCHES_NONE)
		return;
	o = open_of(l, last);
	if (!--o->on_streams)
		close_launch(l, o);
}

void launches_take_other(struct launches *l, const struct str stream[3])
{
	if (l->n_open)
		leave_stream(l, stream_of(l, stream), LAUNCHES_NONE);
}

/* Returns the number of a stream in the launch. */
static uint32_t stream_in(struct open_launch *o, size_t stream)
{
	size_t i;

	for (i = 0; i < o->list.n_streams; i++) {
		if (o->streams[i] == stream)
			return (uint32_t)i;
	}
	o->streams = mem_grow(o->streams, &o->cap_places, i + 1, sizeof *o->streams);
	o->streams[i] = stream;
	o->list.n_streams++;
	return (uint32_t)i;
}

/* Finds or adds the launch of a kernel, and makes it the last one. Returns false if the kernel comes too late. */
static bool find_launch(struct launches *l, const struct launch_kernel *k)
{
	const size_t on = stream_of(l, k->stream);
	struct open_launch *o = NULL;
	struct event_api api;
	size_t thread = 0;
	bool late = !event_api_read(&api, k->api);

	if (!late) {
		thread = thread_of(l, k->stream[0], api.pid, api.tid);
		o = find_open(l, thread, api.ts);
		late = !o && api.ts <= l->of_thread[thread].newest;
	}
	if (late) {
		leave_stream(l, on, LAUNCHES_NONE);
		return false;
	}
	if (!o) /* the input has no calls, or the kernel begins before its call because clocks disagree */
		o = add_launch(l, thread, api.ts, 0);
	if (l->on_stream[on] != o->number) {
		o->on_streams++;
		leave_stream(l, on, o->number);
	}
	l->last = o->number;
	l->last_stream = stream_in(o, on);
	return true;
}

uint64_t launches_take_kernel(struct launches *l, const struct launch_kernel *k, uint32_t *place)
{
	struct open_launch *o;

	l->counts.kernels++;
	if ((!k->same || l->last == LAUNCHES_NONE) && !find_launch(l, k)) {
		l->counts.late++;
		return LAUNCHES_NONE;
	}
	o = open_of(l, l->last);
	o->list.names = mem_grow(o->list.names, &o->cap_names, o->list.n + 1, sizeof *o->list.names);
	o->list.streams = mem_grow(o->list.streams, &o->cap_streams, o->list.n + 1, sizeof *o->list.streams);
	o->list.names[o->list.n] = k->name;
	o->list.streams[o->list.n] = (uint32_t)l->last_stream;
	o->annotated += k->annotated;
	*place = (uint32_t)o->list.n++;
	launches_get(l, l->last)->unwritten++;
	return l->last;
}

/* Returns the number of the open launch that began first in the input, or LAUNCHES_NONE. */
static uint64_t oldest_open(struct launches *l)
{
	if (!l->n_open)
		return LAUNCHES_NONE;
	while (launches_get(l, l->oldest)->state != LAUNCH_OPEN)
		l->oldest++;
	return l->oldest;
}

void launches_end(struct launches *l)
{
	size_t i;

	while (oldest_open(l) != LAUNCHES_NONE)
		close_launch(l, open_of(l, l->oldest));
	for (i = 0; i < l->threads.n; i++)
		walk_thread(l, &l->of_thread[i], true);
}

/* Removes the launches at the beginning of the list that nothing needs any more. */
static void drop_done(struct launches *l)
{
	const struct launch *launch;

	for (; l->done < l->n; l->done++) {
		launch = &l->list[l->done];
		if (launch->state == LAUNCH_OPEN || !launch->walked || launch->unwritten)
			break;
		launch_match_free(launch->match);
	}
	if (l->done < 64 || l->done < l->n / 2)
		return;
	l->n -= l->done;
	l->first += l->done;
	memmove(l->list, l->list + l->done, l->n * sizeof *l->list);
	l->done = 0;
	if (l->oldest < l->first)
		l->oldest = l->first;
}

void launches_advance(struct launches *l, int64_t ts)
{
	while (oldest_open(l) != LAUNCHES_NONE && int_add(launches_get(l, l->oldest)->ts, l->horizon) < ts)
		close_launch(l, open_of(l, l->oldest));
	drop_done(l);
}

void launches_written(struct launches *l, struct launch *launch)
{
	launch->unwritten--;
	drop_done(l);
}

void launches_free(struct launches *l)
{
	size_t i;

	for (i = l->done; i < l->n; i++)
		launch_match_free(l->list[i].match);
	for (i = 0; i < l->cap_open; i++)
		mem_free(l->open[i].list.names, l->open[i].list.streams, l->open[i].streams);
	for (i = 0; i < l->threads.n; i++)
		free(l->of_thread[i].waiting);
	mem_free(l->open, l->list, l->of_thread, l->on_stream, l->of_process);
	launch_matches_free(&l->matches);
	places_free(&l->threads);
	places_free(&l->streams);
	places_free(&l->processes);
}
