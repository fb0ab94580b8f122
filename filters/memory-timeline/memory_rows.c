#include "memory_rows.h"

#include "base/order.h"
#include "json/value.h"
#include "json/write.h"
#include "record/record_line.h"

#include <stdlib.h>

/* The types of devices by number: c10/core/DeviceType.h of PyTorch. */
static const char *const device_types[] = {"cpu", "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip", "fpga", "maia",
    "xla", "vulkan", "metal", "xpu", "mps", "meta", "hpu", "ve", "lazy", "ipu", "mtia", "privateuseone"};

static void write_device(struct memory_rows *r, const struct device_memory *d)
{
	const struct str rank = places_value(r->devices, d->place, 0), type = places_value(r->devices, d->place, 1);
	const struct str id = places_value(r->devices, d->place, 2);
	int64_t number;

	json_write_json(&r->line, "rank", rank);
	if (value_integer(type, &number) && number >= 0 &&
	    number < (int64_t)(sizeof device_types / sizeof *device_types))
		json_write_text(&r->line, "device", str_of(device_types[number]));
	else if (type.p)
		json_write_json(&r->line, "device", type);
	json_write_json(&r->line, "dev", id);
}

/* Writes the fields of an owner, each name after `prefix`. */
static void write_owner(struct memory_rows *r, const char *prefix, uint32_t owner)
{
	struct value v;
	size_t i;

	for (i = 0; i < r->owners->n_keys; i++) {
		groups_key(r->owners, owner, i, &v);
		if (v.type == VALUE_NONE)
			continue;
		r->name.n = 0;
		buf_text(&r->name, prefix);
		buf_text(&r->name, groups_key_name(r->owners, i));
		json_write_name(&r->line, buf_str(&r->name));
		buf_add(&r->line, v.text.p, v.text.n);
	}
}

/* Writes the owner of all that was allocated before the first event. */
static void write_owner_before(struct memory_rows *r)
{
	json_write_name(&r->line, str_of(groups_key_name(r->owners, 0)));
	buf_lit(&r->line, "\"(before the trace)\"");
}

/* Begins a record. `ts` and `dur` may be NULL, `name` may be absent. */
static void begin_row(struct memory_rows *r, const char *kind, const struct device_memory *d, const int64_t *ts,
    const int64_t *dur, struct str name)
{
	record_line_begin(&r->line, NULL);
	if (ts)
		json_write_int(&r->line, "ts", *ts);
	if (dur)
		json_write_int(&r->line, "dur", *dur);
	json_write_text(&r->line, "kind", str_of(kind));
	json_write_json(&r->line, "name", name);
	write_device(r, d);
}

/* Begins a record of a kind that has neither a time nor a name. */
static void begin_sums(struct memory_rows *r, const char *kind, const struct device_memory *d)
{
	begin_row(r, kind, d, NULL, NULL, (struct str){NULL, 0});
}

void memory_rows_block(struct memory_rows *r, const struct device_memory *d, const struct live_block *block,
    const struct memory_change *free, uint32_t free_owner)
{
	const int64_t dur = block && free ? int_sub(free->ts, block->ts) : 0;

	begin_row(r, "memory-block", d, block ? &block->ts : NULL, block && free ? &dur : NULL, (struct str){NULL, 0});
	if (block) {
		json_write_int(&r->line, "addr", block->addr);
		json_write_int(&r->line, "bytes", block->bytes);
		write_owner(r, "", block->owner);
		if (free)
			write_owner(r, "free_", free_owner);
		else
			json_write_text(&r->line, "outside", STR("after"));
	} else {
		json_write_int(&r->line, "addr", free->addr);
		json_write_int(&r->line, "bytes", int_sub(0, free->bytes));
		write_owner_before(r);
		write_owner(r, "free_", free_owner);
		json_write_int(&r->line, "end", free->ts);
		json_write_text(&r->line, "outside", STR("before"));
	}
	record_line_end(&r->line, r->out);
}

/* Writes one block for all that was allocated before the first event and is not freed: its addresses are unknown. */
static void write_rest(struct memory_rows *r, const struct device_memory *d)
{
	const int64_t rest = device_memory_before_at_end(d);

	if (!d->has_blocks || d->source == MEMORY_CATEGORIES || rest <= 0)
		return;
	begin_sums(r, "memory-block", d);
	json_write_int(&r->line, "bytes", rest);
	write_owner_before(r);
	json_write_text(&r->line, "outside", STR("both"));
	record_line_end(&r->line, r->out);
}

static void write_ts(struct memory_rows *r, const char *key, const struct memory_peak *p)
{
	if (p->has_ts)
		json_write_int(&r->line, key, p->ts);
}

