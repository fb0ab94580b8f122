/* merge_inputs: merges inputs that are in ts order, also those of ranks with different clocks. */
#ifndef MERGE_INPUTS_H
#define MERGE_INPUTS_H

#include "record/clock_file.h"
#include "record/input.h"
#include "sort_runs.h"

/* The members that record_key() uses, for input_uses_members(). */
enum { RECORD_KEY_MEMBERS = 1u << EVENT_TS | 1u << EVENT_DUR };

/* Sets ts and dur of the sort key of a record; returns false when the record has no ts. */
static inline bool record_key(struct event *e, struct sort_runs_key *key)
{
	if (!event_get(e, EVENT_TS).p)
		return false;
	key->ts = e->ts;
	key->dur = event_get(e, EVENT_DUR).p ? e->dur : 0;
	return true;
}

struct merge_inputs {
	const struct input *given;       /* the settings of all inputs */
	const struct clock_file *clocks; /* the clocks of the ranks; NULL if the times remain unchanged */
	bool force;                      /* also accept ranks without a valid clock */
	size_t memory;                   /* for sorting, if there are more files than can be open */
	struct out *out;
};

/*
 * Writes the records of all operands in ts order. Without operands, reads standard input. Returns the exit status. With
 * clocks, each input has the records of one rank; nothing is written before the clock of each input was found.
 */
int merge_inputs(const struct merge_inputs *m, char **operands);

#endif
