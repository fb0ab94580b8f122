/* step_model_private: a model that is being made, for the files step_model*.c. */
#ifndef STEP_MODEL_PRIVATE_H
#define STEP_MODEL_PRIVATE_H

#include "base/int_math.h"
#include "refusal.h"
#include "step_model.h"

#define STEP_MODEL_NONE UINT32_MAX

struct step_builder {
	struct step_model *m;
	struct step_edge {
		uint32_t from, to;
	} * edges;
	size_t n_edges, edges_cap;
	uint32_t *unit; /* of each operation, or STEP_MODEL_NONE */
	bool *all_dps;  /* of each unit */
	size_t n_units;
	bool dp_messages;
	struct buf *why;
};

/* The operation `to` waits for `from`. */
void step_builder_wait(struct step_builder *b, uint32_t from, uint32_t to);

/* Returns a new unit; operations are put into it through b->unit. */
uint32_t step_builder_unit(struct step_builder *b, bool all_dps);

/* Returns the end of an operation as it was recorded. */
static inline int64_t step_builder_end(const struct operation *o)
{
	return int_add(o->ts, o->dur);
}

/* --- step_operations.c --- */

/* Adds the computations and collectives of a stage. */
void step_operations_add(struct step_builder *b, size_t stage);

/* --- step_messages.c --- */

/* Adds the sends and receives of the pipeline. Returns false if they do not fit to each other. */
bool step_messages_add(struct step_builder *b);

/* --- step_order.c --- */

/* Sets the dependencies and the units of the model. Returns false if operations wait for each other in a cycle. */
bool step_order_units(struct step_builder *b);

#endif
