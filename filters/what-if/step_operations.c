#include "base/order.h"
#include "step_model_private.h"

#include <stdlib.h>

/* --- computations, in order of their starts --- */

static int compare_starts(const void *arg, size_t x, size_t y)
{
	const struct operation *a = (const struct operation *)arg + x, *b = (const struct operation *)arg + y;

	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	return (x > y) - (x < y);
}

/* The operations of two types on a stage, in order of their starts. */
struct chain {
	uint32_t *list;
	size_t n;
};

static void add_to_chain(struct chain *c, const struct step_model *m, size_t stage, size_t type)
{
	size_t i;

	for (i = 0; i < step_model_count(m, stage, type); i++)
		c->list[c->n++] = (uint32_t)(step_model_first(m, stage, type) + i);
}

static struct chain make_chain(struct step_builder *b, size_t stage, size_t one, size_t other)
{
	const struct step_model *m = b->m;
	struct chain raw = {.list = NULL}, c;
	struct operation *ops;
	size_t *order, i;

	raw.list =
	    mem_alloc((step_model_count(m, stage, one) + step_model_count(m, stage, other) + 1) * sizeof *raw.list);
	add_to_chain(&raw, m, stage, one);
	add_to_chain(&raw, m, stage, other);
	ops = mem_alloc((raw.n + 1) * sizeof *ops);
	for (i = 0; i < raw.n; i++)
		ops[i] = m->ops[raw.list[i]];
	order = order_sort(raw.n, compare_starts, ops);
	c = (struct chain){mem_alloc((raw.n + 1) * sizeof *c.list), raw.n};
	for (i = 0; i < c.n; i++) {
		c.list[i] = raw.list[order[i]];
		if (i > 0)
			step_builder_wait(b, c.list[i - 1], c.list[i]);
	}
	free(order);
	free(ops);
	free(raw.list);
	return c;
}

/* The first messages of the backward pass begin after the second-to-last computation of the forward pass before it. */
static void add_first_backward(struct step_builder *b, const struct chain *computes, size_t stage)
{
	static const size_t types[] = {OPERATION_BACKWARD_SEND, OPERATION_BACKWARD_RECV};
	size_t at, i;

	for (at = 0; at < computes->n && b->m->ops[computes->list[at]].type != OPERATION_BACKWARD_COMPUTE; at++)
		;
	if (at < 2 || at == computes->n)
		return;
	for (i = 0; i < 2; i++) {
		if (step_model_count(b->m, stage, types[i]))
			step_builder_wait(b, computes->list[at - 2], (uint32_t)step_model_first(b->m, stage, types[i]));
	}
}

/* --- collectives of the parameters --- */

/* An operation for each model chunk. */
struct chunk_operations {
	struct map chunks;
	uint32_t *list;
	size_t cap;
};

/* Returns the place of a chunk's operation, which is STEP_MODEL_NONE until it is set; valid until the next call. */
static uint32_t *chunk_operation(struct chunk_operations *c, int32_t chunk)
{
	const size_t known = c->chunks.n;
	const size_t i = map_put(&c->chunks, (struct str){(const char *)&chunk, sizeof chunk});

	c->list = mem_grow(c->list, &c->cap, c->chunks.n, sizeof *c->list);
	if (i == known)
		c->list[i] = STEP_MODEL_NONE;
	return &c->list[i];
}

/* `to` waits for the chunk's operation, which is used only once. */
static void wait_once(struct step_builder *b, uint32_t *chunk_operation, uint32_t to)
{
	if (*chunk_operation == STEP_MODEL_NONE)
		return;
	step_builder_wait(b, *chunk_operation, to);
	*chunk_operation = STEP_MODEL_NONE;
}

static void chunk_operations_free(struct chunk_operations *c)
{
	map_free(&c->chunks);
	free(c->list);
}

/* The first forward computation of a model chunk waits for the last gather of the chunk's parameters. */
static void add_gathers(struct step_builder *b, const struct chain *computes, size_t stage)
{
	const struct step_model *m = b->m;
	const size_t first = step_model_first(m, stage, OPERATION_PARAMS_GATHER);
	struct chunk_operations last = {.cap = 0};
	size_t i;

	for (i = first; i < first + step_model_count(m, stage, OPERATION_PARAMS_GATHER); i++)
		*chunk_operation(&last, m->ops[i].chunk) = (uint32_t)i;
	for (i = 0; i < computes->n; i++) {
		const struct operation *o = &m->ops[computes->list[i]];

		if (o->type == OPERATION_FORWARD_COMPUTE)
			wait_once(b, chunk_operation(&last, o->chunk), computes->list[i]);
	}
	chunk_operations_free(&last);
}

