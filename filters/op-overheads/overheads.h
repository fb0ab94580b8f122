/*
 * overheads: what the host adds round the launches of each operator, by the rules of ml_perf_model: T1 between two
 * operators, T2 before the first launch in one, T3 after the last, T4 a launch itself, T5 between two launches; in an
 * operator without launches T5 is its length. What a profiler adds to each event that it writes is taken off.
 */
#ifndef OVERHEADS_H
#define OVERHEADS_H

#include "record/event.h"
#include "record/name_match.h"

/* OVERHEAD_OP is the operator's own length. */
enum overhead { OVERHEAD_OP, OVERHEAD_T1, OVERHEAD_T2, OVERHEAD_T3, OVERHEAD_T4, OVERHEAD_T5, OVERHEAD_N };

/* One value. Views live until the next call. */
struct overheads_value {
	enum overhead type;
	int64_t ts;              /* where it begins */
	int64_t ns;
	struct str name;         /* the operator's, of T4 the call's; JSON */
	struct str shape;        /* of its inputs: JSON, without empty ones; p == NULL when not asked for or unknown */
	struct str place;        /* of its thread, as members: ,"pid":7,"tid":7 */
	/* of OVERHEAD_OP */
	uint64_t root, seq;      /* operators in the order of the roots that they are in, then of their own */
	const size_t *launches;  /* names of the calls that launch, in their order; overheads_name() tells them */
	size_t n_launches;
};

struct overheads_options {
	int64_t per_event;       /* ns that the profiler adds to each event of the host */
	int64_t launch;          /* ns of a launch itself: T4 */
	int64_t gap;             /* T1: operators that are further apart do not follow each other */
	struct name_match launches; /* calls that launch, by name */
	struct name_match bounds;   /* calls that bound T2, T3 and T5 as launches do */
	bool clamp;              /* what is less than 0 is 0, and no T1 between operators closer than per_event */
	bool all_threads;        /* T1 between operators that follow each other on any threads, by their roots */
	bool shapes;
	void (*give)(void *arg, const struct overheads_value *v);
	void *arg;
};

struct overheads_counts {
	uint64_t ops;            /* operators */
	uint64_t inside, outside; /* launches in operators, and in none */
	uint64_t unplaced;       /* operators and calls without a place, in a stream that has them */
};

/* The options are the caller's, and stay until overheads_free(). */
struct overheads *overheads_new(struct overheads_options *o);
void overheads_free(struct overheads *o);

/*
 * One more record. Operators (kind op) and calls (api) count that have a dur. Either they have their places in the
 * tree of calls, as call-tree tells them (node, depth), and come as it writes them or in ts order; or
 * they have not, and come in ts order.
 */
void overheads_add(struct overheads *o, struct event *e);

/* The end of the stream. */
void overheads_end(struct overheads *o);

struct str overheads_name(const struct overheads *o, size_t name);

const struct overheads_counts *overheads_counts(const struct overheads *o);

/* Whether a record has come that counts; and whether such records have their places in the tree. */
bool overheads_any(const struct overheads *o);
bool overheads_placed(const struct overheads *o);

#endif
