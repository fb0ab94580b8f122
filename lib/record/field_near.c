/*
 * field_near: collects the names of members in records that lack a field, so that a message can suggest the nearest
 * name.
 */
#include "record/field_private.h"

#include "json/iter.h"
#include "json/string.h"

enum { NEAR_NAMES = 4096 };

static void note_names(struct field *f, struct str object, struct str above)
{
	struct str key, value;
	struct iter w;

	if (!object.n || object.p[0] != '{')
		return;
	iter_init(&w, object);
	while (iter_next(&w, &key, &value) > 0 && f->near.n < NEAR_NAMES) {
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
