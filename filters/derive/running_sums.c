#include "running_sums.h"

#include "arithmetic.h"

#include <stdlib.h>

void running_sums_free(struct running_sums *s)
{
	free(s->list);
	*s = (struct running_sums){0};
}

static void add_groups(struct running_sums *s, size_t n)
{
	s->list = mem_grow(s->list, &s->cap, n * s->n, sizeof *s->list);
	memset(&s->list[s->n_groups * s->n], 0, (n - s->n_groups) * s->n * sizeof *s->list);
	s->n_groups = n;
}

struct result running_sums_add(struct running_sums *s, size_t group, size_t i, const struct result *value)
{
	struct running_sum *sum;
	struct result number, total;

	if (value->type == RESULT_ABSENT)
		return *value;
	number = result_as_number(value);
	if (number.type == RESULT_FAILED)
		return number;
	if (group >= s->n_groups)
		add_groups(s, group + 1);
	sum = &s->list[group * s->n + i];
	total = sum->real ? result_real(sum->d) : result_int(sum->i);
	total = arithmetic_add(&total, &number);
	if (total.type != RESULT_FAILED)
		*sum = (struct running_sum){total.type == RESULT_REAL, total.i, total.d};
	return total;
}
