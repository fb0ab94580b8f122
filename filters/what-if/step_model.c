#include "step_model.h"

#include "base/int_math.h"

#include <math.h>
#include <stdlib.h>

/* The clocks of the stages may differ by this much, in ns. */
enum { TOLERANCE = 50000 };

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
static void add_edge(struct step_builder *b, uint32_t from, uint32_t to)
{
	b->edges = mem_grow(b->edges, &b->edges_cap, b->n_edges + 1, sizeof *b->edges);
	b->edges[b->n_edges++] = (struct step_edge){from, to};
}

/* Returns a new unit; operations are put into it through b->unit. */
static uint32_t new_unit(struct step_builder *b, bool all_dps)
{
	b->all_dps[b->n_units] = all_dps;
	return (uint32_t)b->n_units++;
}

/* Returns the end of an operation as it was recorded. */
static int64_t recorded_end(const struct operation *o)
{
	return int_add(o->ts, o->dur);
}

/* --- computations, in order of their starts --- */

struct operation_start {
	int64_t ts;
	uint32_t op;
};

static int compare_starts(const void *a, const void *b)
{
	const struct operation_start *x = a, *y = b;
	const int c = int_compare(x->ts, y->ts);

	return c ? c : int_compare(x->op, y->op);
}

/* The operations of two types on a stage, in order of their starts. */
struct chain {
	uint32_t *list;
	size_t n;
};

/* Makes a chain, in which each operation waits for the preceding one. */
static struct chain make_chain(struct step_builder *b, size_t stage, size_t one, size_t other)
{
	const struct step_model *m = b->m;
	const size_t types[] = {one, other}, n = step_model_count(m, stage, one) + step_model_count(m, stage, other);
	struct operation_start *starts = mem_alloc((n + 1) * sizeof *starts);
	struct chain c = {mem_alloc((n + 1) * sizeof *c.list), 0};
	size_t t, i;

	for (t = 0; t < 2; t++) {
		for (i = step_model_first(m, stage, types[t]); i < step_model_first(m, stage, types[t] + 1); i++)
			starts[c.n++] = (struct operation_start){m->ops[i].ts, (uint32_t)i};
	}
	qsort(starts, n, sizeof *starts, compare_starts);
	for (i = 0; i < n; i++) {
		c.list[i] = starts[i].op;
		if (i > 0)
			add_edge(b, c.list[i - 1], c.list[i]);
	}
	free(starts);
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
			add_edge(b, computes->list[at - 2], (uint32_t)step_model_first(b->m, stage, types[i]));
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
	add_edge(b, *chunk_operation, to);
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
		if (*at == STEP_MODEL_NONE || recorded_end(o) > recorded_end(&m->ops[*at]))
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

static void add_type(struct step_builder *b, struct tail *t, size_t stage, size_t type)
{
	const uint32_t first = (uint32_t)step_model_first(b->m, stage, type);
	const uint32_t end = first + (uint32_t)step_model_count(b->m, stage, type);
	uint32_t i;

	for (i = first; i < end; i++) {
		if (t->last != STEP_MODEL_NONE)
			add_edge(b, t->last, i);
		if (t->also != STEP_MODEL_NONE)
			add_edge(b, t->also, i);
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
		    recorded_end(&b->m->ops[computes->list[i]]) > recorded_end(&b->m->ops[t.last]))
			t.last = computes->list[i];
	}
	add_type(b, &t, stage, OPERATION_GC);
	if (separate && scatters)
		t.also = (uint32_t)(step_model_first(b->m, stage, OPERATION_GRADS_SCATTER) + scatters - 1);
	add_type(b, &t, stage, OPERATION_LAYERNORM_GRADS);
	add_type(b, &t, stage, OPERATION_EMBEDDING_GRADS);
	if (separate)
		add_type(b, &t, stage, OPERATION_SEPARATE_GRADS);
	else if (b->dp_messages)
		add_type(b, &t, stage, OPERATION_GRADS_SCATTER);
	add_type(b, &t, stage, OPERATION_CLIP);
	add_type(b, &t, stage, OPERATION_OPTIMIZER);
}

