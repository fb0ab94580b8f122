/* field_inventory: the fields that records have: on which kinds, of what types, how often, and an example. */
#ifndef FIELD_INVENTORY_H
#define FIELD_INVENTORY_H

#include "record/event.h"
#include "table/table.h"

/* Memory is that of the distinct fields. */
struct field_inventory *field_inventory_new(void);
void field_inventory_free(struct field_inventory *p);

/* Notes every member of a record, and below it all that FIELD_INVENTORY_DEPTH levels have. */
void field_inventory_add(struct field_inventory *p, struct event *e);

enum { FIELD_INVENTORY_DEPTH = 32 };

/*
 * A row each: field, kinds, types, count, example; standard members first, the rest by text. `text`: all
 * examples are strings, else they are what they were.
 */
void field_inventory_print(const struct field_inventory *p, struct table *t, bool text);

#endif
