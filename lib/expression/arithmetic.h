/*
 * arithmetic: the operators of expressions. A result of integers is exact if it is an integer that fits in 128 bits.
 * Any other result is rounded once to the nearest double, and FAILED if it is too large for a double.
 */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include "expression/result.h"

/* All operands are INT or REAL. The result is a double if one of them is; the exceptions are described below. */
operation arithmetic_add, arithmetic_subtract, arithmetic_multiply;
operation arithmetic_divide;              /* the quotient; a double if the division leaves a remainder */
operation arithmetic_quotient;            /* the quotient, truncated towards zero */
operation arithmetic_rest;                /* the remainder; its sign is that of a */
operation arithmetic_min, arithmetic_max; /* the result has the type of the smaller or larger number */

/* Operators with one operand; arithmetic_round() rounds halves away from zero. */
operation arithmetic_negate, arithmetic_abs, arithmetic_round, arithmetic_floor;

/* Compares two numbers exactly: returns < 0, 0 or > 0. */
int arithmetic_compare(const struct result *a, const struct result *b);

#endif
