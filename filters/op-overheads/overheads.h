/*
 * overheads: what the host adds round the launches of each operator, by the rules of ml_perf_model: T1 between two
 * operators, T2 before the first launch in one, T3 after the last, T4 a launch itself, T5 between two launches; in an
 * operator without launches T5 is its length. What a profiler adds to each event that it writes is taken off.
 */
#ifndef OVERHEADS_H
#define OVERHEADS_H

#include "record/event.h"
#include "record/places.h"
#include "input_shapes.h"
#include "name_roles.h"

/* OVERHEAD_OP is the operator's own length. */
enum overhead { OVERHEAD_OP, OVERHEAD_T1, OVERHEAD_T2, OVERHEAD_T3, OVERHEAD_T4, OVERHEAD_T5, OVERHEAD_N };

/* One value. Views live until the next call. */
struct overhead_value {
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

struct overheads_thread;
struct overheads_op;

/* Zero-initialise, set what is asked for; overheads_free() or keep it. */
struct overheads {
	/* as asked for */
	int64_t per_event;       /* ns that the profiler adds to each event of the host */
	int64_t launch;          /* ns of a launch itself: T4 */
	int64_t gap;             /* T1: operators that are further apart do not follow each other */
	struct name_roles names; /* with the rules that say which calls launch */
	bool clamp;              /* what is less than 0 is 0, and no T1 between operators closer than per_event */
	bool all_threads;        /* T1 between operators that follow each other on any threads, by their roots */
	bool shapes;
	void (*give)(void *arg, const struct overhead_value *v);
	void *arg;
	/* the stream so far */
	uint64_t ops;            /* operators */
	uint64_t inside, outside; /* launches in operators, and in none */
	uint64_t unplaced;       /* operators and calls without a place, in a stream that has them */
	/* its own */
	struct input_shapes shapes_seen;
	struct places places;
	struct overheads_thread *threads;
	size_t n_threads, cap_threads;
	uint64_t seq;
	bool any, placed;        /* a record has come that counts; they have places */
	struct overheads_bound *bound; /* of the operator being looked at */
	size_t n_bound, cap_bound;
	size_t *list, cap_list;
	struct overheads_op *all; /* with all_threads */
	size_t n_all, cap_all;
};

/*
 * One more record. Operators (kind op) and calls (api) count that have a dur. Either they have their places in the
 * tree of calls, as call-tree tells them (node, depth), and come as it writes them or in ts order; or
 * they have not, and come in ts order.
 */
void overheads_add(struct overheads *o, struct event *e);

/* The end of the stream. */
void overheads_end(struct overheads *o);

struct str overheads_name(const struct overheads *o, size_t name);

void overheads_free(struct overheads *o);

#endif
