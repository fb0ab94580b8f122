/* exact_number_private: access to the digits of exact numbers, for exact_number.c and exact_text.c. */
#ifndef EXACT_NUMBER_PRIVATE_H
#define EXACT_NUMBER_PRIVATE_H

#include "stats/exact_number.h"

/* Returns the digit with the weight 2^(32 * place). */
static inline uint32_t exact_digit(const struct exact_number *x, int place)
{
	return place >= x->low && place < x->low + (int)x->n ? x->digits[place - x->low] : 0;
}

/* Returns the place above the highest digit. */
static inline int exact_end(const struct exact_number *x)
{
	return x->low + (int)x->n;
}

/* Copies a number shifted left by 0 to 31 bits; returns the number of digits. `to` has room for one digit more. */
size_t exact_shift(uint32_t *to, const struct exact_number *x, int bits);

#endif
