/* value_counts: counts how often each integer occurs. The memory depends on the number of different integers only. */
#ifndef VALUE_COUNTS_H
#define VALUE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

struct value_count {
	int64_t value;
	uint64_t count;
};

/* Zero-initialise. */
struct value_counts {
	struct value_count *list; /* a value can occur several times until value_counts_sort() */
	size_t n;
	size_t sorted; /* the first items: their values ascend. Set it to 0 after changing values. */
	/* private */
	size_t cap;
};

/* Adds to the count of a value. The sum of all counts must fit in a uint64_t. */
void value_counts_add(struct value_counts *c, int64_t value, uint64_t count);

/* Sorts the list: afterwards the values ascend, and each of them occurs once. */
void value_counts_sort(struct value_counts *c);

void value_counts_free(struct value_counts *c);

#endif
