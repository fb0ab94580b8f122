/* random_values: a generator of pseudo-random values; python3 code computes the same values. */
#ifndef RANDOM_VALUES_H
#define RANDOM_VALUES_H

#include <stdint.h>

static inline uint64_t random_bits(uint64_t *state)
{
	return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

static inline double random_part(uint64_t *state) /* 0 .. 1 */
{
	return (double)(random_bits(state) >> 11) / 0x1p53;
}

#endif
