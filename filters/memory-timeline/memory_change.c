#include "memory_change.h"

#include "json/value.h"

bool memory_change_read(struct memory_change *c, struct event *e)
{
	const struct str args = event_get(e, EVENT_ARGS);
	struct str key, value;
	bool has_bytes = false;
	struct iter w;

	*c = (struct memory_change){.ts = e->ts};
	iter_init(&w, args);
	while (args.p && iter_next(&w, &key, &value) > 0) {
		if (str_eq(key, STR("Bytes")))
			has_bytes = value_integer(value, &c->bytes);
		else if (str_eq(key, STR("Addr")))
			c->has_addr = value_integer(value, &c->addr);
		else if (str_eq(key, STR("Total Allocated")))
			c->has_total = value_integer(value, &c->total);
		else if (str_eq(key, STR("Total Reserved")))
			c->has_reserved = value_integer(value, &c->reserved);
		else if (str_eq(key, STR("Device Type")))
			c->type = value;
		else if (str_eq(key, STR("Device Id")))
			c->id = value;
	}
	return has_bytes;
}
