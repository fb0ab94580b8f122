/* slowdowns: computes and writes the slowdown of a job, and the part of each type, worker and step in it. */
#ifndef SLOWDOWNS_H
#define SLOWDOWNS_H

#include "io/out.h"
#include "step_model.h"

/* Times in ns. A slowdown is a time divided by the ideal time; it is negative if the ideal time is not positive. */
struct slowdowns {
	const struct training_job *job;
	double time, ideal_time;   /* mean time of a step, as recorded and if all durations are ideal */
	double without_slowest;    /* the time if the slowest workers took their ideal time */
	double without_last_stage; /* the same for the last stage */
	double *step_times;        /* as recorded */
	double *dp_times;          /* with recorded durations on one DP rank, and ideal ones on the others */
	double *stage_times;       /* the same for a stage */
	uint32_t *slowest;         /* the slowest workers */
	size_t n_slowest;
	struct slowdown_type {
		uint64_t count;
		double mean, ideal; /* duration */
		double time;        /* with recorded durations of this type; both types of a message count as one */
	} types[OPERATION_TYPE_N];
};

/* Computes all figures of the steps, of which there is at least one. */
void slowdowns_compute(struct slowdowns *f, const struct training_job *j, const struct step_model *m);

enum what_if_write { WHAT_IF_SUMMARY, WHAT_IF_TYPES, WHAT_IF_WORKERS, WHAT_IF_STEPS };

void slowdowns_write(const struct slowdowns *f, enum what_if_write what, struct out *out);

void slowdowns_free(struct slowdowns *f);

#endif
