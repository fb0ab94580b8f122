/*
 * value_ids: assigns numbers 0, 1, 2 ... to JSON values, for groups, joins and counts; values are equal if they
 * are equal numbers, or if their types and texts are equal.
 */
#ifndef VALUE_IDS_H
#define VALUE_IDS_H

#include "base/map.h"

/* Zero-initialise. Free it with value_ids_free(), or keep it until the program exits. */
struct value_ids {
	size_t n; /* number of values; they are numbered 0 .. n-1 in the order in which they were added */
	/* private */
	struct map texts;   /* as written: "A" and "\u0041" are two texts of one value, and 1 and 1.0 */
	uint32_t *value_of; /* maps the index of a text in `texts` to the number of its value */
	uint32_t *text_of;  /* maps the number of a value to the index of its text in `texts` */
	size_t values_cap, texts_cap;
	struct buf canonical, room; /* canonical form of the value being added, and scratch space */
};

/*
 * Returns the form of a value by which it is compared: a string with the fewest escapes, a number as num_put_value()
 * writes it, or else the text itself. It is a view of `json` or of *text; *text and *room are overwritten.
 */
struct str value_ids_canonical(struct str json, struct buf *text, struct buf *room);

/*
 * Returns the number of a value; adds the value when it is new. Strings are compared by their decoded text, numbers by
 * value, where all but integers of up to 128 bits are rounded to doubles, and all other values by their JSON text; thus
 * 1 and 1.0 are one value, and "1" is another. An empty text, which stands for an absent value, is also a value.
 */
size_t value_ids_put(struct value_ids *k, struct str json);

/*
 * Returns the text of a value, valid as long as *k. If a value was added with different texts, returns
 * the string that has the fewest escapes, or the number as num_put_value() writes it.
 */
struct str value_ids_text(const struct value_ids *k, size_t value);

void value_ids_free(struct value_ids *k);

#endif
