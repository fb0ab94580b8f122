#include "delay_report.h"
#include "collective_sums.h"

#include "base/order.h"
#include "base/select.h"
#include "json/write.h"
#include "record/record_line.h"

#include <stdlib.h>

/* A set is named if it costs at least 2 % of a step, and may be named if its cost is 0.8 of the largest or more. */
enum { NAMED_LEAST = 50, STEPS_LISTED = 8, SLOW_STEPS = 5 };
#define NEARLY 0.8

struct delay_report {
	const struct set_delays *d;
	struct rank_table *t;
	size_t named; /* the set that costs most, or the number of sets */
	const char *why;
	int64_t most;              /* the largest cost of a set */
	int64_t peers;             /* what the peers of the named ranks compute */
	int64_t waits_for, waited; /* the rank without a trace for which others may wait, or -1; for how long a step */
	int64_t step_median, step_mad; /* of the longest windows of the steps: median, and median absolute deviation */
	size_t n_slow;
	struct buf text;
};

static bool is_large(const struct delay_report *r, int64_t v)
{
	return v > 0 && v >= r->t->step / NAMED_LEAST;
}

/* --- peers --- */

struct rank_values {
	int64_t own, peers; /* medians */
};

/* Compares a figure of the ranks of a set with that of the other ranks of the stage of its first rank. */
static struct rank_values compare_figure(const struct delay_report *r, const struct rank_set *s, enum rank_part part)
{
	const struct rank_table *t = r->t;
	int64_t *own = mem_alloc((t->n + 1) * sizeof *own), *others = mem_alloc((t->n + 1) * sizeof *others);
	const uint32_t first = rank_table_find(t, s->ranks[0]);
	size_t i, k = 0, n_own = 0, n_others = 0;
	struct rank_values v;

	for (i = 0; i < t->n; i++) {
		while (k < s->n && s->ranks[k] < t->ranks[i].rank)
			k++;
		if (!t->ranks[i].n)
			continue;
		if (k < s->n && s->ranks[k] == t->ranks[i].rank)
			own[n_own++] = t->ranks[i].mean[part];
		else if (first == RANK_NONE || t->ranks[i].stage == t->ranks[first].stage)
			others[n_others++] = t->ranks[i].mean[part];
	}
	v.own = select_median(own, n_own);
	v.peers = n_others ? select_median(others, n_others) : v.own;
	mem_free(own, others);
	return v;
}

/* Returns the median of a figure in a step over the other ranks of the same stage; that of the rank if it is alone. */
static int64_t peers_in_step(const struct rank_table *t, uint32_t rank, size_t step, enum rank_part part)
{
	int64_t *list = mem_alloc((t->n + 1) * sizeof *list), median;
	size_t i, n = 0;

	for (i = 0; i < t->n; i++) {
		if (i != rank && t->ranks[i].n && t->ranks[i].stage == t->ranks[rank].stage)
			list[n++] = rank_table_step(t, (uint32_t)i, step)->figure[part];
	}
	median = n ? select_median(list, n) : rank_table_step(t, rank, step)->figure[part];
	free(list);
	return median;
}

/* --- the set that costs most --- */

static bool has_all(const struct rank_set *s, const struct rank_set *part)
{
	size_t i, k = 0;

	for (i = 0; i < part->n; i++) {
		while (k < s->n && s->ranks[k] < part->ranks[i])
			k++;
		if (k == s->n || s->ranks[k] != part->ranks[i])
			return false;
	}
	return true;
}

/* Returns whether the named set contains the rank with this index. */
static bool contains_rank(const struct delay_report *r, uint32_t rank)
{
	const struct rank_set one = {.ranks = &r->t->ranks[rank].rank, .n = 1};

	return r->named < r->t->n_sets && has_all(&r->t->sets[r->named], &one);
}

/* Returns the better one of two sets that may be named: the smaller one, or of equal size, the one that costs more. */
static bool is_better(const struct rank_set *a, const struct rank_set *b, bool by_size)
{
	if (by_size && a->n != b->n)
		return a->n < b->n;
	return a->cost != b->cost ? a->cost > b->cost : a->n < b->n;
}

static const struct rank_set *excess_set(const struct rank_table *t)
{
	return &t->sets[t->n_sets - 1];
}

