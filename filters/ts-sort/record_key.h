/* record_key: the sort key of a record. */
#ifndef RECORD_KEY_H
#define RECORD_KEY_H

#include "record/event.h"
#include "sort_runs.h"

/* Sets ts and dur of *key; returns false when the record has no ts. */
static inline bool record_key_get(struct event *e, struct sort_runs_key *key)
{
	if (!event_get(e, EVENT_TS).p)
		return false;
	key->ts = e->ts;
	key->dur = event_get(e, EVENT_DUR).p ? e->dur : 0;
	return true;
}

#endif
