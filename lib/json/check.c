#include "json/check.h"

#include "json/string_inline.h"

struct check {
	const char *p, *end;
	const char *what;   /* after a failed check: describes the error, which is at p */
	size_t depth, most; /* number of open brackets, and its limit */
	bool escape;        /* a string checked since the last reset of this flag has an escape */
	bool escaped_key;   /* a key has an escape */
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
	int32_t code, low;

	c->escape = true;
	if (c->p + 1 == c->end)
		return wrong(c, "string has no closing quote");
	if (c->p[1] != 'u') {
		if (!memchr("\"\\/bfnrt", c->p[1], 8))
			return wrong(c, "invalid escape in a string");
		c->p += 2;
		return true;
	}
	code = json_hex4(c->p + 2, c->end);
	if (code < 0)
		return wrong(c, "\\u without four hexadecimal digits");
	if (code >= 0xd800 && code <= 0xdfff) {
		low = code < 0xdc00 && c->end - c->p >= 12 && memcmp(c->p + 6, "\\u", 2) == 0
			  ? json_hex4(c->p + 8, c->end)
			  : -1;
		if (low < 0xdc00 || low > 0xdfff)
			return wrong(c, "unpaired surrogate");
		c->p += 6;
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

static bool check_word(struct check *c, struct str word)
{
	if (!str_starts((struct str){c->p, (size_t)(c->end - c->p)}, word))
		return wrong(c, "expected a value");
	c->p += word.n;
	return true;
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

static bool check_members(struct check *c);

/* Checks white space and a value. */
static bool check_value(struct check *c)
{
	skip_space(c);
	if (c->p == c->end)
		return wrong(c, "cut short");
	switch (*c->p) {
	case '{':
	case '[':
		return check_members(c);
	case '"':
		return check_string(c);
	case 't':
		return check_word(c, STR("true"));
	case 'f':
		return check_word(c, STR("false"));
	case 'n':
		return check_word(c, STR("null"));
	default:
		if (*c->p != '-' && !is_digit(*c->p))
			return wrong(c, "expected a value");
		return check_number(c);
	}
}

_Static_assert(JSON_DEPTH == 1024 && JSON_DEPTH_MORE == 1088, "messages say so");

/* Checks an object or array. */
static bool check_members(struct check *c)
{
	const bool object = *c->p == '{';
	const char close = object ? '}' : ']';
	bool more;

	if (c->depth++ == c->most)
		return wrong(
		    c, c->most == JSON_DEPTH ? "nested deeper than 1024 levels" : "nested deeper than 1088 levels");
	c->p++;
	skip_space(c);
	for (more = !at(c, close); more; c->p += more) {
		if ((object && !check_key(c)) || !check_value(c))
			return false;
		skip_space(c);
		more = at(c, ',');
		if (!more && !at(c, close))
			return wrong(c, c->p == c->end ? "cut short" : "expected a comma or a closing bracket");
	}
	c->p++;
	c->depth--;
	return true;
}

static bool check(struct str text, size_t most, bool *escaped, struct fault *f)
{
	struct check c = {.p = text.p, .end = text.p + text.n, .most = most};
	bool good = check_value(&c);

	if (good) {
		skip_space(&c);
		good = c.p == c.end || wrong(&c, "text after the value");
	}
	if (good && escaped)
		*escaped = c.escaped_key;
	if (!good && f)
		*f = (struct fault){.what = c.what, .at.byte = (uint64_t)(c.p - text.p)};
	return good;
}

bool json_check(struct str text, struct fault *f)
{
	return check(text, JSON_DEPTH, NULL, f);
}

bool json_check_deep(struct str text, struct fault *f)
{
	return check(text, JSON_DEPTH_MORE, NULL, f);
}

bool json_check_keys(struct str text, bool *escaped, struct fault *f)
{
	return check(text, JSON_DEPTH, escaped, f);
}
