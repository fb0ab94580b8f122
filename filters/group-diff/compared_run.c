#include "compared_run.h"

#include <stdlib.h>

struct compared_item {
	/* of the records outside steps and in steps */
	uint64_t counts[2];
	struct accumulator_numbers totals[2];
	double *values; /* by step; exact for integers up to 2^53, which is 104 days in ns */
	size_t n;       /* the values after that of the last step are 0 */
};

void compared_run_add(struct compared_run *r, size_t item, uint64_t count, const struct value *v, size_t step)
{
	const bool inside = step != COMPARED_RUN_NO_STEP;
	struct compared_item *i;

	r->items = mem_grow_zero(r->items, &r->n, item + 1, sizeof *r->items);
	i = &r->items[item];
	i->counts[inside] += count;
	if (v->type == VALUE_INT)
		accumulator_add_int(&i->totals[inside], v->i);
	else
		accumulator_add_real(&i->totals[inside], v);
	if (!inside)
		return;
	i->values = mem_grow_zero(i->values, &i->n, step + 1, sizeof *i->values);
	i->values[step] += v->d;
	if (!r->divided)
		return;
	r->by_step = mem_grow_zero(r->by_step, &r->n_by_step, step + 1, sizeof *r->by_step);
	compared_run_add(&r->by_step[step], item, count, v, COMPARED_RUN_NO_STEP);
}

struct difference_side compared_run_side(const struct compared_run *r, size_t item, bool per_step)
{
	struct difference_side side = {0, per_step && r->steps.n ? r->steps.n : 1, number_of_int(0)};
	struct accumulator_numbers all = {0};
	struct exact_number sum;
	int i;

	if (item >= r->n)
		return side;
	for (i = per_step; i < 2; i++) {
		side.count += r->items[item].counts[i];
		accumulator_merge(&(struct accumulator){.numbers = &all},
		    &(struct accumulator){.numbers = &r->items[item].totals[i]}, 0);
	}
	accumulator_sum(&all, &sum);
	side.total.whole = exact_get_int(&sum, &side.total.i);
	if (!side.total.whole)
		side.total = number_of_real(exact_double(&sum));
	accumulator_free(&(struct accumulator){.numbers = &all});
	return side;
}

size_t compared_run_values(const struct compared_run *r, size_t item, double *values)
{
	const struct compared_item *i = item < r->n ? &r->items[item] : NULL;
	const size_t first = r->first_left_out;
	size_t step;

	for (step = first; step < r->steps.n; step++)
		values[step - first] = i && step < i->n ? i->values[step] : 0;
	return r->steps.n - (r->steps.n ? first : 0);
}

void compared_run_clear(struct compared_run *r)
{
	const struct compared_run empty = {.divided = r->divided, .any = r->any};

	compared_run_free(r);
	*r = empty;
}

void compared_run_free(struct compared_run *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		accumulator_free(&(struct accumulator){.numbers = &r->items[i].totals[0]});
		accumulator_free(&(struct accumulator){.numbers = &r->items[i].totals[1]});
		free(r->items[i].values);
	}
	for (i = 0; i < r->n_by_step; i++)
		compared_run_free(&r->by_step[i]);
	mem_free(r->by_step, r->items);
	value_ids_free(&r->steps);
}
