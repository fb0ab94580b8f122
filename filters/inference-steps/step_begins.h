/*
 * step_begins: where the steps of each process begin: at the marks of one family, at the user's marks, or, in a trace
 * without marks, at launches of graphs. A step lasts until the next one of its process begins.
 */
#ifndef STEP_BEGINS_H
#define STEP_BEGINS_H

#include "step_log.h"

struct step_begin {
	int64_t ts;
	uint64_t mark; /* the offset of its mark in the log; unused if `by` is not a family of marks */
};

/* The steps of a process, in ts order. */
struct step_sequence {
	size_t process;
	const char *by; /* the family of the marks, "graphs" (launches that repeat) or "graph launches" */
	bool marked;
	bool repeats;    /* steps are periods of graph launches */
	size_t launches; /* without marks: the number of launches in a step */
	struct step_begin *list;
	size_t n;
	/* private */
	size_t cap;
};

struct step_begins {
	struct step_sequence *list; /* only processes with steps */
	size_t n;
	uint64_t differs; /* marks used whose sum of tokens is not that of their parts */
	/* private */
	size_t cap;
};

/*
 * Finds the steps. Each rank has one family of marks: of those that say most, the most frequent one. Without marks, a
 * step is the shortest period of graph launches, by the names of their kernels, that repeats at least once and through
 * the whole process; it begins at the launch before which the longest pause is. Without such a period, each launch
 * begins a step. With `only_marks`, a trace without marks has no steps.
 */
void step_begins_find(struct step_begins *b, struct step_log *log, bool only_marks);

void step_begins_free(struct step_begins *b);

#endif
