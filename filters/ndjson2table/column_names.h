/* column_names: collects the names of the members that records have, in column order. */
#ifndef COLUMN_NAMES_H
#define COLUMN_NAMES_H

#include "base/map.h"
#include "record/event.h"

/*
 * `without_args`: args and src have no columns, because these long JSON texts do not fit on a line. `nested`: members
 * of objects have their own columns, at every level. The name of such a column is a reference: args."External id".
 */
struct column_names *column_names_new(bool without_args, bool nested);
void column_names_free(struct column_names *m);

/*
 * Makes no column for `kind`, whose value is the same in all records of a report. To be called before
 * column_names_see().
 */
void column_names_without_kind(struct column_names *m);

/* Adds the members of one record. */
void column_names_see(struct column_names *m, struct str record);

/*
 * Ends the collection. The order is: standard members in the order of a record, other members in the order of their
 * first occurrence, args, src.
 */
void column_names_settle(struct column_names *m);

/* Call these functions after column_names_settle(). They return the number of columns, and the name of one of them. */
size_t column_names_n(const struct column_names *m);
struct str column_names_get(const struct column_names *m, size_t column);

/*
 * Calls `visit` for each member of a record, except those that were left out. `name` is the name of the column, and
 * `value` is the value as JSON. A member that was not seen by column_names_see() has no column, but is visited too. The
 * views are valid during the call.
 */
typedef void column_names_visitor(void *arg, struct str name, struct str value);
void column_names_visit(struct column_names *m, struct str record, column_names_visitor *visit, void *arg);

/*
 * Returns the column of a name, MAP_NONE for an unknown name. The column `guess` is tried first, since records of one
 * kind have their members in the same order.
 */
size_t column_names_find(const struct column_names *m, struct str name, size_t guess);

#endif
