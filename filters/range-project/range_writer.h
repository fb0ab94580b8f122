/* range_writer: writes the output records of range-project, which have the kind gpu_range. */
#ifndef RANGE_WRITER_H
#define RANGE_WRITER_H

#include "projection.h"

/* Zero-initialise it and set the first two members, which the caller owns. */
struct range_writer {
	struct out *out;
	const struct projection *projection;
	/* private */
	struct event range;          /* the range that is being written */
	struct buf line, more, args; /* the line, the attachments and the args of that range */
};

/* For projection_options.give: writes the record of a range with work. `arg` is the writer. */
void range_writer_write(void *arg, const struct projection_range *s);

/* Writes one record, without a name, for each process that has work outside of all ranges. */
void range_writer_write_outside(struct range_writer *w);

void range_writer_free(struct range_writer *w);

#endif
