/* record_place: the place of a record in an input that consists of numbered parts, and its form in partial results. */
#ifndef RECORD_PLACE_H
#define RECORD_PLACE_H

#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The number of the part, and the number of the record in that part. Records are ordered by their parts, then by their
 * indexes.
 */
struct record_place {
	uint64_t part, index;
};

static inline bool record_place_before(struct record_place a, struct record_place b)
{
	return a.part != b.part ? a.part < b.part : a.index < b.index;
}

/* Appends an array member of an object: the part, the index, and a value. */
void record_place_write(struct buf *object, const char *key, struct record_place at, struct str value);

/* Reads such an array. Returns false when it is anything else. */
bool record_place_read(struct str array, struct record_place *at, struct str *value);

#endif
