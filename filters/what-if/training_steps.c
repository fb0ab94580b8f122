#include "training_steps.h"

#include <stdlib.h>

/* Returns whether all DP ranks have the same operations in the step of `n` operations that begins at `ops`. */
static bool is_uniform(const struct training_job *j, const struct operation *ops, size_t n)
{
	const size_t per_dp = n / j->n_dps;
	size_t i;

	if (n % j->n_dps)
		return false;
	for (i = 0; i < n; i++) {
		const struct operation *same = &ops[i % per_dp];

		if (ops[i].type != same->type || ops[i].worker != same->worker + i / per_dp * j->n_stages)
			return false;
	}
	return true;
}

/* Sets *text to the numbers of operations of a DP rank: a list of (worker, type, number). */
static void describe(struct buf *text, const struct operation *ops, size_t n)
{
	uint32_t run[3] = {0};
	size_t i;

	text->n = 0;
	for (i = 0; i <= n; i++) {
		if (run[2] && (i == n || ops[i].worker != run[0] || ops[i].type != run[1])) {
			buf_add(text, run, sizeof run);
			run[2] = 0;
		}
		if (i < n) {
			run[0] = ops[i].worker;
			run[1] = ops[i].type;
			run[2]++;
		}
	}
}

/* The steps by their shapes: what describe() writes. */
struct shapes {
	struct map ids;
	uint64_t *counts;
	uint32_t *of; /* the shape of each step in the list */
	size_t cap, of_cap;
};

static void add_step(struct training_steps *s, struct shapes *shapes, const struct training_job *j, size_t at, size_t n)
{
	const size_t known = shapes->ids.n;
	struct buf text = {0};
	size_t shape;

	describe(&text, &j->ops[at], n / j->n_dps);
	shape = map_put(&shapes->ids, (struct str){text.p, text.n});
	buf_free(&text);
	shapes->counts = mem_grow(shapes->counts, &shapes->cap, shapes->ids.n, sizeof *shapes->counts);
	shapes->of = mem_grow(shapes->of, &shapes->of_cap, s->n + 1, sizeof *shapes->of);
	s->list = mem_grow(s->list, &s->cap, s->n + 1, sizeof *s->list);
	if (shape == known)
		shapes->counts[shape] = 0;
	shapes->counts[shape]++;
	shapes->of[s->n] = (uint32_t)shape;
	s->list[s->n++] = (struct training_step){j->ops[at].step, at};
}

/* Removes the steps of all shapes but the most frequent one. */
static void select_shape(struct training_steps *s, const struct shapes *shapes)
{
	size_t i, best = 0, n = 0;

	for (i = 1; i < shapes->ids.n; i++) {
		if (shapes->counts[i] > shapes->counts[best])
			best = i;
	}
	for (i = 0; i < s->n; i++) {
		if (shapes->of[i] == best)
			s->list[n++] = s->list[i];
		else if (!s->unequal_steps++)
			s->first_steps = s->list[i].step;
	}
	s->n = n;
}

void training_steps_find(struct training_steps *s, const struct training_job *j)
{
	struct shapes shapes = {.cap = 0};
	size_t i, next;

	for (i = 0; i < j->n; i = next) {
		for (next = i; next < j->n && j->ops[next].step == j->ops[i].step; next++)
			;
		if (is_uniform(j, &j->ops[i], next - i))
			add_step(s, &shapes, j, i, next - i);
		else if (!s->unequal_dps++)
			s->first_dps = j->ops[i].step;
	}
	select_shape(s, &shapes);
	if (s->n) {
		for (i = s->list[0].first; i < j->n && j->ops[i].step == s->list[0].step; i++)
			;
		s->per_dp = (i - s->list[0].first) / j->n_dps;
	}
	map_free(&shapes.ids);
	free(shapes.counts);
	free(shapes.of);
}

void training_steps_free(struct training_steps *s)
{
	free(s->list);
}
