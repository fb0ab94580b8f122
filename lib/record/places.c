#include "record/places.h"

#include "base/char_class.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/string.h"

/* Returns whether a value can be an integer that is not written in digits: 1.0, 1e3, -0. */
static bool is_odd_number(struct str json)
{
	const size_t minus = json.n && json.p[0] == '-';

	return json.n > minus && is_digit(json.p[minus]) &&
	       (!str_all(str_from(json, minus), is_digit) || (minus && json.p[1] == '0'));
}

/* Appends a value in the form in which it is compared. */
static void add_compared(struct places *p, struct str json)
{
	int64_t v;

	if (json_is_string(json) && memchr(json.p, '\\', json.n))
		json_requote(&p->key, json, &p->room);
	else if (is_odd_number(json) && num_whole(json, &v) == NUM_OK)
		p->key.n = (size_t)(num_put_i64(buf_room(&p->key, NUM_ROOM), v) - p->key.p);
	else
		buf_add(&p->key, json.p, json.n);
}

size_t places_put(struct places *p, const struct str *values, size_t n)
{
	struct str rest = p->last_key;
	size_t i;

	/*
	 * In a key, each value is followed by a zero byte, which JSON text never contains. Usually the place is the one
	 * that was returned last; a comparison takes less time than making a key and its hash.
	 */
	for (i = 0; i < n && rest.n > values[i].n && !rest.p[values[i].n] && str_starts(rest, values[i]); i++)
		rest = str_from(rest, values[i].n + 1);
	if (i == n && !rest.n)
		return p->last;
	p->key.n = 0;
	for (i = 0; i < n; i++) {
		add_compared(p, values[i]);
		buf_char(&p->key, '\0');
	}
	p->last = map_put(&p->keys, buf_str(&p->key));
	p->last_key = map_key(&p->keys, p->last);
	p->n = p->keys.n;
	return p->last;
}

size_t places_put_event(struct places *p, struct event *e)
{
	struct str values[PLACES_MEMBERS];
	size_t i;

	for (i = 0; i < p->n_members; i++)
		values[i] = event_get(e, p->members[i]);
	return places_put(p, values, p->n_members);
}

struct str places_value(const struct places *p, size_t place, size_t i)
{
	struct str rest = map_key(&p->keys, place), value;

	do
		str_split(&rest, '\0', &value);
	while (i--);
	return value.n ? value : (struct str){NULL, 0};
}

void places_set(const struct places *p, size_t place, struct event *e)
{
	struct str rest = map_key(&p->keys, place), value;
	size_t i;

	for (i = 0; i < p->n_members; i++) {
		str_split(&rest, '\0', &value);
		if (value.n)
			event_set(e, p->members[i], value);
	}
}

void places_free(struct places *p)
{
	map_free(&p->keys);
	bufs_free(&p->key, &p->room);
	*p = (struct places){.n_members = 0};
}
