#include "step_model.h"

#include "base/int_math.h"

#include <math.h>
#include <stdlib.h>

/* The clocks of the stages may differ by this much, in ns. */
enum { TOLERANCE = 50000 };

struct step_builder {
	struct step_model *m;
	size_t n_edges, edges_cap;
	struct step_group *groups; /* in the order in which they were made */
	size_t n_groups;
	uint32_t *group; /* of each operation, or STEP_MODEL_NONE */
	uint32_t *chunk; /* of each operation: the number of its model chunk: 0, 1, 2 ... */
	size_t n_chunks;
	bool *paired; /* of each message: it has a partner */
	bool dp_messages;
	struct buf *why;
};

/* The operation `to` waits for `from`. */
static void add_edge(struct step_builder *b, uint32_t from, uint32_t to)
{
	b->m->edges = mem_grow(b->m->edges, &b->edges_cap, b->n_edges + 1, sizeof *b->m->edges);
	b->m->edges[b->n_edges++] = (struct step_edge){.from = from, .to = to};
}

/* Returns a new group; operations are put into it through b->group. */
static uint32_t new_group(struct step_builder *b, bool all_dps)
{
	b->groups[b->n_groups] = (struct step_group){STEP_MODEL_NONE, all_dps};
	return (uint32_t)b->n_groups++;
}

/* Returns the end of an operation as it was recorded. */
static int64_t recorded_end(const struct operation *o)
{
	return int_add(o->ts, o->dur);
}

/* --- computations, in order of their starts --- */

static int compare_starts(const void *a, const void *b)
{
	const struct operation *x = *(const struct operation *const *)a, *y = *(const struct operation *const *)b;
	const int c = int_compare(x->ts, y->ts);

	return c ? c : (x > y) - (x < y);
}

/* The operations of two types on a stage, in order of their starts. */
struct chain {
	const struct operation **list;
	size_t n;
};

static uint32_t index_of(const struct step_builder *b, const struct operation *o)
{
	return (uint32_t)(o - b->m->ops);
}

/* Makes a chain, in which each operation waits for the preceding one. */
static struct chain make_chain(struct step_builder *b, size_t stage, size_t one, size_t other)
{
	const struct step_model *m = b->m;
	const size_t types[] = {one, other}, n = step_model_count(m, stage, one) + step_model_count(m, stage, other);
	struct chain c = {mem_alloc((n + 1) * sizeof(struct operation *)), 0};
	size_t t, i;

	for (t = 0; t < 2; t++) {
		for (i = step_model_first(m, stage, types[t]); i < step_model_first(m, stage, types[t] + 1); i++)
			c.list[c.n++] = &m->ops[i];
	}
	qsort(c.list, n, sizeof(struct operation *), compare_starts);
	for (i = 1; i < n; i++)
		add_edge(b, index_of(b, c.list[i - 1]), index_of(b, c.list[i]));
	return c;
}

/* The first messages of the backward pass begin after the second-to-last computation of the forward pass before it. */
static void add_first_backward(struct step_builder *b, const struct chain *computes, size_t stage)
{
	static const size_t types[] = {OPERATION_BACKWARD_SEND, OPERATION_BACKWARD_RECV};
	size_t at, i;

	for (at = 0; at < computes->n && computes->list[at]->type != OPERATION_BACKWARD_COMPUTE; at++)
		;
	if (at < 2 || at == computes->n)
		return;
	for (i = 0; i < 2; i++) {
		if (step_model_count(b->m, stage, types[i]))
			add_edge(
			    b, index_of(b, computes->list[at - 2]), (uint32_t)step_model_first(b->m, stage, types[i]));
	}
}

/* --- collectives of the parameters --- */

/* Returns a list with an operation for each model chunk, which is STEP_MODEL_NONE until it is set. */
static uint32_t *new_chunk_list(const struct step_builder *b)
{
	uint32_t *list = mem_alloc((b->n_chunks + 1) * sizeof *list);

	return memset(list, 0xff, (b->n_chunks + 1) * sizeof *list);
}

/* `to` waits for the operation of its chunk in a list, which is used only once. */
static void wait_once(struct step_builder *b, uint32_t *list, uint32_t to)
{
	uint32_t *from = &list[b->chunk[to]];

	if (*from != STEP_MODEL_NONE)
		add_edge(b, *from, to);
	*from = STEP_MODEL_NONE;
}

