/* thread_calls: places records in the tree of their thread by their times, and writes each record when it ends. */
#ifndef THREAD_CALLS_H
#define THREAD_CALLS_H

#include "linked_calls.h"
#include "record/places.h"

/* Set it with thread_calls_init(). The caller owns label and out, and may set them until the first record. */
struct thread_calls {
	bool siblings;       /* --crossing=sibling: time that two calls share counts for both */
	struct field *label; /* --stack: the field whose values form the stack; NULL if the option is not given */
	struct out *out;
	/* private */
	struct places places;
	struct call_thread *threads;
	size_t n_threads, cap_threads;
	struct buf text; /* the members that are being written */
};

void thread_calls_init(struct thread_calls *t, struct out *out);

/*
 * Places a record that has ts and dur; records must be added in ts order. `call` has the members node, launch, written
 * and timed; the others are 0. Writes the records of the thread that have ended. Returns true if the record partly
 * overlaps an earlier record of its thread.
 */
bool thread_calls_add(struct thread_calls *t, struct event *e, const struct call_node *call);

/* Writes the records that have not ended yet, at the end of the input. */
void thread_calls_end(struct thread_calls *t);
void thread_calls_free(struct thread_calls *t);

#endif
