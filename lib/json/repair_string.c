/* repair_string: finds the possible ends of strings, and writes strings with their damage repaired. */
#include "json/repair_private.h"

#include "json/string_inline.h"

/*
 * Returns the length of the escape that begins with the backslash s.p[0], or 0 if it does not begin an escape. Sets
 * *code for a \u escape.
 */
static size_t escape_length(struct str s, uint32_t *code)
{
	int32_t v;

	*code = 0;
	if (s.n < 2)
		return 0;
	if (s.p[1] != 'u')
		return memchr("\"\\/bfnrt", s.p[1], 8) ? 2 : 0;
	v = json_hex4(s.p + 2, s.p + s.n);
	if (v < 0)
		return 0;
	*code = (uint32_t)v;
	return 6;
}

static bool has_lone_backslash(struct str s)
{
	uint32_t code;
	size_t n;

	for (;;) {
		const char *back = s.n ? memchr(s.p, '\\', s.n) : NULL;

		if (!back)
			return false;
		s = str_from(s, (size_t)(back - s.p));
		n = escape_length(s, &code);
		if (!n)
			return true;
		s = str_from(s, n);
	}
}

/* Writes the escape or the literal backslash at the beginning of s. Returns its length in s. */
static size_t put_backslash(struct repair *r, struct str s, bool literal)
{
	uint32_t code, low;
	size_t n;

	if (literal && !(s.n > 1 && s.p[1] == '"')) {
		repair_note(r, REPAIR_BACKSLASH);
		/*
		 * Two backslashes are consumed together: otherwise the second one would form \" with a following
		 * quote.
		 */
		n = s.n > 1 && s.p[1] == '\\' ? 2 : 1;
		repair_put(r, s.p, n);
		repair_put(r, s.p, n);
		return n;
	}
	n = escape_length(s, &code);
	if (code >= 0xd800 && code < 0xdc00 && str_starts(str_from(s, 6), STR("\\u")) &&
	    escape_length(str_from(s, 6), &low) && low >= 0xdc00 && low < 0xe000) {
		n += 6;
	} else if (code >= 0xd800 && code < 0xe000) {
		repair_note(r, REPAIR_SURROGATE);
		repair_put(r, "\xef\xbf\xbd", 3);
		return n;
	}
	repair_put(r, s.p, n);
	return n;
}

/* Writes a character that is not plain (see json_plain()); returns how many bytes of s it consumed. */
static size_t put_special(struct repair *r, struct str s, bool literal)
{
	uint32_t code;
	size_t n = 1;

	if (*s.p == '\\')
		return put_backslash(r, s, literal);
	if (*s.p == '"') {
		repair_note(r, REPAIR_QUOTE);
		repair_put(r, "\\\"", 2);
	} else if ((unsigned char)*s.p < 0x20) {
		repair_note(r, *s.p ? REPAIR_CONTROL : REPAIR_NUL);
		json_escape(r->to, *s.p);
	} else if ((n = utf8_decode(s, &code)) > 0) {
		repair_put(r, s.p, n);
	} else {
		n = utf8_broken(s);
		repair_note(r, REPAIR_UTF8);
		repair_put(r, "\xef\xbf\xbd", 3);
	}
	return n;
}

void repair_put_string(struct repair *r, struct str s)
{
	bool literal;
	size_t n;

	if (!r->to)
		return;
	literal = has_lone_backslash(s);
	repair_put(r, "\"", 1);
	for (; s.n; s = str_from(s, n)) {
		n = json_plain(s);
		if (n)
			repair_put(r, s.p, n);
		else
			n = put_special(r, s, literal);
	}
	repair_put(r, "\"", 1);
}

const char *repair_next_quote(const char *p, const char *end, bool *escaped)
{
	for (; p < end; p++) {
		p += json_plain((struct str){p, (size_t)(end - p)});
		if (p == end)
			break;
		*escaped = *p == '\\';
		if (*escaped && ++p == end)
			break;
		if (*p == '"')
			return p;
	}
	return NULL;
}
