/*
 * stack_frames: builds the stack of a record as text for flame graphs: the root frames, which name its thread or
 * process, then the elements of an array in the record, or selected fields.
 */
#ifndef STACK_FRAMES_H
#define STACK_FRAMES_H

#include "program/opt_fields.h"
#include "base/mem.h"

#define STACK_FRAMES_MARKS "kji" /* letters in `marks`: kernel, JIT code, inlined */

struct stack_frames_options {
	struct opt_fields root; /* fields for the root frames */
	struct opt_fields path; /* fields for the frames after the root, used instead of stack or ranges */
	bool mark[128];         /* indexed by letter in `marks`: frames with this mark get a suffix such as _[k] */
	bool perf;              /* write names as stackcollapse-perf.pl does */
};

/* The caller owns the options; they must stay valid until stack_frames_free(). */
struct stack_frames *stack_frames_new(struct stack_frames_options *o);
void stack_frames_free(struct stack_frames *f);

/* Begin a stack with the root frames of a record, or with `root`, the earlier result of stack_frames_line(). */
void stack_frames_begin(struct stack_frames *f, struct event *e);
void stack_frames_begin_at(struct stack_frames *f, struct str root);

/* Adds the record's own frames; returns false when it has only a name. */
bool stack_frames_add_own(struct stack_frames *f, struct event *e);

/* Adds one frame by its JSON text; an empty text becomes [unknown]. */
void stack_frames_add(struct stack_frames *f, struct str json);

/* Returns the stack as it is now; the view is valid until the next call. */
struct str stack_frames_line(const struct stack_frames *f);

#endif
