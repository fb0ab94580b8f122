#include "device/idle_cause.h"

#include "json/write.h"
#include "record/event_api.h"

const char *idle_cause_name(enum idle_cause cause)
{
	static const char *const names[IDLE_CAUSES] = {
	    "host_wait", "kernel_wait", "other_wait", "kernel_wait", "other_wait", "other_wait"};

	return names[cause];
}

enum idle_cause idle_cause_find(struct event *next, int64_t from, int64_t wait, struct idle_counts *counts)
{
	const bool is_short = int_sub(next->ts, from) < wait;
	struct event_api launch;
	bool joined;

	event_walk(next);
	joined = event_api_find(&launch, next);
	counts->causeless += !joined;
	counts->early += joined && launch.ts > next->ts;
	if (!joined)
		return is_short ? IDLE_UNKNOWN_SHORT : IDLE_UNKNOWN_LONG;
	if (launch.ts > from)
		return IDLE_HOST;
	return is_short ? IDLE_LAUNCHED_SHORT : IDLE_LAUNCHED_LONG;
}

/* Appends kernel_wait and other_wait; returns their sum. */
static int64_t write_pauses(struct buf *b, const int64_t times[IDLE_CAUSES])
{
	const int64_t kernel = int_add(times[IDLE_LAUNCHED_SHORT], times[IDLE_UNKNOWN_SHORT]);
	const int64_t other = int_add(int_add(times[IDLE_LAUNCHED_LONG], times[IDLE_UNKNOWN_LONG]), times[IDLE_AFTER]);

	json_write_int(b, "kernel_wait", kernel);
	json_write_int(b, "other_wait", other);
	return int_add(kernel, other);
}

void idle_cause_write(struct buf *b, const int64_t times[IDLE_CAUSES])
{
	json_write_int(b, "host_wait", times[IDLE_HOST]);
	write_pauses(b, times);
}

void idle_cause_write_parts(struct buf *b, const int64_t times[IDLE_CAUSES])
{
	json_write_int(b, "host_wait", times[IDLE_HOST]);
	json_write_int(b, "launched_wait", int_add(times[IDLE_LAUNCHED_SHORT], times[IDLE_LAUNCHED_LONG]));
	json_write_int(b, "unknown_wait", int_add(times[IDLE_UNKNOWN_SHORT], times[IDLE_UNKNOWN_LONG]));
	json_write_int(b, "after_work", times[IDLE_AFTER]);
	json_write_int(b, "pauses", write_pauses(b, times));
}