/*
 * Delays travel along pipelines and groups, so several sets are nearly as late as the one that causes the delay: it is
 * the smallest one with all ranks that compute longer than their peers.
 */
static void find_named(struct delay_report *r)
{
	const struct rank_table *t = r->t;
	const struct rank_set *excess = excess_set(t), *s;
	bool found = false, has;
	size_t i;

	r->named = t->n_sets;
	for (i = 0; i < t->n_sets; i++)
		r->most = t->sets[i].applies && t->sets[i].cost > r->most ? t->sets[i].cost : r->most;
	if (!is_large(r, r->most))
		return;
	for (i = 0; i < t->n_sets; i++) {
		s = &t->sets[i];
		if (!s->applies || s->kind == RANK_SET_STAGE || (double)s->cost < NEARLY * (double)r->most)
			continue;
		has = excess->n && has_all(s, excess);
		if (r->named == t->n_sets || (has && !found) || (has == found && is_better(s, &t->sets[r->named], has)))
			r->named = i;
		found |= has;
	}
}

/* A stage that computes for longer than the others: its cost is what it exceeds the median of the others by. */
static void find_stage(struct delay_report *r)
{
	struct rank_table *t = r->t;
	int64_t *medians = mem_alloc((t->n_stages + 1) * sizeof *medians), *list;
	size_t first, i, k, n, slowest = 0;

	for (first = 0; first < t->n_sets && t->sets[first].kind != RANK_SET_STAGE; first++)
		;
	list = mem_alloc((t->n + 1) * sizeof *list);
	for (i = 0; i < t->n_stages; i++) {
		for (n = k = 0; k < t->n; k++) {
			if (t->ranks[k].n && t->ranks[k].stage == i)
				list[n++] = t->ranks[k].mean[RANK_COMPUTE];
		}
		medians[i] = n ? select_median(list, n) : 0;
		slowest = medians[i] > medians[slowest] ? i : slowest;
	}
	for (n = i = 0; i < t->n_stages; i++) {
		if (i != slowest)
			list[n++] = medians[i];
	}
	if (n) {
		t->sets[first + slowest].cost = medians[slowest] - select_median(list, n);
		t->sets[first + slowest].excess = t->sets[first + slowest].cost;
		if (is_large(r, t->sets[first + slowest].cost) &&
		    (r->named == t->n_sets || t->sets[first + slowest].cost > t->sets[r->named].cost))
			r->named = first + slowest;
	}
	mem_free(medians, list);
}

/*
 * Without lateness, or if 5 % of the communication is not matched and nobody is late, the ranks that compute longest
 * cost what they compute longer.
 */
static void find_without_clocks(struct delay_report *r)
{
	struct rank_table *t = r->t;
	const struct rank_set *excess = excess_set(t);
	size_t i;

	if (!excess->n || (r->d->aligned && (r->named < t->n_sets || r->d->unmatched * 20 <= r->d->members)))
		return;
	for (i = 0; i < t->n_sets && !(t->sets[i].applies && rank_set_equal(&t->sets[i], excess)); i++)
		;
	if (i == t->n_sets)
		return;
	t->sets[i].cost = t->sets[i].excess;
	r->named = i;
}

static bool has_trace(const struct rank_table *t, int64_t rank)
{
	const uint32_t at = rank_table_find(t, rank);

	return at != RANK_NONE && t->ranks[at].n;
}

/* Returns the lowest rank of the job without a trace, or -1. */
static int64_t first_missing(const struct rank_table *t)
{
	int64_t rank;
	size_t i;

	for (rank = 0; rank < t->world; rank++) {
		if (!has_trace(t, rank))
			return rank;
	}
	for (i = 0; i < t->n; i++) {
		if (!t->ranks[i].n)
			return t->ranks[i].rank;
	}
	return -1;
}

/* Returns in how many steps a figure of a rank is 10 % above that of its peers; sets the first and last of them. */
static size_t slow_steps(const struct rank_table *t, uint32_t rank, enum rank_part part, size_t *first, size_t *last)
{
	size_t i, n = 0;

	for (i = 0; i < t->n_steps; i++) {
		if (rank_table_step(t, rank, i)->figure[part] * 10 <= peers_in_step(t, rank, i, part) * 11)
			continue;
		*first = n ? *first : i;
		*last = i;
		n++;
	}
	return n;
}

