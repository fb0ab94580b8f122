/* field_inventory: lists the fields of records, with their kinds, types, count and an example. */
#ifndef FIELD_INVENTORY_H
#define FIELD_INVENTORY_H

#include "record/event.h"
#include "table/table.h"

/* Memory grows with the number of different fields. */
struct field_inventory *field_inventory_new(void);
void field_inventory_free(struct field_inventory *p);

/* Adds every member of a record, and everything nested in it, up to FIELD_INVENTORY_DEPTH levels deep. */
void field_inventory_add(struct field_inventory *p, struct event *e);

enum { FIELD_INVENTORY_DEPTH = 32 };

/*
 * Writes a row for each field: field, kinds, types, count, example; standard members come first, then the other
 * members, sorted by name. If `text` is set, all examples become strings; otherwise they keep their types.
 */
void field_inventory_print(const struct field_inventory *p, struct table *t, bool text);

#endif
