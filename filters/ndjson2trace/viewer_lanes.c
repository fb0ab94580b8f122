#include "viewer_lanes.h"

#include "base/int_math.h"
#include "base/num_format.h"

#include <stdlib.h>

/* The first id that is made up here: greater than the ids of operating systems, small enough for viewers. */
enum { MADE = 1000000000 };

static void make_number(struct viewer_lanes *t, struct buf *b)
{
	char number[NUM_ROOM];

	viewer_lanes_set(b, num_str_u64(number, MADE + t->made++));
}

/* Returns true if viewers accept the value as an id: a number or a text. */
static bool is_id(struct str json)
{
	return !json.n || (json.p[0] != '{' && json.p[0] != '[');
}

static size_t put_process(struct viewer_lanes *t, const struct str where[2], bool device)
{
	const size_t known = t->n_processes, taken = t->taken.n, i = places_put(&t->process_places, where, 2);
	const struct str pid = where[1];
	struct viewer_lanes_process *p;

	if (i < known) {
		t->processes[i].device |= device;
		return i;
	}
	t->processes = mem_grow(t->processes, &t->processes_cap, known + 1, sizeof *t->processes);
	p = &t->processes[t->n_processes++];
	*p = (struct viewer_lanes_process){.device = device};
	/* When processes of several ranks have the same pid, the first process keeps it. */
	map_put(&t->taken, pid);
	if (t->taken.n > taken && is_id(pid))
		viewer_lanes_set(&p->number, pid);
	else
		make_number(t, &p->number);
	return i;
}

static void add_lane(struct viewer_lanes *t, struct viewer_lanes_thread *thread, struct str tid)
{
	thread->lanes = mem_grow(thread->lanes, &thread->cap, thread->n + 1, sizeof *thread->lanes);
	thread->lanes[thread->n] = (struct viewer_lane){0};
	if (thread->n || !is_id(tid))
		make_number(t, &thread->lanes[thread->n].tid);
	else
		viewer_lanes_set(&thread->lanes[0].tid, tid);
	thread->n++;
}

size_t viewer_lanes_put(struct viewer_lanes *t, const struct str where[3], bool device)
{
	const size_t i = places_put(&t->thread_places, where, 3);

	if (i < t->n_threads)
		return i;
	t->threads = mem_grow(t->threads, &t->threads_cap, t->n_threads + 1, sizeof *t->threads);
	t->threads[t->n_threads] =
	    (struct viewer_lanes_thread){.process = put_process(t, where, device), .device = device};
	add_lane(t, &t->threads[t->n_threads++], where[2]);
	return i;
}

/* Returns true if the interval fits into the lane, and opens it there. */
static bool enter(struct viewer_lane *l, int64_t ts, int64_t end)
{
	while (l->n && l->ends[l->n - 1] <= ts)
		l->n--;
	if (l->n && l->ends[l->n - 1] < end)
		return false;
	l->ends = mem_grow(l->ends, &l->cap, l->n + 1, sizeof *l->ends);
	l->ends[l->n++] = end;
	return true;
}

size_t viewer_lanes_lane(struct viewer_lanes *t, size_t number, int64_t ts, int64_t dur)
{
	struct viewer_lanes_thread *thread = &t->threads[number];
	const int64_t end = int_interval_end(ts, dur);
	size_t i;

	if (thread->any && ts < thread->last) {
		t->late++;
		return 0;
	}
	thread->any = true;
	thread->last = ts;
	for (i = 0; i < thread->n; i++) {
		if (enter(&thread->lanes[i], ts, end))
			return i;
	}
	if (thread->n == VIEWER_LANES_MOST) {
		t->crowded++;
		return VIEWER_LANES_MOST - 1;
	}
	add_lane(t, thread, (struct str){0});
	enter(&thread->lanes[i], ts, end);
	return i;
}

void viewer_lanes_free(struct viewer_lanes *t)
{
	size_t i, l;

	for (i = 0; i < t->n_threads; i++) {
		for (l = 0; l < t->threads[i].n; l++) {
			buf_free(&t->threads[i].lanes[l].tid);
			free(t->threads[i].lanes[l].ends);
		}
		free(t->threads[i].lanes);
		bufs_free(&t->threads[i].name, &t->threads[i].sort);
	}
	for (i = 0; i < t->n_processes; i++)
		bufs_free(&t->processes[i].number, &t->processes[i].name);
	mem_free(t->threads, t->processes);
	places_free(&t->thread_places);
	places_free(&t->process_places);
	map_free(&t->taken);
	*t = (struct viewer_lanes){0};
}
