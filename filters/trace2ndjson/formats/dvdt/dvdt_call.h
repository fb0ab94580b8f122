/* dvdt_call: the records of an OpenCL call that dvdt-prof recorded, and the times in its output. */
#ifndef DVDT_CALL_H
#define DVDT_CALL_H

#include "trace2ndjson/formats/draft.h"

/* The values of the options, and the calls of a file for the next file, which is often the log of the layers. */
struct dvdt_run {
	bool drop_source, any_call;
	int64_t year;       /* the year of dates that are written without one; 0: not known */
	int64_t tz_offset;  /* local time minus UTC, ns */
	int64_t first_call; /* start of the first call, ns since 1970 */
};

/* --- times --- */

/* Converts "1121 04:39:07.405537" of a year, as UTC, to ns since 1970; *month is 1 .. 12. False for other texts. */
bool dvdt_log_time(struct str s, int64_t year, int64_t *ns, int *month);

/* Returns the year of a time in ns since 1970. */
int64_t dvdt_year(int64_t ns);

/* --- the records of one call --- */

/* The memory for the records of a call; views in the records point here. Zero-initialise. */
struct dvdt_call {
	int64_t index; /* of the call in the trace or repetition; set it before dvdt_call() */
	/* text: the call without white space; slim: the same without the sources, for --drop-source */
	struct buf text, slim;
	struct event device; /* the device record of an enqueue, if has_device is set */
	bool has_device;     /* `device` is set and has not been returned yet */
};

/*
 * Sets *e to the record of the call `object`, which is valid JSON. Sets c->device to the record of the call's work on
 * the device. False when the object is not a call. Objects that are not calls, and other irregularities, are counted in
 * the diagnostics.
 */
bool dvdt_call(struct dvdt_call *c, struct reader *r, struct str object, struct fault_location at, struct event *e);

void dvdt_call_free(struct dvdt_call *c);

#endif
