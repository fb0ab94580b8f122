/* record_key: the sort key of a record. */
#ifndef RECORD_KEY_H
#define RECORD_KEY_H

#include "record/event.h"
#include "sort_runs.h"

/* The members that record_key_get() uses, for input_uses_members(). */
enum { RECORD_KEY_MEMBERS = 1u << EVENT_TS | 1u << EVENT_DUR };

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
