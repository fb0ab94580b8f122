/* projection: adds up, for each range of host time, the device work that was launched inside it. */
#ifndef PROJECTION_H
#define PROJECTION_H

#include "record/event.h"
#include "record/places.h"

/* Device work: the intervals of kernels, memcpys and memsets, which must be added in order of start. */
struct projection_work {
	uint64_t ops;        /* number of calls that launched the work */
	int64_t first, last; /* the first start and the last end */
	int64_t busy;        /* duration of the union of the intervals */
	int64_t sum;         /* sum of the durations */
	uint64_t records;
	uint32_t tid, dev, stream; /* arguments of projection_key() */
	uint32_t last_tid; /* the thread that launched the record with the last end; also for projection_key() */
};

/* A range that can still get work. */
struct projection_range {
	int64_t start, end;
	uint64_t id, parent; /* parent: id of the innermost enclosing range on its thread, 0 for none */
	uint64_t depth;
	uint64_t children;                  /* number of ranges with work whose parent this range is */
	size_t place;                       /* the place that its launches must have */
	const struct projection_work *work; /* for options.give */
	struct str record;                  /* a copy of the text of the record, allocated separately */
	struct str
	    stack; /* the labels of the enclosing ranges and of this one, separated by commas; in the same memory */
};

struct projection_options {
	enum places_scope scope; /* scope of a range and its launches: thread, process or rank */
	int64_t horizon;         /* how long a range waits for device work after the range has ended, ns */
	void (*give)(void *arg, const struct projection_range *r); /* called for each range with work, in input order */
	void *arg;
};

struct projection_counts {
	uint64_t ranges, used;              /* ranges: number of ranges; used: number of ranges with work */
	uint64_t launches, inside, outside; /* number of device records: all, inside ranges, and outside ranges */
	uint64_t late; /* number of device records that came after a range that could enclose them had been given */
};

/* Add records in ts order, then call projection_end(). */
struct projection *projection_new(const struct projection_options *o);
void projection_free(struct projection *p);

/*
 * Adds a range that ends at `end` >= e->ts; `id` must be larger than all earlier ids. `label` is copied to the stacks
 * of this range and of the ranges in it; if p is NULL, the range has no stack.
 */
void projection_add_range(struct projection *p, struct event *e, int64_t end, uint64_t id, struct str label);

/* Adds a device record that corr-join has joined. Returns false when it has no call, or the call has no time. */
bool projection_add_launch(struct projection *p, struct event *e);

/* Advances the stream to ts: call it before adding the record with that ts. */
void projection_advance(struct projection *p, int64_t ts);

/* Ends the input: passes all remaining ranges to options.give. */
void projection_end(struct projection *p);

const struct projection_counts *projection_counts(const struct projection *p);

/* Returns the JSON text of `key`, the tid, dev or stream of work; it is empty if the work has no or several values. */
struct str projection_key(const struct projection *p, uint32_t key);

/*
 * Returns the work outside of all ranges of the next process that has such work, from process number *next on; NULL
 * after the last one. Sets *rank and *pid to those of the process, and *next to the number after it.
 */
const struct projection_work *projection_next_outside(
    const struct projection *p, size_t *next, struct str *rank, struct str *pid);

#endif
