/*
 * overheads: measures what the host adds around the launches of each operator, by the rules of ml_perf_model: T1
 * between two operators, T2 before the first launch in an operator, T3 after the last launch, T4 during a launch, T5
 * between two launches. T5 of an operator without launches is its duration. The time that the profiler itself spends on
 * each event is subtracted.
 */
#ifndef OVERHEADS_H
#define OVERHEADS_H

#include "record/event.h"
#include "record/name_match.h"

/* OVERHEAD_OP is the duration of the operator. */
enum overhead { OVERHEAD_OP, OVERHEAD_T1, OVERHEAD_T2, OVERHEAD_T3, OVERHEAD_T4, OVERHEAD_T5, OVERHEAD_N };

/* One value. Views are valid until the next call. */
struct overheads_value {
	enum overhead type;
	int64_t ts; /* the start of the measured time */
	int64_t ns;
	struct str name;  /* JSON: the name of the operator; for T4, the name of the call */
	struct str shape; /* JSON: the non-empty shapes of its inputs; p == NULL when not requested or unknown */
	struct str place; /* members that identify its thread: ,"pid":7,"tid":7 */
	/* for OVERHEAD_OP only */
	uint64_t root, seq;     /* order of operators: by root, then by seq */
	const size_t *launches; /* names of the launching calls, in order, for overheads_name() */
	size_t n_launches;
};

struct overheads_options {
	int64_t per_event;          /* ns that the profiler adds to each event of the host */
	int64_t launch;             /* T4, the duration of a launch in ns */
	int64_t gap;                /* gaps of at least this length, in ns, give no T1 */
	struct name_match launches; /* names of calls that launch */
	struct name_match bounds; /* names of other calls at which T2, T3 and T5 begin or end, as they do at launches */
	bool clamp;               /* values below 0 become 0; gaps of at most per_event give no T1 */
	bool all_threads;         /* T1 is between consecutive operators of all threads, ordered by root */
	bool shapes;
	void (*give)(void *arg, const struct overheads_value *v);
	void *arg;
};

struct overheads_counts {
	uint64_t ops;             /* number of operators */
	uint64_t inside, outside; /* number of launches inside and outside operators */
	uint64_t unplaced;        /* number of operators and calls without a tree position, if other records have one */
	bool any;                 /* at least one operator or call with a dur was added */
	bool placed;              /* these operators and calls have a position in the tree */
};

/* The caller owns the options; they must stay valid until overheads_free(). */
struct overheads *overheads_new(struct overheads_options *o);
void overheads_free(struct overheads *o);

/*
 * Adds a record. Only operators (kind op) and calls (kind api) with a dur are used. If they have a position in the tree
 * of calls from call-tree (node, depth), they must come in the order in which call-tree writes them or in ts order;
 * otherwise they must come in ts order.
 */
void overheads_add(struct overheads *o, struct event *e);

/* Ends the stream. */
void overheads_end(struct overheads *o);

struct str overheads_name(const struct overheads *o, size_t name);

const struct overheads_counts *overheads_counts(const struct overheads *o);

#endif