/* Whether a rank of a set, which computes longer than its peers in the mean, does so in less than half of the steps. */
static bool is_brief(const struct rank_table *t, const struct rank_set *s)
{
	size_t i, n, most = 0, first, last;

	for (i = 0; i < s->n; i++) {
		if (!has_trace(t, s->ranks[i]))
			continue;
		n = slow_steps(t, rank_table_find(t, s->ranks[i]), RANK_COMPUTE, &first, &last);
		most = n > most ? n : most;
	}
	return s->kind != RANK_SET_STAGE && most * 2 < t->n_steps;
}

/* The rank without a trace for which the others of its group wait longest. */
static void find_missing(struct delay_report *r)
{
	const struct delay_group *g;
	const struct rank_set *s;

	r->waits_for = -1;
	for (g = r->d->groups; r->d->n_groups && g < r->d->groups + r->d->n_groups; g++) {
		const int64_t waited = rank_table_mean(g->late_wait, r->t->n_steps);

		if (g->missing >= 0 && waited > r->waited) {
			r->waits_for = g->missing;
			r->waited = waited;
		}
	}
	if (!is_large(r, r->waited))
		r->waits_for = -1;
	/*
	 * Delays of a rank without a trace make others late, too: these are not named for that. Ranks that compute
	 * longer are, unless the others wait for the rank without a trace and these ranks cannot explain it: they
	 * compute longer in few steps, or by less than the waiting.
	 */
	if (r->named == r->t->n_sets)
		return;
	s = &r->t->sets[r->named];
	if (is_large(r, s->excess) && (r->waits_for < 0 || !(is_brief(r->t, s) || is_large(r, r->waited - s->excess))))
		return;
	if (r->waits_for < 0 && first_missing(r->t) >= 0) {
		r->waits_for = first_missing(r->t);
		r->waited = r->most;
	}
	if (r->waits_for >= 0)
		r->named = r->t->n_sets;
}

static void find_reason(struct delay_report *r)
{
	struct rank_values host;
	const struct rank_set *s;

	r->why = r->waits_for >= 0 ? "missing" : "";
	if (r->named == r->t->n_sets)
		return;
	s = &r->t->sets[r->named];
	host = compare_figure(r, s, RANK_HOST);
	r->why = s->kind == RANK_SET_STAGE            ? "stage"
		 : is_large(r, s->excess)             ? "compute"
		 : is_large(r, host.own - host.peers) ? "host"
						      : "late";
}

/* --- records --- */

static void put_figures(struct delay_report *r, const int64_t *figure)
{
	size_t i;

	for (i = 0; i < RANK_FIGURES; i++)
		json_write_int(&r->text, rank_part_names[i], figure[i]);
}

static void put_set_name(struct delay_report *r, const char *key, const struct rank_set *s)
{
	struct buf name = {0};

	rank_set_name(r->t, s, &name);
	json_write_text(&r->text, key, buf_str(&name));
	buf_free(&name);
}

static void put_ranks(struct delay_report *r, const struct rank_set *s)
{
	size_t i;

	json_write_begin(&r->text, "ranks", '[');
	for (i = 0; i < s->n; i++)
		json_write_int(&r->text, NULL, s->ranks[i]);
	json_write_end(&r->text, ']');
}

static const char *const kind_names[] = {"rank", "group", "host", "stage", "ranks"};

static void put_set(struct delay_report *r, const struct rank_set *s)
{
	const struct delay_group *g = s->group == RANK_NONE ? NULL : &r->d->groups[s->group];

	json_write_text(&r->text, "set", str_of(kind_names[s->kind]));
	put_set_name(r, "name", s);
	put_ranks(r, s);
	json_write_int(&r->text, "n", (int64_t)s->n);
	json_write_int(&r->text, "late", s->cost);
	json_write_int(&r->text, "excess", s->excess);
	if (!g)
		return;
	json_write_text(&r->text, "group", g->name);
	if (g->set != RANK_NONE && r->t->sets[g->set].n < r->t->n)
		put_set_name(r, "group_name", &r->t->sets[g->set]);
	else
		json_write_text(&r->text, "group_name", STR("all ranks"));
	json_write_text(&r->text, "op", g->op.n ? g->op : STR("collectives"));
	json_write_int(&r->text, "collectives", (int64_t)s->collectives);
	json_write_int(&r->text, "last", (int64_t)s->last);
}

