#include "step_log.h"

#include "base/err.h"
#include "base/hash.h"
#include "json/value.h"
#include "record/event_api.h"

#include <stdlib.h>

void step_log_init(struct step_log *l)
{
	*l = (struct step_log){.lag = 0};
	l->ranks.n_members = 1;
	spool_init(&l->marks);
	spool_init(&l->work);
}

static uint32_t place_in(struct places *places, const struct str *values, size_t n)
{
	const size_t i = places_put(places, values, n);

	if (i >= UINT32_MAX)
		die_too_many("processes and threads", UINT32_MAX - 1);
	return (uint32_t)i;
}

static uint32_t process_of(struct step_log *l, struct str rank, struct str pid)
{
	const size_t known = l->processes.n;
	const uint32_t i = place_in(&l->processes, (struct str[]){rank, pid}, 2);

	if (i == known) {
		l->rank_of = mem_grow(l->rank_of, &l->cap_processes, i + 1, sizeof *l->rank_of);
		l->rank_of[i] = place_in(&l->ranks, &rank, 1);
	}
	return i;
}

void step_log_add_mark(struct step_log *l, struct event *e, const struct step_mark *mark)
{
	const struct str at[3] = {event_get(e, EVENT_RANK), event_get(e, EVENT_PID), event_get(e, EVENT_TID)};
	const struct str name = event_get(e, EVENT_NAME);
	struct logged_mark m = {.ts = e->ts, .end = event_end(e), .mark = *mark};
	struct fault f;

	if (name.n > UINT32_MAX)
		return;
	m.process = process_of(l, at[0], at[1]);
	m.thread = place_in(&l->threads, at, 3);
	m.name_n = (uint32_t)name.n;
	err_check(spool_add(&l->marks, &m, sizeof m, &f) && spool_add(&l->marks, name.p, name.n, &f), &f);
}

static struct str find_api(struct event *e)
{
	struct str key, value, api = {NULL, 0};
	struct iter w;
	int r;

	event_iter_init(&w, e);
	while ((r = iter_next(&w, &key, &value)) > 0) {
		if (str_eq(key, STR("api")))
			api = value;
	}
	event_broken_if(e, r < 0);
	return api;
}

/* Reads the call of a device record. */
static void read_call(struct step_log *l, uint32_t rank_number, struct str rank, struct str api)
{
	struct logged_work *known = &l->known;
	struct event_api call;

	*known = (struct logged_work){.rank = rank_number};
	l->known_api.n = 0;
	buf_add(&l->known_api, api.p, api.n);
	if (!event_api_read(&call, api))
		return;
	known->called = true;
	known->graph = call.name.p && str_find(call.name, STR("GraphLaunch")) < call.name.n;
	known->call = call.ts;
	known->process = process_of(l, rank, call.pid);
}

/* Returns a number for the name of a device record in the list of a launch; ROCm copies and sets with kernels. */
static uint64_t name_number(struct str name, enum event_kind kind)
{
	if (kind == KIND_MEMCPY || str_find(name, STR("copyBuffer")) < name.n)
		return 1;
	return kind == KIND_MEMSET || str_find(name, STR("fillBuffer")) < name.n ? 2 : hash_str(name);
}

void step_log_add_work(struct step_log *l, struct event *e, enum event_kind kind)
{
	const struct str rank = event_get(e, EVENT_RANK), api = find_api(e);
	const uint32_t rank_number = place_in(&l->ranks, &rank, 1);
	struct logged_work w;
	struct fault f;

	if (!l->n_work || rank_number != l->known.rank || !str_eq(api, buf_str(&l->known_api)))
		read_call(l, rank_number, rank, api);
	w = l->known;
	w.ts = e->ts;
	w.end = event_end(e);
	if (!value_integer(event_get(e, EVENT_CORR), &w.corr))
		w.corr = -1;
	w.name = w.graph ? name_number(event_get(e, EVENT_NAME), kind) : 0;
	if (!w.called) {
		l->unmatched++;
		l->unmatched_time += (uint64_t)(w.end - w.ts);
	} else if (int_sub(w.ts, w.call) > l->lag) {
		l->lag = int_sub(w.ts, w.call);
	}
	l->n_work++;
	err_check(spool_add(&l->work, &w, sizeof w, &f), &f);
}

bool step_log_mark(
    struct step_log *l, struct spool_window *window, uint64_t *at, struct logged_mark *mark, struct str *name)
{
	struct fault f;
	const char *p;

	if (*at >= l->marks.size)
		return false;
	p = spool_read(&l->marks, window, *at, sizeof *mark, &f);
	err_check(p, &f);
	memcpy(mark, p, sizeof *mark);
	p = spool_read(&l->marks, window, *at, sizeof *mark + mark->name_n, &f);
	err_check(p, &f);
	*name = (struct str){p + sizeof *mark, mark->name_n};
	*at += sizeof *mark + mark->name_n;
	return true;
}

void step_log_work(struct step_log *l, uint64_t i, struct logged_work *work)
{
	struct fault f;
	const char *p = spool_read(&l->work, &l->work_window, i * sizeof *work, sizeof *work, &f);

	err_check(p, &f);
	memcpy(work, p, sizeof *work);
}

void step_log_free(struct step_log *l)
{
	places_free(&l->ranks);
	places_free(&l->processes);
	places_free(&l->threads);
	free(l->rank_of);
	spool_free(&l->marks);
	spool_free(&l->work);
	spool_window_free(&l->work_window);
	buf_free(&l->known_api);
}
