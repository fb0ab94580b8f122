/* groups_state: writes the keys of groups as JSON, and finds or adds groups by keys read from JSON. */
#ifndef GROUPS_STATE_H
#define GROUPS_STATE_H

#include "stats/groups.h"

/* Appends the members "keys" and "subtotals" to an object: the fields that are keys, as the user wrote them. */
void groups_ask_write(const struct groups *g, struct buf *object);

/* Adds these keys and subtotals to empty groups. Returns false when the arrays contain anything else. */
bool groups_ask_read(struct groups *g, struct str keys, struct str subtotals);

/*
 * Appends the member "key": an array with the value of each key, null for an absent one. The array of a subtotal has
 * only the values of the keys that the subtotal has.
 */
void groups_key_write(const struct groups *g, size_t group, struct buf *object);

/*
 * Returns the number of the group with the keys in an array; adds it if it is new. GROUPS_NONE: not the keys of a
 * group.
 */
size_t groups_key_read(struct groups *g, struct str array);

/*
 * Sets *parent to the smallest subtotal that contains a group, or to GROUPS_NONE if there are no such subtotals.
 * Returns false when the subtotal is missing; this is possible only if the groups were read.
 */
bool groups_parent(const struct groups *g, size_t group, size_t *parent);

/* Returns the numbers of all groups, sorted by their keys; a subtotal follows its groups. The caller frees the list. */
size_t *groups_sort_keys(const struct groups *g);

#endif
