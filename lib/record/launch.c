#include "record/launch.h"

#include "base/num.h"
#include "json/walk.h"

bool launch_find(struct launch *l, const struct event *e)
{
	struct str key, value;
	bool timed = false;
	struct walk w;

	*l = (struct launch){0};
	if (e->plain)
		return false;
	value = walk_find(e->raw, STR("api"));
	if (!value.p || value.p[0] != '{')
		return false;
	walk_open(&w, value);
	while (walk_next(&w, &key, &value) > 0) {
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
