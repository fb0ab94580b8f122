/*
 * places: where something runs, as a small number: the values of a few members, such as rank, pid and tid, or rank, dev
 * and stream. Strings are equal when they say the same, however escaped; other values when they are written alike.
 */
#ifndef PLACES_H
#define PLACES_H

#include "base/map.h"
#include "record/event.h"

enum { PLACES_MEMBERS = 3 };

/* Zero-initialise, with `members` for places_put_event() and places_set(); places_free() or keep it. */
struct places {
	enum event_member members[PLACES_MEMBERS];
	size_t n_members;
	size_t n;          /* places are numbered 0 .. n-1 in the order they came */
	/* private */
	struct map keys;
	size_t last;       /* the place that was asked for last, */
	struct str last_key; /* and its key */
	struct buf key, room;
};

/*
 * The number of the place with these n values, which is added when it is new. Values are JSON, p == NULL for an absent
 * one. Places of different n are different, so that one struct can hold threads, processes and ranks.
 */
size_t places_put(struct places *p, const struct str *values, size_t n);

/* The number of a record's place, by p->members. */
size_t places_put_event(struct places *p, struct event *e);

/*
 * The i-th value of a place, p == NULL when it is absent; a string with the fewest escapes. The view lives as long as
 * the places.
 */
struct str places_value(const struct places *p, size_t place, size_t i);

/* Sets p->members of a record that is made to the values of a place. */
void places_set(const struct places *p, size_t place, struct event *e);

void places_free(struct places *p);

/* What two records must have in common to belong together, by the words of the option --scope. */
enum places_scope { PLACES_THREAD, PLACES_PROCESS, PLACES_ANY, PLACES_SCOPES };

/* How many of the values rank, pid and tid make a place of that scope. */
static inline size_t places_scope_values(enum places_scope scope)
{
	return (size_t)(PLACES_SCOPES - scope);
}

#endif
