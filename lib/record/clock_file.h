/* clock_file: the records of kind clock that coll-join --write clocks wrote: the clock of each rank of a job. */
#ifndef CLOCK_FILE_H
#define CLOCK_FILE_H

#include "base/map.h"
#include "record/event.h"

/*
 * The clock of a rank, relative to that of the reference, which is the lowest rank. All times are in ns, except drift:
 * parts per billion.
 */
struct rank_clock {
	int64_t base;   /* its baseTimeNanoseconds minus that of the reference */
	int64_t offset; /* what to add to ts + base, at the time `at` of this clock */
	int64_t drift;  /* how much the offset grows in 10^9 ns */
	int64_t at;
	int64_t low, high; /* bounds of the offset; absent if count is 0 */
	int64_t spread;    /* median distance between the offset and the differences of ends */
	uint64_t count;    /* number of collectives from which the offset was computed */
	int64_t via;       /* the rank relative to which it was computed */
	bool ok;           /* times of this clock can be converted */
};

/* Returns how much the offset changes in the time `since` after `at`, rounded to the nearest integer. */
static inline int64_t rank_clock_drifted(const struct rank_clock *c, int64_t since)
{
	const int128 product = (int128)since * c->drift + 500000000;
	const int128 quotient = product / 1000000000;

	return c->drift ? (int64_t)(quotient - (product < 0 && product % 1000000000 != 0)) : 0;
}

/* Returns the time on the clock of the reference at which the clock of this rank shows ts. */
static inline int64_t rank_clock_time(const struct rank_clock *c, int64_t ts)
{
	const int64_t time = int_add(int_add(ts, c->base), c->offset);

	return c->drift ? int_add(time, rank_clock_drifted(c, int_sub(ts, c->at))) : time;
}

/* Zero-initialise it. */
struct clock_file {
	/* private */
	struct map ranks;
	struct rank_clock *clocks; /* by the index of the rank in `ranks` */
	size_t cap;
};

/*
 * Reads a clock record; ignores other records. Returns NULL, or what is wrong with the record, as static text: it has
 * no rank, its rank has another clock, or a member that it needs is not an integer. A clock that is not ok needs no
 * members except the rank.
 */
const char *clock_file_add(struct clock_file *file, struct event *e);

/* Returns the clock of a rank; NULL if the file has none. */
const struct rank_clock *clock_file_find(const struct clock_file *file, int64_t rank);

static inline bool clock_file_is_empty(const struct clock_file *file)
{
	return !file->ranks.n;
}

void clock_file_free(struct clock_file *file);

#endif