/* Adds the computations and collectives of a stage. */
static void add_operations(struct step_builder *b, size_t stage)
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

/* --- messages of the pipeline --- */

static bool is_recv(size_t type)
{
	return type == OPERATION_FORWARD_RECV || type == OPERATION_BACKWARD_RECV;
}

static bool is_forward(size_t type)
{
	return type == OPERATION_FORWARD_SEND || type == OPERATION_FORWARD_RECV;
}

static size_t compute_of(size_t type)
{
	return is_forward(type) ? OPERATION_FORWARD_COMPUTE : OPERATION_BACKWARD_COMPUTE;
}

/* The messages of one type on one stage that have a partner, in their order. */
struct message_list {
	uint32_t *list;
	size_t n, cap;
};

struct messages {
	struct step_builder *b;
	struct message_list *lists; /* lists[stage * OPERATION_TYPE_N + type] */
	int64_t virtual_stages;     /* number of stages times number of model chunks */
};

static int64_t count_virtual_stages(const struct step_model *m)
{
	int64_t chunks = 1;
	size_t i;

	for (i = 0; i < m->n; i++) {
		if (m->ops[i].chunk >= chunks)
			chunks = m->ops[i].chunk + INT64_C(1);
	}
	return chunks * (int64_t)m->n_stages;
}

/* Returns the first of the times `last start` and `first end` of the computations, for is_outside(). */
static int64_t limit_of(const struct step_model *m, size_t stage, size_t type)
{
	const size_t first = step_model_first(m, stage, compute_of(type)),
		     n = step_model_count(m, stage, compute_of(type));
	int64_t limit = is_recv(type) ? INT64_MIN : INT64_MAX, t;
	size_t i;

	for (i = first; i < first + n; i++) {
		t = is_recv(type) ? m->ops[i].ts : recorded_end(&m->ops[i]);
		if (is_recv(type) ? t > limit : t < limit)
			limit = t;
	}
	return int_add(limit, is_recv(type) ? TOLERANCE : -TOLERANCE);
}

/*
 * Returns whether a message is no message of this step: a receive after the last computation of its direction began,
 * or a send before the first one ended.
 */
static bool is_outside(const struct operation *o, int64_t limit)
{
	return is_recv(o->type) ? o->ts > limit : recorded_end(o) < limit;
}

/* Returns whether the other end of a message of this computation is a virtual stage of the model. */
static bool has_partner(const struct messages *all, const struct operation *compute, size_t stage, size_t type)
{
	const int64_t own = (compute->chunk > 0 ? compute->chunk : 0) * (int64_t)all->b->m->n_stages + (int64_t)stage;
	const int64_t peer = is_forward(type) == is_recv(type) ? own - 1 : own + 1;

	return peer >= 0 && peer < all->virtual_stages;
}

/* Connects a message with the computation whose data it moves. */
static void connect(struct messages *all, uint32_t message, uint32_t compute, bool is_first, size_t stage)
{
	struct step_builder *b = all->b;
	const size_t type = b->m->ops[message].type;
	struct message_list *list = &all->lists[stage * OPERATION_TYPE_N + type];

	if (is_recv(type)) {
		add_edge(b, message, compute);
		if (!is_first)
			add_edge(b, compute - 1, message);
	} else {
		add_edge(b, compute, message);
	}
	if (has_partner(all, &b->m->ops[compute], stage, type)) {
		list->list = mem_grow(list->list, &list->cap, list->n + 1, sizeof *list->list);
		list->list[list->n++] = message;
	}
}

