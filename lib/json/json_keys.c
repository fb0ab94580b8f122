#include "json/json.h"

static inline bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* The end of the string whose first quote is at p. */
static const char *string_end(const char *p)
{
	for (p++; *p != '"'; p++)
		p += *p == '\\';
	return p + 1;
}

void json_plain_keys(struct buf *b, struct str text)
{
	const char *p = text.p, *end = text.p + text.n, *quote, *after, *next;
	struct buf name = {0};

	for (; (quote = memchr(p, '"', (size_t)(end - p))); p = after) {
		buf_add(b, p, (size_t)(quote - p));
		after = string_end(quote);
		for (next = after; next < end && is_space(*next); next++)
			;
		if (next < end && *next == ':' && memchr(quote, '\\', (size_t)(after - quote))) {
			name.n = 0;
			json_unescape(&name, (struct str){quote + 1, (size_t)(after - quote) - 2});
			json_quote(b, (struct str){name.p, name.n});
		} else {
			buf_add(b, quote, (size_t)(after - quote));
		}
	}
	buf_add(b, p, (size_t)(end - p));
	buf_free(&name);
}
