/* num_compare: compares numbers of any length exactly. */
#ifndef NUM_COMPARE_H
#define NUM_COMPARE_H

#include "base/str.h"

/*
 * Compares two of JSON's numbers by value, exactly, whatever their length: < 0, 0, > 0. Only exponents of more than
 * 17 digits are not told apart.
 */
int num_compare(struct str a, struct str b);

#endif
