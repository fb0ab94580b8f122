#include "step_begins.h"

#include "base/hash.h"
#include "base/order.h"

#include <stdlib.h>

/* The numbers of marks of a rank. */
struct rank_marks {
	uint64_t count[STEP_MARK_WRITERS][STEP_MARK_DETAILS];
	bool any;
	unsigned writer; /* whose marks are the steps */
};

/* The mark of a thread that encloses those which follow. */
struct outer_mark {
	int64_t ts, end;
	bool any;
};

static struct step_sequence *sequence_of(struct step_begins *b, size_t *of_process, size_t process)
{
	if (of_process[process] == SIZE_MAX) {
		b->list = mem_grow(b->list, &b->cap, b->n + 1, sizeof *b->list);
		b->list[b->n] = (struct step_sequence){.process = process};
		of_process[process] = b->n++;
	}
	return &b->list[of_process[process]];
}

static void add_begin(struct step_sequence *s, int64_t ts, uint64_t mark)
{
	s->list = mem_grow(s->list, &s->cap, s->n + 1, sizeof *s->list);
	s->list[s->n++] = (struct step_begin){ts, mark};
}

/* --- marks --- */

/* Chooses the family whose marks say most; if there are several, the one with most marks. */
static void choose_writer(struct rank_marks *r)
{
	uint64_t best = 0;
	size_t detail, i;

	for (detail = 0; detail < STEP_MARK_DETAILS && !best; detail++) {
		for (i = 0; i < STEP_MARK_WRITERS; i++) {
			if (r->count[i][detail] <= best)
				continue;
			best = r->count[i][detail];
			r->writer = (unsigned)i;
		}
	}
	r->any = best > 0;
}

static struct rank_marks *count_marks(struct step_log *log)
{
	struct rank_marks *ranks = mem_zero(log->ranks.n + 1, sizeof *ranks);
	struct spool_window window = {.at = 0};
	struct logged_mark m;
	uint64_t at = 0;
	struct str name;
	size_t i;

	while (step_log_mark(log, &window, &at, &m, &name))
		ranks[log->rank_of[m.process]].count[m.mark.writer][m.mark.detail]++;
	for (i = 0; i < log->ranks.n; i++)
		choose_writer(&ranks[i]);
	spool_window_free(&window);
	return ranks;
}

/* A mark inside another one of its thread begins no step. */
static bool is_inside(struct outer_mark *outer, const struct logged_mark *m)
{
	if (outer->any && m->end <= outer->end && (m->ts < outer->end || m->ts == outer->ts))
		return true;
	*outer = (struct outer_mark){m->ts, m->end, true};
	return false;
}

static void find_marks(struct step_begins *b, struct step_log *log, const struct rank_marks *ranks, size_t *of_process)
{
	struct spool_window window = {.at = 0};
	struct outer_mark *outer = NULL;
	struct step_sequence *s;
	struct logged_mark m;
	uint64_t at = 0, next = 0;
	size_t cap = 0;
	struct str name;

	for (; step_log_mark(log, &window, &next, &m, &name); at = next) {
		outer = mem_grow_zero(outer, &cap, m.thread + 1, sizeof *outer);
		if (m.mark.writer != ranks[log->rank_of[m.process]].writer || is_inside(&outer[m.thread], &m))
			continue;
		s = sequence_of(b, of_process, m.process);
		s->by = m.mark.family;
		s->marked = true;
		add_begin(s, m.ts, at);
		b->differs += m.mark.differs;
	}
	free(outer);
	spool_window_free(&window);
}

/* --- graph launches --- */

/* A launch of a graph. */
struct key_launch {
	int64_t ts, corr;
	uint64_t key; /* a hash of the names of its records, in ts order */
};

/* The launches of a process, by ts and corr. */
struct key_launches {
	struct key_launch *list;
	size_t n, cap;
};

static int compare_launch(const struct key_launch *k, int64_t ts, int64_t corr)
{
	const int order = int_compare(k->ts, ts);

	return order ? order : int_compare(k->corr, corr);
}

