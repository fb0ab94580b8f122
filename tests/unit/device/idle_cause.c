/* Tests idle_cause at the limits that separate two causes. */
#include "device/idle_cause.h"
#include "json/write.h"
#include "samples.h"
#include "test.h"

/* Returns the cause of an idle time from 10 to 20. `launched`: the member api of the work that starts at 20, or "". */
static enum idle_cause cause(int64_t wait, const char *launched)
{
	struct idle_counts counts = {0};
	enum idle_cause got;
	char next[128];
	struct str record;
	struct event e;

	snprintf(next, sizeof next, "{\"ts\":20,\"dur\":1,\"kind\":\"kernel\",\"name\":\"b\"%s}", launched);
	record = padded_copy(str_of(next));
	CHECK(event_parse(&e, record) == NULL);
	got = idle_cause_find(&e, 10, wait, &counts);
	CHECK_INT(counts.causeless, !*launched);
	CHECK_INT(counts.early, strstr(launched, "21") != NULL);
	free((char *)record.p);
	return got;
}

void unit_test(void)
{
	const int64_t times[IDLE_CAUSES] = {1, 10, 100, 1000, 10000, 100000};
	struct buf b = {0};

	CHECK_INT(cause(100, ",\"api\":{\"ts\":21}"), IDLE_HOST);
	CHECK_INT(cause(100, ",\"api\":{\"ts\":11}"), IDLE_HOST);
	/* If the launch is exactly at the end of the preceding work, the host is not the cause. */
	CHECK_INT(cause(100, ",\"api\":{\"ts\":10}"), IDLE_LAUNCHED_SHORT);
	CHECK_INT(cause(11, ",\"api\":{\"ts\":5}"), IDLE_LAUNCHED_SHORT);
	CHECK_INT(cause(10, ",\"api\":{\"ts\":5}"), IDLE_LAUNCHED_LONG);
	CHECK_INT(cause(11, ""), IDLE_UNKNOWN_SHORT);
	CHECK_INT(cause(10, ""), IDLE_UNKNOWN_LONG);
	CHECK_STR(str_of(idle_cause_name(IDLE_HOST)), "host_wait");
	CHECK_STR(str_of(idle_cause_name(IDLE_UNKNOWN_SHORT)), "kernel_wait");
	CHECK_STR(str_of(idle_cause_name(IDLE_AFTER)), "other_wait");

	idle_cause_write(&b, times);
	CHECK_STR(buf_str(&b), ",\"host_wait\":1,\"kernel_wait\":1010,\"other_wait\":110100");
	b.n = 0;
	idle_cause_write_parts(&b, times);
	CHECK_STR(buf_str(&b),
	    ",\"host_wait\":1,\"launched_wait\":110,\"unknown_wait\":11000,\"after_work\":100000,\"kernel_wait\":1010,"
	    "\"other_wait\":110100,\"pauses\":111110");
	buf_free(&b);
}
