/* members: the names of the members that records have, in the order in which columns show them. */
#ifndef MEMBERS_H
#define MEMBERS_H

#include "record/event.h"
#include "base/map.h"

/* Zero-initialise; members_free() it. */
struct members {
	struct map names;    /* what members_settle() made: numbered in column order */
	bool without_args;   /* args and src are left out: long JSON that no line has room for */
	/* its own */
	struct map seen;
	struct buf text;
};

/* The members of one more record. */
void members_see(struct members *m, struct str record);

/* All was seen: standard members come as records have them, then others as they first came, then args and src. */
void members_settle(struct members *m);

/* A key as it stands between its quotes as text: itself, or decoded, until the next call. */
struct str members_name(struct members *m, struct str key);

/*
 * The number of a name, MAP_NONE for a new one. `guess` is tried first: records of one kind have their members in one
 * order.
 */
size_t members_find(const struct members *m, struct str name, size_t guess);

/* Whether it is one of those left out. */
bool members_skips(const struct members *m, struct str name);

void members_free(struct members *m);

#endif
