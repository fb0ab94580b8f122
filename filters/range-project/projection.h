/* projection: ranges of host time, and the device work that was launched inside each. */
#ifndef PROJECTION_H
#define PROJECTION_H

#include "record/event.h"
#include "record/value_ids.h"
#include "base/map.h"
#include "record/places.h"
#include "interval/interval_index.h"

#define PROJECTION_NONE ((size_t)-1)    /* no value yet */
#define PROJECTION_SEVERAL ((size_t)-2) /* more than one */

/* Device work: the intervals of kernels, copies and sets, which come in the order of their starts. */
struct projection_work {
	uint64_t ops;        /* calls that launched it */
	int64_t first, last; /* first start, last end */
	int64_t busy;        /* length of the union */
	int64_t sum;         /* of the lengths */
	uint64_t records;
	size_t tid, dev, stream; /* numbers of keys */
	bool any;
};

struct projection_launched; /* one device record with its call, projection.c */

/* A range that may still get work. */
struct projected {
	int64_t start, end;
	uint64_t id, parent; /* parent: id of the innermost range round it on its thread, 0 for none */
	uint64_t depth;
	size_t scope;        /* where its launches are */
	struct projection_work work;
	struct str record;   /* a copy of its line, in memory of its own */
};

/* Zero-initialise, set what is asked for, then add records in ts order. */
struct projection {
	enum places_scope scope; /* where a launch may stand to belong to a range: same thread, process, rank */
	int64_t horizon;     /* how long after its end a range waits for device work */
	void (*give)(void *arg, const struct projected *r); /* called for each range with work, in input order */
	void *arg;

	uint64_t ranges, used, launches, inside, outside, late; /* used: ranges with work */

	struct value_ids keys;    /* values of tid, dev, stream */
	struct places scopes;     /* of rank, pid and tid */
	struct projection_place { /* by scope */
		struct projection_work work;  /* of a process: in no range */
		int64_t gone;      /* the latest end of ranges that were given out */
		bool any_gone;
	} *places;
	size_t n_places, places_cap;
	struct interval_index spans;  /* by thread, and by p->scope; a span's name is its range's index in `held` */
	struct projected *held; /* ranges that may still get work, in input order */
	size_t n_held, held_cap;
	uint32_t *moved;     /* where they are after a sweep */
	size_t moved_cap;

	struct projection_launched *waiting; /* until the ranges of their time are all known */
	size_t head, n_waiting, waiting_cap;
	struct map calls[2]; /* whose work was seen: of late, and before that */
	struct buf call;
	int64_t now, sweep;  /* ts of the stream; when to look for ranges that are done */
	bool started;
};

/* A range that ends at `end` >= e->ts; id > 0 tells it from others. */
void projection_range(struct projection *p, struct event *e, int64_t end, uint64_t id);

/* A device record that corr-join joined; `api` is its call. False when the call has no time. */
bool projection_launch(struct projection *p, struct event *e, struct str api);

/* The stream has come to ts: call it before the record of that ts is added. */
void projection_time(struct projection *p, int64_t ts);

/* The end: all ranges are given out. */
void projection_end(struct projection *p);

void projection_free(struct projection *p);

#endif