static int compare_costs(const void *arg, size_t a, size_t b)
{
	const struct rank_set *list = arg, *x = &list[a], *y = &list[b];
	const int c = int_compare(y->cost, x->cost);

	return c ? c : int_compare((int64_t)x->n, (int64_t)y->n);
}

static void write_sets(struct delay_report *r, struct out *out)
{
	size_t *order = order_sort(r->t->n_sets, compare_costs, r->t->sets), i;

	for (i = 0; i < r->t->n_sets; i++) {
		if (!r->t->sets[order[i]].applies)
			continue;
		record_line_begin(&r->text, "rank-delays/set");
		put_set(r, &r->t->sets[order[i]]);
		json_write_bool(&r->text, "named", order[i] == r->named);
		record_line_end(&r->text, out);
	}
	free(order);
}

/* Writes in how many steps a figure of a rank is 10 % above that of its peers, and which steps, if they are few. */
static void put_slow_steps(struct delay_report *r, uint32_t rank, enum rank_part part)
{
	size_t first = 0, last = 0;
	const size_t n = slow_steps(r->t, rank, part, &first, &last);

	json_write_int(&r->text, "slow_steps", (int64_t)n);
	if (n)
		json_write_int(&r->text, "first_slow", r->t->steps[first]);
	if (n > 1)
		json_write_int(&r->text, "last_slow", r->t->steps[last]);
}

/* Writes the part of a rank that is beyond that of its peers by 5 median deviations and 2 % of a step. */
static void put_odd(struct delay_report *r, uint32_t rank)
{
	static const enum rank_part parts[] = {RANK_COMPUTE, RANK_HOST, RANK_COPY};
	const struct rank_table *t = r->t;
	const struct rank_entry *own = &t->ranks[rank];
	int64_t *list = mem_alloc((t->n + 1) * sizeof *list), median, deviation;
	size_t i, k, n;

	for (k = 0; k < sizeof parts / sizeof *parts; k++) {
		for (i = n = 0; i < t->n; i++) {
			if (t->ranks[i].n && t->ranks[i].stage == own->stage)
				list[n++] = t->ranks[i].mean[parts[k]];
		}
		median = select_median(list, n);
		for (i = 0; i < n; i++)
			list[i] = llabs(list[i] - median);
		deviation = n > 2 ? select_median(list, n) : 0;
		if (!is_large(r, own->mean[parts[k]] - median - 5 * deviation))
			continue;
		json_write_text(&r->text, "odd", str_of(rank_part_names[parts[k]]));
		json_write_int(&r->text, "odd_own", own->mean[parts[k]]);
		json_write_int(&r->text, "odd_peers", median);
		break;
	}
	put_slow_steps(r, rank, k < sizeof parts / sizeof *parts ? parts[k] : RANK_COMPUTE);
	free(list);
}

static void write_ranks(struct delay_report *r, struct out *out)
{
	const struct rank_table *t = r->t;
	const struct rank_entry *own;
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		own = &t->ranks[i];
		if (!own->n)
			continue;
		record_line_begin(&r->text, "rank-delays/rank");
		json_write_int(&r->text, "rank", own->rank);
		if (own->host != RANK_NONE)
			json_write_text(&r->text, "host", map_key(&t->hosts, own->host));
		if (own->stage != RANK_NONE)
			json_write_int(&r->text, "stage", own->stage);
		json_write_int(&r->text, "steps", (int64_t)t->n_steps);
		put_figures(r, own->mean);
		json_write_int(&r->text, "late", t->sets[i].cost);
		json_write_int(&r->text, "excess", own->excess);
		json_write_int(&r->text, "peers", own->peers);
		put_odd(r, i);
		record_line_end(&r->text, out);
	}
}

static void write_steps(struct delay_report *r, struct out *out)
{
	const struct rank_table *t = r->t;
	const struct rank_window *w;
	size_t i;

	for (i = 0; i < t->n_windows; i++) {
		w = &t->windows[i];
		if (w->step == RANK_NONE)
			continue;
		record_line_begin(&r->text, "rank-delays/step");
		json_write_int(&r->text, "rank", t->ranks[w->rank].rank);
		json_write_int(&r->text, "step", w->number);
		json_write_int(&r->text, "start", w->ts);
		put_figures(r, w->figure);
		json_write_int(&r->text, "late", set_delays_late(r->d, t, w->rank, w->step));
		record_line_end(&r->text, out);
	}
}

