#include "order_match.h"

#include "base/int_math.h"
#include "base/mem.h"
#include "base/select.h"

#include <math.h>
#include <stdlib.h>

enum {
	SHIFT_MOST = 1000,     /* maximum shift */
	SHIFTS_TRIED = 16,     /* shifts that are tried completely, by score and by clock */
	SKIP_MOST = 8,         /* maximum number of kernels in a row that are missing in one sequence */
	SCATTER = 50000,       /* ns: minimum tolerance for the scatter of ends */
	KNOWN_REACH = 1000000, /* ns: maximum distance of a match from a known difference of the clocks */
	WHOLE = 4096,          /* up to this number of kernels, the whole sequence is one sample */
	SAMPLE = 2048,         /* kernels in each sample of a longer sequence, */
	SAMPLES = 3,           /* which has this number of samples */
};

/* Changes are limited to 13 days, so that the sum of a window does not overflow. */
#define CHANGE_MOST ((uint64_t)1 << 50)

/* A shift d pairs reference[j + d] with own[j]. */
struct shift {
	int64_t d;
	size_t from, pairs; /* the window: own[from .. from + pairs) */
	double score;       /* mean change of the difference of ends in the window, in ns */
	double distance;    /* between that difference and the known one, in ns */
	/* of the complete match: */
	double change; /* mean change from each pair to the next */
	int64_t offset, position;
};

/* The gaps between the ends, and the fingerprints, in arrays: all shifts read them. */
struct gaps {
	int64_t *gap; /* time from the end of the preceding item */
	uint32_t *fingerprint;
};

struct shift_search {
	const struct order_item *reference, *own;
	size_t n_reference, n_own;
	struct gaps reference_gaps, own_gaps;
	int64_t offset; /* the difference of the clocks, 0 if it is unknown */
	/* The shifts that are tried completely. In a program that repeats itself exactly, all may have equal scores. */
	struct shift best[2 * SHIFTS_TRIED];
	size_t n_best;
};

/* Returns the difference of the ends of reference[i] and own[j]. */
static int64_t difference(const struct shift_search *s, size_t i, size_t j)
{
	return int_sub(s->reference[i].end, s->own[j].end);
}

static uint64_t distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static bool alike(const struct shift_search *s, size_t i, size_t j)
{
	return s->reference[i].fingerprint == s->own[j].fingerprint;
}

/* --- the shifts that are tried completely --- */

static int compare_scores(const void *a, const void *b)
{
	const struct shift *x = a, *y = b;

	return x->score != y->score ? (x->score > y->score ? 1 : -1) : int_compare(x->d, y->d);
}

static int compare_distances(const void *a, const void *b)
{
	const struct shift *x = a, *y = b;

	return x->distance != y->distance ? (x->distance > y->distance ? 1 : -1) : int_compare(x->d, y->d);
}

/* Sets s->best to the shifts with the least scores, and then those that are nearest to the difference of the clocks. */
static void select_shifts(struct shift_search *s, struct shift *list, size_t n)
{
	const size_t most = n < SHIFTS_TRIED ? n : SHIFTS_TRIED;
	size_t i, k;

	qsort(list, n, sizeof *list, compare_scores);
	memcpy(s->best, list, most * sizeof *list);
	s->n_best = most;
	qsort(list, n, sizeof *list, compare_distances);
	for (i = 0; i < most; i++) {
		for (k = 0; k < most && s->best[k].d != list[i].d; k++)
			;
		if (k == most)
			s->best[s->n_best++] = list[i];
	}
}

/* --- the scores of shifts --- */

static struct gaps read_gaps(const struct order_item *list, size_t n)
{
	struct gaps g = {mem_alloc((n + 1) * sizeof *g.gap), mem_alloc((n + 1) * sizeof *g.fingerprint)};
	size_t i;

	for (i = 0; i < n; i++) {
		g.gap[i] = i ? int_sub(list[i].end, list[i - 1].end) : 0;
		g.fingerprint[i] = list[i].fingerprint;
	}
	return g;
}

