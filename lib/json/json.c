#include "json/json.h"

#include <limits.h>
#include <stdlib.h>

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
#include <jsmn.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline bool is_plain(char c)
{
	return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

#ifdef __SSE2__

enum { STEP = 16 };

/* How many of the 16 bytes at p are plain, before the first that is not. */
static inline size_t plain_step(const char *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)p);
	/* As signed bytes, those over 0x7f are below 0x20 too. */
	__m128i other = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
	__m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')), back = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
	unsigned bits = (unsigned)_mm_movemask_epi8(_mm_or_si128(other, _mm_or_si128(quote, back)));

	return bits ? (size_t)__builtin_ctz(bits) : STEP;
}

#else

enum { STEP = 8 };

static inline uint64_t below(uint64_t v, uint64_t least) /* not 0 when an ASCII byte of v is < least */
{
	return (v - 0x0101010101010101u * least) & ~v & 0x8080808080808080u;
}

static inline size_t plain_step(const char *p)
{
	const uint64_t quotes = 0x2222222222222222u, backslashes = 0x5c5c5c5c5c5c5c5cu;
	size_t n = 0;
	uint64_t v;

	memcpy(&v, p, sizeof v);
	if (!((v & 0x8080808080808080u) | below(v, 0x20) | below(v ^ quotes, 1) | below(v ^ backslashes, 1)))
		return STEP;
	while (n < STEP && is_plain(p[n]))
		n++;
	return n;
}

#endif

static inline const char *skip_plain(const char *p, const char *end)
{
	size_t n;

	for (; end - p >= STEP; p += STEP) {
		n = plain_step(p);
		if (n < STEP)
			return p + n;
	}
	while (p < end && is_plain(*p))
		p++;
	return p;
}

size_t json_plain(struct str s)
{
	return s.n ? (size_t)(skip_plain(s.p, s.p + s.n) - s.p) : 0;
}

/* --- the check --- */

struct check {
	const char *p, *end;
	const char *what;   /* is wrong at p, once a check_...() returned false */
	size_t depth;
	bool object;        /* the innermost open bracket is a brace */
	bool escape;        /* a string had one since this was cleared */
	bool escaped_key;   /* a key had one */
	uint64_t objects[JSON_DEPTH / 64]; /* a bit for each of those outside it: the same */
};

static bool wrong(struct check *c, const char *what)
{
	c->what = what;
	return false;
}

static inline void skip_space(struct check *c)
{
	while (c->p < c->end && is_space(*c->p))
		c->p++;
}

static inline bool at(const struct check *c, char wanted)
{
	return c->p < c->end && *c->p == wanted;
}

/* The value of four hexadecimal digits at p, -1 when they are not. */
static int32_t hex4(const char *p, const char *end)
{
	int32_t v = 0, i;

	if (end - p < 4)
		return -1;
	for (i = 0; i < 4; i++) {
		int c = p[i], lower = c | 0x20;

		if (c >= '0' && c <= '9')
			v = v << 4 | (c - '0');
		else if (lower >= 'a' && lower <= 'f')
			v = v << 4 | (lower - 'a' + 10);
		else
			return -1;
	}
	return v;
}

static bool check_escape(struct check *c)
{
	const char *p = c->p + 1;
	int32_t v, low;

	c->escape = true;
	if (p == c->end)
		return wrong(c, "string without end");
	if (*p != 'u') {
		if (!memchr("\"\\/bfnrt", *p, 8))
			return wrong(c, "backslash that begins no escape");
		c->p += 2;
		return true;
	}
	v = hex4(p + 1, c->end);
	if (v < 0)
		return wrong(c, "\\u without four hexadecimal digits");
	c->p += 6;
	if (v < 0xd800 || v > 0xdfff)
		return true;
	low = v < 0xdc00 && at(c, '\\') && c->end - c->p >= 6 && c->p[1] == 'u' ? hex4(c->p + 2, c->end) : -1;
	if (low < 0xdc00 || low > 0xdfff) {
		c->p -= 6;
		return wrong(c, "lone surrogate");
	}
	c->p += 6;
	return true;
}

