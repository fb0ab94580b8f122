#include "record/event_api.h"

#include "base/num_parse.h"
#include "json/iter.h"

bool event_api_find(struct event_api *l, const struct event *e)
{
	struct str key, value;
	bool timed = false;
	struct iter w;

	*l = (struct event_api){0};
	if (e->plain)
		return false;
	value = iter_find(e->raw, STR("api"));
	if (!value.p || value.p[0] != '{')
		return false;
	iter_init(&w, value);
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(value, STR("null")))
			continue;
		if (str_eq(key, STR("name")))
			l->name = value;
		else if (str_eq(key, STR("pid")))
			l->pid = value;
		else if (str_eq(key, STR("tid")))
			l->tid = value;
		else if (str_eq(key, STR("ts")))
			timed = num_whole(value, &l->ts) == NUM_OK;
		else if (str_eq(key, STR("dur")) && num_whole(value, &l->dur) != NUM_OK)
			l->dur = 0;
	}
	return timed;
}
