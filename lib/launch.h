/* launch: the call that a device record was launched by, as corr-join notes it on the record. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "event.h"

/* "api":{"name":...,"ts":...,"dur":...,"pid":...,"tid":...}: views of the record, p == NULL where absent. */
struct launch {
	struct str name, pid, tid;
	int64_t ts, dur; /* dur is 0 where there is none */
};

/* False when the record has no api, or one without a ts. */
bool launch_find(struct launch *l, const struct event *e);

#endif
