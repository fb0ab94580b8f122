/*
 * memory-timeline: measures how much memory is allocated on each device, and who owns it at the peak.
 *
 * in:  {"ts":100,"kind":"mark","name":"[memory]","pid":7,"tid":7,"op":"aten::mm","args":{"Bytes":512,"Addr":4096,
 *       "Total Allocated":1536,"Total Reserved":2048,"Device Type":1,"Device Id":0}}
 * out: {"kind":"memory-timeline","device":"cuda","dev":0,"events":1,"missing":0,"allocations":1,"frees":0,
 *       "alloc_bytes":512,"free_bytes":0,"net":512,"first":1024,"peak":1536,"peak_ts":100,"peak_op":"aten::mm",
 *       "last":1536,"reserved":2048,"unused":512,"unused_ts":100}
 *      {"kind":"memory-owner","device":"cuda","dev":0,"op":"(before the trace)","peak_bytes":1024}
 *      {"kind":"memory-owner","device":"cuda","dev":0,"op":"aten::mm","peak_bytes":512,"peak_blocks":1,
 *       "allocations":1,"frees":0,"alloc_bytes":512,"free_bytes":0,"net":512}
 */
#include "allocator_state.h"
#include "device_memory.h"
#include "live_blocks.h"
#include "memory_change.h"
#include "memory_rows.h"
#include "memory_steps.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/opt_fields.h"

#include <stdlib.h>

enum { MARKER = 256 };

struct memory_timeline {
	struct input in;
	struct out out;
	struct groups owners;
	struct name_match marker;
	bool blocks;        /* --blocks */
	uint64_t snapshots; /* number of snapshots */
	struct places step_places, places;
	struct device_memory *devices; /* by place */
	size_t devices_cap;
	struct live_blocks live;
	struct memory_steps steps;
	struct memory_rows rows;
};

#define TO(member) OPT_TO(struct memory_timeline, member)
static const struct opt options[] = {
    {'g', "group", OPT_TEXT("KEY,..."), OPT_TAKE,
	"the owner of an allocation: these fields of its event (default op, which\n"
	"nvtx-attach adds; site in snapshots, args.category in raw timelines)"},
    {0, "blocks", OPT_FLAG, TO(blocks), "also write each block with its address, size, owner and lifetime"},
    {MARKER, "marker", OPT_TEXT("REGEX"), OPT_TAKE,
	"steps: the ranges and operators whose name matches\n"
	"(default ^ProfilerStep#)"},
    {0},
};

static const struct opt_program program = {
    "Measures the memory that is allocated on each device, and finds its owners at the peak.",
    "[-g KEY,...] [--blocks] [--marker REGEX] [FILE...]",
    "trace2ndjson --sort run.json.gz | nvtx-attach -k mark -r op --as op | memory-timeline",
    .reads = "records (mark, meta, op, range)",
    .writes = "records (memory-timeline, memory-owner, memory-step, memory-block)",
    .needs = "ts order, nvtx-attach for owners",
};

/* Members of our records. Each rank and device has its own owners. */
static const char *const reserved_keys[] = {"kind", "rank", "device", "dev", "ts", "dur", "addr", "bytes", "end",
    "outside", "peak_bytes", "peak_blocks", "allocations", "frees", "alloc_bytes", "free_bytes", "net", NULL};

static void take_option(void *arg, const struct opt_value *v)
{
	struct memory_timeline *m = arg;
	const char *list = v->text;
	struct buf room = {0};
	struct fault fault;
	struct str key;

	if (v->opt->letter == MARKER) {
		opt_name_regex(&m->marker, v->option, v->text);
		return;
	}
	while (opt_item(&list, &room, &key)) {
		if (str_in(key, reserved_keys))
			opt_invalid(v->option, key, "fields of owners; ranks and devices are always separate");
		if (!groups_add_key(&m->owners, key, &fault))
			opt_field_refused(v->option, key, &fault);
	}
	buf_free(&room);
}

/* Returns the number of the place whose steps a record belongs to: a rank, or a device of a snapshot. */
static size_t steps_of(struct memory_timeline *m, struct event *e)
{
	const struct str values[] = {event_get(e, EVENT_RANK), event_get(e, EVENT_DEV)};

	return places_put(&m->step_places, values, memory_change_in_snapshot(e) ? 2 : 1);
}

static struct device_memory *device_of(struct memory_timeline *m, struct event *e, const struct memory_change *c)
{
	const struct str values[] = {event_get(e, EVENT_RANK), c->type, c->id};
	const size_t known = m->places.n, place = places_put(&m->places, values, 3);

	if (place == known) {
		if (place == UINT32_MAX)
			die_too_many("devices", UINT32_MAX);
		m->devices = mem_grow_zero(m->devices, &m->devices_cap, place + 1, sizeof *m->devices);
		m->devices[place].place = place;
		m->devices[place].step_place = steps_of(m, e);
	}
	return &m->devices[place];
}

/* Without -g, the kind of the first event determines the owner. */
static void choose_owner(struct memory_timeline *m, enum memory_source source)
{
	static const char *const keys[] = {
	    [MEMORY_PROFILE] = "op", [MEMORY_SNAPSHOT] = "site", [MEMORY_CATEGORIES] = "args.category"};
	struct fault fault;

	groups_add_key(&m->owners, str_of(keys[source]), &fault);
	input_uses(&m->in, groups_key_field(&m->owners, 0));
}