static void free_gaps(struct gaps *g)
{
	free(g->gap);
	free(g->fingerprint);
}

static uint64_t gap_change(const int64_t *reference, const int64_t *own, size_t j)
{
	const uint64_t change = distance(reference[j], own[j]);

	return change < CHANGE_MOST ? change : CHANGE_MOST;
}

/*
 * Finds the window of a shift in which the difference of ends changes least; a window has `changes` changes. Sets the
 * window and the score. Returns false if no window has equal fingerprints and small changes.
 */
static bool find_window(const struct shift_search *s, struct shift *shift, size_t from, size_t to, size_t changes)
{
	const size_t n = to - from, at = (size_t)((int64_t)from + shift->d);
	const int64_t *reference = s->reference_gaps.gap + at, *own = s->own_gaps.gap + from;
	const uint32_t *a = s->reference_gaps.fingerprint + at, *b = s->own_gaps.fingerprint + from;
	uint64_t sum = 0, least = UINT64_MAX;
	size_t i, j, run = 0;

	for (j = 0; j < n; j++) {
		if (a[j] != b[j]) {
			run = 0;
			sum = 0;
			continue;
		}
		if (run++)
			sum += gap_change(reference, own, j);
		if (run <= changes)
			continue;
		if (run > changes + 1) {
			sum -= gap_change(reference, own, j - changes);
			run--;
		}
		if (sum < least) {
			least = sum;
			shift->from = from + j - changes;
		}
	}
	shift->pairs = changes + 1;
	shift->score = (double)least / (double)changes;
	if (least == UINT64_MAX)
		return false;
	j = shift->from + changes;
	i = (size_t)((int64_t)shift->from + shift->d);
	/* The mean change must be small, compared with the gaps between the ends in the window. */
	return shift->score * 10 * (double)changes <=
	       fmin((double)distance(s->reference[i + changes].end, s->reference[i].end),
		   (double)distance(s->own[j].end, s->own[shift->from].end));
}

/*
 * Sets the window and the score of a shift in the sample own[first .. first + n); returns false if it does not fit. One
 * pair has no change: its two kernels must overlap in time.
 */
static bool try_sample(const struct shift_search *s, struct shift *shift, size_t first, size_t n)
{
	const size_t shorter = n < s->n_reference ? n : s->n_reference;
	const int64_t lowest = -shift->d, beyond = (int64_t)s->n_reference - shift->d, end = (int64_t)(first + n);
	const int64_t from = lowest > (int64_t)first ? lowest : (int64_t)first;
	const int64_t to = beyond < end ? beyond : end;
	const size_t pairs = to > from ? (size_t)(to - from) : 0, changes = pairs / 4 > 3 ? pairs / 4 : 3;
	const struct order_item *a, *b;

	if (!pairs || 2 * pairs < shorter)
		return false;
	if (pairs > 1)
		return find_window(s, shift, (size_t)from, (size_t)to, changes < pairs - 1 ? changes : pairs - 1);
	shift->from = (size_t)from;
	shift->pairs = 1;
	a = &s->reference[from + shift->d];
	b = &s->own[from];
	return a->fingerprint == b->fingerprint && a->start <= b->end && b->start <= a->end;
}

/*
 * Tries all shifts, and sets s->best. Of a long sequence, only samples are compared, so the time is proportional to the
 * number of samples, not to the number of kernels.
 */
