#include "pftrace_pairs.h"

#include "base/int_math.h"
#include "base/order.h"

#include <stdlib.h>

/* A slice that has begun. `link` is 1 + its own position, or, when it is closed, that of a preceding slice. */
struct open_slice {
	int64_t ts;
	uint64_t number;
	size_t link;
};

/* The open slices of one track, sorted by ts. */
struct open_slices {
	struct open_slice *list;
	size_t n, cap;
};

struct pairs {
	struct pftrace_entries *p;
	struct open_slices *open; /* for each track */
	struct spool_window ahead, begins, ends;
	uint64_t open_ends; /* number of ends without a begin */
	struct fault fault;
};

/* Reads slice i of the file, with its time on the main clock. Returns false at the end. */
static bool slice_at(struct pairs *m, struct spool_window *w, uint64_t i, struct pftrace_slice *slice)
{
	const char *bytes;

	if (i >= m->p->n_slices || m->p->failed)
		return false;
	bytes = spool_read(&m->p->slices, w, i * sizeof *slice, sizeof *slice, &m->fault);
	if (!bytes) {
		pftrace_fail(m->p, &m->fault);
		return false;
	}
	memcpy(slice, bytes, sizeof *slice);
	pftrace_clocks_convert(&m->p->clocks, slice->clock, &slice->ts);
	return true;
}

/* The same, for tracks that one sequence writes on: skips the slices of other tracks. Sets *i to the slice's number. */
static bool own_slice_at(struct pairs *m, struct spool_window *w, uint64_t *i, struct pftrace_slice *slice)
{
	for (; slice_at(m, w, *i, slice); ++*i) {
		if (!m->p->tracks.list[slice->track].shared)
			return true;
	}
	return false;
}

static void join(struct pairs *m, uint64_t begin, const struct pftrace_slice *end)
{
	const uint64_t entry = 1 + end->entry;

	if (!spool_write(&m->p->ends, &m->ends, begin * sizeof entry, &entry, sizeof entry, &m->fault))
		pftrace_fail(m->p, &m->fault);
}

/* --- open slices --- */

/* Returns 1 + the position of the last open slice among the first n; 0 when all of them are closed. */
static size_t last_open(struct open_slices *open, size_t n)
{
	size_t next;

	while (n && open->list[n - 1].link != n) {
		next = open->list[n - 1].link;
		if (next && open->list[next - 1].link != next)
			open->list[n - 1].link = open->list[next - 1].link; /* makes later searches shorter */
		n = next;
	}
	return n;
}

/* Removes the closed slices, so that positions may change. */
static void compact(struct open_slices *open)
{
	size_t i, n = 0;

	for (i = 0; i < open->n; i++) {
		if (open->list[i].link != i + 1)
			continue;
		open->list[n] = open->list[i];
		open->list[n].link = n + 1;
		n++;
	}
	open->n = n;
}

/* Returns the number of slices that are not later than ts. */
static size_t count_until(const struct open_slices *open, int64_t ts)
{
	struct order_range r = {0, open->n};

	if (!open->n || open->list[open->n - 1].ts <= ts) /* the usual case */
		return open->n;
	while (r.low < r.high)
		order_halve(&r, open->list[order_middle(&r)].ts <= ts);
	return r.low;
}

static void begin_slice(struct pairs *m, const struct pftrace_slice *slice)
{
	struct open_slices *open = &m->open[slice->track];
	size_t at = count_until(open, slice->ts), i;

	if (at < open->n) {
		compact(open);
		at = count_until(open, slice->ts);
	}
	open->list = mem_grow(open->list, &open->cap, open->n + 1, sizeof *open->list);
	for (i = open->n++; i > at; i--) {
		open->list[i] = open->list[i - 1];
		open->list[i].link = i + 1;
	}
	open->list[at] = (struct open_slice){slice->ts, slice->number, at + 1};
}

static void end_slice(struct pairs *m, const struct pftrace_slice *slice)
{
	struct open_slices *open = &m->open[slice->track];
	const size_t at = last_open(open, count_until(open, slice->ts));

	if (!at) {
		m->open_ends++;
		return;
	}
	join(m, open->list[at - 1].number, slice);
	open->list[at - 1].link = at - 1;
	open->n = at == open->n ? last_open(open, at) : open->n;
}

/* --- tracks of one sequence --- */

