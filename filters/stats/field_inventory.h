/* field_inventory: lists the fields of records (--fields), with their kinds, types, count and an example. */
#ifndef FIELD_INVENTORY_H
#define FIELD_INVENTORY_H

#include "program/group_report.h"
#include "program/partial.h"

/* Reads all records, or partial results, and prints the fields or a partial result. Returns the exit status. */
int field_inventory_report(struct group_report *r);

/*
 * An inventory. Memory grows with the number of different fields; members are listed up to FIELD_INVENTORY_DEPTH levels
 * deep. `part` is the number of the part of the input that records are added from.
 */
struct field_inventory *field_inventory_new(uint64_t part);
void field_inventory_free(struct field_inventory *inventory);

enum { FIELD_INVENTORY_DEPTH = 32 };

/*
 * Writes a row for each field: field, kinds, types, count, example; standard members come first, then the other
 * members, sorted by name. If `text` is set, all examples become strings; otherwise they keep their types.
 */
void field_inventory_print(const struct field_inventory *inventory, struct table *t, bool text);

/* The inventory in partial results; the argument of its functions is a struct field_inventory. */
extern const struct partial_state field_inventory_state;

#endif
