#include "record/event_attach.h"

#include "json/scan.h"
#include "json/write.h"

/* Iterates over `text`, which has no brackets; therefore iter_next() returns -1 after the last member. */
static void open_text(struct iter *w, struct str text)
{
	*w = (struct iter){text.p + (text.n > 0), text.p + text.n, '}', true};
}

static struct str find_in_text(struct str text, struct str name)
{
	struct str key, value;
	struct iter w;

	for (open_text(&w, text); iter_next(&w, &key, &value) > 0;) {
		if (str_eq(key, name))
			return value;
	}
	return (struct str){NULL, 0};
}

/* Returns one bit that is computed from the key; if two keys have different bits, the keys are different. */
static uint64_t mark(struct str key)
{
	unsigned char first = key.n ? (unsigned char)key.p[0] : 0;

	return 1ull << ((first + key.n * 7) & 63);
}

/* Writes the members of text that the record does not have, with a comma before the first one if `comma` is set. */
static char *put_new(char *to, struct str record, struct str text, bool comma)
{
	struct str key, value;
	struct iter w;

	for (open_text(&w, text); iter_next(&w, &key, &value) > 0;) {
		if (iter_find(record, key).p)
			continue;
		if (comma)
			*to++ = ',';
		to = str_copy(to, (struct str){key.p - 1, (size_t)(value.p + value.n - key.p + 1)});
		comma = true;
	}
	return to;
}

/* Returns whether no member before this one has the same key. */
static bool is_first(struct str record, struct str key)
{
	struct str other, value;
	struct iter w;

	for (iter_init(&w, record); iter_next(&w, &other, &value) > 0 && !str_eq(other, key);)
		;
	return other.p == key.p;
}

/*
 * Writes a record that already has a member of text, one member at a time. New members are inserted before `at`, the
 * key of a member or the closing bracket. White space between the members is preserved. If a member that is replaced
 * occurs several times, only the first one is written. `marks` are the marks of all members of text.
 */
static char *put_each(char *to, struct str record, struct str text, uint64_t marks, const char *at)
{
	const char *end = record.p; /* of the preceding member */
	struct str key, value, with, lead;
	bool any = false, removed; /* any: a member was written */
	uint64_t seen = 0;
	struct iter w;
	char *before;

	for (iter_init(&w, record); iter_next(&w, &key, &value) > 0; end = value.p + value.n) {
		/* The bracket or comma before the member, with white space; the first one that remains has no comma. */
		lead = (struct str){end, any || end == record.p ? (size_t)(key.p - 1 - end) : 0};
		with = marks & mark(key) ? find_in_text(text, key) : (struct str){NULL, 0};
		removed = with.p && (str_eq(with, STR("null")) || ((seen & mark(key)) && !is_first(record, key)));
		seen |= mark(key);
		if (end == record.p || key.p - 1 == at || !removed)
			to = str_copy(to, lead);
		if (key.p - 1 == at) {
			before = to;
			to = put_new(to, record, text, false);
			if (to > before)
				*to++ = ',';
		}
		if (removed)
			continue;
		to = str_copy(to, (struct str){key.p - 1, (size_t)(value.p - key.p + 1)});
		to = str_copy(to, with.p ? with : value);
		any = true;
	}
	if (*at == '}') {
		to = str_copy(to, (struct str){end, (size_t)(at - end)});
		to = put_new(to, record, text, any);
		end = at;
	}
	return str_copy(to, str_from(record, (size_t)(end - record.p)));
}

/*
 * Writes the record with the members of text; there must be room for both and a comma. Returns the end. If the record
 * has all of them, as when a program is run again on its output, one pass is enough: it replaces their values.
 */
static char *put(char *to, struct str record, struct str text)
{
	const char *at = NULL, *done = record.p; /* at: the place of new members; done: the end of what is written */
	bool again = true, empty = true;         /* again: each member of text is there once, and none is removed */
	size_t missing = 0;
	uint64_t marks = 0, seen = 0;
	struct str key, value, with;
	char *end = to;
	struct iter w;

	for (open_text(&w, text); iter_next(&w, &key, &value) > 0; missing++) {
		marks |= mark(key);
		again &= !str_eq(value, STR("null"));
	}
	for (iter_init(&w, record); iter_next(&w, &key, &value) > 0; empty = false) {
		with = marks & mark(key) ? find_in_text(text, key) : (struct str){NULL, 0};
		if (with.p) {
			again &= !(seen & mark(key));
			seen |= mark(key);
			missing--;
			end = str_copy(end, (struct str){done, (size_t)(value.p - done)});
			end = again ? str_copy(end, with) : end;
			done = value.p + value.n;
		} else if (!at && (str_eq(key, STR("args")) || str_eq(key, STR("src")))) {
			at = key.p - 1;
		}
	}
	if (again && !missing)
		return str_copy(end, str_from(record, (size_t)(done - record.p)));
	if (!at) {
		for (at = record.p + record.n - 1; *at != '}'; at--)
			;
	}
	if (seen)
		return put_each(to, record, text, marks, at);
	to = str_copy(to, str_head(record, (size_t)(at - record.p)));
	to = str_copy(to, str_from(text, empty || *at != '}'));
	if (text.n && *at != '}')
		*to++ = ',';
	return str_copy(to, str_from(record, (size_t)(at - record.p)));
}

/*
 * Returns the offset in the line where new members are inserted: at the comma before args or src, or at the closing
 * bracket. The offset is known if the event was walked and has only standard members, because none of these can be in
 * the new text. Returns 0 when the line must be searched.
 */
static size_t known_insertion(const struct event *e)
{
	bool args = event_has(e, EVENT_ARGS), src = event_has(e, EVENT_SRC);
	struct str key = args ? STR(",\"args\":") : STR(",\"src\":");
	const char *value = e->m[args ? EVENT_ARGS : EVENT_SRC].p;
	size_t at;

	if (e->reading != EVENT_PLAIN || !e->has)
		return 0;
	if (!args && !src)
		return e->raw.n - 1;
	if (args && src && e->m[EVENT_SRC].p < value)
		return 0;
	at = (size_t)(value - e->raw.p);
	return at > key.n && memcmp(value - key.n, key.p, key.n) == 0 ? at - key.n : 0;
}

void event_attach_remove(struct buf *text, const struct event *e, const char *name)
{
	if (e->reading == EVENT_PLAIN ||
	    (e->prefix && strlen(name) >= 3 && !iter_may_find(str_from(e->raw, e->prefix), name)))
		return;
	if (iter_find(e->raw, str_of(name)).p)
		json_write_json(text, name, STR("null"));
}

void event_attach_insert(struct out *o, struct str record, size_t at, struct str text)
{
	char *to = str_copy(out_room(o, record.n + text.n + 1), str_head(record, at));

	to = str_copy(str_copy(to, text), str_from(record, at));
	*to++ = '\n';
	out_used(o, to);
}

void event_attach_write(struct out *o, const struct event *e, struct str text)
{
	size_t at = known_insertion(e);
	char *end;

	if (at) {
		event_attach_insert(o, e->raw, at, text);
		return;
	}
	end = put(out_room(o, e->raw.n + text.n + 2), e->raw, text);
	*end++ = '\n';
	out_used(o, end);
}

struct str event_attach_put(struct buf *to, struct str record, struct str text)
{
	to->n = 0;
	to->n = (size_t)(put(buf_room(to, record.n + text.n + 1), record, text) - to->p);
	scan_pad(to);
	return buf_str(to);
}
