/* top_rows: records kept in memory: all, or the first N in the order of a field, in memory of N. */
#ifndef TOP_ROWS_H
#define TOP_ROWS_H

#include "record/field.h"

/* A record that is kept: its line, and what the sort field said of it. */
struct top_row {
	char *line; /* with SCAN_PAD bytes behind it, and behind these the key's text */
	size_t n;
	struct value key;
	uint64_t place;
};

/* Zero-initialise with `most` set, and `by` when they are to be sorted. */
struct top_rows {
	struct field *by; /* NULL: in the order they came */
	uint64_t most;    /* how many are kept of those that come, UINT64_MAX for all */
	struct top_row *list;
	size_t n, cap;
	uint64_t seen;
	struct buf text;  /* a decoded key */
};

/* Keeps a copy of a record when it is among the first `most`. */
void top_rows_add(struct top_rows *r, struct event *e);

/*
 * Puts list[0..n) in order: numbers by value, then texts by what they say, then other values by their
 * text, each descending; then records without the field. Of equals, the one that came first is first.
 */
void top_rows_sort(struct top_rows *r);

/* A row as a record again; views live until top_rows_free(). */
void top_rows_get(const struct top_rows *r, size_t i, struct event *e);

void top_rows_free(struct top_rows *r);

#endif
