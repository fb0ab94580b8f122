/*
 * row_table: stores rows, which are byte strings, under keys. A key and its row are next to each other, so that a
 * search needs only two places in memory, which matters if the table is larger than the caches.
 */
#ifndef ROW_TABLE_H
#define ROW_TABLE_H

#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialise; row_table_free(). */
struct row_table {
	size_t n; /* number of keys */
	/* private */
	struct row_table_slot *slots;
	size_t mask;
	struct row_table_block *blocks; /* with the keys and rows */
	size_t n_blocks, blocks_cap;
};

void row_table_free(struct row_table *t);

/*
 * Stores a row; the key and the row have less than 4 GiB. If the key has a row already, replaces it if `replace` is
 * set; otherwise keeps it. Returns false if all rows need more than 32 GiB.
 */
bool row_table_put(struct row_table *t, struct str key, struct str row, bool replace);

/*
 * A search in three steps. The first two start to load what the next one needs, so that a program that works between
 * them does not wait for the memory. No row may be stored between them.
 */
struct row_table_search {
	uint32_t hash;
	const char *entry; /* the first one with this hash */
};

void row_table_begin(const struct row_table *t, struct row_table_search *s, struct str key);
void row_table_advance(const struct row_table *t, struct row_table_search *s);

/*
 * Returns the row of the key, or p == NULL if no row has it; SCAN_PAD readable bytes follow it. The view is valid until
 * the next row_table_put().
 */
struct str row_table_end(const struct row_table *t, const struct row_table_search *s, struct str key);

#endif
