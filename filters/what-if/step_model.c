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
	int64_t virtual_stages; /* number of stages times number of model chunks */
	bool *paired;           /* of each message: it has a partner */
	bool dp_messages;
	bool separate; /* the gradients are reduced during the backward pass, except the separate ones */
	struct buf *why;
};

/* Returns a list of n numbers, all STEP_MODEL_NONE. */
static uint32_t *new_list(size_t n)
{
	return memset(mem_alloc((n + 1) * sizeof(uint32_t)), 0xff, (n + 1) * sizeof(uint32_t));
}

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

/*
 * Makes a chain, in which each operation waits for the preceding one. So a simulation keeps the
 * recorded order of the two types, and only their times change. The caller frees the list.
 */
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

/* --- collectives of the parameters --- */

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
	uint32_t *last = new_list(b->n_chunks);
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
	uint32_t *last = new_list(b->n_chunks), *at;
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

static void add_tail(struct step_builder *b, const struct chain *computes, size_t stage)
{
	const size_t scatters = step_model_count(b->m, stage, OPERATION_GRADS_SCATTER);
	struct tail t = {STEP_MODEL_NONE, STEP_MODEL_NONE};
	size_t i;

	for (i = 0; i < computes->n; i++) {
		if (t.last == STEP_MODEL_NONE || recorded_end(computes->list[i]) > recorded_end(&b->m->ops[t.last]))
			t.last = index_of(b, computes->list[i]);
	}
	add_type(b, &t, stage, OPERATION_GC);
	if (b->separate && scatters)
		t.also = (uint32_t)(step_model_first(b->m, stage, OPERATION_GRADS_SCATTER) + scatters - 1);
	add_type(b, &t, stage, OPERATION_LAYERNORM_GRADS);
	add_type(b, &t, stage, OPERATION_EMBEDDING_GRADS);
	if (b->separate)
		add_type(b, &t, stage, OPERATION_SEPARATE_GRADS);
	else if (b->dp_messages)
		add_type(b, &t, stage, OPERATION_GRADS_SCATTER);
	add_type(b, &t, stage, OPERATION_CLIP);
	add_type(b, &t, stage, OPERATION_OPTIMIZER);
}

