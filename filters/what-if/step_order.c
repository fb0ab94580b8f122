#include "step_model_private.h"

#include <stdlib.h>

/* Sets m->dep_first and m->deps; leaves out operations without a unit. */
static void list_dependencies(struct step_builder *b)
{
	struct step_model *m = b->m;
	size_t i;

	m->dep_first = mem_zero(m->n + 2, sizeof *m->dep_first);
	m->deps = mem_alloc((b->n_edges + 1) * sizeof *m->deps);
	/*
	 * First dep_first[i + 2] counts the operations that i waits for, then dep_first[i + 1] is where the next goes.
	 */
	for (i = 0; i < b->n_edges; i++)
		m->dep_first[b->edges[i].to + 2]++;
	for (i = 2; i < m->n + 2; i++)
		m->dep_first[i] += m->dep_first[i - 1];
	for (i = 0; i < b->n_edges; i++)
		m->deps[m->dep_first[b->edges[i].to + 1]++] = b->edges[i].from;
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

static void open_units_init(struct open_units *o)
{
	struct step_builder *b = o->b;
	const size_t n = b->m->n;
	size_t i;

	o->open = mem_zero(b->n_units + 1, sizeof *o->open);
	o->out_first = mem_zero(n + 2, sizeof *o->out_first);
	o->out = mem_alloc((b->n_edges + 1) * sizeof *o->out);
	for (i = 0; i < b->n_edges; i++) {
		o->out_first[b->edges[i].from + 2]++;
		o->open[b->unit[b->edges[i].to]]++;
	}
	for (i = 2; i < n + 2; i++)
		o->out_first[i] += o->out_first[i - 1];
	for (i = 0; i < b->n_edges; i++)
		o->out[o->out_first[b->edges[i].from + 1]++] = b->edges[i].to;
}

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

bool step_order_units(struct step_builder *b)
{
	struct open_units o = {.b = b};
	uint32_t *list = mem_alloc((b->n_units + 1) * sizeof *list);
	struct step_unit *units;
	size_t n = 0, i;
	bool good;

	list_dependencies(b);
	o.units = units = list_units(b);
	open_units_init(&o);
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
