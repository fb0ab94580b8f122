/*
 * hash: hashes a text or two numbers with a random key that each process generates, so that nobody can make a trace
 * whose names or ids all have the same hash. No output may depend on the hash.
 */
#ifndef HASH_H
#define HASH_H

#include "base/int_math.h"
#include "base/str.h"

/* The key, generated before main(). No other code writes it. */
extern uint64_t hash_key[4];

/* Loads n bytes; n is 4 or 8. */
static inline uint64_t hash_load(const char *p, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, p, n);
	return v;
}

/* Loads n <= 8 bytes, some of them twice, so that different texts of the same length give different numbers. */
static inline uint64_t hash_load_short(const char *p, size_t n)
{
	if (n >= 4)
		return hash_load(p, 4) | hash_load(p + n - 4, 4) << 32;
	return n ? (uint64_t)(unsigned char)p[0] | (uint64_t)(unsigned char)p[n / 2] << 8 |
		       (uint64_t)(unsigned char)p[n - 1] << 16
		 : 0;
}

/* Returns the xor of the two halves of the 128-bit product a * b. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
	uint128 product = (uint128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * Hashes 16 bytes per step. The two factors contain different parts of the key. Therefore nobody without the key can
 * choose a text for which a factor is 0 or the factors are swapped. The length is mixed in last, with a part of the key
 * that is used for nothing else.
 */
static inline uint64_t hash_str(struct str s)
{
	uint64_t h = hash_key[0];
	const char *p = s.p;
	size_t n = s.n;

	for (; n > 16; n -= 16, p += 16)
		h = hash_fold(hash_load(p, 8) ^ hash_key[1], hash_load(p + 8, 8) ^ h);
	if (n > 8)
		h = hash_fold(hash_load(p, 8) ^ hash_key[1], hash_load(p + n - 8, 8) ^ h);
	else
		h = hash_fold(hash_load_short(p, n) ^ hash_key[1], h);
	return hash_fold(h ^ hash_key[2], s.n ^ hash_key[3]);
}

static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
	return hash_fold(a ^ hash_key[1], b ^ hash_key[0]);
}

#endif
