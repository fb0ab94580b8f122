/* chrome_writer_source: reads the members of a Chrome event that a record has in src and args. */
#include "chrome_writer_private.h"

#include "json/iter.h"

static void look_at_src(struct chrome_writer_said *said, struct event *e)
{
	struct str key, value;
	struct iter w;
	int r;

	iter_init(&w, e->m[EVENT_SRC]);
	while ((r = iter_next(&w, &key, &value)) > 0) {
		event_check(e, value);
		if (str_eq(key, STR("ph")))
			said->ph = value;
		else if (str_eq(key, STR("pid")))
			said->pid = value;
		else if (str_eq(key, STR("tid")))
			said->tid = value;
	}
	e->broken |= r < 0;
}

static void look_at_args(struct chrome_writer_said *said, struct event *e)
{
	struct str key, value;
	struct iter w;
	int r;

	iter_init(&w, e->m[EVENT_ARGS]);
	while ((r = iter_next(&w, &key, &value)) > 0) {
		event_check(e, value);
		if (str_eq(key, STR("correlation")))
			said->correlation = value;
		else if (str_eq(key, STR("stream")))
			said->stream = value;
		else if (str_eq(key, STR("bytes")))
			said->bytes = value;
		else if (str_eq(key, STR("Python id")))
			said->python_id = value;
		else if (str_eq(key, STR("Python parent id")))
			said->python_parent = value;
	}
	e->broken |= r < 0;
}

void chrome_writer_read(void *writer, struct event *e)
{
	struct chrome_writer *w = writer;

	w->said = (struct chrome_writer_said){0};
	event_walk(e);
	if (chrome_writer_is_object(e, EVENT_SRC))
		look_at_src(&w->said, e);
	else
		event_check(e, event_get(e, EVENT_SRC));
	if (chrome_writer_is_object(e, EVENT_ARGS))
		look_at_args(&w->said, e);
	else
		event_check(e, event_get(e, EVENT_ARGS));
}
