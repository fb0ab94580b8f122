#include "expression/running_sums.h"

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