/* The first forward computation of a model chunk waits for the last gather of the chunk's parameters. */
static void add_gathers(struct step_builder *b, const struct chain *computes, size_t stage)
{
	const size_t end = step_model_first(b->m, stage, OPERATION_PARAMS_GATHER + 1);
	uint32_t *last = new_chunk_list(b);
	size_t i;

	for (i = step_model_first(b->m, stage, OPERATION_PARAMS_GATHER); i < end; i++)
		last[b->chunk[i]] = (uint32_t)i;
	for (i = 0; i < computes->n; i++) {
		if (computes->list[i]->type == OPERATION_FORWARD_COMPUTE)
			wait_once(b, last, index_of(b, computes->list[i]));
	}
	free(last);
}

/* The first reduce-scatter of a model chunk waits for the chunk's last backward computation. */
static void add_scatters(struct step_builder *b, const struct chain *computes, size_t stage)
{
	const struct operation *ops = b->m->ops;
	const size_t end = step_model_first(b->m, stage, OPERATION_GRADS_SCATTER + 1);
	uint32_t *last = new_chunk_list(b), *at;
	size_t i;

	for (i = 0; i < computes->n; i++) {
		const struct operation *o = computes->list[i];

		at = &last[b->chunk[index_of(b, o)]];
		if (o->type == OPERATION_BACKWARD_COMPUTE &&
		    (*at == STEP_MODEL_NONE || recorded_end(o) > recorded_end(&ops[*at])))
			*at = index_of(b, o);
	}
	for (i = step_model_first(b->m, stage, OPERATION_GRADS_SCATTER); i < end; i++)
		wait_once(b, last, (uint32_t)i);
	free(last);
}

/* --- the end of a step --- */

/* The operations at the end of a step on one stage. Each of them waits for `last` and `also`. */
struct tail {
	uint32_t last, also;
};

