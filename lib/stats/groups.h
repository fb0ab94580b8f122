/* groups: which groups a record belongs to, by its keys; groups and their aggregates as rows of a table. */
#ifndef GROUPS_H
#define GROUPS_H

#include "stats/aggregate.h"
#include "table/table.h"

struct groups_key;

/* Zero-initialise. With neither keys nor a cycle there is one group of all records. */
struct groups {
	size_t n;            /* groups; they are numbered 0 .. n-1 in the order they came */
	size_t n_keys;
	/* private */
	struct groups_key *keys;
	size_t keys_cap;
	uint64_t cycle;      /* length of the cycle, 0: none */
	uint64_t records;
	bool each;           /* a key is of several values (`[]`) */
	struct map tuples;   /* groups of several keys, by the numbers of their values */
	uint32_t *tuple;
	uint32_t *found;     /* the current record's groups */
	size_t n_found, found_cap;
	uint64_t *last;      /* by group: ordinal of the last record in it, while `each` */
	size_t last_cap;
};

/* Adds a field as a key, unless it is one already. False as field_compile(). Before groups_cycle(). */
bool groups_add_key(struct groups *g, struct str spec, struct fault *fault);

/*
 * The key `cycle`: the record's ordinal, from 0, modulo `length` (> 0). It has the place of a key of that name, else it
 * is the last.
 */
void groups_cycle(struct groups *g, uint64_t length);

/*
 * The record's groups: how many there are, and their numbers, good until the next call. A new group has
 * the number g->n had. A key with several values puts the record in the group of each, once in each;
 * several such keys in those of all combinations; a key without a value in that of none.
 */
size_t groups_of(struct groups *g, struct event *e, const uint32_t **found);

/* What a group has as a key: v->type is VALUE_NONE when absent. */
void groups_key(const struct groups *g, size_t group, size_t key, struct value *v);

/* The field of a key; NULL for the key `cycle`. */
struct field *groups_key_field(const struct groups *g, size_t key);

/* The name of a key: as the user wrote it. NULL after the last. */
const char *groups_key_name(const struct groups *g, size_t key);

/* What rows are ordered by. */
struct groups_order {
	enum {
		GROUPS_BY_RECORDS, /* how many: falling */
		GROUPS_BY_RESULT,  /* column `which` of the aggregates: numbers falling, then text rising, then absent */
		GROUPS_BY_KEY,     /* key `which`: rising, numbers before text before other values before absent */
	} by;
	size_t which;
	bool then_records; /* equal ones by how many records: falling */
};

/* The group numbers in that order, equal ones by their keys; the caller's to free. */
size_t *groups_sort(const struct groups *g, const struct aggregate_set *a, struct groups_order order);

/* A column for each key, the first ones of the table. */
void groups_columns(const struct groups *g, struct table *t, const struct field_units *given);

/* Their cells. */
void groups_cells(const struct groups *g, struct table *t, size_t group);

/* "(other)" in the first, nothing in the rest. */
void groups_cells_other(const struct groups *g, struct table *t);

/* What kind of column an aggregate's results make. */
enum column_kind groups_column_kind(const struct aggregate_set *a, size_t column, const struct field_units *given);

/* A result as a cell. */
void groups_result(struct table *t, size_t cell, const struct aggregate_result *r);

void groups_free(struct groups *g);

#endif
