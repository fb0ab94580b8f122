#include "step_model_private.h"

#include <stdlib.h>

/* The clocks of the stages may differ by this much, in ns. */
enum { TOLERANCE = 50000 };

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
		t = is_recv(type) ? m->ops[i].ts : step_builder_end(&m->ops[i]);
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
	return is_recv(o->type) ? o->ts > limit : step_builder_end(o) < limit;
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
		step_builder_wait(b, message, compute);
		if (!is_first)
			step_builder_wait(b, compute - 1, message);
	} else {
		step_builder_wait(b, compute, message);
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
		b->unit[i] = step_builder_unit(b, false);
		if (i > first)
			step_builder_wait(b, (uint32_t)i - 1, (uint32_t)i);
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

bool step_messages_add(struct step_builder *b)
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
