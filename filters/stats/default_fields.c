#include "default_fields.h"

#include "json/iter.h"
#include "json/string.h"

bool default_fields_note(struct default_fields *d, struct event *e)
{
	struct str key, text;
	struct value v;
	struct iter w;

	if (event_get(e, EVENT_DUR).p) {
		map_free(&d->members);
		return true;
	}
	iter_init(&w, e->raw);
	while (iter_next(&w, &key, &text) > 0) {
		value_of(&v, text);
		if (value_rank(&v) != 0)
			continue;
		d->name.n = 0;
		json_unescape(&d->name, key);
		map_put(&d->members, buf_str(&d->name));
	}
	return false;
}

void default_fields_choose(struct default_fields *d, struct group_report *r)
{
	struct fault fault;
	struct field field;
	size_t i, k;

	for (i = 0; i < d->members.n; i++) {
		d->name.n = 0;
		field_quote(&d->name, map_key(&d->members, i));
		if (!field_compile(&field, buf_str(&d->name), &fault))
			continue;
		for (k = 0; k < r->groups.n_keys && strcmp(groups_key_name(&r->groups, k), field.spec) != 0; k++)
			;
		if (k == r->groups.n_keys)
			group_report_field(r, buf_str(&d->name));
		field_free(&field);
	}
	if (!r->n_fields)
		group_report_field(r, STR("dur"));
}

void default_fields_free(struct default_fields *d)
{
	map_free(&d->members);
	buf_free(&d->name);
}
