/*
 * call_table: stores API calls by rank, process and correlation id, with the members that their device records take
 * from them. A call takes 48 bytes, and up to 16 bytes more in the hash table; each distinct text is stored once.
 */
#ifndef CALL_TABLE_H
#define CALL_TABLE_H

#include "call_places.h"
#include "stored_calls.h"

struct call_table_counts {
	uint64_t added;
	uint64_t duplicates; /* number of calls with the rank, process and id of an earlier call */
	/*
	 * number of calls that were read too late: a record without pid had already been joined to a call of another
	 * process with the same id
	 */
	uint64_t late;
};

/*
 * Creates a table. `places` contains the places of calls and of the device records that look for calls; each `who` is
 * the number of such a place. The caller owns `places`. `horizon`: the maximum time from a call to its device record,
 * in ns; 0 if calls do not age out. `lead`: the maximum time by which a device record may precede its call, in ns;
 * calls are stored for horizon + lead.
 */
struct call_table *call_table_new(const struct call_places *places, uint64_t horizon, uint64_t lead);
void call_table_free(struct call_table *c);

/*
 * Adds a copy of a call, with its texts. The caller sets who, corr, ts, dur, has_ts and has_dur. Returns the copy,
 * which lives until call_table_age() drops it. If has_ts is false, `ts` must be the current ts of the stream, since the
 * age of the call is measured from it.
 */
struct stored_call *call_table_add(
    struct call_table *c, const struct stored_call *call, struct str name, struct str attachments);

/* Return the texts of a call. */
struct str call_table_name(const struct call_table *c, const struct stored_call *call);
struct str call_table_attachments(const struct call_table *c, const struct stored_call *call);

/*
 * Returns the low 32 bits of the number of the call that was added last; call_table_at() returns the call with that
 * number.
 */
uint32_t call_table_newest(const struct call_table *c);
struct stored_call *call_table_at(const struct call_table *c, uint32_t number);

const struct call_place *call_table_place(const struct call_table *c, const struct stored_call *call);

/*
 * Drops the calls whose ts is earlier than `ts` - horizon - lead; calls must have been added in ts order. Dropped
 * calls are no longer found.
 */
void call_table_age(struct call_table *c, int64_t ts);

enum call_table_answer {
	CALL_TABLE_NONE,
	CALL_TABLE_ONE,
	CALL_TABLE_AMBIGUOUS, /* calls of two processes match, and `who` has no pid */
};

struct call_table_found {
	struct stored_call *call;
	struct stored_call *key; /* the first call with its rank, process and id; its `blind` is valid */
	uint32_t number;         /* the number of `key` */
};

/*
 * Finds a call with the id `corr` and the rank of `who`, and with the process of `who` if `who` has a pid. In tables
 * whose calls age out, finds the last such call whose ts is not earlier than *ts - horizon; this function must be
 * called before calls of a later ts are added. In other tables, finds the call with the nearest ts (the earlier of two
 * at the same distance), or the call that was added last when `ts` is NULL or no such call has a ts.
 */
enum call_table_answer call_table_find(
    const struct call_table *c, uint32_t who, int64_t corr, const int64_t *ts, struct call_table_found *found);

/*
 * Returns true if two processes of who's rank used the same id. In that case, any id can occur again later, in a call
 * of another process.
 */
bool call_table_collide(const struct call_table *c, uint32_t who);

const struct call_table_counts *call_table_counts(const struct call_table *c);

/* Returns the number of calls that were not joined to any device record, including dropped calls. */
uint64_t call_table_idle(const struct call_table *c);

#endif
