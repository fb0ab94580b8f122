/*
 * chrome_find: finds where events begin and end in a text whose brackets are damaged. It looks for the keys that events
 * have. For the contracts of the functions, see chrome.h.
 */
#include "chrome.h"

#include "base/char_class.h"
#include "trace2ndjson/formats/document.h"
#include "json/check.h"

bool chrome_find_array(struct reader *r)
{
	const struct str key = STR("\"traceEvents\"");
	size_t at;

	for (;;) {
		at = str_find((struct str){r->src->p, r->src->n}, key);
		if (at < r->src->n) {
			source_skip(r->src, at);
			return true;
		}
		if (r->src->n > key.n)
			source_skip(r->src, r->src->n - key.n);
		if (source_more(r->src) <= 0)
			return false;
	}
}

bool chrome_event_begins(struct str s)
{
	static const char *const keys[] = {"ph", "name", "cat", "pid", "tid", "ts", "args", "id", "record"};
	size_t i, n;

	if (!s.n || s.p[0] != '{')
		return false;
	s = str_trim(str_from(s, 1));
	if (!s.n || s.p[0] != '"')
		return false;
	s = str_from(s, 1);
	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		n = strlen(keys[i]);
		if (s.n > n && memcmp(s.p, keys[i], n) == 0 && s.p[n] == '"')
			return str_starts(str_trim(str_from(s, n + 1)), STR(":"));
	}
	return false;
}

size_t chrome_next_event(struct str s, size_t at)
{
	while (at < s.n && !chrome_event_begins(str_from(s, at)))
		at += 1 + str_find(str_from(s, at + 1), STR("{"));
	return at < s.n ? at : s.n;
}

bool chrome_find_event(struct reader *r)
{
	enum { ENOUGH = 4096 }; /* this many bytes are enough to show whether an event begins */
	struct str s;
	size_t at;
	bool more;

	do {
		more = source_more(r->src) > 0;
		s = (struct str){r->src->p, r->src->n};
		for (at = chrome_next_event(s, 0); at < s.n && (!more || s.n - at > ENOUGH);
		     at = chrome_next_event(s, at + 1)) {
			struct str event = str_head(str_from(s, at), ENOUGH);

			event = str_head(event, str_find(event, STR("}")));
			if (str_find(event, STR("\"ph\"")) < event.n) {
				source_skip(r->src, at);
				return true;
			}
		}
		source_skip(r->src, s.n > ENOUGH && more ? s.n - ENOUGH : 0);
	} while (more);
	return false;
}

size_t chrome_event_boundary(struct str s)
{
	size_t at, next;

	for (at = 0; at < s.n; at++) {
		const char *hit = memchr(s.p + at, '}', s.n - at);

		if (!hit)
			break;
		at = (size_t)(hit - s.p);
		for (next = at + 1; next < s.n && (is_json_space(s.p[next]) || s.p[next] == ','); next++)
			;
		if (next > at + 1 && chrome_event_begins(str_from(s, next)))
			return at + 1;
	}
	return s.n;
}

size_t chrome_second_event(struct str s)
{
	/* `left`: number of bytes that json_check() may still read. This limit keeps the time linear in the text. */
	size_t at, left = 64 * s.n + 4096;
	struct fault fault;

	for (at = chrome_next_event(s, 1); at < s.n; at = chrome_next_event(s, at + 1)) {
		if (json_check(str_from(s, at), &fault))
			break;
		if (fault.at.byte >= left)
			return s.n;
		left -= fault.at.byte;
	}
	return at;
}