/* Takes an event of an allocator: updates the live blocks and the figures of its device. */
static void add_change(struct memory_timeline *m, struct event *e, enum memory_source source)
{
	struct live_block block, freed;
	const uint32_t *found;
	struct device_memory *d;
	struct memory_change c;
	bool ends = false;
	uint32_t owner;

	if (!m->owners.n_keys)
		choose_owner(m, source);
	if (!memory_change_read(&c, e, source)) {
		input_lost(&m->in, "event about memory whose size is not an integer");
		return;
	}
	d = device_of(m, e, &c);
	owner = groups_of(&m->owners, e, &found) ? found[0] : 0;
	if (c.has_addr && c.bytes > 0) {
		block = (struct live_block){c.addr, c.bytes, c.ts, (uint32_t)d->place, owner};
		ends = live_blocks_put(&m->live, &block, &freed);
	} else if (c.has_addr && c.bytes < 0) {
		ends = live_blocks_take(&m->live, (uint32_t)d->place, c.addr, &freed);
	}
	device_memory_add(
	    d, &c, owner, ends ? &freed : NULL, memory_steps_until(&m->steps, d->step_place, c.ts, false)->n);
	if (m->blocks && c.has_addr && (ends || c.bytes < 0))
		memory_rows_block(&m->rows, d, ends ? &freed : NULL, c.bytes < 0 ? &c : NULL, owner);
}

/* Takes a block or a segment of a snapshot, or its first record. */
static void add_state(struct memory_timeline *m, struct event *e)
{
	const struct memory_change c = {.id = event_get(e, EVENT_DEV)};
	struct device_memory *d;

	if (allocator_state_has(e)) {
		d = device_of(m, e, &c);
		d->source = MEMORY_SNAPSHOT;
		allocator_state_add(&d->state, e);
	} else if (str_eq(event_get(e, EVENT_NAME), STR("\"memory_snapshot\"")) && m->snapshots++ &&
		   !event_get(e, EVENT_RANK).p) {
		input_warning(&m->in, "a second snapshot without a rank; the devices of both are added up");
	}
}

static void add_record(struct memory_timeline *m, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const enum memory_source source = memory_change_source(e);

	if (kind == KIND_META)
		add_state(m, e);
	if (source == MEMORY_SOURCES && kind != KIND_OP && kind != KIND_RANGE)
		return;
	/* Before 2024, snapshots have no times; their events are in order. */
	if (event_has_time(e) ? !input_in_order(&m->in, e->ts) : source == MEMORY_PROFILE || source == MEMORY_SOURCES)
		return;
	if (source != MEMORY_SOURCES)
		add_change(m, e, source);
	else if (name_match_first(&m->marker, event_get(e, EVENT_NAME)) != NAME_MATCH_NONE)
		memory_steps_add(&m->steps, steps_of(m, e), event_end(e), event_get(e, EVENT_NAME));
}

/* --- results --- */

static void report_owners(const struct memory_timeline *m)
{
	const struct field *f;
	size_t i;

	for (i = 0; i < m->owners.n_keys; i++) {
		f = groups_key_field(&m->owners, i);
		if (!opt_given("group") && str_eq(f->asked, STR("op")) && f->records && !f->found)
			hint("no owners: no record has the field 'op'; run: nvtx-attach -k mark -r op --as op FILE | "
			     "memory-timeline");
		else
			filter_hint_field(f, true);
	}
}

static void write_results(struct memory_timeline *m)
{
	struct live_block *rest = m->blocks ? live_blocks_sorted(&m->live) : NULL;
	size_t i;

	for (i = 0; m->blocks && i < m->live.n; i++)
		memory_rows_block(&m->rows, &m->devices[rest[i].device], &rest[i], NULL, 0);
	free(rest);
	for (i = 0; i < m->places.n; i++) {
		device_memory_end(
		    &m->devices[i], memory_steps_until(&m->steps, m->devices[i].step_place, INT64_MAX, true)->n);
		memory_rows_device(&m->rows, &m->devices[i], &m->steps, m->blocks);
	}
	if (!m->places.n && m->in.line && !m->in.diagnostics.lost && !m->in.failed) {
		warn("no events about memory; record with torch.profiler.profile(profile_memory=True), or a memory "
		     "snapshot");
		m->in.diagnostics.lost = true;
	}
	if (m->places.n)
		report_owners(m);
}

static void free_all(struct memory_timeline *m)
{
	size_t i;

	for (i = 0; i < m->places.n; i++)
		device_memory_free(&m->devices[i]);
	free(m->devices);
	memory_rows_free(&m->rows);
	memory_steps_free(&m->steps);
	live_blocks_free(&m->live);
	places_free(&m->step_places);
	places_free(&m->places);
	name_match_free(&m->marker);
	groups_free(&m->owners);
}

int main(int argc, char **argv)
{
	struct memory_timeline m = {.in.times = INPUT_TIMED};
	const struct opt_table tables[] = {{options, &m, take_option}, INPUT_OPTIONS(&m.in), {0}};
	struct event e;
	char **operands;
	size_t i;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	if (!m.marker.n)
		opt_name_regex(&m.marker, "--marker", "^ProfilerStep#");
	m.rows = (struct memory_rows){.out = &m.out, .owners = &m.owners, .devices = &m.places};
	m.in.only = 1u << KIND_MARK | 1u << KIND_OP | 1u << KIND_RANGE | 1u << KIND_META;
	input_uses_members(&m.in, m.in.only, INPUT_MEMBERS);
	input_uses_members(&m.in, 1u << KIND_MARK | 1u << KIND_META, 1u << EVENT_ARGS);
	for (i = 0; i < m.owners.n_keys; i++)
		input_uses(&m.in, groups_key_field(&m.owners, i));
	filter_open(&m.in, operands, &m.out);
	input_stop_on_signal();
	while (input_next(&m.in, &e))
		add_record(&m, &e);
	if (filter_in_order(&m.in, argv, operands))
		write_results(&m);
	free_all(&m);
	return filter_close(&m.in);
}