/* Finds or adds the launch of a record. Records come nearly in the order of their launches. */
static struct key_launch *launch_of(struct key_launches *l, const struct logged_work *w)
{
	struct order_range r = {0, l->n};
	struct key_launch *k;

	if (l->n && compare_launch(&l->list[l->n - 1], w->call, w->corr) < 0)
		r.low = l->n;
	while (r.low < r.high)
		order_halve(&r, compare_launch(&l->list[order_middle(&r)], w->call, w->corr) < 0);
	if (r.low < l->n && !compare_launch(&l->list[r.low], w->call, w->corr))
		return &l->list[r.low];
	l->list = mem_grow(l->list, &l->cap, l->n + 1, sizeof *l->list);
	k = &l->list[r.low];
	memmove(k + 1, k, (l->n++ - r.low) * sizeof *k);
	*k = (struct key_launch){w->call, w->corr, 0};
	return k;
}

/*
 * Returns the shortest period of the keys, at most half of them, or 0. It is n - k, where k is the length of the
 * longest part that is both the beginning and the end of the list: after[i] is this length for the first i keys (Knuth,
 * Morris, Pratt).
 */
static size_t find_period(const struct key_launch *list, size_t n)
{
	size_t *after = mem_zero(n + 1, sizeof *after), i, k = 0, period;

	for (i = 1; i < n; i++) {
		while (k && list[i].key != list[k].key)
			k = after[k];
		k += list[i].key == list[k].key;
		after[i + 1] = k;
	}
	period = n - after[n];
	free(after);
	return period <= n / 2 ? period : 0;
}

/* Returns the place in the period before which the longest pause is: the upper median over the repeats. */
static size_t first_place(const struct key_launch *list, size_t n, size_t period)
{
	int64_t *pauses = mem_alloc((n / period + 1) * sizeof *pauses), most = INT64_MIN;
	size_t place, best = 0, i, k;

	for (place = 0; place < period; place++) {
		for (i = place ? place : period, k = 0; i < n; i += period)
			pauses[k++] = int_sub(list[i].ts, list[i - 1].ts);
		if (!k)
			continue;
		qsort(pauses, k, sizeof *pauses, order_int64s);
		if (pauses[k / 2] > most) {
			most = pauses[k / 2];
			best = place;
		}
	}
	free(pauses);
	return best;
}

static void add_launches(struct step_sequence *s, const struct key_launches *l)
{
	const size_t period = find_period(l->list, l->n);
	size_t i;

	s->repeats = period > 0;
	s->by = period ? "graphs" : "graph launches";
	s->launches = period ? period : 1;
	for (i = period ? first_place(l->list, l->n, period) : 0; i < l->n; i += s->launches)
		add_begin(s, l->list[i].ts, 0);
}

static void find_launches(
    struct step_begins *b, struct step_log *log, const struct rank_marks *ranks, size_t *of_process)
{
	struct key_launches *launches = mem_zero(log->processes.n + 1, sizeof *launches);
	struct key_launch *launch;
	struct logged_work w;
	uint64_t i;
	size_t p;

	for (i = 0; i < log->n_work; i++) {
		step_log_work(log, i, &w);
		if (!w.graph || ranks[w.rank].any)
			continue;
		launch = launch_of(&launches[w.process], &w);
		launch->key = hash_pair(launch->key, w.name);
	}
	for (p = 0; p < log->processes.n; p++) {
		if (launches[p].n)
			add_launches(sequence_of(b, of_process, p), &launches[p]);
		free(launches[p].list);
	}
	free(launches);
}

void step_begins_find(struct step_begins *b, struct step_log *log, bool only_marks)
{
	struct rank_marks *ranks = count_marks(log);
	size_t *of_process = mem_alloc((log->processes.n + 1) * sizeof *of_process), i;

	*b = (struct step_begins){0};
	for (i = 0; i < log->processes.n; i++)
		of_process[i] = SIZE_MAX;
	find_marks(b, log, ranks, of_process);
	if (!only_marks)
		find_launches(b, log, ranks, of_process);
	mem_free(of_process, ranks);
}

void step_begins_free(struct step_begins *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		free(b->list[i].list);
	free(b->list);
}
