#include "json/check.h"

#include "json/string_inline.h"

struct check {
	const char *p, *end;
	const char *what; /* after a failed check: describes the error, which is at p */
	size_t depth, depth_most;
	bool object;      /* the innermost open bracket is a brace */
	bool escape;      /* a string checked since the last reset of this flag has an escape */
	bool escaped_key; /* a key has an escape */
	uint64_t
	    objects[JSON_DEPTH_MORE / 64]; /* one bit for each open bracket except the innermost: set for a brace */
};

static bool wrong(struct check *c, const char *what)
{
	c->what = what;
	return false;
}

static inline void skip_space(struct check *c)
{
	while (c->p < c->end && is_json_space(*c->p))
		c->p++;
}

static inline bool at(const struct check *c, char wanted)
{
	return c->p < c->end && *c->p == wanted;
}

static bool check_escape(struct check *c)
{
	const char *p = c->p + 1;
	int32_t v, low;

	c->escape = true;
	if (p == c->end)
		return wrong(c, "string has no closing quote");
	if (*p != 'u') {
		if (!memchr("\"\\/bfnrt", *p, 8))
			return wrong(c, "invalid escape in a string");
		c->p += 2;
		return true;
	}
	v = json_hex4(p + 1, c->end);
	if (v < 0)
		return wrong(c, "\\u without four hexadecimal digits");
	c->p += 6;
	if (v < 0xd800 || v > 0xdfff)
		return true;
	low = v < 0xdc00 && at(c, '\\') && c->end - c->p >= 6 && c->p[1] == 'u' ? json_hex4(c->p + 2, c->end) : -1;
	if (low < 0xdc00 || low > 0xdfff) {
		c->p -= 6;
		return wrong(c, "unpaired surrogate");
	}
	c->p += 6;
	return true;
}

/* Checks a string; c->p must be at its opening quote, and is moved past its closing quote. */
static bool check_string(struct check *c)
{
	uint32_t code;
	size_t n;

	for (c->p++;;) {
		c->p = json_skip_plain(c->p, c->end);
		if (c->p == c->end)
			return wrong(c, "string has no closing quote");
		if (*c->p == '"') {
			c->p++;
			return true;
		}
		if (*c->p == '\\') {
			if (!check_escape(c))
				return false;
			continue;
		}
		if ((unsigned char)*c->p < 0x20)
			return wrong(c, "control character in a string");
		do {
			n = utf8_decode((struct str){c->p, (size_t)(c->end - c->p)}, &code);
			if (!n)
				return wrong(c, "invalid UTF-8");
			c->p += n;
		} while (c->p < c->end && (unsigned char)*c->p >= 0x80);
	}
}

static inline bool digits(struct check *c)
{
	const char *from = c->p;

	while (c->p < c->end && is_digit(*c->p))
		c->p++;
	return c->p > from;
}

static bool check_number(struct check *c)
{
	const char *first;

	if (at(c, '-'))
		c->p++;
	first = c->p;
	if (!digits(c) || (*first == '0' && c->p - first > 1))
		return wrong(c, "not a valid JSON number");
	if (at(c, '.')) {
		c->p++;
		if (!digits(c))
			return wrong(c, "not a valid JSON number");
	}
	if (at(c, 'e') || at(c, 'E')) {
		c->p++;
		if (at(c, '+') || at(c, '-'))
			c->p++;
		if (!digits(c))
			return wrong(c, "not a valid JSON number");
	}
	return true;
}

static bool check_word(struct check *c, const char *word, size_t n)
{
	if ((size_t)(c->end - c->p) < n || memcmp(c->p, word, n) != 0)
		return wrong(c, "expected a value");
	c->p += n;
	return true;
}

static bool check_scalar(struct check *c)
{
	if (c->p == c->end)
		return wrong(c, "cut short");
	switch (*c->p) {
	case '"':
		return check_string(c);
	case 't':
		return check_word(c, "true", 4);
	case 'f':
		return check_word(c, "false", 5);
	case 'n':
		return check_word(c, "null", 4);
	default:
		if (*c->p != '-' && !is_digit(*c->p))
			return wrong(c, "expected a value");
		return check_number(c);
	}
}

/* Checks white space, a key and its colon. */
static bool check_key(struct check *c)
{
	skip_space(c);
	if (c->p == c->end)
		return wrong(c, "cut short");
	if (*c->p != '"')
		return wrong(c, "expected a key in quotes");
	c->escape = false;
	if (!check_string(c))
		return false;
	c->escaped_key |= c->escape;
	skip_space(c);
	if (!at(c, ':'))
		return wrong(c, c->p == c->end ? "cut short" : "expected a colon");
	c->p++;
	return true;
}

_Static_assert(JSON_DEPTH == 1024 && JSON_DEPTH_MORE == 1088, "messages say so");

static bool open_bracket(struct check *c)
{
	uint64_t bit = (uint64_t)1 << c->depth % 64, *word = &c->objects[c->depth / 64];

	if (c->depth == c->depth_most)
		return wrong(
		    c, c->depth == JSON_DEPTH ? "nested deeper than 1024 levels" : "nested deeper than 1088 levels");
	if (c->depth % 64 == 0)
		*word = 0;
	*word = c->object ? *word | bit : *word & ~bit;
	c->object = *c->p == '{';
	c->depth++;
	c->p++;
	return true;
}

static inline void close_bracket(struct check *c)
{
	c->p++;
	c->depth--;
	c->object = c->objects[c->depth / 64] >> c->depth % 64 & 1;
}

/* Checks the text after a value, up to the next value; *more is false when there is no next value. */
static bool check_after(struct check *c, bool *more)
{
	for (;;) {
		skip_space(c);
		*more = c->depth > 0;
		if (!*more)
			return c->p == c->end ? true : wrong(c, "text after the value");
		if (c->p == c->end)
			return wrong(c, "cut short");
		if (*c->p == ',') {
			c->p++;
			return !c->object || check_key(c);
		}
		if (*c->p != (c->object ? '}' : ']'))
			return wrong(c, "expected a comma or a closing bracket");
		close_bracket(c);
	}
}

static bool check_text(struct check *c)
{
	bool more;

	do {
		skip_space(c);
		if (at(c, '{') || at(c, '[')) {
			if (!open_bracket(c))
				return false;
			skip_space(c);
			if (!at(c, c->object ? '}' : ']')) {
				if (c->object && !check_key(c))
					return false;
				more = true;
				continue;
			}
		} else if (!check_scalar(c)) {
			return false;
		}
		if (!check_after(c, &more))
			return false;
	} while (more);
	return true;
}

static bool check(struct str text, size_t depth_most, bool *escaped, struct fault *f)
{
	struct check c;

	c.p = text.p;
	c.end = text.p + text.n;
	c.depth = 0;
	c.depth_most = depth_most;
	c.object = c.escaped_key = false;
	if (check_text(&c)) {
		*escaped = c.escaped_key;
		return true;
	}
	*f = (struct fault){.what = c.what, .at.byte = (uint64_t)(c.p - text.p)};
	return false;
}

bool json_check(struct str text, struct fault *f)
{
	bool ignored;

	return check(text, JSON_DEPTH, &ignored, f);
}

bool json_check_deep(struct str text, struct fault *f)
{
	bool ignored;

	return check(text, JSON_DEPTH_MORE, &ignored, f);
}

bool json_check_keys(struct str text, bool *escaped, struct fault *f)
{
	return check(text, JSON_DEPTH, escaped, f);
}
