/* difference_rows: writes the differences between two sides as a table, a row for each item. */
#ifndef DIFFERENCE_ROWS_H
#define DIFFERENCE_ROWS_H

#include "stats/groups.h"
#include "verdict.h"

struct difference_rows {
	const struct groups *items; /* their keys */
	struct verdict_runs runs;
	const struct source_kind *source; /* the kind of the records */
	enum column_kind kind;            /* of the field whose sums are compared */
	size_t top;                       /* write only the first `top` rows */
	bool only_total;                  /* write only the row of all items */
	size_t lost; /* number of items that were not written, because a product is outside 128 bits */
};

/*
 * Writes the row with the largest difference first, then by keys. Tables for reading have fewer columns, unless `wide`
 * is set, and end with a row of all items.
 */
void difference_rows_write(struct difference_rows *r, struct out *out, const struct table_options *options);

#endif
