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
	for (other = s.best; other < s.best + s.n_best; other++)
		chosen = other->change < chosen->change ? other : chosen;
	most = 1.5 * chosen->change + 500;
	for (other = s.best; other < s.best + s.n_best; other++) {
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
	free(p->to);
	free(p->other);
	free(p->differences);
	*p = (struct order_pairs){.to = NULL};
}

/* --- groups --- */

static uint32_t add_fingerprint(struct order_match *o, const int64_t *key, size_t size)
{
	return (uint32_t)map_put(&o->fingerprint_numbers, (struct str){(const char *)key, size});
}

void order_match_init(struct order_match *o, struct job *j, const struct rank_clock *clocks, bool trusted)
{
	struct job_description d;
	bool sized;
	size_t i;

	*o = (struct order_match){.job = j, .clocks = clocks, .trusted = trusted};
	o->fingerprints = mem_alloc((j->descriptions.n + 1) * sizeof *o->fingerprints);
	for (i = 0; i < j->descriptions.n; i++) {
		/* Kernels of a collective have equal fingerprints. The ranks of all_to_allv have different sizes. */
		d = job_description(j, (uint32_t)i);
		d.operation = coll_operation_is_pair(d.operation) ? COLL_SENDRECV : d.operation;
		sized = d.operation != COLL_ALL_TO_ALLV;
		o->fingerprints[i] =
		    add_fingerprint(o, (int64_t[]){d.name, d.operation, d.dtype, sized ? d.in : -1, sized ? d.out : -1},
			5 * sizeof(int64_t));
	}
	o->parents = mem_alloc((j->n_ranks + 1) * sizeof *o->parents);
	o->offsets = mem_zero(j->n_ranks + 1, sizeof *o->offsets);
	for (i = 0; i < j->n_ranks; i++)
		o->parents[i] = (uint32_t)i;
}

void order_match_free(struct order_match *o)
{
	free(o->fingerprints);
	map_free(&o->fingerprint_numbers);
	free(o->parents);
	free(o->offsets);
}

/* Returns the root of a rank's tree; sets *offset to what must be added to its clock to get that of the root. */
static uint32_t find_root(const struct order_match *o, uint32_t rank, int64_t *offset)
{
	*offset = 0;
	while (o->parents[rank] != rank) {
		*offset = int_add(*offset, o->offsets[rank]);
		rank = o->parents[rank];
	}
	return rank;
}

struct item_list {
	struct order_item *list;
	size_t n, cap;
};

static void add_item(struct item_list *l, struct order_item item)
{
	l->list = mem_grow(l->list, &l->cap, l->n + 1, sizeof *l->list);
	l->list[l->n++] = item;
}

/*
 * The collectives of the lanes that were matched so far: one item for each, with ends on the clock of the first lane.
 * Their keys are numbers in the order in which the collectives were added: of the kernels of the first lane, their
 * positions; of others, their positions without the sign bit.
 */
struct group_match {
	struct order_match *o;
	struct order_pairs pairs;
	struct item_list items, merged, own;
};

static uint32_t item_key(const struct order_item *item)
{
	return (uint32_t)item->position & INT32_MAX;
}

