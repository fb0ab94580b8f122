/* groups: finds the groups of a record from the values of its keys, and writes groups as rows of a table. */
#ifndef GROUPS_H
#define GROUPS_H

#include "stats/aggregate.h"
#include "table/table.h"

struct groups_key;

/* Zero-initialise. If there are neither keys nor a cycle, all records are in one group. */
struct groups {
	size_t n; /* number of groups; they are numbered 0 .. n-1 in the order in which they were found */
	size_t n_keys;
	/* private */
	struct groups_key *keys;
	size_t keys_cap;
	uint64_t cycle; /* length of the cycle; 0: no cycle */
	uint64_t records;
	size_t n_subtotals; /* number of keys for which groups_subtotal() was called */
	bool each;          /* at least one key can have several values (`[]`) */
	struct map tuples;  /* if there are several keys: maps the ids of their values to groups */
	uint32_t *tuple;
	uint32_t *found; /* the current record's groups */
	size_t n_found, found_cap;
	uint64_t *last; /* for each group: index + 1 of its last record; used only if `each` is set */
	size_t last_cap;
};

/* Adds a field as a key, unless it was added before. Returns false and sets *fault when it is not valid. */
bool groups_add_key(struct groups *g, struct str spec, struct fault *fault);

/*
 * Adds the last key, `cycle`, or replaces the key of that name; to be called after groups_add_key(). Its value is the
 * index of the record, from 0, modulo `length` (> 0).
 */
void groups_cycle(struct groups *g, uint64_t length);

/*
 * Requests subtotals for a key: groups of all records that have the same values of this key and of all keys before it.
 * Each record is then in a subtotal as well as in its own group. Returns false if there is no key of that name, or if
 * it is the last key. To be called after all keys were added.
 */
bool groups_subtotal(struct groups *g, struct str name);

/*
 * Finds the groups of a record and returns their number. *found is the list of their numbers, valid until the next
 * call. A new group gets the next number, g->n. If a key has several values, the record is in the group of each value,
 * but only once in each; if several keys have several values, it is in the groups of all combinations. If a record has
 * no value for a key, it is in the group for an absent value.
 */
size_t groups_of(struct groups *g, struct event *e, const uint32_t **found);

/*
 * Gets the value of a key in a group. v->type is VALUE_NONE when the value is absent, or when the group is a subtotal
 * without this key.
 */
void groups_key(const struct groups *g, size_t group, size_t key, struct value *v);

/* Returns the field of a key; NULL for the key `cycle`. */
struct field *groups_key_field(const struct groups *g, size_t key);

/* Returns the name of the key with the index `key`, as the user wrote it, or NULL after the last key. */
const char *groups_key_name(const struct groups *g, size_t key);

/* The order of rows. */
struct groups_order {
	enum {
		GROUPS_BY_RECORDS, /* number of records, descending */
		GROUPS_BY_RESULT,  /* by column `which`: numbers, descending; text, ascending; absent results */
		GROUPS_BY_KEY,     /* by key `which`, ascending: numbers, text, other values, absent ones */
	} by;
	size_t which;
	bool then_records; /* break ties by number of records, descending */
};

#define GROUPS_NONE SIZE_MAX

/*
 * Returns for each group the index of the smallest subtotal that contains it, or GROUPS_NONE; NULL if there are no
 * subtotals. The caller frees the list.
 */
size_t *groups_parents(const struct groups *g);

/* Returns the level of a group: 1 for the outermost subtotals, 2 for their groups; 1 if there are no subtotals. */
size_t groups_level(const struct groups *g, size_t group);

/*
 * Returns the numbers of all groups, sorted by `order`, then by their keys; the caller frees the list. `parents` is the
 * result of groups_parents(): if it is not NULL, each subtotal precedes the groups that belong to it.
 */
size_t *groups_sort(
    const struct groups *g, const struct aggregate_set *a, struct groups_order order, const size_t *parents);

/*
 * Adds a column for each key. They must be the first columns of the table. For source and given, see
 * column_meaning_of().
 */
void groups_columns(
    const struct groups *g, struct table *t, const struct source_kind *source, const struct field_units *given);

/*
 * Sets the cells of the key columns to the keys of a group. With `human`, the cells of keys that a subtotal lacks get
 * an empty text. The group GROUPS_NONE is all others: the first cell gets "(other)", the other cells an empty text.
 */
void groups_cells(const struct groups *g, struct table *t, size_t group, bool human);

/* Returns the meaning of the column for an aggregate's results. For source and given, see column_meaning_of(). */
struct column_meaning groups_column_meaning(
    const struct aggregate_set *a, size_t column, const struct source_kind *source, const struct field_units *given);

/* Sets a cell to the result of an aggregate. Returns false if it is beyond the range of double, and so absent. */
bool groups_result(struct table *t, size_t cell, const struct aggregate_set *a, size_t column, size_t group);

/* --- in partial results --- */

/* Appends the members "keys" and "subtotals" to an object: the fields that are keys, as the user wrote them. */
void groups_write_question(const struct groups *g, struct buf *object);

/* Adds these keys and subtotals to empty groups. Returns false when the arrays contain anything else. */
bool groups_read_question(struct groups *g, struct str keys, struct str subtotals);

/*
 * Appends the member "key": an array with the value of each key, null for an absent one. The array of a subtotal has
 * only the values of the keys that the subtotal has.
 */
void groups_key_write(const struct groups *g, size_t group, struct buf *object);

/* Returns the group with the keys in an array, which may be new, or GROUPS_NONE if these are not keys of a group. */
size_t groups_key_read(struct groups *g, struct str array);

/*
 * Sets *parent to the smallest subtotal that contains a group, or to GROUPS_NONE if there are no such subtotals.
 * Returns false when the subtotal is missing; this is possible only if the groups were read.
 */
bool groups_parent(const struct groups *g, size_t group, size_t *parent);

/* Returns the numbers of all groups, sorted by their keys; a subtotal follows its groups. The caller frees the list. */
size_t *groups_sort_keys(const struct groups *g);

void groups_free(struct groups *g);

#endif
