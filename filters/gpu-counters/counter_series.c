#include "counter_series.h"

#include "record/event_api.h"
#include "base/int_math.h"
#include "base/num_parse.h"
#include "json/write.h"
#include "json/iter.h"
#include "step_counter.h"

#include <stdlib.h>

struct counter_series {
	struct places devices;
	struct str name;
	int64_t horizon;
	struct out *out;
	uint64_t without;
	struct step_counter *levels;
	struct buf text, more;
};

struct counter_series *counter_series_new(
    const struct places *devices, struct str name, int64_t horizon, struct out *out)
{
	struct counter_series *s = mem_zero(1, sizeof *s);

	s->devices = *devices;
	s->name = name;
	s->horizon = horizon;
	s->out = out;
	s->levels = step_counter_new();
	return s;
}

/* Writes the changes up to ts. */
static void write_until(struct counter_series *s, int64_t ts)
{
	struct step_counter_step step;
	struct event e;
	double value;

	while (step_counter_next(s->levels, ts, &step, &value)) {
		event_clear(&e);
		event_set_ts(&e, step.ts);
		event_set_kind(&e, KIND_COUNTER);
		if (s->name.p)
			event_set(&e, EVENT_NAME, s->name);
		places_set(&s->devices, step.which, &e);
		s->more.n = 0;
		json_write_double(&s->more, "value", value);
		e.more = buf_str(&s->more);
		event_write(s->out, &e);
	}
}

enum counter_series_answer counter_series_queue(struct counter_series *s, struct event *e)
{
	const size_t which = places_put_event(&s->devices, e);
	struct event_api launch;

	event_walk(e);
	if (!event_api_find(&launch, e)) {
		s->without++;
		return COUNTER_SERIES_WITHOUT;
	}
	if (launch.ts > e->ts)
		return COUNTER_SERIES_EARLY;
	write_until(s, int_sub(e->ts, s->horizon));
	if (!step_counter_add(s->levels, launch.ts, which, 1) || !step_counter_add(s->levels, e->ts, which, -1))
		return COUNTER_SERIES_FAR;
	return COUNTER_SERIES_TAKEN;
}

static bool find_bandwidth(struct event *e, double *v)
{
	struct str args = event_get(e, EVENT_ARGS), said = {0};
	const int64_t dur = event_duration(e);
	double bytes;

	if (args.p)
		said = iter_find(args, STR("memory bandwidth (GB/s)"));
	if (said.p && num_double(said, v))
		return *v >= 0;
	if (!num_double(event_get(e, EVENT_BYTES), &bytes) || !dur)
		return false;
	*v = bytes / (double)dur;
	return *v >= 0;
}

void counter_series_bandwidth(struct counter_series *s, struct event *e)
{
	enum { LEAST = 1000 };
	struct str name = event_get(e, EVENT_NAME);
	const size_t n = str_find(name, STR(" ("));
	const int64_t dur = event_duration(e);
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
	which = places_put(&s->devices,
	    (struct str[]){event_get(e, EVENT_RANK), event_get(e, EVENT_DEV), buf_str(&s->text)}, s->devices.n_members);
	step_counter_add(s->levels, e->ts, which, v);
	step_counter_add(s->levels, int_add(e->ts, dur > LEAST ? dur : LEAST), which, -v);
}

void counter_series_end(struct counter_series *s)
{
	write_until(s, INT64_MAX);
}

uint64_t counter_series_without(const struct counter_series *s)
{
	return s->without;
}

void counter_series_free(struct counter_series *s)
{
	places_free(&s->devices);
	step_counter_free(s->levels);
	buf_free(&s->text);
	buf_free(&s->more);
	free(s);
}
