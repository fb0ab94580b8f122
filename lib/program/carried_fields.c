#include "program/carried_fields.h"

#include "json/write.h"
#include "program/filter.h"
#include "program/opt_fields.h"
#include "program/opt_value.h"

#include <stdlib.h>

static void refuse_second(const char *option, struct str name)
{
	die("%s: '%.*s' is already the name of a member; choose another name", option, STR_FMT(name));
}

static const struct carried_field *find_name(const struct carried_fields *c, struct str name)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (str_eq(str_of(c->list[i].name), name))
			return &c->list[i];
	}
	return NULL;
}

bool carried_fields_have_put(const struct carried_fields *c, struct str name)
{
	const struct carried_field *taken = find_name(c, name);

	return taken && taken->put;
}

void carried_fields_add(struct carried_fields *c, const char *option, const char *list)
{
	struct carried_field *taken;
	struct str item, name, spec;
	struct buf text = {0};
	struct fault fault;
	size_t equals;

	while (opt_item(&list, &text, &item)) {
		equals = field_span(item, "=");
		name = str_trim(str_head(item, equals));
		spec = equals < item.n ? str_from(item, equals + 1) : item;
		c->list = mem_grow(c->list, &c->cap, c->n + 1, sizeof *c->list);
		taken = &c->list[c->n];
		*taken = (struct carried_field){.name = NULL};
		if (!field_compile(&taken->field, spec, &fault))
			opt_field_refused(option, spec, &fault);
		if (!name.n || taken->field.each)
			opt_invalid(option, item, "NAME=FIELD, where FIELD has one value");
		if (equals == item.n)
			name = str_of(taken->field.spec);
		if (find_name(c, name))
			refuse_second(option, name);
		taken->name = str_dup(name);
		json_write_member(&taken->key, name, STR(""));
		c->n++;
	}
	buf_free(&text);
}

void carried_fields_check(const struct carried_fields *c, const char *option, const char *const *taken)
{
	struct str name;
	size_t i;

	for (i = 0; i < c->n; i++) {
		name = str_of(c->list[i].name);
		if (opt_member(option, name) != EVENT_N)
			opt_reserved(option, name);
		if (str_in(name, taken))
			refuse_second(option, name);
	}
}

void carried_fields_put(struct carried_fields *c, struct buf *to, struct event *e)
{
	struct carried_field *taken, *end = c->list + c->n;
	struct str text;
	char *p;

	for (taken = c->list; taken < end; taken++) {
		taken->put = field_get_text(&taken->field, e, 0, &text);
		if (!taken->put)
			continue;
		p = str_copy_short(buf_room(to, taken->key.n + text.n), buf_str(&taken->key));
		to->n = (size_t)(str_copy_short(p, text) - to->p);
	}
}

void carried_fields_hint(const struct carried_fields *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		filter_hint_field(&c->list[i].field, true);
}

void carried_fields_free(struct carried_fields *c)
{
	while (c->n) {
		struct carried_field *taken = &c->list[--c->n];

		field_free(&taken->field);
		buf_free(&taken->key);
		free(taken->name);
	}
	free(c->list);
	*c = (struct carried_fields){0};
}
