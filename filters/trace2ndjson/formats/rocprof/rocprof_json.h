/* rocprof_json: reads the JSON output of rocprofv3. */
#ifndef ROCPROF_JSON_H
#define ROCPROF_JSON_H

#include "trace2ndjson/formats/format.h"

struct rocprof_json;

struct rocprof_json *rocprof_json_new(void);

/* Reads the next record; see `next` in struct format. */
int rocprof_json_next(struct rocprof_json *j, struct reader *r, struct event *e);
void rocprof_json_free(struct rocprof_json *j);

#endif
