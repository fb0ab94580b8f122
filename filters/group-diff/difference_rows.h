/* difference_rows: writes the differences between two sides as a table, a row for each item. */
#ifndef DIFFERENCE_ROWS_H
#define DIFFERENCE_ROWS_H

#include "stats/groups.h"
#include "verdict.h"

/* The properties of an item besides its keys, taken from its first record. */
struct difference_origin {
	size_t kind;   /* of the record; 0: no record yet */
	size_t parent; /* its number; 0: none */
};

struct difference_rows {
	const struct groups *items;              /* their keys */
	const struct difference_origin *origins; /* of each item; NULL: renamed items are not paired */
	const struct value_ids *parents;         /* the numbers of origins[].parent are one more */
	struct verdict_runs runs;
	const struct source_kind *source; /* the kind of the records */
	enum column_kind kind;            /* of the field whose sums are compared */
	size_t top;                       /* write only the first `top` rows */
	bool only_total;                  /* write only the row of all items */
	bool each_step;                   /* write only a row of all items for each step */
	size_t lost; /* number of items that were not written, because a product is outside 128 bits */
};

/*
 * Writes the row with the largest difference first, then by keys. Tables for reading have fewer columns, unless `wide`
 * is set, have one row for an item and its new name, and end with a row of all items.
 *
 * The sums are those of whole runs; if the two runs have different numbers of steps, of a step.
 */
void difference_rows_write(struct difference_rows *r, struct out *out, const struct table_options *options);

#endif
