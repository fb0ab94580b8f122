#include "record/event_attach.h"

#include "json/scan.h"
#include "json/iter.h"
#include "json/write.h"

/* The destination of the result: exactly one of the two members is set. */
struct sink {
	struct out *out;
	struct buf *buf;
};

static void write_attachment(const struct sink *to, const char *p, size_t n)
{
	if (to->out)
		out_add(to->out, p, n);
	else
		buf_add(to->buf, p, n);
}

/*
 * Starts a walk over the members of `text`. The text has no brackets around it; therefore iter_next() returns -1 after
 * the last member.
 */
static void open_text(struct iter *w, struct str text)
{
	*w = (struct iter){text.p + (text.n > 0), text.p + text.n, '}', true};
}

static bool is_null(struct str value)
{
	return str_eq(value, STR("null"));
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

/* The result of find_insertion(), which searches the record. */
struct insertion {
	size_t at;  /* offset where new members are inserted: before a member, or at the closing bracket */
	bool last;  /* `at` is the offset of the closing bracket */
	bool empty; /* the record has no members */
	bool clash; /* the record already has one of the members of text */
};

static struct insertion find_insertion(struct str record, struct str text)
{
	struct insertion insertion = {record.n, false, true, false};
	struct str key, value;
	uint64_t marks = 0;
	struct iter w;

	for (open_text(&w, text); iter_next(&w, &key, &value) > 0;)
		marks |= mark(key);
	for (iter_init(&w, record); iter_next(&w, &key, &value) > 0;) {
		insertion.empty = false;
		if ((marks & mark(key)) && find_in_text(text, key).p)
			insertion.clash = true;
		else if (insertion.at == record.n && (str_eq(key, STR("args")) || str_eq(key, STR("src"))))
			insertion.at = (size_t)(key.p - 1 - record.p);
	}
	insertion.last = insertion.at == record.n;
	while (insertion.last && insertion.at > 0 && record.p[--insertion.at] != '}')
		;
	return insertion;
}

/*
 * Writes the new members, and a comma between them and the next member. If they come last, writes the comma before
 * them.
 */
static void put_new(const struct sink *to, const struct insertion *insertion, struct str text)
{
	if (!text.n)
		return;
	if (insertion->last && !insertion->empty)
		write_attachment(to, text.p, text.n);
	else
		write_attachment(to, text.p + 1, text.n - 1);
	if (!insertion->last)
		write_attachment(to, ",", 1);
}

/* Appends the members of text that the record does not have. None of them is null. */
static void keep_new(struct buf *to, struct str record, struct str text)
{
	struct str key, value;
	struct iter w;

	for (open_text(&w, text); iter_next(&w, &key, &value) > 0;) {
		if (iter_find(record, key).p)
			continue;
		json_write_member(to, key, value);
	}
}

static void put_replaced(const struct sink *to, struct insertion *insertion, struct str record, struct str text)
{
	/* done: offset up to which the record was written; end: the end of the preceding member */
	size_t done = 0, start, end = 0;
	struct str key, value, with;
	struct buf added = {0};
	bool placed = false;
	struct iter w;

	insertion->empty = true;
	keep_new(&added, record, text);
	for (iter_init(&w, record); iter_next(&w, &key, &value) > 0; end = (size_t)(value.p + value.n - record.p)) {
		start = (size_t)(key.p - 1 - record.p);
		if (insertion->empty && end) /* all preceding members were removed; the comma after them remains */
			done = start;
		if (!placed && start >= insertion->at) {
			write_attachment(to, record.p + done, insertion->at - done);
			put_new(to, insertion, buf_str(&added));
			done = insertion->at;
			placed = true;
		}
		with = find_in_text(text, key);
		if (!with.p) {
			insertion->empty = false;
		} else if (!is_null(with)) {
			write_attachment(to, record.p + done, (size_t)(value.p - record.p) - done);
			write_attachment(to, with.p, with.n);
			done = (size_t)(value.p + value.n - record.p);
			insertion->empty = false;
		} else { /* removed, with the comma that precedes it */
			write_attachment(to, record.p + done, (insertion->empty ? start : end) - done);
			done = (size_t)(value.p + value.n - record.p);
		}
	}
	if (!placed) {
		write_attachment(to, record.p + done, insertion->at - done);
		put_new(to, insertion, buf_str(&added));
		done = insertion->at;
	}
	write_attachment(to, record.p + done, record.n - done);
	buf_free(&added);
}

static void put_all(const struct sink *to, struct str record, struct str text)
{
	struct insertion insertion = find_insertion(record, text);

	if (insertion.clash) {
		put_replaced(to, &insertion, record, text);
		return;
	}
	write_attachment(to, record.p, insertion.at);
	put_new(to, &insertion, text);
	write_attachment(to, record.p + insertion.at, record.n - insertion.at);
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

void event_attach_write(struct out *o, const struct event *e, struct str text)
{
	size_t at = known_insertion(e);

	if (at) {
		out_add(o, e->raw.p, at);
		out_str(o, text);
		out_add(o, e->raw.p + at, e->raw.n - at);
		out_char(o, '\n');
		return;
	}
	put_all(&(struct sink){.out = o}, e->raw, text);
	out_char(o, '\n');
}

struct str event_attach_put(struct buf *to, struct str record, struct str text)
{
	to->n = 0;
	put_all(&(struct sink){.buf = to}, record, text);
	scan_pad(to);
	return (struct str){to->p, to->n};
}
