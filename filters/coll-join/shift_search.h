/* shift_search: finds the shifts by which two sequences of kernels may match; sequence_match tries them completely. */
#ifndef SHIFT_SEARCH_H
#define SHIFT_SEARCH_H

#include "base/int_math.h"

#include <stdbool.h>
#include <stddef.h>

/* A kernel of a sequence; sequences are in the order of ts. */
struct sequence_item {
	int64_t start, end;
	uint32_t fingerprint : 31; /* of operation, type and size: only items with equal fingerprints match */
	uint32_t loose : 1;        /* the operation is not synchronising: its ends may differ */
	int32_t place;             /* of the reference: index of the kernel in its own sequence, or -1 */
};

enum {
	SHIFT_SEARCH_MOST = 1000, /* maximum shift */
	SHIFT_SEARCH_TRIED = 16,  /* shifts that are tried completely, by score and by clock */
};

/* A shift d pairs reference[j + d] with own[j]. */
struct shift {
	int64_t d;
	size_t from, pairs; /* the window: own[from .. from + pairs) */
	double score;       /* mean change of the difference of ends in the window, in ns */
	double distance;    /* between that difference and the known one, in ns */
	/* of the complete match; set by sequence_match: */
	double change; /* mean change from each pair to the next */
	int64_t offset, place;
};

/* Zero-initialise it, and set the first members. */
struct shift_search {
	const struct sequence_item *reference, *own;
	size_t n_reference, n_own;
	int64_t offset; /* the difference of the clocks, 0 if it is unknown */
	/*
	 * The shifts with the least scores, by ascending score, and those that are nearest to the difference of the
	 * clocks, by ascending distance. In a program that repeats itself exactly, all shifts may have equal scores.
	 */
	struct shift best[2 * SHIFT_SEARCH_TRIED];
	size_t n_best;
	/* private */
	struct shift nearest[SHIFT_SEARCH_TRIED];
	size_t n_nearest;
};

/*
 * Tries all shifts, and sets `best`. Of a long sequence, only samples are compared, so the time is proportional to the
 * number of samples, not to the number of kernels.
 */
void shift_search_run(struct shift_search *s);

/* Returns the difference of the ends of reference[i] and own[j]. */
static inline int64_t shift_search_difference(const struct shift_search *s, size_t i, size_t j)
{
	return int_sub(s->reference[i].end, s->own[j].end);
}

static inline uint64_t shift_search_distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static inline bool shift_search_alike(const struct shift_search *s, size_t i, size_t j)
{
	return s->reference[i].fingerprint == s->own[j].fingerprint;
}

#endif
