/*
 * places: assigns numbers to combinations of the values of a few members, such as rank, pid and tid (a thread), or
 * rank, dev and stream. Strings are equal when their decoded texts are equal, and integers of 64 bits when their values
 * are equal: 1, 1.0 and 1e0 are one value, and "1" is another. Other values are equal when their JSON texts are equal,
 * because an id is never rounded.
 */
#ifndef PLACES_H
#define PLACES_H

#include "base/map.h"
#include "record/event.h"

enum { PLACES_MEMBERS = 3 };

/* Zero-initialise, and set `members` for places_put_event() and places_set(). places_free(). */
struct places {
	enum event_member members[PLACES_MEMBERS];
	size_t n_members;
	size_t n; /* places are numbered 0 .. n-1 in the order in which they were added */
	/* private */
	struct map keys;
	size_t last;         /* the place that was returned last */
	struct str last_key; /* the key of that place */
	struct buf key, room;
};

/*
 * Returns the number of the place with these n values; adds the place when it is new. Each value is JSON text, or p ==
 * NULL if it is absent. Places with different numbers of values are different, so one struct can hold threads,
 * processes and ranks.
 */
size_t places_put(struct places *p, const struct str *values, size_t n);

/* Returns the number of the place that the members p->members of a record define; adds the place when it is new. */
size_t places_put_event(struct places *p, struct event *e);

/*
 * Returns the i-th value of a place: a string with the fewest escapes, an integer in digits; p is NULL if it is absent.
 * Valid as long as *p.
 */
struct str places_value(const struct places *p, size_t place, size_t i);

/* Sets the members p->members of a record to the values of a place. */
void places_set(const struct places *p, size_t place, struct event *e);

void places_free(struct places *p);

/*
 * The records that belong together: all records of a thread, of a process, or of a rank (PLACES_ANY). The values are in
 * the order of the words of the option --scope.
 */
enum places_scope { PLACES_THREAD, PLACES_PROCESS, PLACES_ANY, PLACES_SCOPES };

/* Returns the number of values that define a place of a scope: 3 (rank, pid and tid), 2 (rank and pid) or 1 (rank). */
static inline size_t places_scope_values(enum places_scope scope)
{
	return (size_t)(PLACES_SCOPES - scope);
}

#endif
