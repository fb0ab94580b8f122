/* sums: adds up values by name, and ranks the names by their sums. */
#ifndef SUMS_H
#define SUMS_H

#include "picture/labels.h"

/* One sum. `whole` is the full name of the first record; `several`: there are records with other full names. */
struct sum {
	long double value;
	struct str whole;
	bool several;
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

/* Returns the name of a key: its last part, and the full name if all its records have the same full name. */
struct label sums_label(const struct sums *s, size_t i);

void sums_free(struct sums *s);

/*
 * Keys of several parts, such as a group and a part of it: the parts with a byte between them that no visible text
 * contains. sums_last() returns the last part, and sums_first() all others.
 */
enum { SUMS_BETWEEN = 0x1f };
struct str sums_last(struct str key);
struct str sums_first(struct str key);

#endif
