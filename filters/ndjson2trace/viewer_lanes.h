/*
 * viewer_lanes: assigns events to the rows of a trace viewer: numbers for processes and threads, and lanes in threads.
 * Viewers require that the events of a row nest, so no two events of a lane cross.
 */
#ifndef VIEWER_LANES_H
#define VIEWER_LANES_H

#include "record/places.h"

/* maximum number of lanes of a thread; limits the memory and time for hostile input */
enum { VIEWER_LANES_MOST = 1000 };

struct viewer_lane {
	struct buf tid; /* the tid of this lane in the viewer, as JSON */
	int64_t *ends;  /* ends of the open intervals, outermost first */
	size_t n, cap;
};

/* A thread, or a stream of a device. */
struct viewer_lanes_thread {
	size_t process;
	bool device, any;
	bool named;   /* the input has a thread_name event for it */
	int64_t last; /* the latest start of an event */
	struct viewer_lane *lanes;
	size_t n, cap;
	struct buf name, sort; /* JSON from the input; empty when the input has none */
};

struct viewer_lanes_process {
	struct buf number; /* the pid of the process in the viewer, as JSON */
	struct buf name;   /* JSON from the input; empty when the input has none */
	bool device;       /* it has streams of a device */
	bool named;        /* the input has a process_name event for it */
};

/* Zero-initialise; free with viewer_lanes_free(). Memory grows with the open events and with the rows in the viewer. */
struct viewer_lanes {
	struct viewer_lanes_thread *threads;
	struct viewer_lanes_process *processes;
	size_t n_threads, n_processes;
	uint64_t late; /* number of events out of ts order; they get the first lane without a check */
	/* number of events that would cross other events in every possible lane; they stay in the last lane */
	uint64_t crowded;
	/* private members */
	/* Threads are found by rank, pid (or dev) and tid (or stream); processes by rank and pid (or dev). */
	struct places thread_places, process_places;
	struct map taken; /* pids that are already in use in the viewer */
	size_t threads_cap, processes_cap;
	uint64_t made;
};

/*
 * Returns the index in `threads` of a thread, or of a stream of a device. `where`: its rank, pid (dev) and tid (stream)
 * as JSON texts, p == NULL for an absent value.
 */
size_t viewer_lanes_put(struct viewer_lanes *t, const struct str where[3], bool device);

/* Return the rank and the pid (dev) of a process; p == NULL for an absent value. */
static inline struct str viewer_lanes_rank(const struct viewer_lanes *t, size_t process)
{
	return places_value(&t->process_places, process, 0);
}

static inline struct str viewer_lanes_pid(const struct viewer_lanes *t, size_t process)
{
	return places_value(&t->process_places, process, 1);
}

/* Returns the lane for an event: the first lane in which the event is inside all open events. */
size_t viewer_lanes_lane(struct viewer_lanes *t, size_t thread, int64_t ts, int64_t dur);

static inline struct str viewer_lanes_tid(const struct viewer_lanes_thread *t, size_t lane)
{
	return buf_str(&t->lanes[lane].tid);
}

static inline void viewer_lanes_set(struct buf *b, struct str text)
{
	b->n = 0;
	buf_add(b, text.p, text.n);
}

void viewer_lanes_free(struct viewer_lanes *t);

#endif
