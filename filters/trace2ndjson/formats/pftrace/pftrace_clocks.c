/* pftrace_clocks: the clocks of a trace. Snapshots show the times of several clocks at one moment. */
#include "pftrace.h"

#include <stdlib.h>

enum { REALTIME = 1, MONOTONIC = 3, BOOTTIME = 6 };

uint32_t pftrace_clocks_at(struct pftrace_clocks *c, uint32_t sequence, uint64_t id)
{
	const size_t known = c->keys.n;
	char key[12];
	size_t i;

	if (id < 64 || id > 127)
		sequence = 0;
	memcpy(key, &id, sizeof id);
	memcpy(key + sizeof id, &sequence, sizeof sequence);
	i = map_put(&c->keys, (struct str){key, sizeof key});
	if (c->keys.n > known) {
		c->list = mem_grow(c->list, &c->cap, c->keys.n, sizeof *c->list);
		c->list[i] = (struct pftrace_clock){.unit = 1};
	}
	return (uint32_t)i;
}

void pftrace_clocks_add(struct pftrace_clocks *c, uint32_t clock, int64_t ts)
{
	c->readings = mem_grow(c->readings, &c->cap_readings, c->n_readings + 1, sizeof *c->readings);
	c->readings[c->n_readings++] = (struct pftrace_reading){c->snapshots, clock, ts};
}

static uint64_t id_of(const struct pftrace_clocks *c, uint32_t clock)
{
	uint64_t id;

	memcpy(&id, map_key(&c->keys, clock).p, sizeof id);
	return id;
}

/* Returns the main clock: the primary one of the last snapshot, else the boot time, else the first one in use. */
static uint32_t main_clock(struct pftrace_clocks *c)
{
	const uint32_t primary = pftrace_clocks_at(c, 0, c->primary), boot = pftrace_clocks_at(c, 0, BOOTTIME);
	size_t i;

	for (i = 0; i < c->n_readings && c->primary; i++) {
		if (c->readings[i].clock == primary)
			return primary;
	}
	if (c->primary || c->list[boot].used)
		return boot;
	for (i = 0; i < c->n_readings; i++) {
		if (c->readings[i].clock == boot)
			return boot;
	}
	for (i = 0; i < c->keys.n; i++) {
		if (c->list[i].used)
			return (uint32_t)i;
	}
	return boot;
}

/*
 * Adds how to convert a clock from the moment of a snapshot on. The last snapshot that is not later than a time counts,
 * so a snapshot removes preceding ones with later times.
 */
static void add_shift(struct pftrace_clock *clock, int64_t from, int64_t to)
{
	struct pftrace_shift shift = {.from = from};

	if (__builtin_sub_overflow(to, from, &shift.add))
		return;
	if (!clock->known)
		clock->first_add = shift.add;
	clock->known = true;
	while (clock->n_shifts && clock->shifts[clock->n_shifts - 1].from >= from)
		clock->n_shifts--;
	clock->shifts = mem_grow(clock->shifts, &clock->cap_shifts, clock->n_shifts + 1, sizeof *clock->shifts);
	clock->shifts[clock->n_shifts++] = shift;
}

/* Returns the time of a clock in the snapshot of readings[i .. end), or NULL. */
static const struct pftrace_reading *reading_of(const struct pftrace_clocks *c, size_t i, size_t end, uint32_t clock)
{
	for (; i < end; i++) {
		if (c->readings[i].clock == clock)
			return &c->readings[i];
	}
	return NULL;
}

/*
 * Goes through the snapshots, and adds shifts to clocks that are not `known` yet: directly to the main clock, or, if
 * `middle` is not NONE, by means of this clock.
 */
static void add_shifts(struct pftrace_clocks *c, uint32_t main, uint32_t middle)
{
	const uint32_t over = middle == PFTRACE_NONE ? main : middle;
	const struct pftrace_reading *to;
	bool *skip = mem_zero(c->keys.n, sizeof *skip);
	size_t i, k, end;
	int64_t ts;

	for (i = 0; i < c->keys.n; i++)
		skip[i] = c->list[i].known || i == main;
	for (i = 0; i < c->n_readings; i = end) {
		for (end = i; end < c->n_readings && c->readings[end].snapshot == c->readings[i].snapshot;)
			end++;
		to = reading_of(c, i, end, over);
		if (!to)
			continue;
		ts = to->ts;
		if (middle != PFTRACE_NONE && !pftrace_clocks_convert(c, middle, &ts))
			continue;
		for (k = i; k < end; k++) {
			if (!skip[c->readings[k].clock])
				add_shift(&c->list[c->readings[k].clock], c->readings[k].ts, ts);
		}
	}
	free(skip);
}

void pftrace_clocks_end(struct pftrace_clocks *c)
{
	static const uint64_t middles[] = {REALTIME, MONOTONIC, BOOTTIME};
	const uint32_t main = main_clock(c);
	uint32_t ids[sizeof middles / sizeof *middles];
	size_t i;

	for (i = 0; i < sizeof middles / sizeof *middles; i++)
		ids[i] = pftrace_clocks_at(c, 0, middles[i]);
	c->list[main].main = true;
	add_shifts(c, main, PFTRACE_NONE);
	for (i = sizeof middles / sizeof *middles; i-- > 0;) {
		if (ids[i] != main && c->list[ids[i]].known)
			add_shifts(c, main, ids[i]);
	}
}

bool pftrace_clocks_convert(const struct pftrace_clocks *c, uint32_t clock, int64_t *ts)
{
	const struct pftrace_clock *from = &c->list[clock];
	size_t low = 0, high = from->n_shifts, middle;

	if (from->main)
		return true;
	if (!from->known)
		return false;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (from->shifts[middle].from <= *ts)
			low = middle + 1;
		else
			high = middle;
	}
	return !__builtin_add_overflow(*ts, low ? from->shifts[low - 1].add : from->first_add, ts);
}

void pftrace_clocks_put(const struct pftrace_clocks *c, uint32_t clock, struct buf *b)
{
	const uint64_t id = id_of(c, clock);
	uint32_t sequence;

	memcpy(&sequence, map_key(&c->keys, clock).p + sizeof id, sizeof sequence);
	buf_lit(b, "\"clock ");
	wire_put_uint(b, id);
	if (sequence) {
		buf_lit(b, " of sequence ");
		wire_put_uint(b, sequence);
	}
	buf_char(b, '"');
}

void pftrace_clocks_free(struct pftrace_clocks *c)
{
	size_t i;

	for (i = 0; i < c->keys.n; i++)
		free(c->list[i].shifts);
	map_free(&c->keys);
	free(c->list);
	free(c->readings);
}
