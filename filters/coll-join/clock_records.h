/* clock_records: writes the clocks of the ranks of a job as records, and uses such records of an earlier run. */
#ifndef CLOCK_RECORDS_H
#define CLOCK_RECORDS_H

#include "rank_clocks.h"
#include "record/clock_file.h"

/* Writes a record for each rank. */
void clock_records_write(const struct rank_clocks *c, const struct job *j, struct out *out);

/* Sets the clocks of all ranks to those of a file; a rank that is not in the file has no clock (ok is false). */
void clock_records_apply(const struct clock_file *file, struct rank_clocks *c, const struct job *j);

#endif
