/* step_simulation: the time that a step takes if some operations take their ideal time. */
#ifndef STEP_SIMULATION_H
#define STEP_SIMULATION_H

#include "step_model.h"

/* The operations that keep their recorded duration: those of a selected type on a selected worker. */
struct scenario {
	bool types[OPERATION_TYPE_N];
	const bool *workers; /* workers[dp * stages + stage] */
	const uint32_t *dps; /* the DP ranks that are simulated; DP ranks with equal durations need only one of them */
	size_t n_dps;
};

/* Zero-initialise, and set the first two members. */
struct step_simulation {
	const struct step_model *model;
	double ideal[OPERATION_TYPE_N]; /* in ns */
	/* private */
	double *ends, *begins;
	size_t cap, begins_cap;
};

/* Returns the time of a step in ns; ops[dp * model->n + i] is operation i of a DP rank. */
double step_simulation_run(struct step_simulation *s, const struct operation *ops, const struct scenario *what);
void step_simulation_free(struct step_simulation *s);

#endif
