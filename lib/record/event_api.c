#include "record/event_api.h"

#include "base/num_parse.h"
#include "json/iter_inline.h"

bool event_api_read(struct event_api *l, struct str api)
{
	struct str key, value;
	bool timed = false;
	struct iter w;

	*l = (struct event_api){0};
	if (!api.p || api.p[0] != '{')
		return false;
	iter_init(&w, api);
	while (iter_quick(&w, &key, &value) > 0) {
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

bool event_api_find(struct event_api *l, const struct event *e)
{
	struct str api = {NULL, 0};
	size_t i;

	for (i = 0; e->reading != EVENT_PLAIN && i < e->n_listed; i++) {
		if (str_eq(e->list[i].key, STR("api")))
			api = e->list[i].value;
	}
	if (e->reading != EVENT_PLAIN && !e->n_listed)
		api = iter_find(e->raw, STR("api"));
	return event_api_read(l, api);
}
