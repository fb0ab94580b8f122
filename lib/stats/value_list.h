/* value_list: a list of values in the order of the records; values may be added part by part, in any order of parts. */
#ifndef VALUE_LIST_H
#define VALUE_LIST_H

#include "base/mem.h"
#include "base/str.h"

#include <stdint.h>

/* The values from one part of the input, as the text of a JSON array. */
struct value_list_segment {
	uint64_t part;
	struct buf text;
};

/* Zero-initialise. Each part of the input has at most one segment; the segments are in the order of the parts. */
struct value_list {
	struct value_list_segment *segments;
	size_t n;
	/* private */
	size_t cap;
};

/* Adds values after those of the same part. `elements` is their text, separated by commas; it must not be empty. */
void value_list_add(struct value_list *l, uint64_t part, struct str elements);

/* Adds all values of `from`. */
void value_list_merge(struct value_list *l, const struct value_list *from);

/* Joins the segments into one segment, and returns its text; an empty list has none. */
struct str value_list_join(struct value_list *l);

void value_list_free(struct value_list *l);

#endif
