/*
 * field_near: collects the names of members in records that lack a field, so that a message can suggest the nearest
 * name.
 */
#include "record/field_private.h"

#include "json/iter.h"
#include "json/string.h"

enum { NEAR_NAMES = 4096 };

/*
 * Adds the reference in f->text to f->near. If it is the reference that the user wrote, the member is not missing:
 * nothing is added, and f->null is set if the value is null.
 */
static void note_name(struct field *f, struct str value)
{
	const struct str reference = {f->text.p, f->text.n};

	if (str_eq(reference, f->asked) || str_eq(reference, f->name))
		f->null |= value.p[0] == 'n';
	else
		map_put(&f->near, reference);
}

/*
 * Adds the members of an object. f->text[0..above) is the reference to the object, followed by a dot; it is empty for
 * the record and its args, whose depth is 0.
 */
static void note_names(struct field *f, struct str object, size_t above, size_t depth)
{
	struct str key, value;
	struct iter w;

	if (!object.n || object.p[0] != '{')
		return;
	iter_init(&w, object);
	while (iter_next(&w, &key, &value) > 0 && f->near.n < NEAR_NAMES) {
		f->scratch.n = 0;
		f->text.n = above;
		json_unescape(&f->scratch, key);
		(above ? field_quote_part : field_quote)(&f->text, (struct str){f->scratch.p, f->scratch.n});
		note_name(f, value);
		buf_char(&f->text, '.');
		if (depth + 1 < f->n_steps)
			note_names(f, value, f->text.n, depth + 1);
	}
}

void field_note_names(struct field *f, struct event *e)
{
	note_names(f, e->raw, 0, 0);
	note_names(f, iter_find(e->raw, STR("args")), 0, 0);
}