static void add_type(struct step_builder *b, struct tail *t, size_t stage, size_t type)
{
	const uint32_t end = (uint32_t)step_model_first(b->m, stage, type + 1);
	uint32_t i;

	for (i = (uint32_t)step_model_first(b->m, stage, type); i < end; i++) {
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
		if (t.last == STEP_MODEL_NONE || recorded_end(computes->list[i]) > recorded_end(&b->m->ops[t.last]))
			t.last = index_of(b, computes->list[i]);
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
static bool has_partner(const struct step_model *m, const struct operation *compute, size_t stage, size_t type)
{
	const int64_t own = (compute->chunk > 0 ? compute->chunk : 0) * (int64_t)m->n_stages + (int64_t)stage;
	const int64_t peer = is_forward(type) == is_recv(type) ? own - 1 : own + 1;

	return peer >= 0 && peer < m->virtual_stages;
}

/* Connects a message with the computation whose data it moves. */
static void connect(struct step_builder *b, uint32_t message, uint32_t compute, bool is_first, size_t stage)
{
	const size_t type = b->m->ops[message].type;

	if (is_recv(type)) {
		add_edge(b, message, compute);
		if (!is_first)
			add_edge(b, compute - 1, message);
	} else {
		add_edge(b, compute, message);
	}
	b->paired[message] = has_partner(b->m, &b->m->ops[compute], stage, type);
}

static bool add_messages(struct step_builder *b, size_t stage, size_t type)
{
	const struct step_model *m = b->m;
	const size_t first = step_model_first(m, stage, type), end = step_model_first(m, stage, type + 1);
	const size_t computes = step_model_count(m, stage, compute_of(type));
	const uint32_t compute = (uint32_t)step_model_first(m, stage, compute_of(type));
	const int64_t limit = limit_of(m, stage, type);
	uint32_t inside = 0, number;
	size_t i;

	for (i = first; i < end; i++) {
		inside += !is_outside(&m->ops[i], limit);
		b->group[i] = new_group(b, false);
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
		connect(b, (uint32_t)i, compute + number, !number, stage);
		number++;
	}
	return true;
}

static size_t count_paired(const struct step_builder *b, size_t stage, size_t type)
{
	size_t n = 0, i;

	for (i = step_model_first(b->m, stage, type); i < step_model_first(b->m, stage, type + 1); i++)
		n += b->paired[i];
	return n;
}

/* Puts the n-th send of a stage that has a partner and the n-th receive of its neighbour into one group. */
static bool pair_messages(struct step_builder *b, size_t stage, enum operation_type send)
{
	const size_t stages = b->m->n_stages, other = (stage + (is_forward(send) ? 1 : stages - 1)) % stages;
	const enum operation_type recv = operation_type_partner(send);
	const size_t sends = count_paired(b, stage, send), recvs = count_paired(b, other, recv);
	size_t from = step_model_first(b->m, stage, send), to = step_model_first(b->m, other, recv), n;

	if (sends != recvs)
		return refuse(b->why, "stage %zu has %zu operations %.*s, but stage %zu has %zu operations %.*s", stage,
		    sends, STR_FMT(operation_type_name(send)), other, recvs, STR_FMT(operation_type_name(recv)));
	for (n = 0; n < sends; n++) {
		while (!b->paired[from])
			from++;
		while (!b->paired[to])
			to++;
		b->group[to++] = b->group[from++];
	}
	return true;
}

/* Adds the sends and receives of the pipeline. Returns false if they do not fit to each other. */
static bool add_all_messages(struct step_builder *b)
{
	size_t stage, type;

	b->m->virtual_stages = count_virtual_stages(b->m);
	for (stage = 0; stage < b->m->n_stages; stage++) {
		for (type = OPERATION_FORWARD_SEND; type <= OPERATION_BACKWARD_RECV; type++) {
			if (!add_messages(b, stage, type))
				return false;
		}
	}
	for (stage = 0; stage < b->m->n_stages; stage++) {
		if (!pair_messages(b, stage, OPERATION_FORWARD_SEND) ||
		    !pair_messages(b, stage, OPERATION_BACKWARD_SEND))
			return false;
	}
	return true;
}

/* --- groups --- */

/* Puts the n-th operations of a type on the stages `one`, `one + stride` ... into one group. */
static void add_group(struct step_builder *b, size_t type, size_t n, size_t stride, bool all_dps)
{
	const struct step_model *m = b->m;
	uint32_t group = STEP_MODEL_NONE;
	size_t stage;

	for (stage = 0; stage < m->n_stages; stage += stride) {
		if (n >= step_model_count(m, stage, type))
			continue;
		if (group == STEP_MODEL_NONE)
			group = new_group(b, all_dps);
		b->group[step_model_first(m, stage, type) + n] = group;
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

/* Puts operations into groups, except messages of the pipeline. */
static void put_into_groups(struct step_builder *b)
{
	const struct step_model *m = b->m;
	const size_t ends = m->n_stages > 1 ? m->n_stages - 1 : 1; /* from the first stage to the last */
	size_t i;

	for (i = 0; i < most_of(m, OPERATION_CLIP); i++)
		add_group(b, OPERATION_CLIP, i, 1, true);
	for (i = 0; i < most_of(m, OPERATION_EMBEDDING_GRADS); i++)
		add_group(b, OPERATION_EMBEDDING_GRADS, i, ends, false);
	for (i = 0; i < m->n; i++) {
		const bool of_parameters = is_of_parameters(m->ops[i].type);

		if (b->group[i] == STEP_MODEL_NONE && (!of_parameters || b->dp_messages))
			b->group[i] = new_group(b, of_parameters);
	}
}

/* --- the order of the groups --- */

/* Lists the edges of each operation, and the operations of each group, in ascending order. */
static void link_lists(struct step_builder *b, uint32_t *followers)
{
	struct step_model *m = b->m;
	uint32_t i;

	m->waits = memset(mem_alloc((m->n + 1) * sizeof *m->waits), 0xff, (m->n + 1) * sizeof *m->waits);
	m->next = mem_alloc((m->n + 1) * sizeof *m->next);
	for (i = (uint32_t)b->n_edges; i-- > 0;) {
		struct step_edge *e = &m->edges[i];

		e->next_of_to = m->waits[e->to];
		m->waits[e->to] = i;
		e->next_of_from = followers[e->from];
		followers[e->from] = i;
	}
	for (i = (uint32_t)m->n; i-- > 0;) {
		if (b->group[i] == STEP_MODEL_NONE)
			continue;
		m->next[i] = b->groups[b->group[i]].first;
		b->groups[b->group[i]].first = i;
	}
}

/*
 * Returns an operation that waits for itself. open[i] is the number of operations for which group i still waits; there
 * is a group that can never begin.
 */
static uint32_t find_cycle(const struct step_builder *b, const uint32_t *open)
{
	const struct step_model *m = b->m;
	uint32_t group = 0, node = 0, i, e;
	size_t round;

	while (!open[group])
		group++;
	for (round = 0; round <= b->n_groups; round++) {
		bool found = false;

		for (i = b->groups[group].first; i != STEP_MODEL_NONE && !found; i = m->next[i]) {
			node = i;
			for (e = m->waits[i]; e != STEP_MODEL_NONE && !found; e = m->edges[e].next_of_to) {
				group = b->group[m->edges[e].from];
				found = open[group] > 0;
			}
		}
	}
	return node;
}

static bool refuse_cycle(const struct step_builder *b, const uint32_t *open)
{
	const struct step_model *m = b->m;
	const uint32_t node = find_cycle(b, open);
	const size_t type = m->ops[node].type, stage = m->ops[node].worker % m->n_stages;

	return refuse(b->why,
	    "operations wait for each other in a cycle, such as %.*s %zu of stage %zu (the first one is 0)",
	    STR_FMT(operation_type_name((enum operation_type)type)), node - step_model_first(m, stage, type), stage);
}

/* Sets the lists and the groups of the model. Returns false if operations wait for each other in a cycle. */
static bool order_groups(struct step_builder *b)
{
	struct step_model *m = b->m;
	uint32_t *open = mem_zero(b->n_groups + 1, sizeof *open), *list = mem_alloc((b->n_groups + 1) * sizeof *list);
	uint32_t *followers = mem_alloc((m->n + 1) * sizeof *followers), op, e;
	size_t n = 0, i;
	bool good;

	link_lists(b, memset(followers, 0xff, (m->n + 1) * sizeof *followers));
	for (i = 0; i < b->n_edges; i++)
		open[b->group[m->edges[i].to]]++;
	for (i = 0; i < b->n_groups; i++) {
		if (!open[i])
			list[n++] = (uint32_t)i;
	}
	m->groups = mem_alloc((b->n_groups + 1) * sizeof *m->groups);
	for (i = 0; i < n; i++) {
		const struct step_group *u = &b->groups[list[i]];

		for (op = u->first; op != STEP_MODEL_NONE; op = m->next[op]) {
			for (e = followers[op]; e != STEP_MODEL_NONE; e = m->edges[e].next_of_from) {
				if (--open[b->group[m->edges[e].to]] == 0)
					list[n++] = b->group[m->edges[e].to];
			}
		}
		if (u->first != STEP_MODEL_NONE)
			m->groups[m->n_groups++] = *u;
	}
	good = n == b->n_groups || refuse_cycle(b, open);
	free(open);
	free(list);
	free(followers);
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

/* Numbers the model chunks. */
static void number_chunks(struct step_builder *b)
{
	struct map chunks = {0};
	size_t i;

	for (i = 0; i < b->m->n; i++) {
		const int32_t *chunk = &b->m->ops[i].chunk;

		b->chunk[i] = (uint32_t)map_put(&chunks, (struct str){(const char *)chunk, sizeof *chunk});
	}
	b->n_chunks = chunks.n;
	map_free(&chunks);
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
	b.group = mem_alloc((n + 1) * sizeof *b.group);
	memset(b.group, 0xff, (n + 1) * sizeof *b.group);
	b.groups = mem_alloc((n + 1) * sizeof *b.groups);
	b.chunk = mem_alloc((n + 1) * sizeof *b.chunk);
	b.paired = mem_zero(n + 1, sizeof *b.paired);
	number_chunks(&b);
	good = add_all_messages(&b);
	for (stage = 0; stage < n_stages && good; stage++)
		add_operations(&b, stage);
	put_into_groups(&b);
	good = good && order_groups(&b);
	free(b.group);
	free(b.groups);
	free(b.chunk);
	free(b.paired);
	return good;
}

void step_model_free(struct step_model *m)
{
	free(m->edges);
	free(m->waits);
	free(m->next);
	free(m->groups);
	free(m->first);
}

/* --- simulation --- */

/* Sets s->begins[i] to the time at which the operations of a group can begin on the i-th simulated DP rank. */
static void find_begins(struct step_simulation *s, const struct step_group *u, size_t n)
{
	const struct step_model *m = s->model;
	double *begins = s->begins, latest;
	uint32_t i, e;
	size_t d;

	for (d = 0; d < n; d++)
		begins[d] = -HUGE_VAL;
	for (i = u->first; i != STEP_MODEL_NONE; i = m->next[i]) {
		for (d = 0; d < n && m->waits[i] == STEP_MODEL_NONE; d++)
			begins[d] = begins[d] > 0 ? begins[d] : 0;
		for (e = m->waits[i]; e != STEP_MODEL_NONE; e = m->edges[e].next_of_to) {
			const double *end = s->ends + m->edges[e].from * n;

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
	size_t group, d;
	uint32_t i;

	s->ends = mem_grow(s->ends, &s->cap, m->n * n + 1, sizeof *s->ends);
	s->begins = mem_grow(s->begins, &s->begins_cap, n + 1, sizeof *s->begins);
	for (group = 0; group < m->n_groups; group++) {
		const struct step_group *u = &m->groups[group];

		find_begins(s, u, n);
		for (i = u->first; i != STEP_MODEL_NONE; i = m->next[i]) {
			const size_t type = m->ops[i].type, stage = m->ops[i].worker % m->n_stages;

			for (d = 0; d < n; d++) {
				const uint32_t dp = what->dps[d];
				const bool recorded = what->types[type] && what->workers[dp * m->n_stages + stage];
				const double dur = recorded ? (double)ops[dp * m->n + i].dur : s->ideal[type];
				const double end = s->begins[d] + dur;

				s->ends[i * n + d] = end;
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
