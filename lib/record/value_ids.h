/* value_ids: JSON values as small dense numbers, equal by type and text: what groups, joins and counts compare. */
#ifndef VALUE_IDS_H
#define VALUE_IDS_H

#include "base/map.h"
#include "base/mem.h"

/* Zero-initialise; value_ids_free() or keep it. */
struct value_ids {
	size_t n;          /* how many values; they are numbered 0 .. n-1 in the order they came */
	/* private */
	struct map texts;  /* as written: "A" and "\u0041" are two texts of one value */
	uint32_t *value_of; /* by text: the number of its value */
	uint32_t *text_of; /* by value: its text */
	size_t values_cap, texts_cap;
	struct buf canonical, room; /* of the string being added */
};

/*
 * The number of a value, added when it is new. Strings compare by what they say, however escaped;
 * all else as it is written, so that 1, 1.0 and "1" are three. An empty text, an absent value, is
 * one of its own.
 */
size_t value_ids_put(struct value_ids *k, struct str json);

/* The text of a value, lives as long as the keys; of several for a string the one with fewest escapes. */
struct str value_ids_text(const struct value_ids *k, size_t value);

void value_ids_free(struct value_ids *k);

#endif
