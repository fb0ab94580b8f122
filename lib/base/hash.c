#define _GNU_SOURCE /* getrandom, getauxval */
#include "base/hash.h"

#include <sys/auxv.h>
#include <sys/random.h>

uint64_t hash_key[4];

/*
 * Generates the key before main(), so that the hash functions need not check whether it exists. If getrandom() fails,
 * which can happen shortly after booting, the key is derived from the 16 random bytes that the kernel gives each
 * process at its start.
 */
__attribute__((constructor)) static void draw_key(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (getrandom(hash_key, sizeof hash_key, GRND_NONBLOCK) == (ssize_t)sizeof hash_key)
		return;
	if (random)
		memcpy(hash_key, random, 16);
	hash_key[2] = hash_fold(hash_key[0] ^ 0x9e3779b97f4a7c15u, hash_key[1] ^ 0xc2b2ae3d27d4eb4fu);
	hash_key[3] = hash_fold(hash_key[1] ^ 0x9e3779b97f4a7c15u, hash_key[2] ^ 0xc2b2ae3d27d4eb4fu);
}
