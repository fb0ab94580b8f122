/* ranked_sums: adds up values by name, and ranks the names by their sums. */
#ifndef RANKED_SUMS_H
#define RANKED_SUMS_H

#include "picture/labels.h"

/* One sum. `whole` is the full name of the first record; `several`: there are records with other full names. */
struct ranked_sum {
	long double value;
	struct str whole;
	bool several;
};

/* Zero-initialise. Free it with ranked_sums_free(). */
struct ranked_sums {
	struct map keys;
	struct ranked_sum *list; /* indexed by key */
	/* private */
	size_t cap;
};

/* Adds a value to the sum of a key, and returns the number of the key. `whole` may be empty. */
size_t ranked_sums_add(struct ranked_sums *s, struct str key, struct str whole, long double value);

/* Returns the numbers of all keys, the largest sum first; equal sums are in the order of input. The caller frees it. */
size_t *ranked_sums_order(const struct ranked_sums *s);

/* Returns the name of a key: its last part, and the full name if all its records have the same full name. */
struct label ranked_sums_label(const struct ranked_sums *s, size_t i);

void ranked_sums_free(struct ranked_sums *s);

/*
 * Keys of several parts, such as a group and a part of it: the parts with a byte between them that no visible text
 * contains. ranked_sums_last() returns the last part, and ranked_sums_first() all others.
 */
enum { RANKED_SUMS_BETWEEN = 0x1f };
struct str ranked_sums_last(struct str key);
struct str ranked_sums_first(struct str key);

#endif