/* --- slow steps --- */

/* The longest window of each step; the rank that is latest in it. */
struct slow_step {
	int64_t dur, late;
	uint32_t rank;
};

static int compare_slow(const void *arg, size_t a, size_t b)
{
	const struct slow_step *list = arg;

	return int_compare(list[b].dur, list[a].dur);
}

static struct slow_step *list_steps(const struct delay_report *r)
{
	const struct rank_table *t = r->t;
	struct slow_step *list = mem_zero(t->n_steps + 1, sizeof *list), *s;
	const struct rank_window *w;
	int64_t late;
	size_t i;

	for (i = 0; i < t->n_steps; i++)
		list[i].rank = RANK_NONE;
	for (i = 0; i < t->n_windows; i++) {
		w = &t->windows[i];
		if (w->step == RANK_NONE)
			continue;
		s = &list[w->step];
		s->dur = w->figure[RANK_DUR] > s->dur ? w->figure[RANK_DUR] : s->dur;
		late = set_delays_late(r->d, t, w->rank, w->step);
		if (s->rank == RANK_NONE || late > s->late) {
			s->rank = w->rank;
			s->late = late;
		}
	}
	return list;
}

/* Writes the part that is longest in this step compared with its median over steps, as means over ranks. */
static void put_grown_part(struct delay_report *r, size_t step)
{
	const struct rank_table *t = r->t;
	int64_t *sums = mem_zero((t->n_steps + 1) * RANK_FIGURES, sizeof *sums), *list, growth, most = 0;
	size_t i, k, grown = RANK_FIGURES;

	list = mem_alloc((t->n_steps + 1) * sizeof *list);
	for (i = 0; i < t->n_windows; i++) {
		for (k = 0; k < RANK_FIGURES && t->windows[i].step != RANK_NONE; k++)
			sums[t->windows[i].step * RANK_FIGURES + k] += t->windows[i].figure[k];
	}
	for (k = 0; k < RANK_FIGURES; k++) {
		for (i = 0; i < t->n_steps; i++)
			list[i] = sums[i * RANK_FIGURES + k];
		growth = sums[step * RANK_FIGURES + k] - select_median(list, t->n_steps);
		if (k < RANK_DUR && growth > most) {
			most = growth;
			grown = k;
		}
	}
	if (grown < RANK_FIGURES) {
		json_write_text(&r->text, "part", str_of(rank_part_names[grown]));
		json_write_int(&r->text, "more", rank_table_mean(most, t->n_traces));
	}
	mem_free(sums, list);
}

/* Writes the window of the step of the lowest rank, on whose clock rank-merge has all times. */
static void put_window(struct delay_report *r, size_t step)
{
	const struct rank_window *w = rank_table_step(r->t, r->t->windows[0].rank, step);

	json_write_int(&r->text, "from", w->ts);
	json_write_int(&r->text, "to", int_add(w->ts, w->figure[RANK_DUR]));
}

/* Writes the steps that are slow: more than 5 median deviations and 2 % above the median. Counts them. */
static void write_slow(struct delay_report *r, struct out *out)
{
	const struct rank_table *t = r->t;
	struct slow_step *list = list_steps(r), *s;
	int64_t *durs = mem_alloc((t->n_steps + 1) * sizeof *durs);
	size_t *order = order_sort(t->n_steps, compare_slow, list), i;

	for (i = 0; i < t->n_steps; i++)
		durs[i] = list[i].dur;
	r->step_median = select_median(durs, t->n_steps);
	for (i = 0; i < t->n_steps; i++)
		durs[i] = llabs(list[i].dur - r->step_median);
	r->step_mad = select_median(durs, t->n_steps);
	for (; r->n_slow < t->n_steps; r->n_slow++) {
		i = order[r->n_slow];
		s = &list[i];
		if (s->dur <= r->step_median + 5 * r->step_mad || s->dur * 50 <= r->step_median * 51)
			break;
		if (r->n_slow >= SLOW_STEPS)
			continue;
		record_line_begin(&r->text, "rank-delays/slow");
		json_write_int(&r->text, "step", t->steps[i]);
		json_write_int(&r->text, "dur", s->dur);
		json_write_int(&r->text, "above", s->dur - r->step_median);
		put_window(r, i);
		if (s->late * 4 > s->dur - r->step_median) {
			json_write_int(&r->text, "rank", t->ranks[s->rank].rank);
			json_write_int(&r->text, "late", s->late);
			json_write_bool(&r->text, "other", !contains_rank(r, s->rank));
		} else {
			put_grown_part(r, i);
		}
		record_line_end(&r->text, out);
	}
	mem_free(list, durs, order);
}

