/*
 * folded_stacks: stacks as text, one a line, for flame graphs: "main;train;gemm 1200", the root first and the weight
 * last; equal stacks are one line.
 */
#ifndef FOLDED_STACKS_H
#define FOLDED_STACKS_H

#include "record/field.h"

struct folded_stacks *folded_stacks_new(void);
void folded_stacks_free(struct folded_stacks *f);

/*
 * Appends a frame to a stack, with a ';' before it unless it is the first. In the name, ';' becomes ':' and a
 * control character, a newline too, becomes a space; an empty name is [unknown].
 */
void folded_stacks_frame(struct buf *stack, struct str name);

/*
 * A name as stackcollapse-perf.pl (FlameGraph) tidies it: no quotes, and nothing from the first '(' on, unless
 * that is "(anonymous namespace)" or the name is a method of Go ("net/http.(*Client).Do"). `java`: a name with a
 * '/' goes without the 'L' before it. The result stands in *to, which is emptied.
 */
struct str folded_stacks_tidy(struct buf *to, struct str name, bool java);

/* Adds a number to a stack's weight. */
void folded_stacks_add(struct folded_stacks *f, struct str stack, const struct value *weight);

/* All lines, in the order of their bytes; a sum that is no whole number is rounded, half away from zero. */
void folded_stacks_write(const struct folded_stacks *f, struct out *o);

#endif