/* The first reduce-scatter of a model chunk waits for the chunk's last backward computation. */
static void add_scatters(struct step_builder *b, const struct chain *computes, size_t stage)
{
	const struct step_model *m = b->m;
	const size_t first = step_model_first(m, stage, OPERATION_GRADS_SCATTER);
	struct chunk_operations last = {.cap = 0};
	uint32_t *at;
	size_t i;

	for (i = 0; i < computes->n; i++) {
		const struct operation *o = &m->ops[computes->list[i]];

		if (o->type != OPERATION_BACKWARD_COMPUTE)
			continue;
		at = chunk_operation(&last, o->chunk);
		if (*at == STEP_MODEL_NONE || step_builder_end(o) > step_builder_end(&m->ops[*at]))
			*at = computes->list[i];
	}
	for (i = first; i < first + step_model_count(m, stage, OPERATION_GRADS_SCATTER); i++)
		wait_once(b, chunk_operation(&last, m->ops[i].chunk), (uint32_t)i);
	chunk_operations_free(&last);
}

/* --- the end of a step --- */

/* The operations at the end of a step on one stage. Each of them waits for `last` and `also`. */
struct tail {
	uint32_t last, also;
};

static void append(struct step_builder *b, struct tail *t, size_t stage, size_t type)
{
	const uint32_t first = (uint32_t)step_model_first(b->m, stage, type);
	const uint32_t end = first + (uint32_t)step_model_count(b->m, stage, type);
	uint32_t i;

	for (i = first; i < end; i++) {
		if (t->last != STEP_MODEL_NONE)
			step_builder_wait(b, t->last, i);
		if (t->also != STEP_MODEL_NONE)
			step_builder_wait(b, t->also, i);
		*t = (struct tail){i, STEP_MODEL_NONE};
	}
}

/* `separate`: the gradients are reduced during the backward pass, except the separate ones. */
static void add_tail(struct step_builder *b, const struct chain *computes, size_t stage, bool separate)
{
	const size_t scatters = step_model_count(b->m, stage, OPERATION_GRADS_SCATTER);
	struct tail t = {STEP_MODEL_NONE, STEP_MODEL_NONE};
	size_t i;

	for (i = 0; i < computes->n; i++) {
		if (t.last == STEP_MODEL_NONE ||
		    step_builder_end(&b->m->ops[computes->list[i]]) > step_builder_end(&b->m->ops[t.last]))
			t.last = computes->list[i];
	}
	append(b, &t, stage, OPERATION_GC);
	if (separate && scatters)
		t.also = (uint32_t)(step_model_first(b->m, stage, OPERATION_GRADS_SCATTER) + scatters - 1);
	append(b, &t, stage, OPERATION_LAYERNORM_GRADS);
	append(b, &t, stage, OPERATION_EMBEDDING_GRADS);
	if (separate)
		append(b, &t, stage, OPERATION_SEPARATE_GRADS);
	else if (b->dp_messages)
		append(b, &t, stage, OPERATION_GRADS_SCATTER);
	append(b, &t, stage, OPERATION_CLIP);
	append(b, &t, stage, OPERATION_OPTIMIZER);
}

void step_operations_add(struct step_builder *b, size_t stage)
{
	const struct step_model *m = b->m;
	struct chain computes = make_chain(b, stage, OPERATION_FORWARD_COMPUTE, OPERATION_BACKWARD_COMPUTE), params;
	bool separate = false;
	size_t i;

	for (i = 0; i < m->n_stages && b->dp_messages; i++)
		separate |= step_model_count(m, i, OPERATION_SEPARATE_GRADS) > 0;
	add_first_backward(b, &computes, stage);
	if (b->dp_messages) {
		params = make_chain(b, stage, OPERATION_PARAMS_GATHER, OPERATION_GRADS_SCATTER);
		free(params.list);
		add_gathers(b, &computes, stage);
	}
	if (separate)
		add_scatters(b, &computes, stage);
	add_tail(b, &computes, stage, separate);
	free(computes.list);
}
