/*
 * stored_calls: stores calls, numbered in input order, in pages that never move: memory grows by one page at a time and
 * never doubles.
 */
#ifndef STORED_CALLS_H
#define STORED_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A call of a call_table. The calls that can be found are linked in buckets, one call for each rank, process and id: in
 * tables whose calls do not age out, the first such call, which leads to a tree of the others, in ts order; in other
 * tables, the last one. One of the linked calls with the same rank and id is their head, and is found without a
 * process: in tables whose calls do not age out, it is the first one; in other tables, the last one. Members that refer
 * to a call hold the low 32 bits of its number.
 */
struct stored_call {
	int64_t ts, dur, corr;
	uint32_t name, more; /* numbers of texts; see call_table_name() and call_table_attachments() */
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

enum { STORED_CALLS_PAGE = 1024 }; /* calls in a page */

/* Zero-initialise; free with stored_calls_free(). */
struct stored_calls {
	uint64_t first, end; /* the numbers of the stored calls: first .. end - 1 */
	/* private */
	struct stored_call **pages;
	size_t n, cap;
};

/* Returns a stored call. */
static inline struct stored_call *stored_calls_get(const struct stored_calls *p, uint64_t number)
{
	return &p->pages[number / STORED_CALLS_PAGE - p->first / STORED_CALLS_PAGE][number % STORED_CALLS_PAGE];
}

/* Adds a copy of a call, whose number is the old p->end, and returns the copy. */
struct stored_call *stored_calls_add(struct stored_calls *p, const struct stored_call *call);

/* Drops the first call. */
void stored_calls_drop(struct stored_calls *p);

void stored_calls_free(struct stored_calls *p);

/* Returns the distance between two times. */
static inline uint64_t stored_calls_distance(int64_t a, int64_t b)
{
	return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

#endif
