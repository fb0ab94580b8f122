/* column_names: the names of the members that records have, in the order in which columns show them. */
#ifndef COLUMN_NAMES_H
#define COLUMN_NAMES_H

#include "base/map.h"
#include "record/event.h"

/* `without_args`: args and src are left out, long JSON that no line has room for. */
struct column_names *column_names_new(bool without_args);
void column_names_free(struct column_names *m);

/* The members of one more record. */
void column_names_see(struct column_names *m, struct str record);

/* All was seen: standard members come as records have them, then others as they first came, then args and src. */
void column_names_settle(struct column_names *m);

/* How many names column_names_settle() made, and each of them in the order of the columns. */
size_t column_names_n(const struct column_names *m);
struct str column_names_get(const struct column_names *m, size_t column);

/* A key as it stands between its quotes as text: itself, or decoded, until the next call. */
struct str column_names_name(struct column_names *m, struct str key);

/*
 * The number of a name, MAP_NONE for a new one. `guess` is tried first: records of one kind have their members in one
 * order.
 */
size_t column_names_find(const struct column_names *m, struct str name, size_t guess);

/* Whether it is one of those left out. */
bool column_names_skips(const struct column_names *m, struct str name);

#endif
