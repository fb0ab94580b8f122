/*
 * slow_json: a second implementation of RFC 8259, written for readability: one function for each rule, a byte at a
 * time. The fast validator is compared with it. It has the same depth limit as the validator, and no other limit.
 */
#ifndef SLOW_JSON_H
#define SLOW_JSON_H

#include "base/str.h"

struct slow {
	const unsigned char *p, *end;
	int depth;
};

static bool slow_value(struct slow *s);

static inline int slow_peek(const struct slow *s)
{
	return s->p < s->end ? *s->p : -1;
}

static bool slow_eat(struct slow *s, int c)
{
	if (slow_peek(s) != c)
		return false;
	s->p++;
	return true;
}

static void slow_space(struct slow *s)
{
	while (slow_peek(s) == 0x20 || slow_peek(s) == 0x09 || slow_peek(s) == 0x0a || slow_peek(s) == 0x0d)
		s->p++;
}

static bool slow_digits(struct slow *s)
{
	if (slow_peek(s) < '0' || slow_peek(s) > '9')
		return false;
	while (slow_peek(s) >= '0' && slow_peek(s) <= '9')
		s->p++;
	return true;
}

static bool slow_number(struct slow *s)
{
	slow_eat(s, '-');
	if (!slow_eat(s, '0') && !slow_digits(s))
		return false;
	if (slow_eat(s, '.') && !slow_digits(s))
		return false;
	if (slow_eat(s, 'e') || slow_eat(s, 'E')) {
		if (!slow_eat(s, '+'))
			slow_eat(s, '-');
		return slow_digits(s);
	}
	return true;
}

static int slow_hex4(struct slow *s)
{
	int v = 0, i, c;

	for (i = 0; i < 4; i++, s->p++) {
		c = slow_peek(s);
		if (c >= '0' && c <= '9')
			v = v * 16 + c - '0';
		else if (c >= 'a' && c <= 'f')
			v = v * 16 + c - 'a' + 10;
		else if (c >= 'A' && c <= 'F')
			v = v * 16 + c - 'A' + 10;
		else
			return -1;
	}
	return v;
}

static bool slow_escape(struct slow *s)
{
	int c = slow_peek(s), v;

	s->p++;
	switch (c) {
	case '"':
	case '\\':
	case '/':
	case 'b':
	case 'f':
	case 'n':
	case 'r':
	case 't':
		return true;
	case 'u':
		v = slow_hex4(s);
		if (v < 0 || (v >= 0xdc00 && v <= 0xdfff))
			return false;
		if (v < 0xd800 || v > 0xdbff)
			return true;
		if (!slow_eat(s, '\\') || !slow_eat(s, 'u'))
			return false;
		v = slow_hex4(s);
		return v >= 0xdc00 && v <= 0xdfff;
	default:
		return false;
	}
}

/* Reads a character as defined by table 3-7 of the Unicode Standard, Well-Formed UTF-8 Byte Sequences. */
static bool slow_utf8(struct slow *s)
{
	static const unsigned char rows[][9] = {
	    /* number of bytes, then the range of each byte */
	    {2, 0xc2, 0xdf, 0x80, 0xbf, 0, 0, 0, 0},
	    {3, 0xe0, 0xe0, 0xa0, 0xbf, 0x80, 0xbf, 0, 0},
	    {3, 0xe1, 0xec, 0x80, 0xbf, 0x80, 0xbf, 0, 0},
	    {3, 0xed, 0xed, 0x80, 0x9f, 0x80, 0xbf, 0, 0},
	    {3, 0xee, 0xef, 0x80, 0xbf, 0x80, 0xbf, 0, 0},
	    {4, 0xf0, 0xf0, 0x90, 0xbf, 0x80, 0xbf, 0x80, 0xbf},
	    {4, 0xf1, 0xf3, 0x80, 0xbf, 0x80, 0xbf, 0x80, 0xbf},
	    {4, 0xf4, 0xf4, 0x80, 0x8f, 0x80, 0xbf, 0x80, 0xbf},
	};
	size_t i, j, n;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		n = rows[i][0];
		if ((size_t)(s->end - s->p) < n)
			continue;
		for (j = 0; j < n && s->p[j] >= rows[i][1 + 2 * j] && s->p[j] <= rows[i][2 + 2 * j]; j++)
			;
		if (j == n) {
			s->p += n;
			return true;
		}
	}
	return false;
}

static bool slow_string(struct slow *s)
{
	int c;

	if (!slow_eat(s, '"'))
		return false;
	for (;;) {
		c = slow_peek(s);
		if (c < 0x20) /* a control character, or -1 at the end of the text */
			return false;
		if (c >= 0x80) {
			if (!slow_utf8(s))
				return false;
			continue;
		}
		s->p++;
		if (c == '"')
			return true;
		if (c == '\\' && (s->p == s->end || !slow_escape(s)))
			return false;
	}
}

static bool slow_members(struct slow *s, bool object)
{
	do {
		slow_space(s);
		if (object) {
			if (!slow_string(s))
				return false;
			slow_space(s);
			if (!slow_eat(s, ':'))
				return false;
			slow_space(s);
		}
		if (!slow_value(s))
			return false;
		slow_space(s);
	} while (slow_eat(s, ','));
	return slow_eat(s, object ? '}' : ']');
}

static bool slow_word(struct slow *s, const char *word)
{
	while (*word) {
		if (!slow_eat(s, *word++))
			return false;
	}
	return true;
}

static bool slow_value(struct slow *s)
{
	int c = slow_peek(s);
	bool good;

	if (c == '{' || c == '[') {
		if (++s->depth > 1024)
			return false;
		s->p++;
		slow_space(s);
		good = slow_eat(s, c == '{' ? '}' : ']') || slow_members(s, c == '{');
		s->depth--;
		return good;
	}
	return c == '"'   ? slow_string(s)
	       : c == 't' ? slow_word(s, "true")
	       : c == 'f' ? slow_word(s, "false")
	       : c == 'n' ? slow_word(s, "null")
			  : slow_number(s);
}

static inline bool slow_json(struct str text)
{
	const unsigned char *p = (const unsigned char *)text.p;
	struct slow s = {p, p + text.n, 0};

	slow_space(&s);
	if (!slow_value(&s))
		return false;
	slow_space(&s);
	return s.p == s.end;
}

#endif