/* A string; c->p is at its quote and goes behind the other one. */
static bool check_string(struct check *c)
{
	uint32_t code;
	size_t n;

	for (c->p++;;) {
		c->p = skip_plain(c->p, c->end);
		if (c->p == c->end)
			return wrong(c, "string without end");
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

	while (c->p < c->end && (unsigned char)(*c->p - '0') < 10)
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
		return wrong(c, "not a number by JSON's grammar");
	if (at(c, '.')) {
		c->p++;
		if (!digits(c))
			return wrong(c, "not a number by JSON's grammar");
	}
	if (at(c, 'e') || at(c, 'E')) {
		c->p++;
		if (at(c, '+') || at(c, '-'))
			c->p++;
		if (!digits(c))
			return wrong(c, "not a number by JSON's grammar");
	}
	return true;
}

static bool check_word(struct check *c, const char *word, size_t n)
{
	if ((size_t)(c->end - c->p) < n || memcmp(c->p, word, n) != 0)
		return wrong(c, "a value was expected");
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
		if (*c->p != '-' && (unsigned char)(*c->p - '0') >= 10)
			return wrong(c, "a value was expected");
		return check_number(c);
	}
}

/* White space, a key and its colon. */
static bool check_key(struct check *c)
{
	skip_space(c);
	if (c->p == c->end)
		return wrong(c, "cut short");
	if (*c->p != '"')
		return wrong(c, "a key in quotes was expected");
	c->escape = false;
	if (!check_string(c))
		return false;
	c->escaped_key |= c->escape;
	skip_space(c);
	if (!at(c, ':'))
		return wrong(c, c->p == c->end ? "cut short" : "a colon was expected");
	c->p++;
	return true;
}

_Static_assert(JSON_DEPTH == 1024, "a message says so");

