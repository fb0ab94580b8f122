/*
 * chrome_members: splits the text of an event into members. Members that the reader knows become views of the text; all
 * others are collected as text for src.
 */
#include "chrome.h"

#include "record/category.h"
#include "json/iter.h"
#include "json/check.h"
#include "json/string.h"
#include "json/scan.h"
#include "json/write.h"
#include "base/num_parse.h"

bool chrome_is_sound_scalar(struct str s)
{
	double d;
	int64_t v;

	return !s.p || json_is_string(s) || num_int(s, &v) == NUM_OK || num_double(s, &d);
}

void chrome_keep_in_src(struct chrome_event *c, struct str key, struct str value)
{
	struct buf *b = &c->others;

	if (value.p[0] != '{' && value.p[0] != '[') {
		json_write_member(b, key, value);
		c->doubt |= !chrome_is_sound_scalar(value);
		return;
	}
	json_write_member(b, key, STR(""));
	b->n += scan_squeeze(buf_room(b, value.n + 64), value).n;
	c->doubt = true;
}

/*
 * Whether the event's kind is known once the member at `place` has been read. Some phases alone determine the kind; for
 * the other phases, the category must be known too.
 */
static bool says_kind(const struct chrome_raw *raw, const struct str *place)
{
	return place == &raw->ph ? category_of_phase(chrome_phase(raw->ph)) != KIND_N : place == &raw->cat && raw->ph.p;
}

/* Removes the white space from the value of args, which begins at w->p, and moves w->p to the end of the value. */
static void take_args(struct chrome_event *c, struct iter *w)
{
	struct str rest = {w->p, (size_t)(w->end - w->p)};

	c->args.n = 0;
	c->squeezed = scan_squeeze(buf_room(&c->args, rest.n + 64), rest);
	c->args.n = c->squeezed.n;
	c->raw.args = str_head(rest, c->squeezed.used);
	w->p += c->squeezed.used;
}

/* Returns the member of *raw that stores the value of this key; NULL when *raw has no such member. */
static struct str *place_of(struct chrome_raw *raw, struct str key)
{
	switch (key.n) {
	case 2:
		return memcmp(key.p, "ts", 2) == 0   ? &raw->ts
		       : memcmp(key.p, "ph", 2) == 0 ? &raw->ph
		       : memcmp(key.p, "id", 2) == 0 ? &raw->id
						     : NULL;
	case 3:
		return memcmp(key.p, "cat", 3) == 0   ? &raw->cat
		       : memcmp(key.p, "pid", 3) == 0 ? &raw->pid
		       : memcmp(key.p, "tid", 3) == 0 ? &raw->tid
		       : memcmp(key.p, "dur", 3) == 0 ? &raw->dur
		       : memcmp(key.p, "id2", 3) == 0 ? &raw->id2
						      : NULL;
	case 4:
		return memcmp(key.p, "name", 4) == 0 ? &raw->name : memcmp(key.p, "args", 4) == 0 ? &raw->args : NULL;
	case 6:
		return memcmp(key.p, "record", 6) == 0 ? &raw->record : NULL;
	default:
		return NULL;
	}
}

enum chrome_result chrome_take_apart(
    struct chrome_event *c, const struct reader *r, struct str text, bool sound, bool whole)
{
	struct chrome_raw *raw = &c->raw;
	struct iter w;
	struct fault fault;
	struct str key, value, *place;
	int more;

	*raw = (struct chrome_raw){.text = text};
	c->others.n = 0;
	c->unwanted = 0;
	c->doubt = c->twice = false;
	iter_init(&w, text);
	while ((more = iter_key(&w, &key)) > 0) {
		place = place_of(raw, key);
		c->twice |= place && place->p;
		if (place == &raw->args && *w.p == '{' && !c->unwanted) {
			take_args(c, &w);
			continue;
		}
		if (!iter_value(&w, &value))
			return CHROME_BROKEN;
		if (place)
			*place = value;
		if ((!place || place == &raw->id2) && !c->unwanted)
			chrome_keep_in_src(c, key, value);
		/* ndjson2trace added this event only for viewers: it is not a record */
		if (place == &raw->record && str_eq(value, STR("null")))
			return sound || json_check(text, &fault) ? CHROME_DROPPED : CHROME_DOUBT;
		if (!whole && !c->unwanted && says_kind(raw, place) && chrome_is_unwanted(raw, r)) {
			c->unwanted = (size_t)(w.p - text.p);
			if (!sound && !json_check(text, &fault))
				return CHROME_DOUBT;
		}
	}
	return more < 0 ? CHROME_BROKEN : CHROME_RECORD;
}
