/*
 * value_ids: assigns numbers 0, 1, 2 ... to JSON values, for groups, joins and counts; values are equal if type and
 * text are equal.
 */
#ifndef VALUE_IDS_H
#define VALUE_IDS_H

#include "base/map.h"
#include "base/mem.h"

/* Zero-initialise. Free it with value_ids_free(), or keep it until the program exits. */
struct value_ids {
	size_t n; /* number of values; they are numbered 0 .. n-1 in the order in which they were added */
	/* private */
	struct map texts;   /* as written: "A" and "\u0041" are two texts of one value */
	uint32_t *value_of; /* maps the index of a text in `texts` to the number of its value */
	uint32_t *text_of;  /* maps the number of a value to the index of its text in `texts` */
	size_t values_cap, texts_cap;
	struct buf canonical, room; /* canonical form of the string being added, and scratch space */
};

/*
 * Returns the number of a value; adds the value when it is new. Strings are compared by their decoded text, other
 * values by their JSON text; thus 1, 1.0 and "1" are three values. An empty text, which stands for an absent value, is
 * also a value.
 */
size_t value_ids_put(struct value_ids *k, struct str json);

/*
 * Returns the text of a value, valid as long as *k. If a string was added with different escapes, returns the text that
 * has the fewest escapes.
 */
struct str value_ids_text(const struct value_ids *k, size_t value);

void value_ids_free(struct value_ids *k);

#endif