/*
 * Whether begins[first .. after) and the slices that follow are a group of begins and a group of ends: as many ends,
 * the k-th end on the track of the k-th begin and not before it, and times that go back somewhere from the last begin
 * (at `last`) to the last end, as they never do in a live program. If the file ends inside the ends, those that are
 * left are enough. Sets *end to the slice that follows the ends.
 */
static bool is_run(struct pairs *m, uint64_t first, uint64_t after, uint64_t n, int64_t last, uint64_t *end)
{
	struct pftrace_slice begin, slice;
	uint64_t i = first, k = after, count;
	bool back = false;

	for (count = 0; count < n; count++, i++, k++) {
		if (!own_slice_at(m, &m->begins, &i, &begin))
			return false;
		if (!own_slice_at(m, &m->ahead, &k, &slice))
			break;
		if (!slice.is_end || slice.track != begin.track || slice.sequence != begin.sequence ||
		    slice.ts < begin.ts)
			return false;
		back |= slice.ts < last;
		last = slice.ts;
	}
	*end = k;
	return back;
}

static void pair_own_tracks(struct pairs *m)
{
	struct pftrace_slice slice, begin;
	uint64_t i = 0, k, after, end, n;
	uint32_t sequence;
	int64_t last;

	while (own_slice_at(m, &m->ahead, &i, &slice)) {
		if (slice.is_end) {
			end_slice(m, &slice);
			i++;
			continue;
		}
		sequence = slice.sequence;
		after = i;
		last = slice.ts;
		for (n = 0; own_slice_at(m, &m->ahead, &after, &slice); n++, after++) {
			if (slice.is_end || slice.sequence != sequence)
				break;
			last = slice.ts;
		}
		if (n > 1 && is_run(m, i, after, n, last, &end)) {
			for (k = after; k < end && own_slice_at(m, &m->ahead, &k, &slice); k++, i++) {
				if (own_slice_at(m, &m->begins, &i, &begin))
					join(m, begin.number, &slice);
			}
			i = end;
		} else {
			for (; i < after && own_slice_at(m, &m->begins, &i, &begin) && i < after; i++)
				begin_slice(m, &begin);
			i = after;
		}
	}
}

/* --- shared tracks --- */

static int by_time(const void *a, const void *b)
{
	const struct pftrace_slice *x = a, *y = b;

	/* slices of the same time: in the order of the file, which is that of their entries */
	return x->ts != y->ts ? int_compare(x->ts, y->ts) : int_compare((int64_t)x->entry, (int64_t)y->entry);
}

static void pair_shared_tracks(struct pairs *m)
{
	struct pftrace_slice slice, *list = NULL;
	size_t n = 0, cap = 0, k;
	uint64_t i;

	for (i = 0; slice_at(m, &m->ahead, i, &slice); i++) {
		if (!m->p->tracks.list[slice.track].shared)
			continue;
		list = mem_grow(list, &cap, n + 1, sizeof *list);
		list[n++] = slice;
	}
	if (n)
		qsort(list, n, sizeof *list, by_time);
	for (k = 0; k < n; k++) {
		if (list[k].is_end)
			end_slice(m, &list[k]);
		else
			begin_slice(m, &list[k]);
	}
	free(list);
}

void pftrace_pairs_find(struct pftrace_entries *p)
{
	struct pairs m = {.p = p, .open = mem_zero(p->tracks.uuids.n + 1, sizeof *m.open)};
	const struct fault_location place = {p->reader->file, 0, 0};
	uint64_t left = 0;
	size_t i, k;

	pair_shared_tracks(&m);
	pair_own_tracks(&m);
	if (!p->failed && p->begins && !spool_write_end(&p->ends, &m.ends, &m.fault))
		pftrace_fail(p, &m.fault);
	for (i = 0; i < p->tracks.uuids.n; i++) {
		for (k = 0; k < m.open[i].n; k++)
			left += m.open[i].list[k].link == k + 1;
		free(m.open[i].list);
	}
	if (left)
		diagnostics_add_many(p->reader->diagnostics, p->cut ? DIAGNOSTICS_LOST : DIAGNOSTICS_NOTE,
		    "slice without an end; its record has no dur", place, left);
	if (m.open_ends)
		diagnostics_add_many(p->reader->diagnostics, DIAGNOSTICS_NOTE,
		    "end of a slice whose begin is not in the file; ignored", place, m.open_ends);
	free(m.open);
	spool_window_free(&m.ahead);
	spool_window_free(&m.begins);
	spool_window_free(&m.ends);
}
