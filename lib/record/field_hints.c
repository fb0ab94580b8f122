/* field_hints: reports fields that no record had, with the nearest name of those that records had. */
#include "record/field_private.h"

#include "base/err.h"
#include "json/iter.h"
#include "json/string.h"

enum { HINT_NAMES = 4096 };

static void note_names(struct field *f, struct str object, struct str above)
{
	struct str key, value;
	struct iter w;

	if (!object.n || object.p[0] != '{')
		return;
	iter_open(&w, object);
	while (iter_next(&w, &key, &value) > 0 && f->near.n < HINT_NAMES) {
		f->scratch.n = 0;
		buf_add(&f->scratch, above.p, above.n);
		json_unescape(&f->scratch, key);
		map_put(&f->near, (struct str){f->scratch.p, f->scratch.n});
		if (!above.n && f->n_steps > 1 && value.p[0] == '{') {
			struct buf path = {0};

			buf_add(&path, f->scratch.p, f->scratch.n);
			buf_char(&path, '.');
			note_names(f, value, (struct str){path.p, path.n});
			buf_free(&path);
		}
	}
}

void field_note_names(struct field *f, struct event *e)
{
	note_names(f, e->raw, (struct str){"", 0});
	note_names(f, iter_find(e->raw, STR("args")), (struct str){"", 0});
}

static void hint(const struct field *f, bool all)
{
	struct str_near near = {f->name, {NULL, 0}, 0};
	const char *none = all ? "no record has the field" : "none of the records that were read has the field";
	size_t i = str_find(f->name, STR("["));

	if (i + 1 < f->name.n && f->name.p[i + 1] != ']') {
		note("%s '%.*s'; '%.*s[]' is every element of an array", none, STR_FMT(f->name), (int)i, f->name.p);
		return;
	}
	for (i = 0; i < f->near.n; i++)
		str_near(&near, map_key(&f->near, i));
	str_near(&near, STR("end"));
	str_near(&near, STR("short"));
	if (near.best.p)
		note("%s '%.*s'; did you mean '%.*s'?", none, STR_FMT(f->name), STR_FMT(near.best));
	else
		note("%s '%.*s'", none, STR_FMT(f->name));
}

void field_hints(struct field *const *fields, size_t n, bool all)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (fields[i]->records && !fields[i]->found)
			hint(fields[i], all);
		else if (fields[i]->numeric && fields[i]->found && !fields[i]->numbers)
			note("the field '%.*s' holds no numbers", STR_FMT(fields[i]->name));
	}
}
