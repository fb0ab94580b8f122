#include "series.h"

#include "record/launch.h"
#include "base/num.h"
#include "json/put.h"
#include "json/walk.h"

/* The changes up to ts. */
static void write_until(struct series *s, int64_t ts)
{
	struct level_step step;
	struct event e;
	double value;

	while (levels_next(&s->levels, ts, &step, &value)) {
		event_clear(&e);
		event_set_ts(&e, step.ts);
		event_set_kind(&e, KIND_COUNTER);
		if (s->name.p)
			event_set(&e, EVENT_NAME, s->name);
		devices_set(&s->devices, step.which, &e);
		s->more.n = 0;
		put_double(&s->more, "value", value);
		e.more = put_str(&s->more);
		event_write(s->out, &e);
	}
}

enum series_answer series_queue(struct series *s, struct event *e)
{
	const size_t which = devices_put(&s->devices, e, event_get(e, EVENT_STREAM));
	struct launch launch;

	event_walk(e);
	if (!launch_find(&launch, e)) {
		s->without++;
		return SERIES_WITHOUT;
	}
	if (launch.ts > e->ts)
		return SERIES_EARLY;
	write_until(s, num_sub(e->ts, s->horizon));
	if (!levels_add(&s->levels, launch.ts, which, 1) || !levels_add(&s->levels, e->ts, which, -1))
		return SERIES_FAR;
	return SERIES_TAKEN;
}

static bool find_bandwidth(struct event *e, double *v)
{
	struct str args = event_get(e, EVENT_ARGS), said = {0};
	double bytes;

	if (args.p)
		said = walk_find(args, STR("memory bandwidth (GB/s)"));
	if (said.p && num_double(said, v))
		return *v >= 0;
	if (!num_double(event_get(e, EVENT_BYTES), &bytes) || e->dur <= 0)
		return false;
	*v = bytes / (double)e->dur;
	return *v >= 0;
}

void series_bandwidth(struct series *s, struct event *e)
{
	enum { LEAST = 1000 };
	struct str name = event_get(e, EVENT_NAME);
	const size_t n = str_find(name, STR(" ("));
	size_t which;
	double v;

	write_until(s, e->ts);
	if (!find_bandwidth(e, &v)) {
		s->without++;
		return;
	}
	s->text.n = 0;
	buf_add(&s->text, name.p, n);
	if (n < name.n)
		buf_char(&s->text, '"');
	which = devices_put(&s->devices, e, put_str(&s->text));
	levels_add(&s->levels, e->ts, which, v);
	levels_add(&s->levels, num_add(e->ts, e->dur > LEAST ? e->dur : LEAST), which, -v);
}

void series_end(struct series *s)
{
	write_until(s, INT64_MAX);
}

void series_free(struct series *s)
{
	devices_free(&s->devices);
	levels_free(&s->levels);
	buf_free(&s->text);
	buf_free(&s->more);
}
