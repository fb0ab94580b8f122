/*
 * counted_ops: decides which operators count. An operator with a rule counts if no other one that counts encloses it on
 * its thread. aten::linear and aten::matmul, which call other operators, count only if none of these counts; so their
 * record, and all records after it, wait until it ends.
 */
#ifndef COUNTED_OPS_H
#define COUNTED_OPS_H

#include "op_rules.h"
#include "record/event_queue.h"
#include "record/places.h"

/* The kinds of result for an operator. */
enum op_state {
	OP_OTHER,   /* not an operator: no member */
	OP_BY_STEP, /* a device record with the member `attention`; ts is the time of its launch */
	OP_NONE,    /* no rule, or no shapes */
	OP_INSIDE,  /* in an operator that counts */
	OP_COUNTS,
	OP_WAITS, /* until it ends */
};

struct op_note {
	enum op_state state;
	const struct op_rule *rule; /* if it counts or waits */
	uint32_t thread;
	bool topk; /* it is an operator TopK, maybe inside vllm::moe_forward */
	int64_t ts, end;
	struct op_cost cost;
};

/* Zero-initialise, and set threads.members. */
struct counted_ops {
	struct moe_facts moe;
	struct step_marks marks;
	struct places threads;
	struct event_queue queue; /* records that wait, with their notes */
	bool shapes;              /* some operator has shapes */
	/* private */
	struct op_call call;
	struct counted_thread *list; /* by number of thread */
	size_t cap, cap_waits;
	struct waiting_op *waits; /* operators that wait, in the order of their start */
	size_t n_waits;
	int64_t next_end; /* the least end of those that wait */
	uint64_t popped;  /* number of records that left the queue */
};

/*
 * Sets the note of an operator. If counted_ops_needs() then says so, its arguments decide: call counted_ops_take() with
 * its member args. Operators must come in ts order.
 */
void counted_ops_find(struct counted_ops *c, struct op_note *note, struct event *e, struct str name);
static inline bool counted_ops_needs(const struct op_note *note)
{
	return note->state == OP_NONE && (note->rule || note->topk);
}
void counted_ops_take(struct counted_ops *c, struct op_note *note, struct str args);

/* To be called after the record of the note was pushed into the queue. */
void counted_ops_pushed(struct counted_ops *c, const struct op_note *note);

/* Decides the operators that end at or before ts. Returns whether no operator waits any more. */
bool counted_ops_advance(struct counted_ops *c, int64_t ts);

void counted_ops_free(struct counted_ops *c);

#endif