static bool add_messages(struct messages *all, size_t stage, size_t type)
{
	struct step_builder *b = all->b;
	const struct step_model *m = b->m;
	const size_t first = step_model_first(m, stage, type), end = first + step_model_count(m, stage, type);
	const size_t computes = step_model_count(m, stage, compute_of(type));
	const uint32_t compute = (uint32_t)step_model_first(m, stage, compute_of(type));
	const int64_t limit = limit_of(m, stage, type);
	uint32_t inside = 0, number;
	size_t i;

	for (i = first; i < end; i++) {
		inside += !is_outside(&m->ops[i], limit);
		b->unit[i] = new_unit(b, false);
		if (i > first)
			add_edge(b, (uint32_t)i - 1, (uint32_t)i);
	}
	if (inside && inside != computes && inside + (size_t)1 != computes)
		return refuse(b->why, "stage %zu has %u operations %.*s, but %zu operations %.*s", stage,
		    (unsigned)inside, STR_FMT(operation_type_name((enum operation_type)type)), computes,
		    STR_FMT(operation_type_name((enum operation_type)compute_of(type))));
	/* The first receive may be missing. */
	number = is_recv(type) && inside + (size_t)1 == computes;
	for (i = first; i < end; i++) {
		if (is_outside(&m->ops[i], limit))
			continue;
		connect(all, (uint32_t)i, compute + number, !number, stage);
		number++;
	}
	return true;
}

/* Puts the n-th send of a stage and the n-th receive of its neighbour into one unit. */
static bool pair_messages(struct messages *all, size_t stage, enum operation_type send)
{
	struct step_builder *b = all->b;
	const size_t stages = b->m->n_stages, other = (stage + (is_forward(send) ? 1 : stages - 1)) % stages;
	const enum operation_type recv = operation_type_partner(send);
	const struct message_list *sends = &all->lists[stage * OPERATION_TYPE_N + send];
	const struct message_list *recvs = &all->lists[other * OPERATION_TYPE_N + recv];
	size_t i;

	if (sends->n != recvs->n)
		return refuse(b->why, "stage %zu has %zu operations %.*s, but stage %zu has %zu operations %.*s", stage,
		    sends->n, STR_FMT(operation_type_name(send)), other, recvs->n, STR_FMT(operation_type_name(recv)));
	for (i = 0; i < sends->n; i++)
		b->unit[recvs->list[i]] = b->unit[sends->list[i]];
	return true;
}

/* Adds the sends and receives of the pipeline. Returns false if they do not fit to each other. */
static bool add_all_messages(struct step_builder *b)
{
	const size_t n = b->m->n_stages * OPERATION_TYPE_N;
	struct messages all = {b, mem_zero(n + 1, sizeof *all.lists), count_virtual_stages(b->m)};
	bool good = true;
	size_t stage, type, i;

	for (stage = 0; stage < b->m->n_stages && good; stage++) {
		for (type = OPERATION_FORWARD_SEND; type <= OPERATION_BACKWARD_RECV && good; type++)
			good = add_messages(&all, stage, type);
	}
	for (stage = 0; stage < b->m->n_stages && good; stage++)
		good = pair_messages(&all, stage, OPERATION_FORWARD_SEND) &&
		       pair_messages(&all, stage, OPERATION_BACKWARD_SEND);
	for (i = 0; i < n; i++)
		free(all.lists[i].list);
	free(all.lists);
	return good;
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
			unit = new_unit(b, all_dps);
		b->unit[step_model_first(m, stage, type) + n] = unit;
	}
}

static bool is_of_parameters(size_t type)
{
	return type >= OPERATION_PARAMS_GATHER && type <= OPERATION_SEPARATE_GRADS;
}

/* Returns the number of operations of a type on the stage that has most of them. */
static size_t most_of(const struct step_model *m, size_t type)
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

	for (i = 0; i < most_of(m, OPERATION_CLIP); i++)
		add_unit(b, OPERATION_CLIP, i, 1, true);
	for (i = 0; i < most_of(m, OPERATION_EMBEDDING_GRADS); i++)
		add_unit(b, OPERATION_EMBEDDING_GRADS, i, ends, false);
	for (i = 0; i < m->n; i++) {
		const bool of_parameters = is_of_parameters(m->ops[i].type);

		if (b->unit[i] == STEP_MODEL_NONE && (!of_parameters || b->dp_messages))
			b->unit[i] = new_unit(b, of_parameters);
	}
}

/* --- the order of the units --- */

/*
 * Lists for each operation those that it waits for or, if `reverse`, those that wait for it: of operation i,
 * (*list)[(*first)[i] .. (*first)[i + 1]).
 */
