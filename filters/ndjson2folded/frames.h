/*
 * frames: the stack that a record stands for, as text for flame graphs: frames of its thread or process first, then
 * what the record has in an array, or in fields that were asked for.
 */
#ifndef FRAMES_H
#define FRAMES_H

#include "record/fields.h"
#include "base/mem.h"

#define FRAMES_MARKS "kji" /* letters in `marks`: kernel, JIT code, inlined */

/* Zero-initialise, set what is asked for, frames_open(); frames_free() or keep it. */
struct frames {
	struct fields root; /* these first */
	struct fields path; /* these then, in place of stack or ranges */
	bool mark[128];     /* by the letter in `marks`: such a frame's name gets it, as _[k] */
	bool perf;          /* names as stackcollapse-perf.pl has them */
	/* its own */
	struct field stack, marks, ranges, comm, pid;
	bool java;          /* perf: the root is what FlameGraph takes for Java */
	struct buf line;    /* the stack that is made */
	struct buf text, tidy;
};

void frames_open(struct frames *f);

/*
 * For input.reads: what frames_begin() and frames_add_own() look at. False when the record has no frames by itself:
 * then no more than its name counts.
 */
bool frames_ahead(struct frames *f, struct event *e);

/* Begins a stack: the root frames of a record, or those of an earlier frames_line(). */
void frames_begin(struct frames *f, struct event *e);
void frames_begin_at(struct frames *f, struct str root);

/* Adds the frames that the record has by itself; false when it has none, and its name is all there is. */
bool frames_add_own(struct frames *f, struct event *e);

/* Adds one frame by its JSON text; an absent one is unknown. */
void frames_add(struct frames *f, struct str json);

/* The stack as it is; until the next call. */
struct str frames_line(const struct frames *f);

void frames_free(struct frames *f);

#endif
