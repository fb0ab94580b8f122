/* state_text: the position of a record in an input of numbered parts, and its form in partial results. */
#ifndef STATE_TEXT_H
#define STATE_TEXT_H

#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The number of the part, and the number of the record in that part. Records are ordered by their parts, then by their
 * indexes.
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

#endif
