#include "column_names.h"

#include "json/iter.h"
#include "json/string.h"
#include "record/field.h"

/* Returns the decoded text of a key. If the key has escapes, the text is a copy, which is valid until the next call. */
static struct str decode(struct column_names *m, struct str key)
{
	if (!memchr(key.p, '\\', key.n))
		return key;
	m->text.n = 0;
	json_unescape(&m->text, key);
	return buf_str(&m->text);
}

static bool has_members(struct str value)
{
	struct str key, inner;
	struct iter w;

	iter_init(&w, value);
	return w.close == '}' && iter_next(&w, &key, &inner) > 0;
}

/* Calls `visit` for each member of an object in the record, at every level. m->path is the reference to this object. */
static void visit_nested(struct column_names *m, struct str object, column_names_visitor *visit, void *arg)
{
	const size_t n = m->path.n;
	struct str key, value;
	struct iter w;

	iter_init(&w, object);
	while (iter_next(&w, &key, &value) > 0) {
		m->path.n = n;
		buf_char(&m->path, '.');
		field_quote_part(&m->path, decode(m, key));
		if (has_members(value))
			visit_nested(m, value, visit, arg);
		else
			visit(arg, buf_str(&m->path), value);
	}
	m->path.n = n;
}

void column_names_visit(struct column_names *m, struct str record, column_names_visitor *visit, void *arg)
{
	struct str key, value;
	struct iter w;

	iter_init(&w, record);
	while (iter_next(&w, &key, &value) > 0) {
		key = decode(m, key);
		if ((m->without_args && (str_eq(key, STR("args")) || str_eq(key, STR("src")))) ||
		    (m->without_kind && str_eq(key, STR("kind"))))
			continue;
		if (!m->nested || !has_members(value)) {
			visit(arg, key, value);
			continue;
		}
		m->path.n = 0;
		field_quote_part(&m->path, key);
		visit_nested(m, value, visit, arg);
	}
}

static void see(void *arg, struct str name, struct str value)
{
	struct column_names *m = arg;

	(void)value;
	map_put(&m->seen, name);
}

void column_names_see(struct column_names *m, struct str record)
{
	column_names_visit(m, record, see, m);
}

static bool is_member_of(struct str name, struct str object)
{
	return str_starts(name, object) && (name.n == object.n || name.p[object.n] == '.');
}

/*
 * Adds names of m->seen to the columns, in the order of their first occurrence: the members of `object`, which is args
 * or src. If `object` is empty, adds the names that are members of neither.
 */
static void add_seen(struct column_names *m, struct str object)
{
	struct str name;
	size_t i;

	for (i = 0; i < m->seen.n; i++) {
		name = map_key(&m->seen, i);
		if (object.n ? is_member_of(name, object)
			     : !is_member_of(name, STR("args")) && !is_member_of(name, STR("src")))
			map_put(&m->names, name);
	}
}

void column_names_order(struct column_names *m)
{
	struct str name;
	size_t i;

	for (i = 0; i < EVENT_ARGS; i++) {
		name = str_of(event_member_name(i));
		if (map_find(&m->seen, name) != MAP_NONE)
			map_put(&m->names, name);
	}
	add_seen(m, STR(""));
	add_seen(m, STR("args"));
	add_seen(m, STR("src"));
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
	bufs_free(&m->text, &m->path);
}