static void list_edges(const struct step_builder *b, bool reverse, uint32_t **first, uint32_t **list)
{
	const size_t n = b->m->n;
	const struct step_edge *edges = b->edges;
	uint32_t *at = *first = mem_zero(n + 2, sizeof *at);
	size_t i;

	*list = mem_alloc((b->n_edges + 1) * sizeof **list);
	/* First at[i + 2] counts the edges of i, then at[i + 1] is where the next goes. */
	for (i = 0; i < b->n_edges; i++)
		at[(reverse ? edges[i].from : edges[i].to) + 2]++;
	for (i = 2; i < n + 2; i++)
		at[i] += at[i - 1];
	for (i = 0; i < b->n_edges; i++)
		(*list)[at[(reverse ? edges[i].from : edges[i].to) + 1]++] = reverse ? edges[i].to : edges[i].from;
}

/* Sets m->nodes, and returns the units in order of their numbers. */
static struct step_unit *list_units(struct step_builder *b)
{
	struct step_unit *units = mem_zero(b->n_units + 1, sizeof *units);
	struct step_model *m = b->m;
	uint32_t at = 0;
	size_t i;

	m->nodes = mem_alloc((m->n + 1) * sizeof *m->nodes);
	for (i = 0; i < m->n; i++) {
		if (b->unit[i] != STEP_MODEL_NONE)
			units[b->unit[i]].n++;
	}
	for (i = 0; i < b->n_units; i++) {
		units[i].all_dps = b->all_dps[i];
		units[i].first = at;
		at += units[i].n;
		units[i].n = 0;
	}
	for (i = 0; i < m->n; i++) {
		if (b->unit[i] != STEP_MODEL_NONE) {
			struct step_unit *u = &units[b->unit[i]];

			m->nodes[u->first + u->n++] = (uint32_t)i;
		}
	}
	return units;
}

/* The units that have not ended: `open` is the number of operations for which each still waits. */
struct open_units {
	struct step_builder *b;
	const struct step_unit *units; /* by their numbers */
	uint32_t *open;
	uint32_t *out_first, *out; /* the operations that wait for operation i, like m->dep_first and m->deps */
};

/* Returns an operation that waits for itself. There is a unit that can never begin. */
static uint32_t find_cycle(const struct open_units *o)
{
	const struct step_model *m = o->b->m;
	uint32_t unit = 0, node = 0, i, k;
	size_t round;

	while (!o->open[unit])
		unit++;
	for (round = 0; round <= o->b->n_units; round++) {
		const struct step_unit *u = &o->units[unit];
		bool found = false;

		for (i = 0; i < u->n && !found; i++) {
			node = m->nodes[u->first + i];
			for (k = m->dep_first[node]; k < m->dep_first[node + 1] && !found; k++) {
				unit = o->b->unit[m->deps[k]];
				found = o->open[unit] > 0;
			}
		}
	}
	return node;
}

static bool refuse_cycle(const struct open_units *o)
{
	const struct step_model *m = o->b->m;
	const uint32_t node = find_cycle(o);
	const size_t type = m->ops[node].type, stage = m->ops[node].worker % m->n_stages;

	return refuse(o->b->why,
	    "operations wait for each other in a cycle, such as %.*s %zu of stage %zu (the first one is 0)",
	    STR_FMT(operation_type_name((enum operation_type)type)), node - step_model_first(m, stage, type), stage);
}

/* Ends a unit: appends to the list the units that can begin now. */
static void end_unit(struct open_units *o, uint32_t unit, uint32_t *list, size_t *n)
{
	const struct step_unit *u = &o->units[unit];
	uint32_t i, k;

	for (i = 0; i < u->n; i++) {
		const uint32_t node = o->b->m->nodes[u->first + i];

		for (k = o->out_first[node]; k < o->out_first[node + 1]; k++) {
			const uint32_t next = o->b->unit[o->out[k]];

			if (--o->open[next] == 0)
				list[(*n)++] = next;
		}
	}
}

