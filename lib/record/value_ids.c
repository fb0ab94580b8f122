#include "record/value_ids.h"

#include "base/char_class.h"
#include "base/num_format.h"
#include "json/string.h"

struct str value_ids_canonical(struct str json, struct buf *text, struct buf *room)
{
	char *end;

	text->n = 0;
	if (json_is_string(json) && memchr(json.p, '\\', json.n)) {
		json_requote(text, json, room);
	} else if (json.n && (json.p[0] == '-' || is_digit(json.p[0])) && !num_is_value(json)) {
		end = num_put_value(buf_room(text, NUM_ROOM), json);
		text->n = end ? (size_t)(end - text->p) : 0;
	}
	return text->n ? (struct str){text->p, text->n} : json;
}

/*
 * Each text is first looked up in its written form; only a new text is decoded. So a text that was added before costs
 * only one hash, even if it has escapes.
 */
static size_t add_text(struct value_ids *k, struct str json, size_t text)
{
	const struct str canonical = value_ids_canonical(json, &k->canonical, &k->room);
	const size_t known = k->texts.n, plain = canonical.p == json.p ? text : map_put(&k->texts, canonical);

	k->value_of = mem_grow(k->value_of, &k->texts_cap, k->texts.n, sizeof *k->value_of);
	if (plain == text || plain >= known) {
		k->text_of = mem_grow(k->text_of, &k->values_cap, k->n + 1, sizeof *k->text_of);
		k->text_of[k->n] = (uint32_t)plain;
		k->value_of[plain] = (uint32_t)k->n++;
	}
	return k->value_of[text] = k->value_of[plain];
}

size_t value_ids_put(struct value_ids *k, struct str json)
{
	const size_t known = k->texts.n, text = map_put(&k->texts, json);

	return text < known ? k->value_of[text] : add_text(k, json, text);
}

struct str value_ids_text(const struct value_ids *k, size_t value)
{
	return map_key(&k->texts, k->text_of[value]);
}

void value_ids_free(struct value_ids *k)
{
	map_free(&k->texts);
	mem_free(k->value_of, k->text_of);
	bufs_free(&k->canonical, &k->room);
	*k = (struct value_ids){0};
}
