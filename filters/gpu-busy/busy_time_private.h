/* busy_time_private: the state of busy_time, shared by busy_time.c and busy_time_gaps.c. */
#ifndef BUSY_TIME_PRIVATE_H
#define BUSY_TIME_PRIVATE_H

#include "busy_time.h"
#include "overlap_sweep.h"
#include "work_places.h"

struct busy_time_place {
	struct overlap_sweep sweep;
	uint64_t count;
	int64_t waits[IDLE_CAUSES];
	struct buf last; /* for gaps: the name of the record that ends last, as JSON */
};

/* The beginning of the gaps of a rank. */
struct busy_time_rank {
	int64_t begin;
	bool begun, worked; /* worked: a device record was added */
};

struct busy_time {
	struct busy_time_options options;
	struct idle_counts counts;
	struct work_places devices;
	struct work_types *types;
	struct out *out;
	struct busy_time_place *places; /* indexed by device */
	size_t n, cap;
	struct places rank_ids;
	struct busy_time_rank *ranks; /* with options.begins: indexed by number in rank_ids */
	size_t n_ranks, ranks_cap;
	int64_t idle_from; /* with options.host: the earliest end of the last work of a place */
	bool sliced;
	int64_t slice_at;
	struct buf more;
};

/* Writes the record e with the members in b->more, and empties b->more. */
void busy_time_write(struct busy_time *b, struct event *e);

/* --- busy_time_gaps.c --- */

/* Returns the rank of a record, with the option `begins`; otherwise NULL. */
struct busy_time_rank *busy_time_find_rank(struct busy_time *b, struct event *e);

/*
 * To be called before e is added to a place that is idle at its start. Takes the idle time before e: adds it to the
 * sums, and writes it if gaps are requested. `rank`: the result of busy_time_find_rank().
 */
void busy_time_take_gap(struct busy_time *b, size_t place, const struct busy_time_rank *rank, struct event *e);

/*
 * With the option `host`: forgets the records of the host that ended before all idle intervals which can still be
 * written. `was`: the end of the last work of the place before the current record, or INT64_MIN if there was none.
 */
void busy_time_forget_host(struct busy_time *b, int64_t was);

#endif