static void search_shifts(struct shift_search *s)
{
	const size_t samples = s->n_own <= WHOLE ? 1 : SAMPLES, n = s->n_own <= WHOLE ? s->n_own : SAMPLE;
	struct shift *list = mem_alloc((2 * SHIFT_MOST + 1) * sizeof *list), shift;
	size_t n_list = 0, i;
	bool found;
	int64_t d;

	s->reference_gaps = read_gaps(s->reference, s->n_reference);
	s->own_gaps = read_gaps(s->own, s->n_own);
	for (d = -SHIFT_MOST; d <= SHIFT_MOST; d++) {
		found = false;
		for (i = 0; i < samples; i++) {
			shift = (struct shift){.d = d};
			if (try_sample(s, &shift, (s->n_own - n) / (SAMPLES + 1) * (i + 1), n) &&
			    (!found || shift.score < list[n_list].score)) {
				list[n_list] = shift;
				found = true;
			}
		}
		if (!found)
			continue;
		i = list[n_list].from;
		list[n_list++].distance = (double)distance(difference(s, (size_t)((int64_t)i + d), i), s->offset);
	}
	select_shifts(s, list, n_list);
	free(list);
	free_gaps(&s->reference_gaps);
	free_gaps(&s->own_gaps);
}

/* --- the complete match of a shift --- */

struct walk {
	const struct shift_search *s;
	uint32_t *to;
	uint64_t tolerance;
	size_t misfits; /* items of own that match nothing, although the reference continues */
	int64_t last;   /* the difference of the last pair */
};

static bool in_range(const struct walk *w, int64_t i, int64_t j)
{
	return i >= 0 && j >= 0 && (size_t)i < w->s->n_reference && (size_t)j < w->s->n_own;
}

static bool fits(const struct walk *w, int64_t i, int64_t j)
{
	return in_range(w, i, j) && alike(w->s, (size_t)i, (size_t)j) &&
	       distance(difference(w->s, (size_t)i, (size_t)j), w->last) <= w->tolerance;
}

/*
 * Returns whether a pair fits whose ends are not close: the operation is not synchronising, so one of the two may have
 * ended early, and the next pair fits.
 */
static bool fits_loosely(const struct walk *w, int64_t i, int64_t j, int step)
{
	return w->s->own[j].loose && alike(w->s, (size_t)i, (size_t)j) && fits(w, i + step, j + step);
}

/* Finds the next pair that fits, if kernels are missing in one of the sequences. */
static bool skip(struct walk *w, int64_t *i, int64_t *j, int step)
{
	int64_t n;

	for (n = 1; n <= SKIP_MOST; n++) {
		if (fits(w, *i + n * step, *j)) {
			*i += n * step;
			return true;
		}
		if (fits(w, *i, *j + n * step)) {
			*j += n * step;
			w->misfits += (size_t)n;
			return true;
		}
	}
	return false;
}

/* Walks from the pair i, j in one direction; step is 1 or -1. */
static void walk_from(struct walk *w, int64_t i, int64_t j, int step)
{
	for (; in_range(w, i, j); i += step, j += step) {
		if (fits(w, i, j) || (!fits_loosely(w, i, j, step) && skip(w, &i, &j, step))) {
			w->to[j] = (uint32_t)i;
			w->last = difference(w->s, (size_t)i, (size_t)j);
		} else if (fits_loosely(w, i, j, step)) {
			w->to[j] = (uint32_t)i;
		} else {
			w->misfits++;
		}
	}
}

/* Sets the results of a walk in *shift. */
static void rate_walk(struct order_pairs *p, const struct shift_search *s, const uint32_t *to, struct shift *shift)
{
	uint128 sum = 0;
	size_t j, n = 0;

	shift->position = shift->d;
	for (j = 0; j < s->n_own; j++) {
		if (to[j] == ORDER_UNMATCHED)
			continue;
		p->differences[n++] = difference(s, to[j], j);
		if (n > 1)
			sum += distance(p->differences[n - 1], p->differences[n - 2]);
	}
	for (j = shift->from; j < shift->from + shift->pairs; j++) {
		if (to[j] != ORDER_UNMATCHED && s->reference[to[j]].position >= 0) {
			shift->position = s->reference[to[j]].position - (int64_t)j;
			break;
		}
	}
	shift->change = n > 1 ? (double)sum / (double)(n - 1) : 0;
	shift->offset = select_median(p->differences, n);
}

