/*
 * exact_number: exact arithmetic on numbers as large and as fine as the sums of products of two doubles. Only the
 * conversion of a result to a double rounds, once and to the nearest double, in the same way on all machines.
 */
#ifndef EXACT_NUMBER_H
#define EXACT_NUMBER_H

#include "base/int_math.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>

/*
 * The products of two doubles are multiples of 2^-2148 and less than 2^2048. The digits of a sum of 2^64 of them,
 * multiplied by a count, are fewer than this.
 */
enum { EXACT_DIGITS = 160 };

/* The sum of digits[i] * 2^(32 * (low + i)). */
struct exact_number {
	/* private */
	bool negative; /* false for 0 */
	int low;
	size_t n; /* 0 for the number 0; otherwise digits[0] and digits[n - 1] are not 0 */
	uint32_t digits[EXACT_DIGITS];
};

void exact_int(struct exact_number *x, int128 v);

/* Sets *x to the integer high * 2^128 + low. */
void exact_wide(struct exact_number *x, uint64_t high, uint128 low);

/* Sets *x to the sum of chunks[i] * 2^(32 * (low + i)), which has at most EXACT_DIGITS digits. */
void exact_set_signed(struct exact_number *x, int low, const int128 *chunks, size_t n);

/* Gets the value of an integer of up to 128 bits; returns false for any other number. */
bool exact_get_int(const struct exact_number *x, int128 *v);

/* v must be finite. */
void exact_real(struct exact_number *x, double v);

/* These functions need a result with at most EXACT_DIGITS digits. `product` is neither a nor b. */
void exact_add(struct exact_number *to, const struct exact_number *x);
void exact_subtract(struct exact_number *from, const struct exact_number *x);
void exact_multiply(struct exact_number *product, const struct exact_number *a, const struct exact_number *b);

/* Returns -1, 0 or 1. */
int exact_sign(const struct exact_number *x);

/*
 * Return the nearest double of x, of x / y, and of the square root of x / y. y must not be 0; x / y of a root is >= 0.
 */
double exact_double(const struct exact_number *x);
double exact_ratio(const struct exact_number *x, const struct exact_number *y);
double exact_root(const struct exact_number *x, const struct exact_number *y);

/*
 * Appends an array: the place of the lowest digit, then all digits, each with the sign of the number.
 * [-1,2147483648] is 0.5, [0,-3] is -3, and [] is 0.
 */
void exact_write(struct buf *object, const char *key, const struct exact_number *x);

#endif
