#include "shift_search.h"

#include "base/mem.h"

#include <stdlib.h>

enum {
	WHOLE = 4096,  /* up to this number of kernels, the whole sequence is one sample */
	SAMPLE = 2048, /* kernels in each sample of a longer sequence, */
	SAMPLES = 3,   /* which has this number of samples */
};

/* Changes are limited to 13 days, so that the sum of a window does not overflow. */
#define CHANGE_MOST ((uint64_t)1 << 50)

/* The gaps between the ends, and the fingerprints, in arrays: all shifts read them. */
struct gaps {
	int64_t *gap; /* time from the end of the preceding item */
	uint32_t *fingerprint;
};

/* A part of `own`, and the part of the reference that the shifts pair with it. */
struct sample {
	size_t from, to;         /* items of own */
	size_t first;            /* item of the reference */
	struct gaps own, others; /* those of own[from], ..., and of reference[first], ... */
};

/* --- the shifts that are tried completely --- */

/* Inserts a shift into a sorted list of at most SHIFT_SEARCH_TRIED shifts. */
static void insert(
    struct shift *list, size_t *n, const struct shift *shift, double key, double (*key_of)(const struct shift *))
{
	size_t at;

	if (*n == SHIFT_SEARCH_TRIED) {
		if (key >= key_of(&list[*n - 1]))
			return;
		--*n;
	}
	for (at = (*n)++; at > 0 && key < key_of(&list[at - 1]); at--)
		list[at] = list[at - 1];
	list[at] = *shift;
}

static double score_of(const struct shift *shift)
{
	return shift->score;
}

static double distance_of(const struct shift *shift)
{
	return shift->distance;
}

static void keep_best(struct shift_search *s, struct shift *shift)
{
	const size_t j = shift->from, i = (size_t)((int64_t)j + shift->d);

	shift->distance = (double)shift_search_distance(shift_search_difference(s, i, j), s->offset);
	insert(s->best, &s->n_best, shift, shift->score, score_of);
	insert(s->nearest, &s->n_nearest, shift, shift->distance, distance_of);
}

/* Adds to s->best the shifts that are only in s->nearest. */
static void join_lists(struct shift_search *s)
{
	const size_t n = s->n_best;
	size_t i, k;

	for (i = 0; i < s->n_nearest; i++) {
		for (k = 0; k < n && s->best[k].d != s->nearest[i].d; k++)
			;
		if (k == n)
			s->best[s->n_best++] = s->nearest[i];
	}
}

/* --- samples --- */

static struct gaps read_gaps(const struct sequence_item *list, size_t from, size_t to)
{
	struct gaps g = {
	    mem_alloc((to - from + 1) * sizeof *g.gap), mem_alloc((to - from + 1) * sizeof *g.fingerprint)};
	size_t i;

	for (i = from; i < to; i++) {
		g.gap[i - from] = i ? int_sub(list[i].end, list[i - 1].end) : 0;
		g.fingerprint[i - from] = list[i].fingerprint;
	}
	return g;
}

static void free_gaps(struct gaps *g)
{
	free(g->gap);
	free(g->fingerprint);
}

static struct sample take_sample(const struct shift_search *s, size_t from, size_t to)
{
	const size_t first = from > SHIFT_SEARCH_MOST ? from - SHIFT_SEARCH_MOST : 0;
	size_t end = to + SHIFT_SEARCH_MOST;
	struct sample sample = {.from = from, .to = to};

	end = end < s->n_reference ? end : s->n_reference;
	sample.first = first < end ? first : end;
	sample.own = read_gaps(s->own, from, to);
	sample.others = read_gaps(s->reference, sample.first, end);
	return sample;
}

static size_t take_samples(const struct shift_search *s, struct sample samples[SAMPLES])
{
	size_t i, from;

	if (s->n_own <= WHOLE) {
		samples[0] = take_sample(s, 0, s->n_own);
		return 1;
	}
	for (i = 0; i < SAMPLES; i++) {
		from = (s->n_own - SAMPLE) / (SAMPLES + 1) * (i + 1);
		samples[i] = take_sample(s, from, from + SAMPLE);
	}
	return SAMPLES;
}

/* --- the scores of shifts --- */

