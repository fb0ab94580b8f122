/* clock_file: writes the clocks of ranks as records, and reads such records. */
#ifndef CLOCK_FILE_H
#define CLOCK_FILE_H

#include "rank_clocks.h"
#include "record/input.h"

/* Writes a record for each rank. */
void clock_file_write(const struct rank_clocks *c, const struct job *j, struct out *out);

/* The clock records of a file. Zero-initialise it. */
struct clock_file {
	/* private */
	struct map ranks;
	struct rank_clock *clocks; /* by the index of the rank in `ranks` */
	size_t cap;
};

/*
 * Reads a clock record; ignores other records. Returns NULL, or what is wrong with the record, as static text: it has no
 * rank, its rank has another clock, or a member that it needs is not an integer.
 */
const char *clock_file_add(struct clock_file *file, struct event *e);

/*
 * Sets the clocks of all ranks; a rank that is not in the file has no clock (ok is false). Returns false when the file
 * has no clocks.
 */
bool clock_file_apply(const struct clock_file *file, struct rank_clocks *c, const struct job *j);

void clock_file_free(struct clock_file *file);

#endif
