#include "device_memory.h"

#include <stdlib.h>

static struct owner_memory *owner_of(struct device_memory *d, uint32_t owner)
{
	d->owners = mem_grow_zero(d->owners, &d->owners_cap, (size_t)owner + 1, sizeof *d->owners);
	if (owner >= d->n_owners)
		d->n_owners = (size_t)owner + 1;
	return &d->owners[owner];
}

/*
 * Changes what is live of an owner. A trace can have millions of peaks, each greater than the one before, and thousands
 * of owners. Therefore the values of all owners are not copied at a peak: each is copied before its first change after
 * the peak.
 */
static void change_live(struct device_memory *d, uint32_t owner, int64_t bytes, int64_t blocks)
{
	struct owner_memory *o = owner_of(d, owner);

	if (o->epoch != d->epoch) {
		o->peak_live = o->live;
		o->peak_blocks = o->blocks;
		o->epoch = d->epoch;
	}
	o->live = int_add(o->live, bytes);
	o->blocks += blocks;
}

void device_memory_end(struct device_memory *d, size_t ended)
{
	if (ended == d->steps)
		return;
	d->levels = mem_grow(d->levels, &d->levels_cap, d->n_levels + 1, sizeof *d->levels);
	d->levels[d->n_levels++] = (struct memory_level){d->steps, d->total, d->net};
	d->steps = ended;
}

static void count_event(struct device_memory *d, const struct memory_change *c, uint32_t owner)
{
	struct owner_memory *o = owner_of(d, owner);

	d->events++;
	if (c->bytes > 0) {
		d->allocations++;
		d->alloc_bytes = int_add(d->alloc_bytes, c->bytes);
		o->allocations++;
		o->alloc_bytes = int_add(o->alloc_bytes, c->bytes);
	} else if (c->bytes < 0) {
		d->frees++;
		d->free_bytes = int_sub(d->free_bytes, c->bytes);
		o->frees++;
		o->free_bytes = int_sub(o->free_bytes, c->bytes);
	}
}

static void find_peaks(struct device_memory *d, const struct memory_change *c, uint32_t owner)
{
	const int64_t unused = c->has_total ? int_sub(c->reserved, c->total) : 0;

	if (d->events == 1 || d->total > d->peak) {
		d->peak = d->total;
		d->peak_ts = c->ts;
		d->peak_owner = owner;
		d->epoch++;
	}
	if (!c->has_reserved || !c->has_total)
		return;
	if (!d->has_reserved || c->reserved > d->reserved)
		d->reserved = c->reserved;
	if (!d->has_reserved || unused > d->unused) {
		d->unused = unused;
		d->unused_ts = c->ts;
	}
	d->has_reserved = true;
}

void device_memory_add(struct device_memory *d, const struct memory_change *c, uint32_t owner,
    const struct live_block *freed, size_t ended)
{
	int64_t expected;

	if (!d->events && c->has_total) {
		d->absolute = true;
		d->first = d->total = int_sub(c->total, c->bytes);
	}
	device_memory_end(d, ended);
	expected = int_add(d->total, c->bytes);
	if (freed)
		change_live(d, freed->owner, -freed->bytes, -1);
	if (c->bytes > 0 && c->has_addr) {
		change_live(d, owner, c->bytes, 1);
		d->has_blocks = true;
	}
	d->missing += (c->has_total && d->has_total && c->total != expected) || (freed && c->bytes > 0);
	d->net = int_add(d->net, c->bytes);
	d->total = c->has_total ? c->total : expected;
	d->has_total = c->has_total;
	count_event(d, c, owner);
	find_peaks(d, c, owner);
}

int64_t device_memory_at_peak(const struct device_memory *d, uint32_t owner, int64_t *blocks)
{
	const struct owner_memory *o = &d->owners[owner];
	const bool changed = o->epoch == d->epoch;

	*blocks = changed ? o->peak_blocks : o->blocks;
	return changed ? o->peak_live : o->live;
}

int64_t device_memory_before_at_peak(const struct device_memory *d)
{
	int64_t rest = d->peak, blocks;
	size_t i;

	for (i = 0; i < d->n_owners; i++)
		rest = int_sub(rest, device_memory_at_peak(d, (uint32_t)i, &blocks));
	return rest;
}

void device_memory_free(struct device_memory *d)
{
	free(d->owners);
	free(d->levels);
}
