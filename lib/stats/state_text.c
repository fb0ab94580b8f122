#include "stats/state_text.h"

#include "base/num_format.h"
#include "json/iter.h"
#include "json/write.h"

enum { LINE = 64 * 1024 }; /* items beyond this number of bytes are written in lines preceding that of the group */

void state_number_write(struct buf *object, const char *key, const struct number *n)
{
	char text[NUM_ROOM + 2], *end;

	if (n->whole)
		end = num_put_i128(text, n->i);
	else
		end = num_put_double(text, n->d + 0.0); /* -0 becomes 0 */
	if (!n->whole && !memchr(text, '.', (size_t)(end - text)) && !memchr(text, 'e', (size_t)(end - text))) {
		*end++ = '.';
		*end++ = '0';
	}
	json_write_json(object, key, (struct str){text, (size_t)(end - text)});
}

bool state_number_read(struct str text, struct number *n)
{
	struct value v;

	value_of(&v, text);
	if (v.type != VALUE_INT && v.type != VALUE_REAL)
		return false;
	*n = number_of(&v);
	return true;
}

void state_position_write(struct buf *object, const char *key, struct record_position at, struct str value)
{
	json_write_begin(object, key, '[');
	json_write_int(object, NULL, (int64_t)at.part);
	json_write_int(object, NULL, (int64_t)at.index);
	json_write_json(object, NULL, value);
	json_write_end(object, ']');
}

bool state_position_read(struct str array, struct record_position *at, struct str *value)
{
	struct str part, index;
	struct iter w;

	return iter_array(&w, array) && iter_element(&w, &part) && num_count(part, &at->part) &&
	       iter_element(&w, &index) && num_count(index, &at->index) && iter_element(&w, value);
}

void state_array_begin(struct state_array *w, const char *name)
{
	w->name = name;
	w->items.n = 0;
	buf_char(&w->items, '[');
}

struct buf *state_array_item(struct state_array *w)
{
	if (w->items.n < LINE)
		return &w->items;
	w->line.n = 0;
	json_write_begin(&w->line, NULL, '{');
	json_write_int(&w->line, "field", (int64_t)w->field);
	state_array_end(w, &w->line);
	json_write_end(&w->line, '}');
	out_line(w->out, buf_str(&w->line));
	w->lines++;
	state_array_begin(w, w->name);
	return &w->items;
}

void state_array_end(struct state_array *w, struct buf *object)
{
	if (w->items.n == 1)
		return;
	buf_char(&w->items, ']');
	json_write_json(object, w->name, buf_str(&w->items));
}