/* --- the job --- */

/* Writes the ranks of the job without a trace, if their number is known. */
static void put_missing(struct delay_report *r)
{
	const struct rank_table *t = r->t;
	int64_t rank, count = 0;

	json_write_begin(&r->text, "missing", '[');
	for (rank = 0; rank < t->world; rank++) {
		if (!has_trace(t, rank) && count++ < STEPS_LISTED)
			json_write_int(&r->text, NULL, rank);
	}
	json_write_end(&r->text, ']');
	json_write_int(&r->text, "n_missing", count);
}

static void put_named(struct delay_report *r)
{
	struct rank_values v;
	const struct rank_set *s;

	json_write_text(&r->text, "why", str_of(r->why));
	json_write_int(&r->text, "n_excess", (int64_t)excess_set(r->t)->n);
	json_write_int(&r->text, "most", r->most);
	if (r->waits_for >= 0) {
		json_write_int(&r->text, "waits_for", r->waits_for);
		json_write_int(&r->text, "waited", r->waited);
	}
	if (r->named == r->t->n_sets)
		return;
	s = &r->t->sets[r->named];
	put_set(r, s);
	v = compare_figure(r, s, RANK_COMPUTE);
	json_write_int(&r->text, "computes", v.own);
	json_write_int(&r->text, "peers", v.peers);
	if (s->kind == RANK_SET_RANK)
		put_slow_steps(r, (uint32_t)r->named, RANK_COMPUTE);
}

static void write_job(struct delay_report *r, struct out *out)
{
	const struct rank_table *t = r->t;
	int64_t mean[RANK_FIGURES] = {0};
	size_t i, k;

	for (k = 0; k < RANK_FIGURES; k++) {
		for (i = 0; i < t->n_windows; i++)
			mean[k] += t->windows[i].step == RANK_NONE ? 0 : t->windows[i].figure[k];
		mean[k] = rank_table_mean(mean[k], t->n_steps * t->n_traces);
	}
	record_line_begin(&r->text, "rank-delays/job");
	put_figures(r, mean);
	json_write_int(&r->text, "n_ranks", (int64_t)t->n_traces);
	json_write_int(&r->text, "world", t->world);
	put_missing(r);
	json_write_int(&r->text, "n_steps", (int64_t)t->n_steps);
	if (t->n_steps) {
		json_write_int(&r->text, "first_step", t->steps[0]);
		json_write_int(&r->text, "last_step", t->steps[t->n_steps - 1]);
	}
	json_write_int(&r->text, "partial_steps", (int64_t)t->partial);
	json_write_int(&r->text, "step_median", r->step_median);
	json_write_int(&r->text, "step_mad", r->step_mad);
	json_write_int(&r->text, "n_slow", (int64_t)r->n_slow);
	json_write_int(&r->text, "n_stages", (int64_t)t->n_stages);
	json_write_int(&r->text, "n_hosts", (int64_t)t->hosts.n);
	json_write_int(&r->text, "n_collectives", (int64_t)r->d->collectives);
	json_write_int(&r->text, "n_unaligned", (int64_t)r->d->unaligned);
	json_write_int(&r->text, "n_aligned", (int64_t)r->d->aligned);
	json_write_int(&r->text, "n_members", (int64_t)r->d->members);
	json_write_int(&r->text, "n_unmatched", (int64_t)r->d->unmatched);
	put_named(r);
	record_line_end(&r->text, out);
}

void delay_report_write(struct set_delays *d, struct rank_table *t, struct out *out)
{
	struct delay_report r = {.d = d, .t = t};

	find_named(&r);
	find_without_clocks(&r);
	find_stage(&r);
	find_missing(&r);
	find_reason(&r);
	write_slow(&r, out);
	write_job(&r, out);
	collective_sums_write(&d->sums, t, out);
	write_sets(&r, out);
	write_ranks(&r, out);
	write_steps(&r, out);
	buf_free(&r.text);
}
