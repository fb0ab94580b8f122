/*
 * sort_runs: sorts lines by ts with a stable external merge sort; the lines need not fit in memory.
 *
 * We do not use sort(1) because it would take five times as much CPU time: keys would have to be added before the lines
 * and removed again, sort(1) compares text, and every byte would pass through two more pipes.
 */
#ifndef SORT_RUNS_H
#define SORT_RUNS_H

#include "io/out.h"

/* The sort key of a record: records are ordered by ascending ts, then by descending dur, then by source number. */
struct sort_runs_key {
	int64_t ts, dur;
	size_t source;
};

/* Returns whether key *a comes before key *b, for the functions of base/heap. */
static inline bool sort_runs_key_before(const void *a, const void *b)
{
	const struct sort_runs_key *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts;
	if (x->dur != y->dur)
		return x->dur > y->dur;
	return x->source < y->source;
}

struct sort_runs;

enum { SORT_RUNS_LEAST = 64 * 1024 };

/*
 * Stores up to `memory` bytes (at least SORT_RUNS_LEAST) of records in memory, and the other records in a temporary
 * file (io/temp_file). Write buffers of 256 KiB are not included in `memory`.
 */
struct sort_runs *sort_runs_new(size_t memory);

/* Adds a copy of a line. Returns false and sets *f when a temporary file fails. */
bool sort_runs_add(struct sort_runs *r, int64_t ts, int64_t dur, struct str line, struct fault *f);

/*
 * Writes all lines by ts, then descending dur, then input order, and removes them. Returns false and sets *f when a
 * temporary file fails; a failed write sets o->error.
 */
bool sort_runs_write(struct sort_runs *r, struct out *o, struct fault *f);

void sort_runs_free(struct sort_runs *r);

#endif
