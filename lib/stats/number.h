/* number: an integer of up to 128 bits, or a double; the numbers that are exact in sums, minimum, maximum and order. */
#ifndef NUMBER_H
#define NUMBER_H

#include "base/num_decimal.h"
#include "base/num_parse.h"
#include "json/value.h"
#include "stats/exact_number.h"

struct number {
	int128 i; /* if `whole` is set */
	double d; /* otherwise; it is finite */
	bool whole;
};

static inline struct number number_of_int(int128 i)
{
	return (struct number){.i = i, .whole = true};
}

static inline struct number number_of_real(double d)
{
	return (struct number){.d = d};
}

/* Returns the number of a VALUE_INT or VALUE_REAL. */
static inline struct number number_of(const struct value *v)
{
	struct number n = number_of_real(v->d);

	if (v->type == VALUE_INT)
		return number_of_int(v->i);
	n.whole = v->wide && num_int128(v->text, &n.i);
	return n;
}

/* Returns the nearest double. */
static inline double number_double(const struct number *n)
{
	return n->whole ? (double)n->i : n->d;
}

static inline int number_compare(const struct number *a, const struct number *b)
{
	if (a->whole)
		return b->whole ? (a->i > b->i) - (a->i < b->i) : num_compare_double(a->i, b->d);
	return b->whole ? -num_compare_double(b->i, a->d) : (a->d > b->d) - (a->d < b->d);
}

static inline void number_exact(const struct number *n, struct exact_number *x)
{
	if (n->whole)
		exact_int(x, n->i);
	else
		exact_real(x, n->d);
}

#endif
