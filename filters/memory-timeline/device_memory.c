#include "device_memory.h"

static struct owner_memory *owner_of(struct device_memory *d, uint32_t owner)
{
	d->owners = mem_grow_zero(d->owners, &d->n_owners, (size_t)owner + 1, sizeof *d->owners);
	return &d->owners[owner];
}

/* Sets a value after an event. Of equal values, the first one is the greatest. */
static bool set_value(struct memory_peak *p, int64_t now, const struct memory_change *c, bool first)
{
	p->now = now;
	if (!first && now <= p->most)
		return false;
	p->most = now;
	p->ts = c->ts;
	p->has_ts = c->has_ts;
	return true;
}

/*
 * Changes what is live of an owner. A trace can have millions of peaks, each greater than the one before, and thousands
 * of owners. Therefore the values of all owners are not copied at a peak: each is copied before its first change after
 * the peak.
 */
static void change_live(
    struct device_memory *d, const struct memory_change *c, uint32_t owner, int64_t bytes, int64_t blocks)
{
	struct owner_memory *o = owner_of(d, owner);

	if (o->epoch != d->epoch) {
		o->peak_live = o->live.now;
		o->peak_blocks = o->blocks;
		o->epoch = d->epoch;
	}
	o->blocks += blocks;
	if (c->source == MEMORY_CATEGORIES)
		o->live.now = int_add(o->live.now, bytes);
	else
		set_value(&o->live, int_add(o->live.now, bytes), c, false);
}

/* Stores the level of the steps that have ended since the last event. */
static void end_steps(struct device_memory *d, size_t ended)
{
	if (ended == d->steps)
		return;
	d->levels = mem_grow(d->levels, &d->levels_cap, d->n_levels + 1, sizeof *d->levels);
	d->levels[d->n_levels++] = (struct memory_level){d->steps, d->total.now, d->net};
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

/* Events of the same time are one change of a raw timeline: a block moves to another category by two of them. */
static void settle(struct device_memory *d)
{
	const struct memory_change last = {.ts = d->last_ts, .has_ts = d->last_ts > INT64_MIN};
	size_t i;

	for (i = 0; i < d->n_owners; i++)
		set_value(&d->owners[i].live, d->owners[i].live.now, &last, false);
	if (set_value(&d->total, d->total.now, &last, false)) {
		d->peak_owner = d->last_owner;
		d->epoch++;
	}
}

static void find_peaks(struct device_memory *d, const struct memory_change *c, uint32_t owner)
{
	const bool first = d->events == 1 && c->source == MEMORY_PROFILE;
	const int64_t total = c->has_total ? c->total : int_add(d->total.now, c->bytes);

	if (c->source == MEMORY_CATEGORIES) {
		d->total.now = total;
	} else if (set_value(&d->total, total, c, first)) {
		d->peak_owner = owner;
		d->epoch++;
	}
	if (c->source == MEMORY_SNAPSHOT) {
		set_value(&d->allocated, int_add(d->allocated.now, c->allocated), c, false);
		set_value(&d->reserved, int_add(d->reserved.now, c->reserved), c, false);
		set_value(&d->unused, int_sub(d->reserved.now, d->allocated.now), c, false);
		d->has_reserved = true;
	} else if (c->has_reserved && c->has_total) {
		set_value(&d->reserved, c->total_reserved, c, !d->has_reserved);
		set_value(&d->unused, int_sub(c->total_reserved, c->total), c, !d->has_reserved);
		d->has_reserved = true;
	}
}

void device_memory_add(struct device_memory *d, const struct memory_change *c, uint32_t owner,
    const struct live_block *freed, size_t ended)
{
	if (!d->events && c->has_total) {
		d->absolute = true;
		d->first = d->total.now = int_sub(c->total, c->bytes);
	}
	d->source = c->source;
	if (c->source == MEMORY_CATEGORIES && d->events && c->ts != d->last_ts)
		settle(d);
	end_steps(d, ended);
	if (freed)
		change_live(d, c, freed->owner, -freed->bytes, -1);
	if (c->source == MEMORY_CATEGORIES || (c->bytes > 0 && c->has_addr)) {
		change_live(d, c, owner, c->bytes, c->bytes > 0 ? 1 : -1);
		d->has_blocks = true;
	}
	d->missing +=
	    (c->has_total && d->has_total && c->total != int_add(d->total.now, c->bytes)) || (freed && c->bytes > 0);
	d->net = int_add(d->net, c->bytes);
	d->has_total = c->has_total;
	count_event(d, c, owner);
	find_peaks(d, c, owner);
	if (c->before) {
		d->absolute = true;
		d->first = d->total.now;
	}
	d->last_ts = c->ts;
	d->last_owner = owner;
}

static void shift(struct memory_peak *p, int64_t end)
{
	p->most = int_add(p->most, int_sub(end, p->now));
	p->now = end;
}

void device_memory_end(struct device_memory *d, size_t ended)
{
	const struct allocator_state *s = &d->state;
	const int64_t before = int_sub(s->active, d->total.now);
	size_t i;

	if (d->source == MEMORY_CATEGORIES && d->events)
		settle(d);
	end_steps(d, ended);
	if (d->source != MEMORY_SNAPSHOT)
		return;
	/* A snapshot has the state at the end, from which the one before the first event follows. */
	d->absolute = d->has_reserved = true;
	d->first = before;
	for (i = 0; i < d->n_levels; i++)
		d->levels[i].total = int_add(d->levels[i].total, before);
	shift(&d->total, s->active);
	shift(&d->allocated, s->allocated);
	shift(&d->reserved, s->reserved);
	shift(&d->unused, int_sub(s->reserved, s->allocated));
}

int64_t device_memory_at_peak(const struct device_memory *d, uint32_t owner, int64_t *blocks)
{
	const struct owner_memory *o = &d->owners[owner];
	const bool changed = o->epoch == d->epoch;

	*blocks = changed ? o->peak_blocks : o->blocks;
	return changed ? o->peak_live : o->live.now;
}

int64_t device_memory_before_at_peak(const struct device_memory *d)
{
	int64_t rest = d->total.most, blocks;
	size_t i;

	for (i = 0; i < d->n_owners; i++)
		rest = int_sub(rest, device_memory_at_peak(d, (uint32_t)i, &blocks));
	return rest;
}

int64_t device_memory_before_at_end(const struct device_memory *d)
{
	int64_t rest = d->total.now;
	size_t i;

	for (i = 0; i < d->n_owners; i++)
		rest = int_sub(rest, d->owners[i].live.now);
	return rest;
}

void device_memory_free(struct device_memory *d)
{
	mem_free(d->owners, d->levels);
}
