/*
 * sort_runs: lines in the order of ts, more of them than memory holds: an external merge sort, stable.
 *
 * Ours, since sort(1) behind keys that we put before the lines and took off again would take five times as
 * much CPU: it compares text, and every byte would go through two more pipes.
 */
#ifndef SORT_RUNS_H
#define SORT_RUNS_H

#include "io/out.h"

/* What orders records: ts, then the longer dur first; between sources, the one with the smaller number. */
struct sort_runs_key {
	int64_t ts, dur;
	size_t source;
};

/* Whether the struct sort_runs_key at a comes before that at b; for the heap, too. */
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
 * What is kept in memory stays within `memory` bytes (at least SORT_RUNS_LEAST); besides there are buffers of
 * 256 KiB. What is more waits in a temporary file (temp.h).
 */
struct sort_runs *sort_runs_new(size_t memory);

/* Takes a line, a copy: false and *f when a temporary file failed. */
bool sort_runs_add(struct sort_runs *r, int64_t ts, int64_t dur, struct str line, struct fault *f);

/*
 * Writes all lines, in the order of ts, then longer dur first, then as they came; there are none left
 * then. False and *f when a temporary file failed; a failed write is left in o->error.
 */
bool sort_runs_write(struct sort_runs *r, struct out *o, struct fault *f);

void sort_runs_free(struct sort_runs *r);

#endif
