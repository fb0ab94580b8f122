/* clock_file: the records of kind clock that coll-join --write clocks wrote: the clock of each rank of a job. */
#ifndef CLOCK_FILE_H
#define CLOCK_FILE_H

#include "base/map.h"
#include "record/event.h"
#include "record/rank_clock.h"

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
