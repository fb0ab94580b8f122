#include "compared_run.h"

#include <stdlib.h>

struct compared_item {
	uint64_t count;
	struct accumulator_numbers total;
	double *values; /* by step; exact for integers up to 2^53, which is 104 days in ns */
	size_t n, cap;
};

void compared_run_add(struct compared_run *r, size_t item, uint64_t count, const struct value *v, size_t step)
{
	struct compared_item *i;

	if (item >= r->n) {
		r->items = mem_grow_zero(r->items, &r->cap, item + 1, sizeof *r->items);
		r->n = item + 1;
	}
	i = &r->items[item];
	i->count += count;
	if (v->type == VALUE_INT)
		accumulator_add_int(&i->total, v->i);
	else
		accumulator_add_real(&i->total, v);
	if (step == COMPARED_RUN_NO_STEP)
		return;
	if (step >= i->n) {
		i->values = mem_grow_zero(i->values, &i->cap, step + 1, sizeof *i->values);
		i->n = step + 1;
	}
	i->values[step] += v->d;
}

struct difference_side compared_run_side(const struct compared_run *r, size_t item)
{
	struct difference_side side = {0, r->steps.n ? r->steps.n : 1, number_of_int(0)};
	struct exact_number sum;

	if (item >= r->n)
		return side;
	side.count = r->items[item].count;
	accumulator_sum(&r->items[item].total, &sum);
	side.total.whole = exact_get_int(&sum, &side.total.i);
	if (!side.total.whole)
		side.total = number_of_real(exact_double(&sum));
	return side;
}

void compared_run_values(const struct compared_run *r, size_t item, double *values)
{
	const struct compared_item *i = item < r->n ? &r->items[item] : NULL;
	size_t step;

	for (step = 0; step < r->steps.n; step++)
		values[step] = i && step < i->n ? i->values[step] : 0;
}

void compared_run_free(struct compared_run *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		accumulator_free(&(struct accumulator){.numbers = &r->items[i].total});
		free(r->items[i].values);
	}
	free(r->items);
	value_ids_free(&r->steps);
}