/* Adds the computations and collectives of a stage. */
static void add_operations(struct step_builder *b, size_t stage)
{
	static const size_t messages[] = {OPERATION_BACKWARD_SEND, OPERATION_BACKWARD_RECV};
	struct chain computes = make_chain(b, stage, OPERATION_FORWARD_COMPUTE, OPERATION_BACKWARD_COMPUTE);
	size_t at, i;

	/* The first messages of the backward pass begin after the second-to-last computation that precedes it. */
	for (at = 0; at < computes.n && computes.list[at]->type != OPERATION_BACKWARD_COMPUTE; at++)
		;
	for (i = 0; i < 2 && at >= 2 && at < computes.n; i++) {
		if (step_model_count(b->m, stage, messages[i]))
			add_edge(b, index_of(b, computes.list[at - 2]),
			    (uint32_t)step_model_first(b->m, stage, messages[i]));
	}
	if (b->dp_messages) {
		free(make_chain(b, stage, OPERATION_PARAMS_GATHER, OPERATION_GRADS_SCATTER).list);
		add_gathers(b, &computes, stage);
	}
	if (b->separate)
		add_scatters(b, &computes, stage);
	add_tail(b, &computes, stage);
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

static bool add_messages(struct step_builder *b, size_t stage, size_t type)
{
	const struct step_model *m = b->m;
	const size_t first = step_model_first(m, stage, type), end = step_model_first(m, stage, type + 1);
	const size_t computes = step_model_count(m, stage, compute_of(type));
	const uint32_t compute = (uint32_t)step_model_first(m, stage, compute_of(type));
	const int64_t limit = limit_of(m, stage, type), towards = is_forward(type) == is_recv(type) ? -1 : 1;
	uint32_t inside = 0, number, at;
	int64_t chunk, peer;
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
		/* Connect the message with the computation whose data it moves. */
		at = compute + number;
		if (!is_recv(type))
			add_edge(b, at, (uint32_t)i);
		else
			add_edge(b, (uint32_t)i, at);
		if (is_recv(type) && number)
			add_edge(b, at - 1, (uint32_t)i);
		/* The message has a partner if its other end is a virtual stage of the model. */
		chunk = m->ops[at].chunk > 0 ? m->ops[at].chunk : 0;
		peer = chunk * (int64_t)m->n_stages + (int64_t)stage + towards;
		b->paired[i] = peer >= 0 && peer < b->virtual_stages;
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

/*
 * Puts the n-th operations of a type on the stages 0, `stride`, 2 * stride ... into one group, for each n on the stage
 * that has most of them.
 */
static void add_groups(struct step_builder *b, size_t type, size_t stride, bool all_dps)
{
	const struct step_model *m = b->m;
	uint32_t group = 0;
	size_t stage, n;

	for (n = 0; group != STEP_MODEL_NONE; n++) {
		group = STEP_MODEL_NONE;
		for (stage = 0; stage < m->n_stages; stage += stride) {
			if (n >= step_model_count(m, stage, type))
				continue;
			if (group == STEP_MODEL_NONE)
				group = new_group(b, all_dps);
			b->group[step_model_first(m, stage, type) + n] = group;
		}
	}
}

/* Lists the edges of each operation, and the operations of each group, in ascending order. */
static void link_lists(struct step_builder *b, uint32_t *followers)
{
	struct step_model *m = b->m;
	uint32_t i;

	m->waits = new_list(m->n);
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
 * Reports an operation that waits for itself; returns false. open[i] is the number of operations for which group i
 * still waits; there is a group that can never begin. Goes from a group that cannot begin to one
 * for which it waits, and so on. There is always such a group, and after as many steps as there are
 * groups, the walk is inside a cycle.
 */
static bool refuse_cycle(const struct step_builder *b, const uint32_t *open)
{
	const struct step_model *m = b->m;
	uint32_t group = 0, node = 0, i, e;
	size_t round, stage;

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
	stage = m->ops[node].worker % m->n_stages;
	return refuse(b->why,
	    "operations wait for each other in a cycle, such as %.*s %zu of stage %zu (the first one is 0)",
	    STR_FMT(operation_type_name((enum operation_type)m->ops[node].type)),
	    node - step_model_first(m, stage, m->ops[node].type), stage);
}

/*
 * Sets the lists and the groups of the model. Returns false if operations wait for each other in a
 * cycle. Each group follows all groups for which it waits (the algorithm of Kahn); the time is
 * linear in operations and edges.
 */
static bool order_groups(struct step_builder *b)
{
	struct step_model *m = b->m;
	uint32_t *open = mem_zero(b->n_groups + 1, sizeof *open), *list = mem_alloc((b->n_groups + 1) * sizeof *list);
	uint32_t *followers = new_list(m->n), op, e;
	size_t n = 0, i;
	bool good;

	link_lists(b, followers);
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
	mem_free(open, list, followers);
	return good;
}

/* --- the model --- */

/*
 * Finds the first operation of each stage and type, and numbers the model chunks. The operations
 * are sorted by stage and type, so those of a slot are from first[slot] to before first[slot + 1].
 */
static void number_operations(struct step_builder *b)
{
	struct step_model *m = b->m;
	const size_t slots = m->n_stages * OPERATION_TYPE_N;
	struct map chunks = {0};
	int64_t n_chunks = 1;
	size_t i, slot = 0;

	m->first = mem_alloc((slots + 1) * sizeof *m->first);
	for (i = 0; i < m->n; i++) {
		const struct operation *o = &m->ops[i];

		for (; slot <= o->worker % m->n_stages * OPERATION_TYPE_N + o->type; slot++)
			m->first[slot] = i;
		b->chunk[i] = (uint32_t)map_put(&chunks, STR_BYTES(o->chunk));
		n_chunks = o->chunk >= n_chunks ? o->chunk + INT64_C(1) : n_chunks;
		b->separate |= b->dp_messages && o->type == OPERATION_SEPARATE_GRADS;
	}
	for (; slot <= slots; slot++)
		m->first[slot] = m->n;
	b->n_chunks = chunks.n;
	b->virtual_stages = n_chunks * (int64_t)m->n_stages;
	map_free(&chunks);
}

bool step_model_make(
    struct step_model *m, const struct operation *ops, size_t n, size_t n_stages, bool dp_messages, struct buf *why)
{
	struct step_builder b = {.m = m, .dp_messages = dp_messages, .why = why};
	size_t stage, i;
	bool good;

	m->ops = ops;
	m->n = n;
	m->n_stages = n_stages;
	b.group = new_list(n);
	b.groups = mem_alloc((n + 1) * sizeof *b.groups);
	b.chunk = mem_alloc((n + 1) * sizeof *b.chunk);
	b.paired = mem_zero(n + 1, sizeof *b.paired);
	number_operations(&b);
	good = add_all_messages(&b);
	for (stage = 0; stage < n_stages && good; stage++)
		add_operations(&b, stage);
	/* The messages of the pipeline are in groups. */
	add_groups(&b, OPERATION_CLIP, 1, true);
	add_groups(&b, OPERATION_EMBEDDING_GRADS, n_stages > 1 ? n_stages - 1 : 1, false); /* first and last stage */
	for (i = 0; i < n; i++) {
		const bool of_parameters =
		    ops[i].type >= OPERATION_PARAMS_GATHER && ops[i].type <= OPERATION_SEPARATE_GRADS;

		if (b.group[i] == STEP_MODEL_NONE && (!of_parameters || dp_messages))
			b.group[i] = new_group(&b, of_parameters);
	}
	good = good && order_groups(&b);
	mem_free(b.group, b.groups, b.chunk, b.paired);
	return good;
}

void step_model_free(struct step_model *m)
{
	mem_free(m->edges, m->waits, m->next, m->groups, m->first);
}

/* --- simulation --- */

/*
 * Sets s->begins[i] to the time at which the operations of a group can begin on the i-th simulated
 * DP rank. A group begins when all operations have ended for which one of its members waits;
 * without any, at 0. A group of all DP ranks begins on all of them at the same time.
 */
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
	/* The groups are ordered so that all operations for which a group waits precede it. */
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
	mem_free(s->ends, s->begins);
}
