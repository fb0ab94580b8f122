/*
 * folded_stacks: adds up the weights of equal stacks and writes the stacks as text for flame graphs, one on each line,
 * with the root first and the weight last: "main;train;gemm 1200".
 */
#ifndef FOLDED_STACKS_H
#define FOLDED_STACKS_H

#include "record/field.h"

struct folded_stacks *folded_stacks_new(void);
void folded_stacks_free(struct folded_stacks *f);

/*
 * Appends a frame to a stack, preceded by ';' unless it is the first. In the name, ';' becomes ':' and each control
 * character, including a newline, becomes a space; an empty name becomes [unknown].
 */
void folded_stacks_frame(struct buf *stack, struct str name);

/*
 * Replaces *to by a name as stackcollapse-perf.pl (FlameGraph) shortens it, and returns a view of the result: quotes
 * are removed, and the name is cut at the first '('. But "(anonymous namespace)" is kept, and a Go method name
 * ("net/http.(*Client).Do") keeps all its parentheses. `java`: the 'L' at the start of a name with a '/' is removed
 * too.
 */
struct str folded_stacks_tidy(struct buf *to, struct str name, bool java);

/* Adds `weight` to the weight of a stack. */
void folded_stacks_add(struct folded_stacks *f, struct str stack, const struct value *weight);

/* Writes all lines in byte order; a sum that is not an integer is rounded, half away from zero. */
void folded_stacks_write(const struct folded_stacks *f, struct out *o);

#endif
