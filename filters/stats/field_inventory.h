/* field_inventory: lists the fields of records, with their kinds, types, count and an example. */
#ifndef FIELD_INVENTORY_H
#define FIELD_INVENTORY_H

#include "cli/partial.h"
#include "record/event.h"
#include "table/table.h"

/*
 * Memory grows with the number of different fields. `part` is the number of the part of the input that records are
 * added from.
 */
struct field_inventory *field_inventory_new(uint64_t part);
void field_inventory_free(struct field_inventory *inventory);

/* Adds every member of a record, and everything nested in it, up to FIELD_INVENTORY_DEPTH levels deep. */
void field_inventory_add(struct field_inventory *inventory, struct event *e);

enum { FIELD_INVENTORY_DEPTH = 32 };

/* Returns the number of records that were added. */
uint64_t field_inventory_records(const struct field_inventory *inventory);

/*
 * Writes a row for each field: field, kinds, types, count, example; standard members come first, then the other
 * members, sorted by name. If `text` is set, all examples become strings; otherwise they keep their types.
 */
void field_inventory_print(const struct field_inventory *inventory, struct table *t, bool text);

/* The inventory in partial results; the argument of its functions is a struct field_inventory. */
extern const struct partial_state field_inventory_state;

#endif
