#include "input_shapes.h"

#include "json/iter.h"

enum { MOST_LEVELS = 8 }; /* maximum depth of a shape; lists of tensors have three levels */

/*
 * Appends the array without the empty arrays at any depth: "[[2, 3], [], [[4]]]" gives "[[2,3],[[4]]]". Returns false
 * when the result is empty, or deeper than `levels`.
 */
static bool add_dims(struct buf *b, struct str json, int levels)
{
	struct str key, value;
	struct iter w;
	size_t before = b->n, at;
	bool any = false;

	if (!levels)
		return false;
	buf_char(b, '[');
	iter_init(&w, json);
	while (iter_next(&w, &key, &value) > 0) {
		at = b->n;
		if (any)
			buf_char(b, ',');
		if (value.n && value.p[0] != '[')
			buf_add(b, value.p, value.n);
		else if (!add_dims(b, value, levels - 1)) {
			b->n = at;
			continue;
		}
		any = true;
	}
	buf_char(b, ']');
	if (!any)
		b->n = before;
	return any;
}

uint32_t input_shapes_put(struct input_shapes *s, struct str args)
{
	struct str dims;

	if (!args.p || args.p[0] != '{')
		return INPUT_SHAPES_NONE;
	dims = iter_find(args, STR("Input Dims"));
	if (!dims.p)
		dims = iter_find(args, STR("Input dims"));
	s->text.n = 0;
	if (!dims.p || dims.p[0] != '[' || !add_dims(&s->text, dims, MOST_LEVELS))
		return INPUT_SHAPES_NONE;
	return (uint32_t)value_ids_put(&s->ids, (struct str){s->text.p, s->text.n});
}

void input_shapes_free(struct input_shapes *s)
{
	value_ids_free(&s->ids);
	buf_free(&s->text);
}
