#include "memory_change.h"

#include "json/value.h"

enum memory_source memory_change_source(struct event *e)
{
	if (event_get_kind(e) != KIND_MARK)
		return MEMORY_SOURCES;
	if (str_eq(event_get(e, EVENT_NAME), STR("\"[memory]\"")))
		return MEMORY_PROFILE;
	if (memory_change_in_snapshot(e))
		return MEMORY_SNAPSHOT;
	return str_eq(event_get(e, EVENT_CAT), STR("\"memory_timeline\"")) ? MEMORY_CATEGORIES : MEMORY_SOURCES;
}

static bool read_profile(struct memory_change *c, struct str args)
{
	struct str key, value;
	bool has_bytes = false;
	struct iter w;

	iter_init(&w, args);
	while (args.p && iter_next(&w, &key, &value) > 0) {
		if (str_eq(key, STR("Bytes")))
			has_bytes = value_integer(value, &c->bytes);
		else if (str_eq(key, STR("Addr")))
			c->has_addr = value_integer(value, &c->addr);
		else if (str_eq(key, STR("Total Allocated")))
			c->has_total = value_integer(value, &c->total);
		else if (str_eq(key, STR("Total Reserved")))
			c->has_reserved = value_integer(value, &c->total_reserved);
		else if (str_eq(key, STR("Device Type")))
			c->type = value;
		else if (str_eq(key, STR("Device Id")))
			c->id = value;
	}
	return has_bytes;
}

/* Reads an event of a snapshot. A block stays active from alloc to free_completed, and allocated to free_requested. */
static bool read_snapshot(struct memory_change *c, struct event *e, int64_t size)
{
	/* By how much an event changes what is active, allocated and reserved, as a factor of its size. */
	static const struct {
		const char *name;
		int active, allocated, reserved;
	} actions[] = {
	    {"\"alloc\"", 1, 1, 0},
	    {"\"free_requested\"", 0, -1, 0},
	    {"\"free_completed\"", -1, 0, 0},
	    {"\"segment_alloc\"", 0, 0, 1},
	    {"\"segment_map\"", 0, 0, 1},
	    {"\"segment_free\"", 0, 0, -1},
	    {"\"segment_unmap\"", 0, 0, -1},
	};
	const struct str name = event_get(e, EVENT_NAME);
	size_t i;

	for (i = 0; i < sizeof actions / sizeof *actions; i++) {
		if (!str_eq(name, str_of(actions[i].name)))
			continue;
		c->bytes = actions[i].active * size;
		c->allocated = actions[i].allocated * size;
		c->reserved = actions[i].reserved * size;
	}
	if (c->bytes)
		c->has_addr = value_integer(iter_find(event_get(e, EVENT_ARGS), STR("addr")), &c->addr);
	return size >= 0;
}

bool memory_change_read(struct memory_change *c, struct event *e, enum memory_source source)
{
	const bool has_ts = event_has_time(e);
	int64_t size = 0;
	bool has_size;

	*c = (struct memory_change){.source = source, .has_ts = has_ts, .ts = has_ts ? e->ts : INT64_MIN};
	if (source == MEMORY_PROFILE)
		return read_profile(c, event_get(e, EVENT_ARGS));
	has_size = value_integer(event_get(e, EVENT_BYTES), &size);
	c->id = event_get(e, EVENT_DEV);
	if (source == MEMORY_SNAPSHOT)
		return read_snapshot(c, e, size);
	c->bytes = size;
	c->before = str_eq(event_get(e, EVENT_NAME), STR("\"preexisting\""));
	return has_size;
}
