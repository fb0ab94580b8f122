/* sums: adds up values by name, and ranks the names by their sums. */
#ifndef SUMS_H
#define SUMS_H

#include "base/map.h"
#include "base/mem.h"

/* One sum. `whole` is the full name of the first record; `names` is 2 if records with other full names followed. */
struct sum {
	long double value;
	uint64_t records;
	char *whole;
	size_t whole_n;
	int names;
};

/* Zero-initialise. Free it with sums_free(). */
struct sums {
	struct map keys;
	struct sum *list; /* indexed by key */
	/* private */
	size_t cap;
};

/* Adds a value to the sum of a key, and returns the number of the key. `whole` may be empty. */
size_t sums_add(struct sums *s, struct str key, struct str whole, long double value);

/* Returns the numbers of all keys, the largest sum first; equal sums are in the order of input. The caller frees it. */
size_t *sums_rank(const struct sums *s);

/* Returns the full name of a key, if all its records have the same full name, otherwise `brief`. */
struct str sums_whole(const struct sums *s, size_t i, struct str brief);

void sums_free(struct sums *s);

/*
 * Keys of several parts, such as a group and a part of it: the parts with a byte between them that no visible text
 * contains. sums_last() returns the last part, and sums_first() all others.
 */
enum { SUMS_BETWEEN = 0x1f };
struct str sums_last(struct str key);
struct str sums_first(struct str key);

#endif
