/* top_rows: stores all records, or only the first N records in the order of some fields. */
#ifndef TOP_ROWS_H
#define TOP_ROWS_H

#include "record/field.h"

struct top_row;
struct top_row_key;

/* A field to sort by. */
struct top_rows_order {
	struct field field; /* the caller owns it */
	bool ascending;
};

/* Zero-initialise and set `most`. Set `by` and `n_by` too if the records are to be sorted. */
struct top_rows {
	struct top_rows_order *by; /* the fields to sort by; a later field decides if the earlier fields are equal */
	size_t n_by;               /* 0: input order */
	uint64_t most;             /* maximum number of stored records; UINT64_MAX: all */
	size_t n;                  /* number of stored records */
	/* private */
	struct top_row *list;
	size_t cap;
	uint64_t seen;
	struct top_row_key *keys; /* the keys of the record that is being added */
	struct buf text;          /* their decoded texts */
};

/* Stores a copy of a record if it is among the first `most`. */
void top_rows_add(struct top_rows *r, struct event *e);

/*
 * Sorts the records. Descending order is: first numbers by value, then strings by their decoded text, then other values
 * by their text; last, records without the field. Ascending order is the reverse. Ties are in input order.
 */
void top_rows_sort(struct top_rows *r);

/* Return the i-th record, as a line and as an event; views are valid until top_rows_free(). */
struct str top_rows_line(const struct top_rows *r, size_t i);
void top_rows_get(const struct top_rows *r, size_t i, struct event *e);

void top_rows_free(struct top_rows *r);

#endif
