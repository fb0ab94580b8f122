#include "column_names.h"

#include "json/string.h"
#include "json/iter.h"

#include <stdlib.h>

struct column_names {
	struct map names; /* names of the columns, in column order */
	bool without_args, without_kind;
	struct map seen;
	struct buf text;
};

struct column_names *column_names_new(bool without_args)
{
	struct column_names *m = mem_zero(1, sizeof *m);

	m->without_args = without_args;
	return m;
}

size_t column_names_n(const struct column_names *m)
{
	return m->names.n;
}

struct str column_names_get(const struct column_names *m, size_t column)
{
	return map_key(&m->names, column);
}

struct str column_names_name(struct column_names *m, struct str key)
{
	if (!memchr(key.p, '\\', key.n))
		return key;
	m->text.n = 0;
	json_unescape(&m->text, key);
	return (struct str){m->text.p, m->text.n};
}

bool column_names_skips(const struct column_names *m, struct str name)
{
	return (m->without_args && (str_eq(name, STR("args")) || str_eq(name, STR("src")))) ||
	       (m->without_kind && str_eq(name, STR("kind")));
}

void column_names_without_kind(struct column_names *m)
{
	m->without_kind = true;
}

void column_names_see(struct column_names *m, struct str record)
{
	struct str key, value;
	struct iter w;

	iter_init(&w, record);
	while (iter_next(&w, &key, &value) > 0)
		map_put(&m->seen, column_names_name(m, key));
}

static void add(struct column_names *m, struct str name)
{
	if (map_find(&m->seen, name) != MAP_NONE && !column_names_skips(m, name))
		map_put(&m->names, name);
}

void column_names_settle(struct column_names *m)
{
	struct str name;
	size_t i;

	for (i = 0; i < EVENT_ARGS; i++)
		add(m, str_of(event_member_name(i)));
	for (i = 0; i < m->seen.n; i++) {
		name = map_key(&m->seen, i);
		if (!str_eq(name, STR("args")) && !str_eq(name, STR("src")))
			add(m, name);
	}
	add(m, STR("args"));
	add(m, STR("src"));
	map_free(&m->seen);
}

size_t column_names_find(const struct column_names *m, struct str name, size_t guess)
{
	if (guess < m->names.n && str_eq(map_key(&m->names, guess), name))
		return guess;
	return map_find(&m->names, name);
}

void column_names_free(struct column_names *m)
{
	map_free(&m->names);
	map_free(&m->seen);
	buf_free(&m->text);
	free(m);
}
