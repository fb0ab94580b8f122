#include "json/string.h"

#include "json/string_inline.h"

size_t json_plain(struct str s)
{
	return s.n ? (size_t)(json_skip_plain(s.p, s.p + s.n) - s.p) : 0;
}

/* Appends the character of the \u escape whose digits begin at p; returns the end of the escape or of the pair. */
static const char *unescape_code(struct buf *b, const char *p, const char *end)
{
	uint32_t code = (uint32_t)json_hex4(p, end);

	p += 4;
	if (code >= 0xd800 && code < 0xdc00) {
		code = 0x10000 + ((code - 0xd800) << 10) + ((uint32_t)json_hex4(p + 2, end) - 0xdc00);
		p += 6;
	}
	b->n += utf8_encode(buf_room(b, 4), code);
	return p;
}

void json_unescape(struct buf *b, struct str inner)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *p = inner.p, *end = inner.p + inner.n, *back;

	while (p < end) {
		back = memchr(p, '\\', (size_t)(end - p));
		if (!back) {
			buf_add(b, p, (size_t)(end - p));
			return;
		}
		buf_add(b, p, (size_t)(back - p));
		p = back + 2;
		if (back[1] == 'u')
			p = unescape_code(b, p, end);
		else
			buf_char(b, meanings[strchr(letters, back[1]) - letters]);
	}
}

struct str json_decoded(struct buf *room, struct str inner)
{
	if (!inner.n || !memchr(inner.p, '\\', inner.n))
		return inner;
	room->n = 0;
	json_unescape(room, inner);
	return buf_str(room);
}

void json_escape(struct buf *b, char control)
{
	static const char letters[0x20] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
	const char letter = letters[(unsigned char)control];

	buf_char(b, '\\');
	if (letter) {
		buf_char(b, letter);
		return;
	}
	buf_lit(b, "u00");
	buf_hex(b, &control, 1);
}

bool json_name(struct buf *text, struct str json, struct str *name)
{
	if (!json_is_string(json))
		return false;
	text->n = 0;
	json_unescape(text, json_inner(json));
	*name = (struct str){text->p, text->n};
	return text->n && !memchr(text->p, 0, text->n);
}

void json_quote(struct buf *b, struct str s)
{
	uint32_t code;
	size_t n;

	buf_char(b, '"');
	for (; s.n; s = str_from(s, n)) {
		n = json_plain(s);
		if (!n && (unsigned char)*s.p >= 0x80)
			n = utf8_decode(s, &code);
		if (n) {
			buf_add(b, s.p, n);
			continue;
		}
		n = 1;
		if ((unsigned char)*s.p >= 0x80) {
			n = utf8_broken(s);
			buf_lit(b, "\xef\xbf\xbd");
		} else if (*s.p == '"' || *s.p == '\\') {
			buf_char(b, '\\');
			buf_char(b, *s.p);
		} else {
			json_escape(b, *s.p);
		}
	}
	buf_char(b, '"');
}

struct str json_quoted(struct buf *b, struct str s)
{
	b->n = 0;
	json_quote(b, s);
	return buf_str(b);
}

void json_requote(struct buf *b, struct str string, struct buf *room)
{
	json_quote(b, json_decoded(room, json_inner(string)));
}

/* Returns the end of the string whose opening quote is at p. */
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
		for (next = after; next < end && is_json_space(*next); next++)
			;
		if (next < end && *next == ':' && memchr(quote, '\\', (size_t)(after - quote)))
			json_requote(b, (struct str){quote, (size_t)(after - quote)}, &name);
		else
			buf_add(b, quote, (size_t)(after - quote));
	}
	buf_add(b, p, (size_t)(end - p));
	buf_free(&name);
}
