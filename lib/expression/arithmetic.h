/*
 * arithmetic: the operators of expressions. A result of integers is exact if it is an integer that fits in 128 bits.
 * Any other result is rounded once to the nearest double, and FAILED if it is too large for a double.
 */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include "expression/result.h"

/*
 * Each function takes two values of any type except ABSENT and FAILED, and returns INT, REAL or FAILED. The result is a
 * double if one of the numbers is a double; the exceptions are described below.
 */
struct result arithmetic_add(const struct result *a, const struct result *b);
struct result arithmetic_subtract(const struct result *a, const struct result *b);
struct result arithmetic_multiply(const struct result *a, const struct result *b);
/* the quotient; a double if the division leaves a remainder */
struct result arithmetic_divide(const struct result *a, const struct result *b);
/* the quotient, truncated towards zero */
struct result arithmetic_quotient(const struct result *a, const struct result *b);
struct result arithmetic_rest(
    const struct result *a, const struct result *b); /* the remainder; its sign is that of a */
/* the result has the type of the smaller number */
struct result arithmetic_min(const struct result *a, const struct result *b);
/* the result has the type of the larger number */
struct result arithmetic_max(const struct result *a, const struct result *b);

/*
 * Operators with one operand; they take and return the same types as the functions above. arithmetic_round() rounds
 * halves away from zero.
 */
struct result arithmetic_negate(const struct result *a);
struct result arithmetic_abs(const struct result *a);
struct result arithmetic_round(const struct result *a);
struct result arithmetic_floor(const struct result *a);

/* Compares two numbers exactly: returns < 0, 0 or > 0. */
int arithmetic_compare(const struct result *a, const struct result *b);

#endif
