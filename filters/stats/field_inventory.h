/* field_inventory: the fields that records have: on which kinds, of what types, how often, and an example. */
#ifndef FIELD_INVENTORY_H
#define FIELD_INVENTORY_H

#include "record/event.h"
#include "record/value_ids.h"
#include "table/table.h"

struct path;

/* Zero-initialise. Memory is that of the distinct paths. */
struct field_inventory {
	struct path *list;
	size_t n, cap;
	struct map children; /* of a path: its number and the key, to the number of the child - 1 */
	struct value_ids kinds;
	struct buf key;
};

/* Notes every member of a record, and below it all that FIELD_INVENTORY_DEPTH levels have. */
void field_inventory_add(struct field_inventory *p, struct event *e);

enum { FIELD_INVENTORY_DEPTH = 32 };

/*
 * A row each: field, kinds, types, count, example; standard members first, the rest by text. `text`: all
 * examples are strings, else they are what they were.
 */
void field_inventory_print(const struct field_inventory *p, struct table *t, bool text);

void field_inventory_free(struct field_inventory *p);

#endif
