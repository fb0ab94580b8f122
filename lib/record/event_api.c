#include "record/event_api.h"

#include "base/num_parse.h"

bool event_api_find(struct event_api *l, const struct event *e)
{
	struct str key, value = {NULL, 0};
	bool timed = false;
	struct iter w;
	size_t i;

	*l = (struct event_api){0};
	if (e->reading == EVENT_PLAIN)
		return false;
	for (i = 0; i < e->n_listed; i++) {
		if (str_eq(e->list[i].key, STR("api")))
			value = e->list[i].value;
	}
	if (!e->n_listed)
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