/* Sets the dependencies and the units of the model. Returns false if operations wait for each other in a cycle. */
static bool order_units(struct step_builder *b)
{
	struct open_units o = {.b = b};
	uint32_t *list = mem_alloc((b->n_units + 1) * sizeof *list);
	struct step_unit *units;
	size_t n = 0, i;
	bool good;

	list_edges(b, false, &b->m->dep_first, &b->m->deps);
	o.units = units = list_units(b);
	list_edges(b, true, &o.out_first, &o.out);
	o.open = mem_zero(b->n_units + 1, sizeof *o.open);
	for (i = 0; i < b->n_edges; i++)
		o.open[b->unit[b->edges[i].to]]++;
	for (i = 0; i < b->n_units; i++) {
		if (!o.open[i])
			list[n++] = (uint32_t)i;
	}
	for (i = 0; i < n; i++)
		end_unit(&o, list[i], list, &n);
	good = n == b->n_units || refuse_cycle(&o);
	b->m->units = mem_alloc((n + 1) * sizeof *b->m->units);
	for (i = 0; i < n; i++) {
		if (units[list[i]].n)
			b->m->units[b->m->n_units++] = units[list[i]];
	}
	free(list);
	free(units);
	free(o.open);
	free(o.out_first);
	free(o.out);
	return good;
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
	good = add_all_messages(&b);
	for (stage = 0; stage < n_stages && good; stage++)
		add_operations(&b, stage);
	add_units(&b);
	good = good && order_units(&b);
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

/* --- simulation --- */

/* Sets s->begins[i] to the time at which the operations of a unit can begin on the i-th simulated DP rank. */
static void find_begins(struct step_simulation *s, const struct step_unit *u, size_t n)
{
	const struct step_model *m = s->model;
	double *begins = s->begins, latest;
	uint32_t i, k;
	size_t d;

	for (d = 0; d < n; d++)
		begins[d] = -HUGE_VAL;
	for (i = u->first; i < u->first + u->n; i++) {
		const uint32_t node = m->nodes[i];

		if (m->dep_first[node] == m->dep_first[node + 1]) {
			for (d = 0; d < n; d++)
				begins[d] = begins[d] > 0 ? begins[d] : 0;
		}
		for (k = m->dep_first[node]; k < m->dep_first[node + 1]; k++) {
			const double *end = s->ends + m->deps[k] * n;

			for (d = 0; d < n; d++)
				begins[d] = begins[d] > end[d] ? begins[d] : end[d];
		}
	}
	if (!u->all_dps)
		return;
	latest = begins[0];
	for (d = 1; d < n; d++)
		latest = latest > begins[d] ? latest : begins[d];
	for (d = 0; d < n; d++)
		begins[d] = latest;
}

double step_simulation_run(struct step_simulation *s, const struct operation *ops, const struct scenario *what)
{
	const struct step_model *m = s->model;
	const size_t n = what->n_dps;
	double latest = -HUGE_VAL;
	size_t unit, d;
	uint32_t i;

	s->ends = mem_grow(s->ends, &s->cap, m->n * n + 1, sizeof *s->ends);
	s->begins = mem_grow(s->begins, &s->begins_cap, n + 1, sizeof *s->begins);
	for (unit = 0; unit < m->n_units; unit++) {
		const struct step_unit *u = &m->units[unit];

		find_begins(s, u, n);
		for (i = u->first; i < u->first + u->n; i++) {
			const uint32_t node = m->nodes[i];
			const size_t type = m->ops[node].type, stage = m->ops[node].worker % m->n_stages;

			for (d = 0; d < n; d++) {
				const uint32_t dp = what->dps[d];
				const bool recorded = what->types[type] && what->workers[dp * m->n_stages + stage];
				const double dur = recorded ? (double)ops[dp * m->n + node].dur : s->ideal[type];
				const double end = s->begins[d] + dur;

				s->ends[node * n + d] = end;
				latest = latest > end ? latest : end;
			}
		}
	}
	return latest > -HUGE_VAL ? latest : 0;
}

void step_simulation_free(struct step_simulation *s)
{
	free(s->ends);
	free(s->begins);
}
