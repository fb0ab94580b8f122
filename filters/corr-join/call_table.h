/*
 * call_table: API calls by rank, process and correlation id, and what the device records that they launched take
 * from them: 48 bytes a call and up to 16 to find it, and each different text once.
 */
#ifndef CALL_TABLE_H
#define CALL_TABLE_H

#include "call_places.h"

#include <stdbool.h>

/*
 * A call. Of the calls with one rank, process and id the first one is found by its bucket, and where calls do not
 * age out it leads to the others: a tree in the order of ts. The numbers of calls below are their low 32 bits.
 */
struct call_table_call {
	int64_t ts, dur, corr;
	uint32_t name, more;       /* for call_table_name() and call_table_attachments() */
	union {
		uint32_t before;   /* of a first one: the call before it in its bucket */
		uint32_t left;     /* of another one: those of earlier ts */
	};
	union {
		uint32_t again;    /* of a first one: the root of the others */
		uint32_t right;
	};
	uint32_t last;             /* of a first one: the last of them in the order of the input */
	uint32_t who : 27;         /* as call_places_put() numbers it */
	bool has_ts : 1, has_dur : 1;
	bool joined : 1;           /* some device record was told of it */
	bool blind : 1;            /* of a first one: some device record without a process was told of one of them */
	bool other : 1;            /* it is not a first one */
};

struct call_table_counts {
	uint64_t added;
	uint64_t duplicates;       /* of them: had rank, process and id of an earlier one */
	uint64_t late;             /* came when another process's call of their rank and id had been joined blindly */
};

/*
 * `places` numbers the `who` of calls, and of the device records that ask; the table does not own it. `horizon`: how
 * much later than a call a device record may be, in ns, 0 if calls do not age out; `lead`: how much earlier: calls are
 * stored so much longer than `horizon`.
 */
struct call_table *call_table_new(const struct call_places *places, uint64_t horizon, uint64_t lead);
void call_table_free(struct call_table *c);

/*
 * Adds a copy of a call, of which who, corr, ts and dur are set, with its texts, and returns it; it lives until
 * call_table_age() drops it. Without has_ts, `ts` is that of the stream, by which the call ages.
 */
struct call_table_call *call_table_add(
    struct call_table *c, const struct call_table_call *call, struct str name, struct str attachments);

/* The texts of a call. */
struct str call_table_name(const struct call_table *c, const struct call_table_call *call);
struct str call_table_attachments(const struct call_table *c, const struct call_table_call *call);

/* The low 32 bits of the number of the call that was added last, and the call of such a number. */
uint32_t call_table_newest(const struct call_table *c);
struct call_table_call *call_table_at(const struct call_table *c, uint32_t number);

const struct call_place *call_table_place(const struct call_table *c, const struct call_table_call *call);

/*
 * Drops calls of more than horizon + lead before ts; calls must have been added in the order of ts. Dropped calls are no
 * longer found.
 */
void call_table_age(struct call_table *c, int64_t ts);

enum call_table_answer {
	CALL_TABLE_NONE,
	CALL_TABLE_ONE,
	CALL_TABLE_AMBIGUOUS, /* calls of two processes, and `who` has no pid */
};

struct call_table_found {
	struct call_table_call *call;
	struct call_table_call *key;          /* the first one of its rank, process and id: for `blind` */
	uint32_t number;           /* of that */
};

/*
 * A call of who's rank, its process if it has a pid, and that id. Where calls age out it is the last one that is no
 * longer than the horizon before ts: the caller asks before calls of a later ts are added. Else it is the one of the
 * nearest ts, of two the earlier one; or the last one added, when `ts` is NULL or no such call has a ts.
 */
enum call_table_answer call_table_find(const struct call_table *c, uint32_t who, int64_t corr, const int64_t *ts,
    struct call_table_found *found);

/* How far apart two times are. */
static inline uint64_t call_table_distance(int64_t a, int64_t b)
{
	return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/* Whether calls of two processes of who's rank had one id: then another may follow for every id. */
bool call_table_collide(const struct call_table *c, uint32_t who);

const struct call_table_counts *call_table_counts(const struct call_table *c);

/* How many calls were joined to no device record, those that are gone included. */
uint64_t call_table_idle(const struct call_table *c);

#endif
