/* timeline_rows: the rows of a timeline: one for each stream, thread, depth, rank or record. */
#ifndef TIMELINE_ROWS_H
#define TIMELINE_ROWS_H

#include "chart.h"

/* Zero-initialise. Free it with timeline_rows_free(). */
struct timeline_rows {
	struct map keys; /* the values of the fields of each row */
	/* set by timeline_rows_sort(): */
	size_t n;             /* the number of rows to draw */
	size_t *order;        /* the rows from the top */
	size_t *position;     /* the position of each row from the top */
	struct label *labels; /* the names, by position */
	/* private */
	struct opt_fields fields;
	const char *const *words; /* precede the values of the fields in names */
	struct map texts;
	struct buf key;
};

/* Adds the fields of the rows of --rows to those that are read; CHART_ROWS_EACH has none. */
void timeline_rows_begin(struct timeline_rows *l, struct chart *c);

/*
 * Returns the number of the row of a record, which is added if it is new and there are less than `most`; otherwise
 * MAP_NONE.
 */
size_t timeline_rows_find(struct timeline_rows *l, struct chart *c, struct event *e, uint64_t most);

/*
 * Sorts the rows by the values of their fields, as numbers if they are numbers, and names them. A name has the last
 * field, and those before it that differ between rows. With `hide`, rows of records without these fields, such as calls
 * of the host if the rows are streams, come last and are not counted in l->n, if there are other rows. The rows of
 * CHART_ROWS_EACH are in the order of input, and have empty names.
 */
void timeline_rows_sort(struct timeline_rows *l, bool hide);

void timeline_rows_free(struct timeline_rows *l);

#endif
