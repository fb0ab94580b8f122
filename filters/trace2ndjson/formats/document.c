#include "document.h"

#include "base/char_class.h"
#include "json/iter.h"
#include "json/string.h"

int document_peek(struct reader *r)
{
	struct source *s = r->src;

	for (;;) {
		while (s->n && (is_json_space(s->p[0]) || !s->p[0])) {
			if (!s->p[0])
				reader_repaired(r, 1u << REPAIR_NUL, 0, s->offset);
			source_skip(s, 1);
		}
		if (s->n)
			return (unsigned char)s->p[0];
		if (source_more(s) <= 0)
			return -1;
	}
}

bool document_take(struct reader *r, char c)
{
	if (document_peek(r) != (unsigned char)c)
		return false;
	source_skip(r->src, 1);
	return true;
}

/* Returns the length of the value at the window's start; 0 when the end of the value is not in the window. */
static size_t value_length(struct str s)
{
	size_t n;

	if (s.p[0] == '"') {
		n = scan_quote(str_from(s, 1));
		return n < s.n - 1 ? n + 2 : 0;
	}
	if (s.p[0] == '{' || s.p[0] == '[')
		return scan_skip(s);
	for (n = 0; n < s.n; n++) {
		if (s.p[n] == ',' || s.p[n] == '}' || s.p[n] == ']' || s.p[n] == '\n')
			return n;
	}
	return 0;
}

size_t document_value(struct reader *r, bool *cut)
{
	size_t n;
	int next = document_peek(r);

	*cut = next < 0;
	if (next < 0 || next == ',' || next == ':' || next == '}' || next == ']')
		return 0;
	while (!(n = value_length((struct str){r->src->p, r->src->n})) && !*cut) {
		if (r->src->n > r->max_record)
			return 0;
		*cut = source_more(r->src) <= 0;
	}
	return n <= r->max_record ? n : 0;
}

bool document_line(struct reader *r, struct str *line, bool *cut, bool *over)
{
	struct source *s = r->src;
	const char *newline;
	size_t seen = 0;

	*over = false;
	while (!(newline = memchr(s->p + seen, '\n', s->n - seen))) {
		if (s->n > r->max_record && s->n > DOCUMENT_TAIL) {
			*over = true;
			source_skip(s, s->n - DOCUMENT_TAIL);
		}
		seen = s->n;
		if (source_more(s) <= 0)
			break;
	}
	*cut = !newline;
	if (*cut && !s->n)
		return false;
	*line = (struct str){s->p, newline ? (size_t)(newline - s->p) : s->n};
	source_skip(s, line->n + !*cut); /* *line stays valid until source_more() is called */
	*over |= line->n > r->max_record;
	if (*over && line->n > DOCUMENT_TAIL)
		*line = str_from(*line, line->n - DOCUMENT_TAIL);
	return true;
}

size_t document_find_object(struct str s, size_t from, int (*test)(void *arg, struct str s, size_t at), void *arg)
{
	const char *brace;
	int found;

	for (; from < s.n && (brace = memchr(s.p + from, '{', s.n - from)); from++) {
		from = (size_t)(brace - s.p);
		found = test(arg, s, from);
		if (found)
			return found > 0 ? from : s.n;
	}
	return s.n;
}

bool document_skip_to_object(
    struct source *src, size_t from, size_t look, int (*test)(void *arg, struct str s, size_t at), void *arg)
{
	size_t found;

	while ((found = document_find_object((struct str){src->p, src->n}, from, test, arg)) == src->n) {
		if (src->n > 2 * look)
			source_skip(src, src->n - 2 * look);
		from = src->n > look ? src->n - look : from;
		if (source_more(src) <= 0)
			return false;
	}
	source_skip(src, found);
	return true;
}

bool document_find(struct source *src, struct str text)
{
	size_t at;

	for (;;) {
		at = str_find((struct str){src->p, src->n}, text);
		if (at < src->n) {
			source_skip(src, at);
			return true;
		}
		if (src->n >= text.n)
			source_skip(src, src->n - text.n + 1);
		if (source_more(src) <= 0) {
			source_skip(src, src->n);
			return false;
		}
	}
}

struct str document_member(struct str object, const char *key)
{
	const struct str none = {NULL, 0}, value = json_is_object(object) ? iter_find(object, str_of(key)) : none;

	return str_eq(value, STR("null")) ? none : value;
}

struct str document_before(struct str s, size_t at)
{
	while (at && is_json_space(s.p[at - 1]))
		at--;
	return str_head(s, at);
}
