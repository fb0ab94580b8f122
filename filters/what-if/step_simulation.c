#include "step_simulation.h"

#include <math.h>

#include <stdlib.h>

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
