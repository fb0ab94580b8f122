#include "kept_args.h"

#include "program/opt_value.h"
#include "json/check.h"
#include "json/iter_inline.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"
#include "record/field.h"

void kept_args_add(struct kept_args *k, const char *option, const char *list)
{
	struct buf text = {0}, name = {0};
	struct str item;

	while (opt_item(&list, &text, &item)) {
		if (!item.n || str_eq(item, STR("\"\"")))
			die("%s: the name of the member is empty", option);
		name.n = 0;
		if (item.p[0] != '"')
			buf_add(&name, item.p, item.n);
		else if (field_quoted(item) == item.n && json_check(item, NULL))
			json_unescape(&name, json_inner(item));
		else
			opt_invalid(option, item, "a name, or a JSON string in double quotes");
		map_put(&k->names, buf_str(&name));
		k->lengths |= UINT64_C(1) << (name.n & 63);
	}
	bufs_free(&text, &name);
}

void kept_args_apply(const struct kept_args *k, struct kept_args_memory *m, bool cut, struct event *e)
{
	const bool searched = k->names.n && !cut && event_has(e, EVENT_ARGS);
	struct str args, key, name, value;
	struct iter w;
	bool escaped;

	e->has &= ~((uint32_t)!cut << EVENT_ARGS | 1u << EVENT_SRC);
	if (!searched)
		return;
	args = e->m[EVENT_ARGS];
	escaped = memchr(args.p, '\\', args.n);
	m->text.n = m->kept.n = 0;
	buf_add(&m->text, args.p, args.n);
	scan_pad(&m->text);
	iter_init(&w, buf_str(&m->text));
	while (iter_quick(&w, &key, &value) > 0) {
		name = key;
		if (escaped) {
			m->key.n = 0;
			json_unescape(&m->key, key);
			name = buf_str(&m->key);
		}
		if (kept_args_has(k, name))
			json_write_member(&m->kept, key, value);
	}
	if (!m->kept.n)
		return;
	m->kept.p[0] = '{'; /* in place of the first comma */
	buf_char(&m->kept, '}');
	event_set(e, EVENT_ARGS, buf_str(&m->kept));
}

void kept_args_free(struct kept_args *k)
{
	map_free(&k->names);
}

void kept_args_memory_free(struct kept_args_memory *m)
{
	bufs_free(&m->text, &m->kept, &m->key);
}
