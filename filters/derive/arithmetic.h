/* arithmetic: the operators of expressions. Integers are exact; a result beyond 128 bits is FAILED. */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include "result.h"

/*
 * Each function takes two values that are neither ABSENT nor FAILED, of any type, and returns INT, REAL or FAILED. A
 * double makes the result a double, except that of // and of a division of integers without a rest.
 */
struct result arithmetic_add(const struct result *a, const struct result *b);
struct result arithmetic_subtract(const struct result *a, const struct result *b);
struct result arithmetic_multiply(const struct result *a, const struct result *b);
struct result arithmetic_divide(const struct result *a, const struct result *b);
struct result arithmetic_quotient(const struct result *a, const struct result *b); /* truncates towards zero */
struct result arithmetic_rest(const struct result *a, const struct result *b);     /* has the sign of a */
struct result arithmetic_min(const struct result *a, const struct result *b);
struct result arithmetic_max(const struct result *a, const struct result *b);

/* The same with one value. Rounded doubles are INT if they are within 128 bits; a half is rounded away from zero. */
struct result arithmetic_negate(const struct result *a);
struct result arithmetic_abs(const struct result *a);
struct result arithmetic_round(const struct result *a);
struct result arithmetic_floor(const struct result *a);

/* Compares two numbers exactly: returns < 0, 0 or > 0. */
int arithmetic_compare(const struct result *a, const struct result *b);

/* Returns the double nearest to a / b, the even one of two; b is not 0. */
double arithmetic_ratio(int128 a, int128 b);

#endif
