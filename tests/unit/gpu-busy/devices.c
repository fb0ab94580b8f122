#include "gpu-busy/devices.h"

#include "test.h"

static void put(struct devices *d, struct event *e, const char *rank, const char *dev)
{
	event_clear(e);
	if (*rank)
		event_set(e, EVENT_RANK, str_of(rank));
	event_set(e, EVENT_DEV, str_of(dev));
	(void)d;
}

/* How many places four records have, of two ranks, two devices and two streams. */
static size_t places(enum devices_level level)
{
	struct devices d = {.level = level, .third = EVENT_STREAM};
	struct event e;
	size_t n;

	put(&d, &e, "", "0");
	CHECK_INT(devices_put(&d, &e, STR("7")), 0);
	devices_put(&d, &e, STR("8"));
	put(&d, &e, "", "1");
	devices_put(&d, &e, STR("7"));
	put(&d, &e, "1", "1");
	n = devices_put(&d, &e, STR("7"));
	CHECK_INT(d.keys.n, n + 1);
	CHECK_INT(devices_put(&d, &e, STR("7")), n);
	event_clear(&e);
	devices_set(&d, n, &e);
	CHECK_STR(event_get(&e, EVENT_RANK), "1");
	CHECK(!event_get(&e, EVENT_DEV).p == (level < DEVICES_DEV));
	CHECK(!event_get(&e, EVENT_STREAM).p == (level < DEVICES_STREAM));
	/* What a record did not have is not made up. */
	event_clear(&e);
	devices_set(&d, 0, &e);
	CHECK(!event_get(&e, EVENT_RANK).p);
	devices_free(&d);
	return n + 1;
}

int main(void)
{
	CHECK_INT(places(DEVICES_ALL), 2);
	CHECK_INT(places(DEVICES_DEV), 3);
	CHECK_INT(places(DEVICES_STREAM), 4);
	return test_end();
}
