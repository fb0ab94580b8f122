/*
 * stack_frames: the stack that a record stands for, as text for flame graphs: frames of its thread or process first, then
 * what the record has in an array, or in fields that were asked for.
 */
#ifndef STACK_FRAMES_H
#define STACK_FRAMES_H

#include "cli/opt_record.h"
#include "base/mem.h"

#define STACK_FRAMES_MARKS "kji" /* letters in `marks`: kernel, JIT code, inlined */

struct stack_frames_options {
	struct opt_fields root; /* these first */
	struct opt_fields path; /* these then, in place of stack or ranges */
	bool mark[128];         /* by the letter in `marks`: such a frame's name gets it, as _[k] */
	bool perf;              /* names as stackcollapse-perf.pl has them */
};

/* The options are the caller's, and stay until stack_frames_free(). */
struct stack_frames *stack_frames_new(struct stack_frames_options *o);
void stack_frames_free(struct stack_frames *f);

/*
 * For input.reads: what stack_frames_begin() and stack_frames_add_own() look at. False when the record has no
 * frames by itself: then no more than its name counts.
 */
bool stack_frames_ahead(struct stack_frames *f, struct event *e);

/* Begins a stack: the root frames of a record, or those of an earlier stack_frames_line(). */
void stack_frames_begin(struct stack_frames *f, struct event *e);
void stack_frames_begin_at(struct stack_frames *f, struct str root);

/* Adds the frames that the record has by itself; false when it has none, and its name is all there is. */
bool stack_frames_add_own(struct stack_frames *f, struct event *e);

/* Adds one frame by its JSON text; an absent one is unknown. */
void stack_frames_add(struct stack_frames *f, struct str json);

/* The stack as it is; until the next call. */
struct str stack_frames_line(const struct stack_frames *f);

#endif
