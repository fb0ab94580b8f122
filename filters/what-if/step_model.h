/*
 * step_model: the operations of a training step that wait for each other, read off one DP rank in one step; and the
 * time that a step takes if some operations take their ideal time. The model is the same for all steps and DP ranks.
 */
#ifndef STEP_MODEL_H
#define STEP_MODEL_H

#include "training_job.h"

#define STEP_MODEL_NONE UINT32_MAX

/* The operation `to` begins after `from` has ended. */
struct step_edge {
	uint32_t from, to;
	uint32_t next_of_from, next_of_to; /* the next edge with the same `from`, or `to`; or STEP_MODEL_NONE */
};

/* Operations that begin together, when the last of them can begin; each ends after its own duration. */
struct step_group {
	uint32_t first; /* the first operation; the others follow in step_model.next */
	bool all_dps;   /* the operations of all DP ranks begin together */
};

/* Zero-initialise. An operation is its place, 0 .. n-1, in the order of a DP rank and step in training_job. */
struct step_model {
	const struct operation *ops;
	size_t n, n_stages;
	struct step_edge *edges;
	uint32_t *waits;           /* by operation: the first edge to it, or STEP_MODEL_NONE; see next_of_to */
	uint32_t *next;            /* by operation: the next one in its group, or STEP_MODEL_NONE */
	struct step_group *groups; /* each after the groups for which it waits */
	size_t n_groups;
	/* private */
	size_t *first; /* by stage and type: the first operation */
};

/*
 * Makes the model from the `n` operations of the first DP rank in a step, which must stay valid. `dp_messages`: there
 * is more than one DP rank, or the parameters are sharded; otherwise the collectives of the parameters do not exist,
 * and are not in any group. Returns false, with a message in *why, when messages of the pipeline have no partner, or
 * when operations wait for each other in a cycle.
 */
bool step_model_make(
    struct step_model *m, const struct operation *ops, size_t n, size_t n_stages, bool dp_messages, struct buf *why);
void step_model_free(struct step_model *m);

/* Returns the first operation of a type on a stage; the next type begins where it ends. */
static inline size_t step_model_first(const struct step_model *m, size_t stage, size_t type)
{
	return m->first[stage * OPERATION_TYPE_N + type];
}

static inline size_t step_model_count(const struct step_model *m, size_t stage, size_t type)
{
	return step_model_first(m, stage, type + 1) - step_model_first(m, stage, type);
}

/* --- simulation --- */

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
