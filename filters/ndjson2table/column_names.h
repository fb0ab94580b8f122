/* column_names: collects the names of the members that records have, in column order. */
#ifndef COLUMN_NAMES_H
#define COLUMN_NAMES_H

#include "base/map.h"
#include "record/event.h"

/* Zero-initialise and set the first members; column_names_free(). */
struct column_names {
	bool without_args; /* args and src have no columns, because these long JSON texts do not fit on a line */
	bool without_kind; /* `kind` has no column, because its value is the same in all records of a report */
	/* Members of objects have their own columns, at every level, whose names are references: args."External id". */
	bool nested;
	struct map names; /* in column order, after column_names_order() */
	/* private */
	struct map seen;
	struct buf text, path;
};

void column_names_free(struct column_names *m);

/* Adds the members of one record. */
void column_names_see(struct column_names *m, struct str record);

/* Ends the collection. The order is: standard members, other members as they first occurred, args, src. */
void column_names_order(struct column_names *m);

/*
 * Calls `visit` for each member of a record, except those that are left out, with the name of the column and the value
 * as JSON. A member that was not seen by column_names_see() has no column, but is visited too.
 */
typedef void column_names_visitor(void *arg, struct str name, struct str value);
void column_names_visit(struct column_names *m, struct str record, column_names_visitor *visit, void *arg);

/* Returns the column of a name, or MAP_NONE. `guess` is tried first: most records have members in the same order. */
size_t column_names_find(const struct column_names *m, struct str name, size_t guess);

#endif
