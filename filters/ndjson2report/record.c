#include "record.h"

#include "arena.h"
#include "json/iter.h"
#include "json/string.h"

/* Returns the decoded text of a string, cut at a character if it is too long: "…" marks the cut. */
static struct str decoded(const struct record *r, struct str inner)
{
	struct buf text = {0};
	struct str kept;

	json_unescape(&text, inner);
	if (text.n > RECORD_TEXT_MOST) {
		text.n = RECORD_TEXT_MOST - strlen("…");
		while (text.n && utf8_continues(text.p[text.n]))
			text.n--;
		buf_lit(&text, "…");
	}
	kept = arena_keep(r->arena, buf_str(&text));
	buf_free(&text);
	return kept;
}

/* Returns the JSON text of a member, the last one of that name; null if it is absent. */
static struct str find_member(const struct record *r, struct str name)
{
	struct str key, value, found = STR("null");
	struct buf plain = {0};
	struct iter w;

	iter_init(&w, r->json);
	while (iter_next(&w, &key, &value) > 0) {
		plain.n = 0;
		json_unescape(&plain, key);
		if (str_eq(buf_str(&plain), name))
			found = value;
	}
	buf_free(&plain);
	return found;
}

struct value record_value(const struct record *r, struct str name)
{
	const struct str json = find_member(r, name);
	struct value v = {.type = VALUE_NONE};

	if (json_is_string(json))
		v = (struct value){.type = VALUE_STRING, .text = decoded(r, json_inner(json))};
	else if (json.p[0] != 'n')
		value_of(&v, arena_keep(r->arena, json));
	return v;
}

struct value record_number(const struct record *r, const char *name)
{
	const struct value v = record_value(r, str_of(name));

	return value_is_number(&v) ? v : (struct value){.type = VALUE_NONE};
}

struct str record_text(const struct record *r, const char *name)
{
	const struct value v = record_value(r, str_of(name));

	if (v.type != VALUE_NONE && v.type != VALUE_STRING)
		record_lost(r, "text member is not a string; left out");
	return v.type == VALUE_STRING ? v.text : STR("");
}

size_t record_list(const struct record *r, const char *name, struct str **list)
{
	const struct str json = find_member(r, str_of(name));
	struct str element;
	struct iter w;
	bool good = json.p[0] == 'n' || json.p[0] == '[';
	size_t n = 0;

	*list = arena_get(r->arena, json.n / 2, sizeof **list); /* an element and the comma after it have two bytes */
	for (iter_array(&w, json); good && iter_element(&w, &element); n += good) {
		good = json_is_string(element);
		if (good)
			(*list)[n] = decoded(r, json_inner(element));
	}
	if (!good)
		record_lost(r, "member is not an array of texts; left out");
	return good ? n : 0;
}

size_t record_numbers(const struct record *r, const char *name, size_t most, double **list)
{
	const struct str json = find_member(r, str_of(name));
	struct str element;
	struct value v;
	struct iter w;
	bool good = json.p[0] == 'n' || json.p[0] == '[';
	size_t n = 0;

	*list = json.p[0] == '[' ? arena_get(r->arena, most, sizeof **list) : NULL;
	for (iter_array(&w, json); good && iter_element(&w, &element); n++) {
		value_of(&v, element);
		good = n < most && value_is_number(&v);
		if (good)
			(*list)[n] = v.d;
	}
	if (!good)
		record_lost(r, "member is not an array of numbers, or is too long; left out");
	return good ? n : 0;
}

void record_objects(
    const struct record *r, const char *name, void (*take)(void *arg, const struct record *object), void *arg)
{
	const struct str json = find_member(r, str_of(name));
	struct record object = *r;
	bool good = json.p[0] == 'n' || json.p[0] == '[';
	struct iter w;

	for (iter_array(&w, json); good && iter_element(&w, &object.json);) {
		good = object.json.p[0] == '{';
		if (good)
			take(arg, &object);
	}
	if (!good)
		record_lost(r, "member is not an array of objects; left out");
}

uint64_t record_count(const struct record *r, const char *name)
{
	const struct value v = record_value(r, str_of(name));

	if (v.type == VALUE_INT && v.i >= 0)
		return (uint64_t)v.i;
	if (v.type != VALUE_NONE)
		record_lost(r, "lines, rest, depth or count is not an integer >= 0; left out");
	return 0;
}

size_t record_word(const struct record *r, const char *name, const char *const *words, size_t absent)
{
	const struct str text = record_text(r, name);
	size_t i;

	for (i = 0; words[i]; i++) {
		if (str_eq(text, str_of(words[i])))
			return i;
	}
	if (text.n)
		record_warning(r, "unknown value of group or view; default used");
	return absent;
}

enum color record_color(const struct record *r, struct str name)
{
	enum color i;

	for (i = 0; i < COLOR_MEANINGS && !str_eq(name, str_of(color_meaning(i))); i++)
		;
	if (i == COLOR_MEANINGS && name.n)
		record_warning(r, "unknown color; not used");
	return i;
}

struct report_unit record_unit(const struct record *r, struct str name)
{
	struct report_unit unit;

	if (!report_unit_read(&unit, name) && name.n)
		record_warning(r, "unknown unit; values are printed as plain numbers");
	return unit;
}
