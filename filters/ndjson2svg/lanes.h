/* lanes: the rows of a timeline: one for each stream, thread, depth or rank. */
#ifndef LANES_H
#define LANES_H

#include "chart.h"

/* Zero-initialise. Free it with lanes_free(). */
struct lanes {
	struct map keys;      /* the values of the fields of each lane */
	size_t *place;        /* set by lanes_sort(): the place of each lane from the top */
	struct label *labels; /* set by lanes_sort(): the names, by place */
	/* private */
	struct opt_fields fields;
	const char *const *words; /* precede the values of the fields in names */
	struct map texts;
	struct buf key;
};

/* Adds the fields of the rows of --rows (not CHART_ROWS_EACH) to those that are read. */
void lanes_begin(struct lanes *l, struct chart *c);

/*
 * Returns the number of the lane of a record, which is added if it is new and there are less than `most`; otherwise
 * MAP_NONE.
 */
size_t lanes_of(struct lanes *l, struct chart *c, struct event *e, uint64_t most);

/*
 * Sorts the lanes by the values of their fields, as numbers if they are numbers, and names them. A name has the last
 * field, and those before it that differ between lanes.
 */
void lanes_sort(struct lanes *l);

void lanes_free(struct lanes *l);

#endif
