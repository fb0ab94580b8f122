#include "idle_cause.h"

#include "base/err.h"
#include "record/event_api.h"

#include <inttypes.h>

const char *idle_cause_name(enum idle_cause cause)
{
	static const char *const names[] = {"host_wait", "kernel_wait", "other_wait"};

	return names[cause];
}

enum idle_cause idle_cause_find(struct event *next, int64_t from, int64_t wait, struct idle_counts *counts)
{
	struct event_api launch;
	bool joined;

	event_walk(next);
	joined = event_api_find(&launch, next);
	counts->causeless += !joined;
	counts->early += joined && launch.ts > next->ts;
	if (joined && launch.ts > from)
		return IDLE_HOST;
	return int_sub(next->ts, from) < wait ? IDLE_KERNEL : IDLE_OTHER;
}

void idle_counts_report(const struct idle_counts *counts, const char *run, const char *filter)
{
	if (counts->causeless)
		note("%" PRIu64
		     " idle intervals end with work that has no call (api); their causes are guessed from their "
		     "lengths%s%s",
		    counts->causeless, run, filter);
	if (counts->early)
		warn("%" PRIu64
		     " idle intervals end with work that starts before its call (clocks disagree); host_wait may "
		     "not be their cause",
		    counts->early);
}
