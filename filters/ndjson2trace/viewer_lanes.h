/*
 * viewer_lanes: the rows of a trace viewer: processes and threads by number, and lanes in them, so that no two
 * events of a row cross: what viewers draw must nest.
 */
#ifndef VIEWER_LANES_H
#define VIEWER_LANES_H

#include "record/places.h"

enum { VIEWER_LANES_MOST = 1000 }; /* of a thread at most: hostile input shall be neither large nor slow */

struct viewer_lane {
	struct buf tid;  /* its thread's number, as JSON */
	int64_t *ends;   /* of what is open, the outermost first */
	size_t n, cap;
};

/* A thread, or a stream of a device. */
struct viewer_lanes_thread {
	size_t process;
	bool device, any;
	bool named;      /* in the viewer too */
	int64_t last;    /* the latest start */
	struct viewer_lane *lanes;
	size_t n, cap;
	struct buf name, sort; /* JSON, as the input says; empty when it does not */
};

struct viewer_lanes_process {
	struct buf number;    /* what it has in the viewer, JSON */
	bool device, named;
};

/* Zero-initialise; viewer_lanes_free() it. Memory: what is open, and what there is in a viewer. */
struct viewer_lanes {
	struct viewer_lanes_thread *threads;
	struct viewer_lanes_process *processes;
	size_t n_threads, n_processes;
	uint64_t late;    /* events that came out of ts order: not looked at */
	uint64_t crowded; /* events that cross others in all lanes there may be: they stay in the last one */
	/* its own */
	struct places thread_places, process_places; /* by rank, pid or dev, and tid or stream; by the first two */
	struct map taken;  /* pids that are numbers of processes */
	size_t threads_cap, processes_cap;
	uint64_t made;
};

/*
 * The number of a thread, or of a stream of a device, by rank, pid (dev) and tid (stream): JSON texts, p == NULL where
 * there is none.
 */
size_t viewer_lanes_put(struct viewer_lanes *t, const struct str where[3], bool device);

/* The rank and the pid (dev) of a process; p == NULL where there is none. */
static inline struct str viewer_lanes_rank(const struct viewer_lanes *t, size_t process)
{
	return places_value(&t->process_places, process, 0);
}

static inline struct str viewer_lanes_pid(const struct viewer_lanes *t, size_t process)
{
	return places_value(&t->process_places, process, 1);
}

/* The lane for an event: the first one in which it lies inside of all that is open, or after it. */
size_t viewer_lanes_lane(struct viewer_lanes *t, size_t thread, int64_t ts, int64_t dur);

static inline struct str viewer_lanes_tid(const struct viewer_lanes_thread *t, size_t lane)
{
	return (struct str){t->lanes[lane].tid.p, t->lanes[lane].tid.n};
}

static inline void viewer_lanes_set(struct buf *b, struct str text)
{
	b->n = 0;
	buf_add(b, text.p, text.n);
}

void viewer_lanes_free(struct viewer_lanes *t);

#endif
