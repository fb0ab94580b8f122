/* rows: records kept in memory: all, or the first N in the order of a field, in memory of N. */
#ifndef ROWS_H
#define ROWS_H

#include "record/field.h"

/* A record that is kept: its line, and what the sort field said of it. */
struct row {
	char *line; /* with SCAN_PAD bytes behind it, and behind these the key's text */
	size_t n;
	struct value key;
	uint64_t place;
};

/* Zero-initialise with `most` set, and `by` when they are to be sorted. */
struct rows {
	struct field *by; /* NULL: in the order they came */
	uint64_t most;    /* how many are kept of those that come, UINT64_MAX for all */
	struct row *list;
	size_t n, cap;
	uint64_t seen;
	struct buf text;  /* a decoded key */
};

/* Keeps a copy of a record when it is among the first `most`. */
void rows_add(struct rows *r, struct event *e);

/*
 * Puts list[0..n) in order: numbers by value, then texts by what they say, then other values by their
 * text, each descending; then records without the field. Of equals, the one that came first is first.
 */
void rows_sort(struct rows *r);

/* A row as a record again; views live until rows_free(). */
void rows_get(const struct rows *r, size_t i, struct event *e);

void rows_free(struct rows *r);

#endif
