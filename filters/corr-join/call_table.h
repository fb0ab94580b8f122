/*
 * call_table: finds the call that launched a device record. It stores API calls by rank, process and correlation id,
 * with the members that their device records take from them. A call takes 48 bytes, and up to 16 bytes more in the hash
 * table; memory for calls is taken in steps of 2 MiB. Each distinct text is stored once.
 */
#ifndef CALL_TABLE_H
#define CALL_TABLE_H

#include "record/places.h"
#include "record/value_ids.h"

/* The rank, process and thread of a call or of a device record. The texts are JSON; p == NULL for an unknown value. */
struct call_place {
	uint32_t rank, process; /* numbers that stand for the values; equal values have the same number */
	struct str pid, tid;
};

/* Zero-initialise; free with call_places_free(), or keep it until the program exits. */
struct call_places {
	struct places numbers; /* a number for each (rank, pid, tid) */
	struct value_ids ranks, processes;
	struct call_place *list; /* indexed by number */
	size_t cap;
};

enum { CALL_PLACES_MOST = (1 << 25) - 1 }; /* the maximum number */

/*
 * Returns the number of a place; an unknown value is a text with p == NULL. Ends the program when there are more than
 * CALL_PLACES_MOST places.
 */
uint32_t call_places_put(struct call_places *p, struct str rank, struct str pid, struct str tid);

static inline const struct call_place *call_places_get(const struct call_places *p, uint32_t number)
{
	return &p->list[number];
}

void call_places_free(struct call_places *p);

/*
 * A call of a call_table. The calls that can be found are linked in buckets, one call for each rank, process and id: in
 * tables whose calls do not age out, the first such call, which leads to a tree of the others, in ts order; in other
 * tables, the last one. One of the linked calls with the same rank and id is their head, and is found without a
 * process: in tables whose calls do not age out, it is the first one; in other tables, the last one. Members that refer
 * to a call hold the low 32 bits of its number.
 */
struct stored_call {
	int64_t ts, dur, corr;
	uint32_t name, attachments; /* numbers of texts; see call_table_name() and call_table_attachments() */
	union {
		uint32_t before; /* for a linked call: the previous call in its bucket */
		uint32_t left;   /* in a tree: the subtree of the calls with earlier ts */
	};
	union {
		uint32_t again; /* for a first call: the root of the tree of other calls */
		uint32_t right;
		/* for a head that ages out: the call of another process with `blind`; the head itself if none */
		uint32_t other_blind;
	};
	union {
		uint32_t last; /* for a first call: the last call of its rank, process and id, in input order */
		/* for a head that ages out: the newest call of another process; the head itself if none */
		uint32_t other_process;
	};
	uint32_t who : 25; /* the place of the call, numbered by call_places_put() */
	bool has_ts : 1, has_dur : 1;
	bool joined : 1; /* at least one device record was joined to the call */
	bool blind : 1;  /* for a linked call: a device record without pid was joined to it or to a call of its tree */
	bool unlinked : 1; /* the call is in the tree of an earlier call, or was replaced by a later one */
	bool apart : 1;    /* the call is linked, but is not a head; its bucket depends on its process too */
	bool shared : 1;   /* for a head that does not age out: other processes have calls with its rank and id */
};

struct call_table_counts {
	uint64_t added;
	uint64_t duplicates; /* number of calls with the rank, process and id of an earlier call */
	uint64_t late;       /* calls after a record without pid was joined to another process's call with the id */
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

/* Has the processor load what call_table_add() or call_table_find() will read for this id, while it does other work. */
void call_table_prefetch(const struct call_table *c, uint32_t who, int64_t corr);

/* Return the texts of a call. */
struct str call_table_name(const struct call_table *c, const struct stored_call *call);
struct str call_table_attachments(const struct call_table *c, const struct stored_call *call);

/* call_table_newest() returns the low 32 bits of the number of the last call; call_table_at() returns that call. */
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

static inline uint64_t call_table_distance(int64_t a, int64_t b)
{
	return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

#endif
