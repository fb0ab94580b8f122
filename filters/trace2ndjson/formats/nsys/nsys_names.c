#include "nsys.h"

#include "json/string.h"

#include <stdlib.h>

struct str nsys_plain(struct buf *to, struct str text)
{
	struct buf said = {0};
	size_t at = to->n;

	if (!memchr(text.p, '\\', text.n))
		return text;
	json_unescape(&said, json_inner(text));
	json_quote(to, (struct str){said.p, said.n});
	buf_free(&said);
	return (struct str){to->p + at, to->n - at};
}

/* Returns the index of an id. A new id is added without a text. */
static size_t number_of(struct nsys_names *names, struct str id)
{
	size_t known = names->ids.n, i = map_put(&names->ids, id);

	if (i < known)
		return i;
	names->text_of = mem_grow(names->text_of, &names->cap, i + 1, sizeof *names->text_of);
	names->text_of[i] = MAP_NONE;
	names->awaited++;
	return i;
}

void nsys_names_put(struct nsys_names *names, struct str id, struct str text)
{
	size_t i = number_of(names, id);
	struct buf plain = {0};

	if (names->text_of[i] == MAP_NONE)
		names->awaited--;
	names->text_of[i] = map_put(&names->texts, nsys_plain(&plain, text));
	buf_free(&plain);
}

struct str nsys_names_get(struct nsys_names *names, struct str id)
{
	size_t i = number_of(names, id);

	if (names->text_of[i] == MAP_NONE)
		return (struct str){NULL, 0};
	return map_key(&names->texts, names->text_of[i]);
}

void nsys_names_free(struct nsys_names *names)
{
	map_free(&names->ids);
	map_free(&names->texts);
	free(names->text_of);
	*names = (struct nsys_names){0};
}
