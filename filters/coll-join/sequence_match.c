#include "sequence_match.h"

#include "base/mem.h"
#include "median.h"

#include <stdlib.h>

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
	return in_range(w, i, j) && shift_search_alike(w->s, (size_t)i, (size_t)j) &&
	       shift_search_distance(shift_search_difference(w->s, (size_t)i, (size_t)j), w->last) <= w->tolerance;
}

/*
 * Returns whether a pair fits whose ends are not close: the operation is not synchronising, so one of the two may have
 * ended early, and the next pair fits.
 */
static bool fits_loosely(const struct walk *w, int64_t i, int64_t j, int step)
{
	return w->s->own[j].loose && shift_search_alike(w->s, (size_t)i, (size_t)j) && fits(w, i + step, j + step);
}

/* Finds the next pair that fits, if kernels are missing in one of the sequences. */
static bool skip(struct walk *w, int64_t *i, int64_t *j, int step)
{
	int64_t n;

	for (n = 1; n <= SEQUENCE_MATCH_SKIP; n++) {
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
			w->last = shift_search_difference(w->s, (size_t)i, (size_t)j);
		} else if (fits_loosely(w, i, j, step)) {
			w->to[j] = (uint32_t)i;
		} else {
			w->misfits++;
		}
	}
}

/* Sets the results of a walk in *shift. */
static void judge_walk(struct sequence_match *m, const struct shift_search *s, const uint32_t *to, struct shift *shift)
{
	uint128 sum = 0;
	size_t j, n = 0;

	shift->place = shift->d;
	for (j = 0; j < s->n_own; j++) {
		if (to[j] == SEQUENCE_MATCH_NONE)
			continue;
		m->differences[n++] = shift_search_difference(s, to[j], j);
		if (n > 1)
			sum += shift_search_distance(m->differences[n - 1], m->differences[n - 2]);
	}
	for (j = shift->from; j < shift->from + shift->pairs; j++) {
		if (to[j] != SEQUENCE_MATCH_NONE && s->reference[to[j]].place >= 0) {
			shift->place = s->reference[to[j]].place - (int64_t)j;
			break;
		}
	}
	shift->change = n > 1 ? (double)sum / (double)(n - 1) : 0;
	shift->offset = median_i64(m->differences, n);
}

/* Matches all kernels with a shift; returns false when more than a tenth of `own` fits nowhere. */
static bool walk(struct sequence_match *m, const struct shift_search *s, uint32_t *to, struct shift *shift)
{
	struct walk w = {.s = s, .to = to, .tolerance = SEQUENCE_MATCH_SCATTER};
	const int64_t from = (int64_t)shift->from, end = from + (int64_t)shift->pairs;
	size_t j;

	if (shift->score * 10 > SEQUENCE_MATCH_SCATTER)
		w.tolerance = shift->score < 1e17 ? (uint64_t)(shift->score * 10) : UINT64_MAX;
	for (j = 0; j < s->n_own; j++)
		to[j] = SEQUENCE_MATCH_NONE;
	for (j = shift->from; j < (size_t)end; j++)
		to[j] = (uint32_t)((int64_t)j + shift->d);
	w.last = shift_search_difference(s, to[end - 1], (size_t)end - 1);
	walk_from(&w, end + shift->d, end, 1);
	w.last = shift_search_difference(s, to[from], (size_t)from);
	walk_from(&w, from - 1 + shift->d, from - 1, -1);
	judge_walk(m, s, to, shift);
	return w.misfits * 10 <= s->n_own;
}

/* --- the choice --- */

static bool is_known(const struct shift *shift, struct sequence_match_clock clock)
{
	return shift_search_distance(shift->offset, clock.offset) <= SEQUENCE_MATCH_KNOWN;
}

/* Removes the shifts whose matches do not fit; if the clocks are known, also those that contradict them. */
static void remove_misfits(struct sequence_match *m, struct shift_search *s, struct sequence_match_clock clock)
{
	size_t i, n = 0;
	bool known = false;

	for (i = 0; i < s->n_best; i++) {
		if (walk(m, s, m->to, &s->best[i]))
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

/* Returns the shift whose match changes least. Among those that are almost as good, the clocks decide. */
static struct shift *choose(struct shift_search *s, struct sequence_match_clock clock)
{
	const int64_t offset = clock.known ? clock.offset : 0;
	struct shift *least = &s->best[0], *best, *other;

	for (other = s->best; other < s->best + s->n_best; other++)
		least = other->change < least->change ? other : least;
	best = least;
	for (other = s->best; other < s->best + s->n_best; other++) {
		if (other->change <= 1.5 * least->change + 500 &&
		    shift_search_distance(other->offset, offset) < shift_search_distance(best->offset, offset))
			best = other;
	}
	return best;
}

/* Returns whether another match is almost as good as the chosen one and pairs other kernels. */
static bool is_ambiguous(struct sequence_match *m, struct shift_search *s, const struct shift *chosen)
{
	double least = chosen->change;
	size_t i;

	for (i = 0; i < s->n_best; i++)
		least = s->best[i].change < least ? s->best[i].change : least;
	for (i = 0; i < s->n_best; i++) {
		if (&s->best[i] == chosen || s->best[i].change > 1.5 * least + 500)
			continue;
		walk(m, s, m->kept, &s->best[i]);
		if (memcmp(m->kept, m->to, s->n_own * sizeof *m->to) != 0)
			return true;
	}
	return false;
}

bool sequence_match_find(struct sequence_match *m, const struct sequence_item *reference, size_t n_reference,
    const struct sequence_item *own, size_t n_own, struct sequence_match_clock clock)
{
	struct shift_search s = {.reference = reference,
	    .own = own,
	    .n_reference = n_reference,
	    .n_own = n_own,
	    .offset = clock.known ? clock.offset : 0};
	struct shift *chosen;

	m->to = mem_grow(m->to, &m->cap, n_own + 1, sizeof *m->to);
	m->kept = mem_grow(m->kept, &m->kept_cap, n_own + 1, sizeof *m->kept);
	m->differences = mem_grow(m->differences, &m->differences_cap, n_own + 1, sizeof *m->differences);
	shift_search_run(&s);
	remove_misfits(m, &s, clock);
	if (!s.n_best)
		return false;
	chosen = choose(&s, clock);
	walk(m, &s, m->to, chosen);
	m->shift = chosen->place;
	m->offset = chosen->offset;
	m->ambiguous = is_ambiguous(m, &s, chosen);
	return true;
}

void sequence_match_free(struct sequence_match *m)
{
	free(m->to);
	free(m->kept);
	free(m->differences);
	*m = (struct sequence_match){.to = NULL};
}
