/* num_compare: compares numbers of any length exactly. */
#ifndef NUM_COMPARE_H
#define NUM_COMPARE_H

#include "base/int_math.h"
#include "base/str.h"

/*
 * Compares two JSON numbers by value, exactly and at any length: returns < 0, 0 or > 0. Exponents of more than 17
 * digits are treated as equal.
 */
int num_compare(struct str a, struct str b);

/* Compares an integer with a finite double by value, without rounding. */
int num_compare_double(int128 i, double d);

#endif
