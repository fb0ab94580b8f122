/* join: joins device records to the calls that launched them, in sorted and unsorted input. */
#ifndef JOIN_H
#define JOIN_H

#include "call_link.h"
#include "call_table.h"
#include "missed_joins.h"
#include "pending_records.h"
#include "record/input.h"

/* The records that are written: device records with a call, device records without a call, or all records. */
enum join_only { JOIN_MATCHED, JOIN_UNMATCHED, JOIN_ALL };

struct join {
	struct call_places places;
	struct call_table *calls;
	/* unsorted input: records that wait for a call; sorted input: records that wait until ts increases */
	struct pending_records *pending;
	struct pending_records *early; /* sorted input: records that wait for a later call or for their turn */
	struct missed_joins *missed;
	struct input in;
	struct out out;
	enum join_only only;
	bool sorted, report, drop_calls;
	const char **copies; /* --tee */
	size_t n_copies, copies_cap;
	int64_t horizon;
	int64_t lead;  /* value of --lead, only with `sorted`; before join_init(), -1 if not given */
	size_t memory; /* bytes for the texts of pending records */
	uint64_t matched, callless, ambiguous, idless;
	struct call_link linked; /* the record that was read last */
	struct field on;         /* --on; linked.on points to it */
	struct buf told;         /* the members that a device record gets from its call */
};

/* Call it after the options have been read into *j; all other members must be zero. Free with join_free(). */
void join_init(struct join *j);
void join_free(struct join *j);

/* Takes a record: writes it, or stores it until its call is known. */
void join_take(struct join *j, struct event *e);

/*
 * Writes the records whose possible calls have all been read; the stream has reached *ts. At the end of the input, ts
 * must be NULL; all records are then written.
 */
void join_release(struct join *j, const int64_t *ts);

#endif
