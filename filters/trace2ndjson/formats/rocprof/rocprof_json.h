/* rocprof_json: reads the JSON output of rocprofv3, one record at a time. */
#ifndef ROCPROF_JSON_H
#define ROCPROF_JSON_H

#include "rocprof_json_event.h"

/* Zero-initialise. */
struct rocprof_json {
	struct rocprof_json_event event;
	struct draft draft;
	struct buf repaired, key;
	/* private */
	enum rocprof_section section; /* of the array that is being read */
	bool inside;                  /* in an array: its elements are read one by one */
	uint64_t number;              /* index of the next element of the array */
	bool comma;                   /* in an array: a comma must precede the next element */
	bool started, ended, damaged; /* damaged: the depth is not known any more */
	size_t depth;                 /* open brackets outside such arrays */
	size_t used;                  /* bytes of the element whose records are being given */
	size_t waiting;               /* number of these records that are not given yet */
};

/* Reads the next record; see `next` in struct format. */
int rocprof_json_next(struct rocprof_json *j, struct reader *r, struct event *e);
void rocprof_json_free(struct rocprof_json *j);

#endif
