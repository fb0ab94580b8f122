/* projection: ranges of host time, and the device work that was launched inside each. */
#ifndef PROJECTION_H
#define PROJECTION_H

#include "record/event.h"
#include "record/places.h"

/* Device work: the intervals of kernels, copies and sets, which come in the order of their starts. */
struct projection_work {
	uint64_t ops;        /* calls that launched it */
	int64_t first, last; /* first start, last end */
	int64_t busy;        /* length of the union */
	int64_t sum;         /* of the lengths */
	uint64_t records;
	size_t tid, dev, stream; /* for projection_key() */
	bool any;
};

/* A range that may still get work. */
struct projection_range {
	int64_t start, end;
	uint64_t id, parent; /* parent: id of the innermost range round it on its thread, 0 for none */
	uint64_t depth;
	size_t place;        /* where its launches are */
	struct projection_work work;
	struct str record;   /* a copy of its line, in memory of its own */
};

struct projection_options {
	enum places_scope scope; /* what range and launch share: thread, process, rank */
	int64_t horizon;         /* how long after its end a range waits for device work */
	void (*give)(void *arg, const struct projection_range *r); /* called for each range with work, in input order */
	void *arg;
};

struct projection_counts {
	uint64_t ranges, used;            /* used: ranges with work */
	uint64_t launches, inside, outside; /* device records: all, in ranges, in none */
	uint64_t late;                    /* device records that came when a range of their time was given out */
};

/* Add records in ts order, then projection_end(). */
struct projection *projection_new(const struct projection_options *o);
void projection_free(struct projection *p);

/* A range that ends at `end` >= e->ts; id > 0 tells it from others. */
void projection_add_range(struct projection *p, struct event *e, int64_t end, uint64_t id);

/* A device record that corr-join joined; `api` is its call. False when the call has no time. */
bool projection_add_launch(struct projection *p, struct event *e, struct str api);

/* The stream has come to ts: call it before the record of that ts is added. */
void projection_advance(struct projection *p, int64_t ts);

/* The end: all ranges are given out. */
void projection_end(struct projection *p);

const struct projection_counts *projection_counts(const struct projection *p);

/* The JSON text of the tid, dev or stream of work; p == NULL when it has none or several. */
struct str projection_key(const struct projection *p, size_t key);

/*
 * The work of a process that lies in no range: that of the first process from number *next on that has any, with the
 * process's rank and pid; *next becomes the number after it. NULL when there is none.
 */
const struct projection_work *projection_next_outside(
    const struct projection *p, size_t *next, struct str *rank, struct str *pid);

#endif