static bool open_bracket(struct check *c)
{
	uint64_t bit = (uint64_t)1 << c->depth % 64, *word = &c->objects[c->depth / 64];

	if (c->depth == JSON_DEPTH)
		return wrong(c, "nested deeper than 1024");
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

/* What follows a value, up to where the next one begins: *more is false when there is none. */
static bool check_after(struct check *c, bool *more)
{
	for (;;) {
		skip_space(c);
		*more = c->depth > 0;
		if (!*more)
			return c->p == c->end ? true : wrong(c, "more text behind the value");
		if (c->p == c->end)
			return wrong(c, "cut short");
		if (*c->p == ',') {
			c->p++;
			return !c->object || check_key(c);
		}
		if (*c->p != (c->object ? '}' : ']'))
			return wrong(c, "a comma or the closing bracket was expected");
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

bool json_check(struct str text, struct fault *f)
{
	bool ignored;

	return json_check_keys(text, &ignored, f);
}

bool json_check_keys(struct str text, bool *escaped, struct fault *f)
{
	struct check c;

	c.p = text.p;
	c.end = text.p + text.n;
	c.depth = 0;
	c.object = c.escaped_key = false;
	if (check_text(&c)) {
		*escaped = c.escaped_key;
		return true;
	}
	*f = (struct fault){.what = c.what, .byte = (uint64_t)(c.p - text.p)};
	return false;
}

/* --- the tree --- */

/* jsmn in strict mode knows no numbers and words outside brackets: they make a tree of one node. */
static bool lone_scalar(struct json *j)
{
	struct str s = str_trim(j->text);
	uint32_t start = (uint32_t)(s.p - j->text.p), end = start + (uint32_t)s.n;

	if (*s.p == '{' || *s.p == '[')
		return false;
	j->nodes = mem_grow(j->nodes, &j->cap, 1, sizeof *j->nodes);
	j->n = 1;
	if (*s.p == '"')
		j->nodes[0] = (struct json_node){JSON_STRING, start + 1, end - 1, 0, 1};
	else
		j->nodes[0] = (struct json_node){JSON_OTHER, start, end, 0, 1};
	return true;
}

static int tokenise(struct json *j)
{
	jsmn_parser parser;
	int n;

	jsmn_init(&parser);
	do {
		/* jsmn goes on where it ran out of tokens. */
		j->tokens.p = mem_grow(j->tokens.p, &j->tokens.cap, parser.toknext + 1, sizeof(jsmntok_t));
		n = jsmn_parse(&parser, j->text.p, j->text.n, j->tokens.p,
		    (unsigned)(j->tokens.cap < UINT_MAX ? j->tokens.cap : UINT_MAX));
	} while (n == JSMN_ERROR_NOMEM);
	return n < 0 ? n : (int)parser.toknext;
}

static enum json_type type_of(const jsmntok_t *t)
{
	switch (t->type) {
	case JSMN_OBJECT:
		return JSON_OBJECT;
	case JSMN_ARRAY:
		return JSON_ARRAY;
	case JSMN_STRING:
		return JSON_STRING;
	default:
		return JSON_OTHER;
	}
}

static void make_nodes(struct json *j, size_t n)
{
	const jsmntok_t *tokens = j->tokens.p, *t;
	struct json_node *node;
	size_t i;

	j->nodes = mem_grow(j->nodes, &j->cap, n, sizeof *j->nodes);
	j->n = n;
	for (i = 0; i < n; i++) {
		t = &tokens[i];
		node = &j->nodes[i];
		*node = (struct json_node){type_of(t), (uint32_t)t->start, (uint32_t)t->end, (uint32_t)t->size,
		    (uint32_t)i + 1};
		if (node->type == JSON_STRING)
			node->size = 0; /* jsmn counts a key's value */
	}
	/* From the back, what is below a node is known before the node; a key hands its value's on. */
	for (i = n; i-- > 1;) {
		size_t up = (size_t)tokens[i].parent;

		if (j->nodes[up].type == JSON_STRING)
			up = (size_t)tokens[up].parent;
		if (j->nodes[i].next > j->nodes[up].next)
			j->nodes[up].next = j->nodes[i].next;
	}
}

bool json_parse(struct json *j, struct str text, struct fault *f)
{
	int n;

	j->text = text;
	j->n = 0;
	if (text.n > INT_MAX / 2) { /* jsmn's offsets and numbers of tokens are int */
		*f = (struct fault){.what = "record over 1 GiB"};
		return false;
	}
	if (!json_check(text, f))
		return false;
	if (lone_scalar(j))
		return true;
	n = tokenise(j);
	if (n < 0) {
		*f = (struct fault){.what = "not JSON"};
		return false;
	}
	make_nodes(j, (size_t)n);
	return true;
}

void json_free(struct json *j)
{
	free(j->nodes);
	free(j->tokens.p);
	*j = (struct json){0};
}

struct str json_text(const struct json *j, size_t node)
{
	const struct json_node *t = &j->nodes[node];
	size_t quote = t->type == JSON_STRING;

	return (struct str){j->text.p + t->start - quote, t->end - t->start + 2 * quote};
}

size_t json_member(const struct json *j, size_t object, struct str key)
{
	const struct json_node *o = &j->nodes[object], *k;
	size_t i, found = 0;

	if (o->type != JSON_OBJECT)
		return 0;
	for (i = object + 1; i < o->next; i = j->nodes[i + 1].next) {
		k = &j->nodes[i];
		if (str_eq((struct str){j->text.p + k->start, k->end - k->start}, key))
			found = i + 1;
	}
	return found;
}

/* --- strings --- */

/* Appends the character of the \u escape whose digits begin at p; returns where it, or its pair, ends. */
static const char *unescape_code(struct buf *b, const char *p, const char *end)
{
	uint32_t code = (uint32_t)hex4(p, end);

	p += 4;
	if (code >= 0xd800 && code < 0xdc00) {
		code = 0x10000 + ((code - 0xd800) << 10) + ((uint32_t)hex4(p + 2, end) - 0xdc00);
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

void json_escape(struct buf *b, char control)
{
	static const char hex[] = "0123456789abcdef";
	static const char letters[0x20] = {
	    ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};

	unsigned char c = (unsigned char)control;

	buf_char(b, '\\');
	if (letters[c]) {
		buf_char(b, letters[c]);
		return;
	}
	buf_lit(b, "u00");
	buf_char(b, hex[c >> 4]);
	buf_char(b, hex[c & 15]);
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
