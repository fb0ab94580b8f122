/* join: joins device records with the calls that launched them, in both orders of the input. */
#ifndef JOIN_H
#define JOIN_H

#include "call_link.h"
#include "call_table.h"
#include "missed_joins.h"
#include "pending_records.h"
#include "record/input.h"

/* The device records that are written; JOIN_ALL: all records, also those of the host. */
enum join_only { JOIN_MATCHED, JOIN_UNMATCHED, JOIN_ALL };

struct join {
	struct call_places places;
	struct call_table *calls;
	struct pending_records *pending; /* unsorted: for a call; sorted: until ts grows */
	struct pending_records *early;   /* sorted: for a call that comes later, or for their turn after such a record */
	struct missed_joins *missed;
	struct input in;
	struct out out;
	enum join_only only;
	bool sorted, report;
	int64_t horizon;
	int64_t lead;  /* sorted; -1: not given */
	size_t memory; /* for the texts of pending records */
	uint64_t matched, callless, ambiguous, idless;
	struct call_link linked; /* the record that was read */
	struct buf told;      /* what one is told */
};

/* Call after the options have set their members; the others are zero. join_free() it. */
void join_init(struct join *j);
void join_free(struct join *j);

/* For input.reads, with the struct join as `arg`: reads what join_take() needs of a record. */
void join_read(void *arg, struct event *e);

/* Takes a record that join_read() has read: writes it, or stores it until its call is known. */
void join_take(struct join *j, struct event *e);

/*
 * Writes the records of which all possible calls have come, now that the stream is at *ts; all records when ts is NULL,
 * at the end of the input.
 */
void join_settle(struct join *j, const int64_t *ts);

#endif
