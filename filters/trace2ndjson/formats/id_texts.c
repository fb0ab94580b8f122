#include "id_texts.h"

#include <stdlib.h>

/* Returns the text of the id with the index i, which may be MAP_NONE. */
static struct str text_at(const struct id_texts *t, size_t i)
{
	if (i == MAP_NONE || t->text_of[i] == MAP_NONE)
		return (struct str){NULL, 0};
	return map_key(&t->texts, t->text_of[i]);
}

/* Returns the index of an id. A new id is added without a text, and is awaited. */
static size_t add_id(struct id_texts *t, struct str id)
{
	const size_t known = t->ids.n, i = map_put(&t->ids, id);

	if (i == known) {
		t->text_of = mem_grow(t->text_of, &t->cap, i + 1, sizeof *t->text_of);
		t->text_of[i] = MAP_NONE;
		t->awaited++;
	}
	return i;
}

void id_texts_put(struct id_texts *t, struct str id, struct str text)
{
	const size_t i = add_id(t, id);

	t->awaited -= t->text_of[i] == MAP_NONE;
	t->text_of[i] = map_put(&t->texts, text);
}

struct str id_texts_get(const struct id_texts *t, struct str id)
{
	return text_at(t, map_find(&t->ids, id));
}

struct str id_texts_await(struct id_texts *t, struct str id)
{
	return text_at(t, add_id(t, id));
}

void id_texts_free(struct id_texts *t)
{
	maps_free(&t->ids, &t->texts);
	free(t->text_of);
	*t = (struct id_texts){0};
}