/* Matches all kernels with a shift; returns false when more than a tenth of `own` fits nowhere. */
static bool walk(struct order_pairs *p, const struct shift_search *s, uint32_t *to, struct shift *shift)
{
	struct walk w = {.s = s, .to = to, .tolerance = SCATTER};
	const int64_t from = (int64_t)shift->from, end = from + (int64_t)shift->pairs;
	size_t j;

	if (shift->score * 10 > SCATTER)
		w.tolerance = shift->score < 1e17 ? (uint64_t)(shift->score * 10) : UINT64_MAX;
	for (j = 0; j < s->n_own; j++)
		to[j] = ORDER_UNMATCHED;
	for (j = shift->from; j < (size_t)end; j++)
		to[j] = (uint32_t)((int64_t)j + shift->d);
	w.last = difference(s, to[end - 1], (size_t)end - 1);
	walk_from(&w, end + shift->d, end, 1);
	w.last = difference(s, to[from], (size_t)from);
	walk_from(&w, from - 1 + shift->d, from - 1, -1);
	rate_walk(p, s, to, shift);
	return w.misfits * 10 <= s->n_own;
}

/* --- the choice --- */

static bool is_known(const struct shift *shift, struct order_clock clock)
{
	return distance(shift->offset, clock.offset) <= KNOWN_REACH;
}

/* Removes the shifts whose matches do not fit; if the clocks are known, also those that contradict them. */
static void remove_misfits(struct order_pairs *p, struct shift_search *s, struct order_clock clock)
{
	size_t i, n = 0;
	bool known = false;

	for (i = 0; i < s->n_best; i++) {
		if (walk(p, s, p->to, &s->best[i]))
			s->best[n++] = s->best[i];
	}
	s->n_best = n;
	for (i = 0; i < n && clock.known; i++)
		known |= is_known(&s->best[i], clock);
	for (i = 0, n = 0; i < s->n_best; i++) {
		if (!known || is_known(&s->best[i], clock))
			s->best[n++] = s->best[i];
	}
	s->n_best = n;
}

/* Returns whether a match that is almost as good as the chosen one pairs other kernels. */
static bool is_ambiguous(struct order_pairs *p, struct shift_search *s, const struct shift *chosen, double most)
{
	size_t i;

	for (i = 0; i < s->n_best; i++) {
		if (&s->best[i] == chosen || s->best[i].change > most)
			continue;
		walk(p, s, p->other, &s->best[i]);
		if (memcmp(p->other, p->to, s->n_own * sizeof *p->to) != 0)
			return true;
	}
	return false;
}

bool order_match_sequences(struct order_pairs *p, const struct order_item *reference, size_t n_reference,
    const struct order_item *own, size_t n_own, struct order_clock clock)
{
	struct shift_search s = {.reference = reference,
	    .own = own,
	    .n_reference = n_reference,
	    .n_own = n_own,
	    .offset = clock.known ? clock.offset : 0};
	struct shift *chosen = s.best, *other;
	double most; /* the change of matches that are almost as good as the best one */

	p->to = mem_grow(p->to, &p->cap, n_own + 1, sizeof *p->to);
	p->other = mem_grow(p->other, &p->other_cap, n_own + 1, sizeof *p->other);
	p->differences = mem_grow(p->differences, &p->differences_cap, n_own + 1, sizeof *p->differences);
	search_shifts(&s);
	remove_misfits(p, &s, clock);
	if (!s.n_best)
		return false;
	for (other = s.best; s.n_best && other < s.best + s.n_best; other++)
		chosen = other->change < chosen->change ? other : chosen;
	most = 1.5 * chosen->change + 500;
	for (other = s.best; s.n_best && other < s.best + s.n_best; other++) {
		if (other->change <= most && distance(other->offset, s.offset) < distance(chosen->offset, s.offset))
			chosen = other;
	}
	walk(p, &s, p->to, chosen);
	p->shift = chosen->position;
	p->offset = chosen->offset;
	p->ambiguous = is_ambiguous(p, &s, chosen, most);
	return true;
}

void order_pairs_free(struct order_pairs *p)
{
	mem_free(p->to, p->other, p->differences);
	*p = (struct order_pairs){.to = NULL};
}
