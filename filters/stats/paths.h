/* paths: the fields that records have: on which kinds, of what types, how often, and an example. */
#ifndef PATHS_H
#define PATHS_H

#include "record/keys.h"
#include "table/table.h"

struct path;

/* Zero-initialise. Memory is that of the distinct paths. */
struct paths {
	struct path *list;
	size_t n, cap;
	struct map children; /* of a path: its number and the key, to the number of the child - 1 */
	struct keys kinds;
	struct buf key;
};

/* Notes every member of a record, and below it all that PATHS_DEPTH levels have. */
void paths_add(struct paths *p, struct event *e);

enum { PATHS_DEPTH = 32 };

/*
 * A row each: field, kinds, types, count, example; standard members first, the rest by text. `text`: all
 * examples are strings, else they are what they were.
 */
void paths_print(const struct paths *p, struct table *t, bool text);

void paths_free(struct paths *p);

#endif