static int compare_lanes(const void *a, const void *b)
{
	const struct order_lane *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Sets *items to the kernels of a lane. */
static void read_lane(struct order_match *o, const struct order_lane *lane, struct item_list *items)
{
	const struct job_kernel *k;
	uint32_t fingerprint;
	int64_t start;
	size_t i;

	items->n = 0;
	for (i = 0; i < lane->n; i++) {
		k = &o->job->kernels[lane->kernels[i]];
		start = rank_clock_time(&o->clocks[k->rank], k->ts);
		fingerprint = o->fingerprints[k->description];
		if (k->key)
			fingerprint = add_fingerprint(o, (int64_t[]){fingerprint, k->key}, 2 * sizeof(int64_t));
		add_item(
		    items, (struct order_item){.start = start,
			       .end = int_interval_end(start, k->dur),
			       .fingerprint = fingerprint & INT32_MAX,
			       .loose = !coll_operation_synchronises(job_description(o->job, k->description).operation),
			       .position = (int32_t)i});
	}
}

/*
 * Kernels that match none of the collectives so far are new collectives: other ranks may have them, too. Inserts them
 * by their ends.
 */
static void merge_lane(struct group_match *g, const struct order_lane *lane)
{
	const struct item_list old = g->items;
	const struct order_item *own = g->own.list;
	const uint32_t *to = g->pairs.to;
	struct item_list *merged = &g->merged;
	int64_t offset;
	size_t i, j, next = 0; /* next: the next item of the lane that matches */
	struct order_item item;

	merged->n = 0;
	for (j = 0; j < lane->n && to[j] == ORDER_UNMATCHED; j++)
		;
	/* The items before the first match have its difference of ends. */
	offset = j < lane->n ? int_sub(old.list[to[j]].end, own[j].end) : 0;
	for (i = j = 0; j < lane->n; j++) {
		if (to[j] != ORDER_UNMATCHED) {
			for (; i <= to[j]; i++)
				add_item(merged, old.list[i]);
			offset = int_sub(old.list[to[j]].end, own[j].end);
			continue;
		}
		for (next = next > j ? next : j; next < lane->n && to[next] == ORDER_UNMATCHED; next++)
			;
		item = own[j];
		item.start = int_add(item.start, offset);
		item.end = int_add(item.end, offset);
		/* The collective of a later kernel of the lane must remain later. */
		for (; i < (next < lane->n ? to[next] : old.n) && old.list[i].end <= item.end; i++)
			add_item(merged, old.list[i]);
		item.position = INT32_MIN + (int32_t)(old.n + merged->n - i);
		g->o->job->kernels[lane->kernels[j]].key = item_key(&item);
		add_item(merged, item);
	}
	for (; i < old.n; i++)
		add_item(merged, old.list[i]);
	g->items = *merged;
	g->merged = old;
}

/* Matches a lane with the collectives of the preceding lanes; returns false when it does not fit. */
static bool match_lane(struct group_match *g, const struct order_lane *lane, uint32_t reference)
{
	struct order_match *o = g->o;
	int64_t to, own;
	const uint32_t root = find_root(o, reference, &to), other = find_root(o, lane->rank, &own);
	const struct order_clock clock = {
	    .known = o->trusted || root == other, .offset = !o->trusted && root == other ? int_sub(own, to) : 0};
	struct job_kernel *k;
	size_t j, unmatched = 0;

	read_lane(o, lane, &g->own);
	if (!order_match_sequences(&g->pairs, g->items.list, g->items.n, g->own.list, lane->n, clock))
		return false;
	for (j = 0; j < lane->n; j++) {
		k = &o->job->kernels[lane->kernels[j]];
		k->shift = (int32_t)g->pairs.shift;
		k->flags |= g->pairs.ambiguous ? JOB_AMBIGUOUS : 0;
		if (g->pairs.to[j] == ORDER_UNMATCHED)
			unmatched++;
		else
			k->key = item_key(&g->items.list[g->pairs.to[j]]);
	}
	if (root != other) {
		o->parents[other] = root;
		o->offsets[other] = int_sub(int_add(g->pairs.offset, to), own);
	}
	if (unmatched)
		merge_lane(g, lane);
	return true;
}

static void refuse_lane(struct job *j, const struct order_lane *lane, uint8_t why)
{
	size_t i;

	for (i = 0; i < lane->n; i++) {
		j->kernels[lane->kernels[i]].why = why;
		j->kernels[lane->kernels[i]].key = 0;
	}
}

void order_match_group(struct order_match *o, struct order_lane *lanes, size_t n, uint8_t refused)
{
	struct group_match g = {.o = o};
	struct job_kernel *kernels = o->job->kernels;
	uint32_t *position, *key;
	size_t i, j, matched = 0;

	qsort(lanes, n, sizeof *lanes, compare_lanes);
	/* The first lane is the reference: its kernels are the first collectives. */
	read_lane(o, &lanes[0], &g.items);
	for (i = 0; i < lanes[0].n; i++) {
		kernels[lanes[0].kernels[i]].key = (uint32_t)i;
		kernels[lanes[0].kernels[i]].shift = 0;
	}
	for (i = 1; i < n; i++) {
		if (match_lane(&g, &lanes[i], lanes[0].rank))
			matched++;
		else
			refuse_lane(o->job, &lanes[i], refused);
	}
	/* Change the keys from the order in which they were added to the order of the group. */
	position = mem_alloc((g.items.n + 1) * sizeof *position);
	for (i = 0; i < g.items.n; i++)
		position[item_key(&g.items.list[i])] = (uint32_t)i;
	for (i = 0; i < n; i++) {
		for (j = 0; j < lanes[i].n; j++) {
			key = &kernels[lanes[i].kernels[j]].key;
			*key = position[*key];
		}
	}
	if (n > 1 && !matched)
		refuse_lane(o->job, &lanes[0], refused);
	free(position);
	order_pairs_free(&g.pairs);
	free(g.items.list);
	free(g.merged.list);
	free(g.own.list);
}
