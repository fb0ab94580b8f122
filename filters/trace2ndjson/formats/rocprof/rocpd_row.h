/* rocpd_row: the values of an event in a rocpd database, and the counters of a kernel. */
#ifndef ROCPD_ROW_H
#define ROCPD_ROW_H

#include "rocpd_table.h"

/* Zero-initialise. */
struct rocpd_row {
	struct rocprof_row row; /* its views are valid until the next call */
	bool has_value;         /* the kernel in `row` has a counter that was not read yet */
	uint64_t values_read;   /* number of values of counters, of all kernels */
	/* private */
	struct reader *reader;
	struct rocpd_process *process;
	struct query *values; /* the counters of the kernel */
	struct value_text texts[ROCPD_COLUMNS];
	struct value_text arg;
	struct buf name, category, counter, message, call_args, address; /* values of `row` */
	char value[NUM_ROOM];                                            /* the value of the counter */
};

/* Sets x->row to the current row of a table. */
void rocpd_row_read(struct rocpd_row *x, struct reader *r, const struct rocpd_table *t);

/*
 * Sets x->row, which is a kernel or its last counter, to the next counter of the kernel: the sum over the instances of
 * the counter. Call it only if x->has_value is set.
 */
void rocpd_row_counter(struct rocpd_row *x, struct reader *r);

void rocpd_row_free(struct rocpd_row *x);

#endif
