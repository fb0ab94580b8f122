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
		map_put(&d->members, (struct str){d->name.p, d->name.n});
	}
	return false;
}

/* Returns true if the reference is valid and is not a key given with -g. */
static bool is_described(const struct group_report *r, const char *reference)
{
	bool described;
	struct fault fault;
	struct field field;
	const char *key;
	size_t i;

	if (!field_compile(&field, str_of(reference), &fault))
		return false;
	described = true;
	for (i = 0; (key = groups_key_name(&r->groups, i)); i++)
		described &= strcmp(key, field.spec) != 0;
	field_free(&field);
	return described;
}

void default_fields_choose(struct default_fields *d, struct group_report *r)
{
	size_t i;

	for (i = 0; i < d->members.n; i++) {
		d->name.n = 0;
		field_quote(&d->name, map_key(&d->members, i));
		buf_char(&d->name, '\0');
		if (is_described(r, d->name.p))
			group_report_field(r, str_of(d->name.p));
	}
	if (!r->n_fields)
		group_report_field(r, STR("dur"));
}

void default_fields_free(struct default_fields *d)
{
	map_free(&d->members);
	buf_free(&d->name);
}
