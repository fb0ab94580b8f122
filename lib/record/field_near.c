/*
 * field_near: collects the names of members in records that lack a field, so that a message can suggest the nearest
 * name.
 */
#include "record/field_private.h"

#include "json/iter.h"
#include "json/string.h"

enum { NEAR_NAMES = 4096 };

/* Adds the reference `path`, unless it is the one that the user wrote: the record then has the member, but it is null. */
static void note_name(struct field *f, const struct buf *path, struct str value)
{
	const struct str reference = {path->p, path->n};

	if (str_eq(reference, f->asked) || str_eq(reference, f->name))
		f->null |= value.p[0] == 'n';
	else
		map_put(&f->near, reference);
}

/* Adds the members of an object that is `depth` members below the record or its args. `above` ends with a dot. */
static void note_names(struct field *f, struct str object, struct str above, size_t depth)
{
	struct buf path = {0};
	struct str key, value;
	struct iter w;

	if (!object.n || object.p[0] != '{')
		return;
	iter_init(&w, object);
	while (iter_next(&w, &key, &value) > 0 && f->near.n < NEAR_NAMES) {
		f->scratch.n = path.n = 0;
		json_unescape(&f->scratch, key);
		buf_add(&path, above.p, above.n);
		(above.n ? field_quote_part : field_quote)(&path, (struct str){f->scratch.p, f->scratch.n});
		note_name(f, &path, value);
		buf_char(&path, '.');
		if (depth + 1 < f->n_steps)
			note_names(f, value, (struct str){path.p, path.n}, depth + 1);
	}
	buf_free(&path);
}

void field_note_names(struct field *f, struct event *e)
{
	note_names(f, e->raw, (struct str){"", 0}, 0);
	note_names(f, iter_find(e->raw, STR("args")), (struct str){"", 0}, 0);
}
