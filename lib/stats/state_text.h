/*
 * state_text: the parts of the states in partial results, as JSON: numbers, positions of records, long arrays, and the
 * reasons to refuse a state. Equal states have equal texts, and a state is read by adding it to an empty one.
 */
#ifndef STATE_TEXT_H
#define STATE_TEXT_H

#include "io/out.h"
#include "stats/number.h"

/* Reasons to refuse a partial result that several modules find. */
#define STATE_REFUSED_LINE "not a line of a partial result"
#define STATE_REFUSED_COUNT "a count is absent or not an integer >= 0"
#define STATE_REFUSED_RECORDS "the sum of the counts of records is too large"
#define STATE_REFUSED_VALUES "the sum of the counts of values is too large"

/* Appends a number; a double always has a fraction or an exponent, so that it is not read as an integer. */
void state_number_write(struct buf *object, const char *key, const struct number *n);

/* Reads a number; returns false when the text is anything else, or the number is too large for a double. */
bool state_number_read(struct str text, struct number *n);

/*
 * The position of a record in an input of numbered parts: the number of the part, and the number of the record in that
 * part. Records are ordered by their parts, then by their indexes.
 */
struct record_position {
	uint64_t part, index;
};

static inline bool record_position_before(struct record_position a, struct record_position b)
{
	return a.part != b.part ? a.part < b.part : a.index < b.index;
}

/* Appends an array member of an object: the part, the index, and a value. */
void state_position_write(struct buf *object, const char *key, struct record_position at, struct str value);

/* Reads such an array. Returns false when it is anything else. */
bool state_position_read(struct str array, struct record_position *at, struct str *value);

/*
 * Writes an array whose text may be long. Complete lines of the form {"field":N,"NAME":[...]} go to `out`; the rest
 * becomes a member of an object. Set the first members and zero the others; free `items` and `line` at the end.
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

/* Returns the buffer to which the next item is to be appended. */
struct buf *state_array_item(struct state_array *w);

/* Appends the items that were not written in lines as a member; appends nothing if all were written. */
void state_array_end(struct state_array *w, struct buf *object);

#endif
