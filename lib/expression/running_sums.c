#include "expression/running_sums.h"

#include <stdlib.h>

struct result running_sum_add(struct running_sum *s, const struct result *value)
{
	const struct result number = result_as_number(value);
	int128 total;

	if (number.type == RESULT_REAL) {
		exact_sum_add(&s->others, number.d);
		s->real = true;
	} else if (number.type == RESULT_INT) {
		if (__builtin_add_overflow(s->i, number.i, &total)) {
			exact_sum_add_int(&s->others, s->i);
			total = number.i;
		}
		s->i = total;
	}
	return number;
}

struct result running_sum_get(const struct running_sum *s)
{
	struct exact_number sum, integers;
	int128 whole;

	if (!s->real && !s->others.n)
		return result_int(s->i);
	exact_sum_get(&s->others, &sum);
	exact_int(&integers, s->i);
	exact_add(&sum, &integers);
	if (!s->real && exact_get_int(&sum, &whole))
		return result_int(whole);
	return result_real(exact_double(&sum));
}

void running_sum_free(struct running_sum *s)
{
	exact_sum_free(&s->others);
}

void running_sums_free(struct running_sums *s)
{
	size_t i;

	for (i = 0; i < s->n_groups * s->n; i++)
		running_sum_free(&s->list[i]);
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
	struct result number;

	if (value->type == RESULT_ABSENT)
		return *value;
	if (group >= s->n_groups)
		add_groups(s, group + 1);
	number = running_sum_add(&s->list[group * s->n + i], value);
	return number.type == RESULT_FAILED ? number : running_sum_get(&s->list[group * s->n + i]);
}
