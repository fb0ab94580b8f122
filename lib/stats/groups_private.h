/* groups_private: the keys of struct groups, shared by the files groups*.c. */
#ifndef GROUPS_PRIVATE_H
#define GROUPS_PRIVATE_H

#include "record/value_ids.h"
#include "stats/groups.h"

struct groups_key {
	struct field field;
	char *spec;    /* text of the key; NULL for the key `cycle` */
	bool subtotal; /* there are subtotals for this key */
	struct value_ids values;
	uint32_t *now; /* ids of the key's values in the current record */
	size_t n, cap;
};

#define GROUPS_ANY UINT32_MAX /* in the tuple of a subtotal: the id for each key that the subtotal lacks */

/* --- groups_order.c --- */

/* Returns how many keys a group has: all of them, unless it is a subtotal. */
size_t groups_count_keys(const struct groups *g, size_t group);

#endif
