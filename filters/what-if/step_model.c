#include "step_model_private.h"

#include <stdlib.h>

void step_builder_wait(struct step_builder *b, uint32_t from, uint32_t to)
{
	b->edges = mem_grow(b->edges, &b->edges_cap, b->n_edges + 1, sizeof *b->edges);
	b->edges[b->n_edges++] = (struct step_edge){from, to};
}

uint32_t step_builder_unit(struct step_builder *b, bool all_dps)
{
	b->all_dps[b->n_units] = all_dps;
	return (uint32_t)b->n_units++;
}

/* --- units --- */

/* Puts the n-th operations of a type on the stages `one`, `one + stride` ... into one unit. */
static void add_unit(struct step_builder *b, size_t type, size_t n, size_t stride, bool all_dps)
{
	const struct step_model *m = b->m;
	uint32_t unit = STEP_MODEL_NONE;
	size_t stage;

	for (stage = 0; stage < m->n_stages; stage += stride) {
		if (n >= step_model_count(m, stage, type))
			continue;
		if (unit == STEP_MODEL_NONE)
			unit = step_builder_unit(b, all_dps);
		b->unit[step_model_first(m, stage, type) + n] = unit;
	}
}

static bool is_of_parameters(size_t type)
{
	return type >= OPERATION_PARAMS_GATHER && type <= OPERATION_SEPARATE_GRADS;
}

/* Returns the number of operations of a type on the stage that has most of them. */
static size_t most(const struct step_model *m, size_t type)
{
	size_t stage, n = 0;

	for (stage = 0; stage < m->n_stages; stage++) {
		if (step_model_count(m, stage, type) > n)
			n = step_model_count(m, stage, type);
	}
	return n;
}

/* Puts operations into units, except messages of the pipeline. */
static void add_units(struct step_builder *b)
{
	const struct step_model *m = b->m;
	const size_t ends = m->n_stages > 1 ? m->n_stages - 1 : 1; /* from the first stage to the last */
	size_t i;

	for (i = 0; i < most(m, OPERATION_CLIP); i++)
		add_unit(b, OPERATION_CLIP, i, 1, true);
	for (i = 0; i < most(m, OPERATION_EMBEDDING_GRADS); i++)
		add_unit(b, OPERATION_EMBEDDING_GRADS, i, ends, false);
	for (i = 0; i < m->n; i++) {
		const bool of_parameters = is_of_parameters(m->ops[i].type);

		if (b->unit[i] == STEP_MODEL_NONE && (!of_parameters || b->dp_messages))
			b->unit[i] = step_builder_unit(b, of_parameters);
	}
}

/* --- the model --- */

static void find_first(struct step_model *m)
{
	const size_t slots = m->n_stages * OPERATION_TYPE_N;
	size_t i, slot = 0;

	m->first = mem_alloc((slots + 1) * sizeof *m->first);
	for (i = 0; i < m->n; i++) {
		for (; slot <= m->ops[i].worker % m->n_stages * OPERATION_TYPE_N + m->ops[i].type; slot++)
			m->first[slot] = i;
	}
	for (; slot <= slots; slot++)
		m->first[slot] = m->n;
}

bool step_model_make(
    struct step_model *m, const struct operation *ops, size_t n, size_t n_stages, bool dp_messages, struct buf *why)
{
	struct step_builder b = {.m = m, .dp_messages = dp_messages, .why = why};
	size_t stage;
	bool good;

	m->ops = ops;
	m->n = n;
	m->n_stages = n_stages;
	find_first(m);
	b.unit = mem_alloc((n + 1) * sizeof *b.unit);
	memset(b.unit, 0xff, (n + 1) * sizeof *b.unit);
	b.all_dps = mem_alloc((n + 1) * sizeof *b.all_dps);
	good = step_messages_add(&b);
	for (stage = 0; stage < n_stages && good; stage++)
		step_operations_add(&b, stage);
	add_units(&b);
	good = good && step_order_units(&b);
	free(b.edges);
	free(b.unit);
	free(b.all_dps);
	return good;
}

void step_model_free(struct step_model *m)
{
	free(m->dep_first);
	free(m->deps);
	free(m->units);
	free(m->nodes);
	free(m->first);
}
