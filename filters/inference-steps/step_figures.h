/*
 * step_figures: the device time of each step. A record belongs to the step in which its call began, whenever it ran
 * itself: the device can be more than a step later than the host.
 */
#ifndef STEP_FIGURES_H
#define STEP_FIGURES_H

#include "step_begins.h"

struct step_figures {
	const struct step_sequence *sequence;
	size_t step;                     /* from 0, in the sequence */
	int64_t host;                    /* time to the next step; -1 for the last one */
	uint64_t records, graphs, calls; /* device records; graph launches and other calls that launched any */
	uint64_t gpu, graph_gpu;         /* sums of durations: of all records, of those of graph launches */
	int64_t gpu_busy;                /* the time in which at least one of its records ran */
	int64_t wall, wall_busy;         /* if `records`: see below */
	bool begins;                     /* the first step with records: its wall begins with its own first record */
};

/*
 * wall is the time from the end of the steps before, which is the latest end of their records, to the end of this one;
 * thus no time counts twice. wall_busy is the time in it in which any device record of the rank ran.
 */

/* The records that are in no step. */
struct step_others {
	uint64_t early, early_time; /* launched before the first step; the sum of their durations */
	uint64_t foreign;           /* launched by a process without steps */
};

/* Computes the figures of all steps, and calls `take` for each one. The steps of a sequence come in their order. */
void step_figures_compute(struct step_log *log, const struct step_begins *begins, struct step_others *others,
    void (*take)(void *arg, const struct step_figures *figures), void *arg);

#endif
