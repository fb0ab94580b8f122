/*
 * accumulator_state: writes the state of an accumulator as members of a JSON object, and reads it. Equal states have
 * equal texts.
 */
#ifndef ACCUMULATOR_STATE_H
#define ACCUMULATOR_STATE_H

#include "io/out.h"
#include "stats/accumulator.h"

/*
 * Writes an array whose text may be long. Complete lines of the form {"field":N,"NAME":[...]} go to `out`; the rest
 * becomes a member of an object. Set the first members and zero the others; free `items` at the end.
 */
struct state_array {
	struct out *out;
	size_t field;   /* N */
	uint64_t lines; /* the number of lines that were written */
	/* private */
	const char *name;
	struct buf items, line;
};

void state_array_begin(struct state_array *w, const char *name);

/* To be called before an item is appended to w->items. */
void state_array_item(struct state_array *w);

/* Appends the items that were not written in lines as a member; appends nothing if all were written. */
void state_array_end(struct state_array *w, struct buf *object);

/* Appends the members of the state to `object`. */
void accumulator_put(const struct accumulator *a, struct buf *object, struct state_array *w);

/*
 * Reads one member; an array is added to the items read before. Returns false when there is no such member, or when its
 * value is not possible. For `keep`, see quantile_add_int().
 */
bool accumulator_read(const struct accumulator *a, struct str name, struct str value, size_t keep);

/*
 * To be called after the last member. Returns false when the members contradict each other.
 */
bool accumulator_complete(const struct accumulator *a, size_t keep);

#endif
