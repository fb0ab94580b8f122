/* column_names: the names of the members that records have, in the order in which columns show them. */
#ifndef COLUMN_NAMES_H
#define COLUMN_NAMES_H

#include "record/event.h"
#include "base/map.h"

/* Zero-initialise; column_names_free() it. */
struct column_names {
	struct map names;    /* what column_names_settle() made: numbered in column order */
	bool without_args;   /* args and src are left out: long JSON that no line has room for */
	/* its own */
	struct map seen;
	struct buf text;
};

/* The members of one more record. */
void column_names_see(struct column_names *m, struct str record);

/* All was seen: standard members come as records have them, then others as they first came, then args and src. */
void column_names_settle(struct column_names *m);

/* A key as it stands between its quotes as text: itself, or decoded, until the next call. */
struct str column_names_name(struct column_names *m, struct str key);

/*
 * The number of a name, MAP_NONE for a new one. `guess` is tried first: records of one kind have their members in one
 * order.
 */
size_t column_names_find(const struct column_names *m, struct str name, size_t guess);

/* Whether it is one of those left out. */
bool column_names_skips(const struct column_names *m, struct str name);

void column_names_free(struct column_names *m);

#endif