/* Returns whether the mean change in the window is small, compared with the gaps between the ends there. */
static bool is_regular(const struct shift_search *s, const struct shift *shift)
{
	const size_t i = (size_t)((int64_t)shift->from + shift->d), j = shift->from, n = shift->pairs - 1;
	const uint64_t a = shift_search_distance(s->reference[i + n].end, s->reference[i].end);
	const uint64_t b = shift_search_distance(s->own[j + n].end, s->own[j].end);

	return shift->score * 10 * (double)n <= (double)(a < b ? a : b);
}

static uint64_t change(const int64_t *reference, const int64_t *own, size_t j)
{
	const uint64_t distance = shift_search_distance(reference[j], own[j]);

	return distance < CHANGE_MOST ? distance : CHANGE_MOST;
}

/*
 * Finds the window of a shift in which the difference of ends changes least; a window has `changes` changes. Sets the
 * window and the score. Returns false if no window has equal fingerprints and small changes.
 */
static bool find_window(const struct shift_search *s, const struct sample *sample, struct shift *shift, size_t from,
    size_t to, size_t changes)
{
	const size_t n = to - from, at = (size_t)((int64_t)from + shift->d) - sample->first;
	const int64_t *reference = sample->others.gap + at, *own = sample->own.gap + (from - sample->from);
	const uint32_t *a = sample->others.fingerprint + at, *b = sample->own.fingerprint + (from - sample->from);
	uint64_t sum = 0, least = UINT64_MAX;
	size_t j, run = 0;

	for (j = 0; j < n; j++) {
		if (a[j] != b[j]) {
			run = 0;
			sum = 0;
			continue;
		}
		if (run++)
			sum += change(reference, own, j);
		if (run <= changes)
			continue;
		if (run > changes + 1) {
			sum -= change(reference, own, j - changes);
			run--;
		}
		if (sum < least) {
			least = sum;
			shift->from = from + j - changes;
		}
	}
	shift->pairs = changes + 1;
	shift->score = (double)least / (double)changes;
	return least < UINT64_MAX && is_regular(s, shift);
}

/* One pair has no change: the two kernels must overlap in time. */
static bool find_pair(const struct shift_search *s, struct shift *shift, size_t j)
{
	const size_t i = (size_t)((int64_t)j + shift->d);
	const struct sequence_item *a = &s->reference[i], *b = &s->own[j];

	shift->from = j;
	shift->pairs = 1;
	return shift_search_alike(s, i, j) && a->start <= b->end && b->start <= a->end;
}

/* Sets the window and the score of a shift in a sample; returns false if the shift does not fit there. */
static bool try_sample(const struct shift_search *s, const struct sample *sample, struct shift *shift)
{
	const size_t n = sample->to - sample->from, shorter = n < s->n_reference ? n : s->n_reference;
	const int64_t lowest = -shift->d, beyond = (int64_t)s->n_reference - shift->d;
	const int64_t from = lowest > (int64_t)sample->from ? lowest : (int64_t)sample->from;
	const int64_t to = beyond < (int64_t)sample->to ? beyond : (int64_t)sample->to;
	size_t pairs, changes;

	if (to <= from)
		return false;
	pairs = (size_t)(to - from);
	if (2 * pairs < shorter)
		return false;
	changes = pairs / 4 > 3 ? pairs / 4 : 3;
	changes = changes < pairs - 1 ? changes : pairs - 1;
	return changes ? find_window(s, sample, shift, (size_t)from, (size_t)to, changes)
		       : find_pair(s, shift, (size_t)from);
}

void shift_search_run(struct shift_search *s)
{
	struct sample samples[SAMPLES];
	const size_t n = take_samples(s, samples);
	struct shift shift, best;
	size_t i;
	bool found;
	int64_t d;

	for (d = -SHIFT_SEARCH_MOST; d <= SHIFT_SEARCH_MOST; d++) {
		found = false;
		for (i = 0; i < n; i++) {
			shift = (struct shift){.d = d};
			if (try_sample(s, &samples[i], &shift) && (!found || shift.score < best.score)) {
				best = shift;
				found = true;
			}
		}
		if (found)
			keep_best(s, &best);
	}
	join_lists(s);
	for (i = 0; i < n; i++) {
		free_gaps(&samples[i].own);
		free_gaps(&samples[i].others);
	}
}