/* Writes what only snapshots have. */
static void write_state(struct memory_rows *r, const struct device_memory *d)
{
	const struct allocator_state *s = &d->state;

	json_write_int(&r->line, "allocated", d->allocated.most);
	json_write_int(&r->line, "last_allocated", s->allocated);
	json_write_int(&r->line, "last_reserved", s->reserved);
	json_write_int(&r->line, "rounding", s->rounding);
	json_write_int(&r->line, "free", s->free);
	json_write_int(&r->line, "largest_free", s->largest_free);
	json_write_int(&r->line, "free_blocks", (int64_t)s->free_blocks);
	json_write_int(&r->line, "segments", (int64_t)s->segments);
	json_write_int(&r->line, "free_segments", s->free_segments);
	json_write_double(&r->line, "fragmentation", s->free > 0 ? 1 - (double)s->largest_free / (double)s->free : 0);
}

static void write_sums(struct memory_rows *r, const struct device_memory *d)
{
	begin_sums(r, "memory-timeline", d);
	json_write_int(&r->line, "events", (int64_t)d->events);
	json_write_int(&r->line, "missing", (int64_t)d->missing);
	json_write_int(&r->line, "allocations", (int64_t)d->allocations);
	json_write_int(&r->line, "frees", (int64_t)d->frees);
	json_write_int(&r->line, "alloc_bytes", d->alloc_bytes);
	json_write_int(&r->line, "free_bytes", d->free_bytes);
	json_write_int(&r->line, "net", d->net);
	if (d->absolute)
		json_write_int(&r->line, "first", d->first);
	json_write_int(&r->line, "peak", d->total.most);
	write_ts(r, "peak_ts", &d->total);
	if (d->epoch)
		write_owner(r, "peak_", d->peak_owner);
	json_write_int(&r->line, "last", d->total.now);
	if (d->has_reserved) {
		json_write_int(&r->line, "reserved", d->reserved.most);
		json_write_int(&r->line, "unused", d->unused.most);
		write_ts(r, "unused_ts", &d->unused);
	}
	if (d->source == MEMORY_SNAPSHOT)
		write_state(r, d);
	record_line_end(&r->line, r->out);
}

static void write_steps(struct memory_rows *r, const struct device_memory *d, const struct memory_steps *steps)
{
	const struct place_steps *list = &steps->places[d->step_place];
	const struct memory_level *level = d->levels;
	int64_t before = d->first;
	size_t i;

	for (i = 0; i < list->n; i++) {
		if (level + 1 < d->levels + d->n_levels && level[1].step == i)
			level++;
		begin_row(r, "memory-step", d, &list->ended[i].end, NULL, map_key(&steps->names, list->ended[i].name));
		json_write_int(&r->line, "total", level->total);
		json_write_int(&r->line, "growth", int_sub(level->total, before));
		json_write_int(&r->line, "net", level->net);
		record_line_end(&r->line, r->out);
		before = level->total;
	}
}

/* Orders owners by their part of the peak and by their allocations, descending. */
static int compare_owners(const void *device, size_t a, size_t b)
{
	const struct device_memory *d = device;
	int64_t blocks;
	const int64_t x = device_memory_at_peak(d, (uint32_t)a, &blocks);
	const int64_t y = device_memory_at_peak(d, (uint32_t)b, &blocks);

	return x != y ? int_compare(y, x) : int_compare(d->owners[b].alloc_bytes, d->owners[a].alloc_bytes);
}

static void write_owner_row(struct memory_rows *r, const struct device_memory *d, uint32_t owner)
{
	const struct owner_memory *o = &d->owners[owner];
	int64_t bytes, blocks;

	begin_sums(r, "memory-owner", d);
	write_owner(r, "", owner);
	if (d->has_blocks) {
		bytes = device_memory_at_peak(d, owner, &blocks);
		json_write_int(&r->line, "peak_bytes", bytes);
		json_write_int(&r->line, "peak_blocks", blocks);
		json_write_int(&r->line, "own_peak", o->live.most);
		write_ts(r, "own_peak_ts", &o->live);
	}
	json_write_int(&r->line, "allocations", (int64_t)o->allocations);
	json_write_int(&r->line, "frees", (int64_t)o->frees);
	json_write_int(&r->line, "alloc_bytes", o->alloc_bytes);
	json_write_int(&r->line, "free_bytes", o->free_bytes);
	json_write_int(&r->line, "net", int_sub(o->alloc_bytes, o->free_bytes));
	record_line_end(&r->line, r->out);
}

static void write_owners(struct memory_rows *r, const struct device_memory *d)
{
	size_t *order = order_sort(d->n_owners, compare_owners, d), i;
	const int64_t before = device_memory_before_at_peak(d);

	if (d->has_blocks && before) {
		begin_sums(r, "memory-owner", d);
		write_owner_before(r);
		json_write_int(&r->line, "peak_bytes", before);
		record_line_end(&r->line, r->out);
	}
	for (i = 0; i < d->n_owners; i++) {
		if (d->owners[order[i]].allocations || d->owners[order[i]].frees)
			write_owner_row(r, d, (uint32_t)order[i]);
	}
	free(order);
}

void memory_rows_device(
    struct memory_rows *r, const struct device_memory *d, const struct memory_steps *steps, bool blocks)
{
	if (blocks)
		write_rest(r, d);
	write_sums(r, d);
	write_steps(r, d, steps);
	write_owners(r, d);
}

void memory_rows_free(struct memory_rows *r)
{
	bufs_free(&r->line, &r->name);
}
