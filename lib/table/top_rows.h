/* top_rows: records kept in memory: all, or the first N in the order of a field, in memory of N. */
#ifndef TOP_ROWS_H
#define TOP_ROWS_H

#include "record/field.h"

struct top_row;

/* Zero-initialise with `most` set, and `by` when they are to be sorted. */
struct top_rows {
	struct field *by; /* NULL: in the order they came */
	uint64_t most;    /* how many are kept of those that come, UINT64_MAX for all */
	size_t n;         /* stored */
	/* private */
	struct top_row *list;
	size_t cap;
	uint64_t seen;
	struct buf text;  /* a decoded key */
};

/* Keeps a copy of a record when it is among the first `most`. */
void top_rows_add(struct top_rows *r, struct event *e);

/*
 * Puts the records in order: numbers by value, then texts by what they say, then other values by their
 * text, each descending; then records without the field. Of equals, the one that came first is first.
 */
void top_rows_sort(struct top_rows *r);

/* The i-th as a line, and as a record; views live until top_rows_free(). */
struct str top_rows_line(const struct top_rows *r, size_t i);
void top_rows_get(const struct top_rows *r, size_t i, struct event *e);

void top_rows_free(struct top_rows *r);

#endif
