/*
 * The text is read by JSON's grammar, with these exceptions, each told by its class:
 *
 * COMMA      one comma before a closing bracket.
 * CONSTANT   nan, inf, infinity in any letter case with any sign, N/A and what Microsoft's printf makes
 *            of them are null; LITERAL: Python's True, False, None are true, false, null.
 * NUMBER     what is a number elsewhere (01, +5, .5, 5., 0x1F) is kept as text: "01".
 * CONTROL    raw control characters in strings become escapes.
 * BACKSLASH  a string with a backslash that begins no escape was written by somebody who escaped none:
 *            all its backslashes are themselves (C:\new\dir has no newline), but for \" , which a writer
 *            must have meant as a quote, or the string would have ended there.
 * SURROGATE, UTF8  become U+FFFD. NUL: dropped between tokens, \u0000 in strings. BOM: dropped.
 * DUPLICATE  of members of the object itself the last one stays.
 * EMPTY      a member without a value is null; of the object itself it is left out.
 * CUT        a list without strings in which an element is ... is text: "[0, 1, ...]".
 * QUOTE      quotes that were not escaped. Strings end at their first quote if the text can be read so.
 *            If not, other ends of values (keys end at their first quote) are tried, and the reading
 *            counts that has both the fewest strings with bare quotes and the fewest quotes in them. Where
 *            these are two readings, as in {"name":"f({"a": "x", "b": "y"})"}, or two readings are equal,
 *            there is no telling, and the record is not mended. Nor is it where another single damage gives the
 *            same text: where a string would hold what looks like a member or an element because a comma, a
 *            quote or a bracket is missing or stands twice.
 */
#include "json/repair.h"

#include "json/check.h"
#include "json/string.h"
#include "base/map.h"
#include "json/scan.h"

#include <stdlib.h>

enum {
	MOST_STRINGS = 500, /* in a record whose bare quotes are to be found */
	TRY = 32,           /* what trying an end costs, in bytes read */
};

struct member {
	size_t at;  /* offset in the output of its key's opening quote */
	size_t key; /* the length of the key's text */
	bool empty; /* it has no value */
};

struct repair {
	const char *end; /* of the text */
	struct buf *to;  /* the output; NULL: only reading */
	uint32_t mended;
	struct member *members; /* of the object itself */
	size_t n_members, cap_members;
};

/* Where in the grammar the reader is. Small, because the search for ends copies it. */
struct spot {
	const char *p;
	bool after;   /* behind a value, or in an empty bracket; else before a value or a key */
	size_t depth;
	uint64_t objects[JSON_DEPTH / 64]; /* a bit for each open bracket: it is a brace */
};

enum reading { STRING, END, BROKEN };

const char *repair_text(enum repair_class c)
{
#define REPAIR_TEXT(name, text) text,
	static const char *const texts[] = {REPAIR_CLASSES(REPAIR_TEXT)};

	return texts[c];
}

static void put(struct repair *r, const char *p, size_t n)
{
	if (r->to)
		buf_add(r->to, p, n);
}

static void mend(struct repair *r, enum repair_class c)
{
	if (r->to)
		r->mended |= 1u << c;
}

/* --- strings --- */

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* The length of the escape at s.p[0], a backslash, 0 when it is none; *code is that of a \u. */
static size_t escape_length(struct str s, uint32_t *code)
{
	size_t i;

	*code = 0;
	if (s.n < 2)
		return 0;
	if (s.p[1] != 'u')
		return memchr("\"\\/bfnrt", s.p[1], 8) ? 2 : 0;
	if (s.n < 6)
		return 0;
	for (i = 2; i < 6; i++) {
		if (!is_hex(s.p[i]))
			return 0;
		*code = *code << 4 | (uint32_t)(s.p[i] <= '9' ? s.p[i] - '0' : (s.p[i] | 0x20) - 'a' + 10);
	}
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

/* Puts what begins with a backslash; returns how many bytes of s that was. */
static size_t put_backslash(struct repair *r, struct str s, bool literal)
{
	uint32_t code, low;
	size_t n;

	if (literal && !(s.n > 1 && s.p[1] == '"')) {
		mend(r, REPAIR_BACKSLASH);
		/* Two at once: the second one makes no \" with a quote behind it. */
		n = s.n > 1 && s.p[1] == '\\' ? 2 : 1;
		put(r, s.p, n);
		put(r, s.p, n);
		return n;
	}
	n = escape_length(s, &code);
	if (code >= 0xd800 && code < 0xdc00 && str_starts(str_from(s, 6), STR("\\u")) &&
	    escape_length(str_from(s, 6), &low) && low >= 0xdc00 && low < 0xe000) {
		n += 6;
	} else if (code >= 0xd800 && code < 0xe000) {
		mend(r, REPAIR_SURROGATE);
		put(r, "\xef\xbf\xbd", 3);
		return n;
	}
	put(r, s.p, n);
	return n;
}

/* Puts what is no plain character; returns how many bytes of s that was. */
static size_t put_special(struct repair *r, struct str s, bool literal)
{
	uint32_t code;
	size_t n = 1;

	if (*s.p == '\\')
		return put_backslash(r, s, literal);
	if (*s.p == '"') {
		mend(r, REPAIR_QUOTE);
		put(r, "\\\"", 2);
	} else if ((unsigned char)*s.p < 0x20) {
		mend(r, *s.p ? REPAIR_CONTROL : REPAIR_NUL);
		json_escape(r->to, *s.p);
	} else if ((n = utf8_decode(s, &code)) > 0) {
		put(r, s.p, n);
	} else {
		n = utf8_broken(s);
		mend(r, REPAIR_UTF8);
		put(r, "\xef\xbf\xbd", 3);
	}
	return n;
}

/* Puts a string whose text is s. */
static void put_string(struct repair *r, struct str s)
{
	bool literal;
	size_t n;

	if (!r->to)
		return;
	literal = has_lone_backslash(s);
	put(r, "\"", 1);
	for (; s.n; s = str_from(s, n)) {
		n = json_plain(s);
		if (n)
			put(r, s.p, n);
		else
			n = put_special(r, s, literal);
	}
	put(r, "\"", 1);
}

/* The next quote from p on, or NULL; *escaped: a backslash before it makes it an escape. */
static const char *next_quote(const char *p, const char *end, bool *escaped)
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

/* The quote that ends the string whose text begins at p by the letter of JSON, or NULL. */
static const char *first_end(const char *p, const char *end)
{
	bool escaped;

	do {
		p = next_quote(p, end, &escaped);
	} while (p && escaped && ++p);
	return p;
}

/* --- scalars --- */

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool eq_any_case(struct str s, struct str lower_word)
{
	size_t i;

	for (i = 0; i < s.n && i < lower_word.n; i++) {
		if (lower(s.p[i]) != lower_word.p[i])
			return false;
	}
	return s.n == lower_word.n;
}

static bool is_one_of(struct str s, const struct str *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (eq_any_case(s, words[i]))
			return true;
	}
	return false;
}

static size_t count_digits(struct str s, bool hex)
{
	size_t n = 0;

	while (n < s.n && (hex ? is_hex(s.p[n]) : (unsigned char)(s.p[n] - '0') < 10))
		n++;
	return n;
}

/* A number by somebody's grammar, behind its sign: hexadecimal, or digits on either side of a point. */
static bool is_foreign_number(struct str s)
{
	size_t whole, part = 0, n;

	if (str_starts(s, STR("0x")) || str_starts(s, STR("0X")))
		return s.n > 2 && count_digits(str_from(s, 2), true) == s.n - 2;
	whole = count_digits(s, false);
	s = str_from(s, whole);
	if (str_starts(s, STR("."))) {
		part = count_digits(str_from(s, 1), false);
		s = str_from(s, 1 + part);
	}
	if (whole + part == 0)
		return false;
	if (s.n && lower(*s.p) == 'e') {
		s = str_from(s, 1);
		s = str_from(s, s.n && (*s.p == '+' || *s.p == '-'));
		n = count_digits(s, false);
		return n > 0 && n == s.n;
	}
	return s.n == 0;
}

static bool ends_scalar(char c)
{
	return (unsigned char)c <= ' ' || c == ',' || c == '}' || c == ']';
}

/* A value that is neither string nor bracket. */
static bool scalar(struct repair *r, struct spot *at)
{
	static const struct str nulls[] = {{"nan", 3}, {"inf", 3}, {"infinity", 8}, {"nan(ind)", 8},
	    {"nan(snan)", 9}, {"1.#inf", 6}, {"1.#ind", 6}, {"1.#qnan", 7}, {"1.#snan", 7}};
	struct str s = {at->p, 0}, bare;
	struct fault ignored;

	while (at->p < r->end && !ends_scalar(*at->p))
		at->p++;
	s.n = (size_t)(at->p - s.p);
	if (!s.n)
		return false;
	bare = str_from(s, *s.p == '-' || *s.p == '+');
	if (json_check(s, &ignored)) {
		put(r, s.p, s.n);
	} else if (is_one_of(bare, nulls, sizeof nulls / sizeof *nulls) || eq_any_case(s, STR("n/a"))) {
		mend(r, REPAIR_CONSTANT);
		put(r, "null", 4);
	} else if (eq_any_case(s, STR("true")) || eq_any_case(s, STR("false"))) {
		mend(r, REPAIR_LITERAL);
		put(r, lower(*s.p) == 't' ? "true" : "false", s.n);
	} else if (str_eq(s, STR("None"))) {
		mend(r, REPAIR_LITERAL);
		put(r, "null", 4);
	} else if (is_foreign_number(bare)) {
		mend(r, REPAIR_NUMBER);
		put_string(r, s);
	} else {
		return false;
	}
	return true;
}

/* --- the grammar --- */

static void skip_blank(struct repair *r, struct spot *at)
{
	for (; at->p < r->end; at->p++) {
		if (!*at->p)
			mend(r, REPAIR_NUL);
		else if (*at->p != ' ' && *at->p != '\n' && *at->p != '\t' && *at->p != '\r')
			break;
	}
}

static bool in_object(const struct spot *at)
{
	return at->depth && at->objects[(at->depth - 1) / 64] >> (at->depth - 1) % 64 & 1;
}

static bool at_close(const struct repair *r, const struct spot *at)
{
	return at->depth && at->p < r->end && *at->p == (in_object(at) ? '}' : ']');
}

static bool open_bracket(struct repair *r, struct spot *at)
{
	uint64_t bit = (uint64_t)1 << at->depth % 64, *word = &at->objects[at->depth / 64];

	if (at->depth == JSON_DEPTH)
		return false;
	*word = *at->p == '{' ? *word | bit : *word & ~bit;
	at->depth++;
	put(r, at->p++, 1);
	skip_blank(r, at);
	at->after = at_close(r, at);
	return true;
}

/* A key and its colon. */
static bool read_key(struct repair *r, struct spot *at)
{
	const char *key = at->p + 1, *q;
	size_t from = r->to ? r->to->n : 0;

	if (at->p == r->end || *at->p != '"')
		return false;
	q = first_end(key, r->end);
	if (!q)
		return false;
	put_string(r, (struct str){key, (size_t)(q - key)});
	if (r->to && at->depth == 1) {
		r->members = mem_grow(r->members, &r->cap_members, r->n_members + 1, sizeof *r->members);
		r->members[r->n_members++] = (struct member){from, r->to->n - from - 2, false};
	}
	at->p = q + 1;
	skip_blank(r, at);
	if (at->p == r->end || *at->p != ':')
		return false;
	put(r, at->p++, 1);
	skip_blank(r, at);
	return true;
}

/* The length of a list that somebody cut, at `at`: [0, 1, ...]. 0 when it is none, or holds strings or brackets. */
static size_t cut_list(const struct repair *r, const struct spot *at)
{
	const char *p = at->p + 1, *from = p;
	bool cut = false;

	for (; p < r->end; p++) {
		switch (*p) {
		case ',':
		case ']':
			cut |= str_eq(str_trim((struct str){from, (size_t)(p - from)}), STR("..."));
			from = p + 1;
			if (*p == ']')
				return cut ? (size_t)(p + 1 - at->p) : 0;
			break;
		case '"':
		case '[':
		case '{':
		case '}':
			return 0;
		default:
			break;
		}
	}
	return 0;
}

/* A member without a value, whose key was read. */
static void take_empty(struct repair *r, struct spot *at)
{
	mend(r, REPAIR_EMPTY);
	put(r, "null", 4);
	if (r->to && at->depth == 1)
		r->members[r->n_members - 1].empty = true;
	at->after = true;
}

/*
 * Reads on to the next string that is a value, and stops at its opening quote; whoever called moves
 * behind its end. END: the text is an object, and this is all of it.
 */
static enum reading read_on(struct repair *r, struct spot *at)
{
	size_t cut;

	for (;;) {
		skip_blank(r, at);
		if (at->after && !at->depth)
			return at->p == r->end ? END : BROKEN;
		if (at->p == r->end)
			return BROKEN;
		if (at->after && at_close(r, at)) {
			put(r, at->p++, 1);
			at->depth--;
			continue;
		}
		if (at->after) {
			if (*at->p++ != ',')
				return BROKEN;
			skip_blank(r, at);
			if (at_close(r, at)) {
				mend(r, REPAIR_COMMA);
				continue;
			}
			put(r, ",", 1);
			at->after = false;
		}
		if (in_object(at) && !read_key(r, at))
			return BROKEN;
		if (at->p == r->end || (!at->depth && *at->p != '{'))
			return BROKEN;
		if (in_object(at) && (*at->p == ',' || *at->p == '}')) {
			take_empty(r, at);
			continue;
		}
		cut = *at->p == '[' ? cut_list(r, at) : 0;
		if (cut) {
			mend(r, REPAIR_CUT);
			put_string(r, (struct str){at->p, cut});
			at->p += cut;
			at->after = true;
			continue;
		}
		if (*at->p == '{' || *at->p == '[') {
			if (!open_bracket(r, at))
				return BROKEN;
			continue;
		}
		at->after = true;
		if (*at->p == '"')
			return STRING;
		if (!scalar(r, at))
			return BROKEN;
	}
}

static struct spot start_of(struct str text)
{
	return (struct spot){.p = text.p};
}

/* --- where strings end --- */

struct cost {
	size_t strings; /* that do not end at their first quote */
	size_t quotes;  /* in these */
	bool swallows;  /* one of them holds what another single damage explains too: is_structure() */
};

struct search {
	struct repair *r;
	size_t left;             /* bytes that may still be read: what keeps it linear in the text */
	bool found, gave_up;
	bool only;               /* no other reading has best's cost */
	struct cost best, least; /* of the reading in `ends`; the least of each over all readings */
	size_t n;
	const char *path[MOST_STRINGS], *ends[MOST_STRINGS]; /* of the values that are strings, in turn */
};

/* At least as dear in both, and dearer in one. */
static bool is_worse(struct cost a, struct cost b)
{
	return a.strings >= b.strings && a.quotes >= b.quotes &&
	       (a.strings > b.strings || a.quotes > b.quotes);
}

static void found_reading(struct search *s, size_t n, struct cost c)
{
	if (s->found && c.strings == s->best.strings && c.quotes == s->best.quotes) {
		s->only = false;
		return;
	}
	if (!s->found || is_worse(s->best, c)) {
		s->best = c;
		s->only = true;
		s->n = n;
		memcpy(s->ends, s->path, n * sizeof *s->path);
	}
	if (!s->found || c.strings < s->least.strings)
		s->least.strings = c.strings;
	if (!s->found || c.quotes < s->least.quotes)
		s->least.quotes = c.quotes;
	s->found = true;
}

/* Whether n more bytes may be read. */
static bool spend(struct search *s, size_t n)
{
	s->gave_up |= n > s->left;
	s->left -= s->gave_up ? 0 : n;
	return !s->gave_up;
}

/* What follows, without white space. */
static struct str rest_of(const char *p, const char *end)
{
	return str_trim((struct str){p, (size_t)(end - p)});
}

/* Whether a colon follows the first quote from p on. */
static bool ends_key(const char *p, const char *end)
{
	p = first_end(p, end);
	return p && str_starts(rest_of(p + 1, end), STR(":"));
}

/* White space, and what may be between strings. */
static bool is_between(char c)
{
	return (unsigned char)c <= ' ' || memchr(",{}[]", c, 5);
}

/*
 * Whether what follows a quote, up to where p points, begins a member: commas or brackets, or none, and a key, which
 * may lack its first quote if there were any. The quote ends a string then, and a repair must not make the members
 * part of it: a comma may stand twice or be missing, or a record lost its last bracket or the newline after it.
 */
static bool member_follows(const char *p, const char *end)
{
	bool any = false;

	for (; p < end && is_between(*p); p++)
		any |= (unsigned char)*p > ' ';
	if (p < end && *p == '"')
		return ends_key(p + 1, end);
	return any && ends_key(p, end);
}

/* Whether a colon and what may begin a value follow. */
static bool value_follows(const char *p, const char *end)
{
	struct str s = rest_of(p, end);

	if (!str_starts(s, STR(":")))
		return false;
	s = rest_of(s.p + 1, end);
	return s.n && memchr("\"[{-0123456789tfn", s.p[0], 17);
}

/* Whether a comma, perhaps with brackets, comes before p[0] in the string that begins at `from`. */
static bool is_after_comma(const char *from, const char *p)
{
	bool comma = false;

	while (p > from && is_between(p[-1]))
		comma |= *--p == ',';
	return comma;
}

/* Whether commas or brackets follow, and then a string or the end of the text. */
static bool string_follows(const char *p, const char *end)
{
	bool any = false;

	for (; p < end && is_between(*p); p++)
		any |= (unsigned char)*p > ' ';
	return any && (p == end || *p == '"');
}

/*
 * Whether a quote in the string from at->p on may be another one's work than a writer's who escaped none: the string
 * ended at it, or the next one begins with it. `first`: no bare quote comes before it.
 */
static bool is_structure(const struct repair *r, const struct spot *at, const char *quote, bool first)
{
	struct str next = rest_of(quote + 1, r->end);

	if (member_follows(quote + 1, r->end))
		return true;
	if (first && (value_follows(quote + 1, r->end) || string_follows(quote + 1, r->end)))
		return true;
	if (is_after_comma(at->p + 1, quote) && (!in_object(at) || ends_key(quote + 1, r->end)))
		return true;
	return !in_object(at) && next.n && memchr(",]\"", next.p[0], 3);
}

/* Whether the string up to `end` has a bare quote more at one of its ends than in pairs: it may stand twice. */
static bool is_doubled(const struct spot *at, const char *end, size_t bare)
{
	return bare % 2 && (at->p[1] == '"' || (end[-1] == '"' && end[-2] != '\\'));
}

/* Every reading of what lies behind `at`, the nearest ends first, without those that can only be dearer. */
static void explore(struct search *s, struct spot at, size_t n, struct cost c)
{
	const char *from = at.p, *quote, *q;
	enum reading what = read_on(s->r, &at);
	size_t passed = 0, bare = 0;
	struct cost with;
	bool escaped, swallows = c.swallows, doubt = false; /* the string's first end by the letter was passed */

	if (!spend(s, (size_t)(at.p - from) + TRY))
		return;
	if (what == END)
		found_reading(s, n, c);
	if (what != STRING)
		return;
	s->gave_up |= n == MOST_STRINGS;
	quote = at.p;
	for (from = at.p; !s->gave_up && (q = next_quote(from + 1, s->r->end, &escaped)); from = q, passed++) {
		if (!spend(s, (size_t)(q - from)))
			return;
		/* An end that looks escaped is a path's last backslash and costs what a bare quote does. */
		with = c;
		with.swallows = swallows || is_doubled(&at, q, bare);
		if (doubt || escaped) {
			with.strings++;
			with.quotes += passed + escaped;
		}
		if (!s->found || !is_worse(with, s->least)) {
			s->path[n] = q;
			at.p = q + 1;
			explore(s, at, n + 1, with);
			at.p = quote;
		} else if (doubt) {
			return; /* and the farther ends are dearer still */
		}
		swallows |= !escaped && is_structure(s->r, &at, q, !doubt);
		bare += !escaped;
		doubt |= !escaped;
	}
}

/* --- the whole --- */

/* Leaves of members with the same key the last one, and none without a value. */
static void drop_members(struct repair *r)
{
	struct map keys = {0};
	struct buf *b = r->to;
	size_t i, *last, end, n, to = 1, empty = 0;

	last = mem_zero(r->n_members + 1, sizeof *last);
	for (i = 0; i < r->n_members; i++) {
		if (r->members[i].empty)
			empty++;
		else
			last[map_put(&keys, (struct str){b->p + r->members[i].at + 1, r->members[i].key})] = i;
	}
	if (keys.n + empty < r->n_members)
		mend(r, REPAIR_DUPLICATE);
	if (keys.n < r->n_members) {
		for (i = 0; i < r->n_members; i++) {
			const struct member *m = &r->members[i];

			end = (i + 1 < r->n_members ? m[1].at : b->n) - 1; /* at the comma or the brace */
			if (m->empty || last[map_find(&keys, (struct str){b->p + m->at + 1, m->key})] != i)
				continue;
			if (to > 1)
				b->p[to++] = ',';
			n = end - m->at;
			memmove(b->p + to, b->p + m->at, n);
			to += n;
		}
		b->p[to++] = '}';
		b->n = to;
	}
	free(last);
	map_free(&keys);
}

/* Writes the reading whose strings end at ends[], or at their first quotes when that is NULL. */
static bool write_reading(struct repair *r, struct str text, const char *const *ends)
{
	struct spot at = start_of(text);
	enum reading what;
	const char *q;

	r->to->n = 0;
	r->mended = 0;
	r->n_members = 0;
	while ((what = read_on(r, &at)) == STRING) {
		q = ends ? *ends++ : first_end(at.p + 1, r->end);
		if (!q)
			return false;
		put_string(r, (struct str){at.p + 1, (size_t)(q - at.p - 1)});
		at.p = q + 1;
	}
	return what == END;
}

static bool find_reading(struct repair *r, struct str text, struct buf *to)
{
	struct search s;
	bool done;

	r->to = NULL;
	s.r = r;
	s.left = 64 * text.n + 4096;
	s.found = s.gave_up = s.only = false;
	explore(&s, start_of(text), 0, (struct cost){0});
	r->to = to;
	done = s.found && !s.gave_up && s.only && !s.best.swallows && s.best.strings == s.least.strings &&
	       s.best.quotes == s.least.quotes;
	return done && write_reading(r, text, s.ends);
}

bool repair_object(struct str text, struct buf *to, uint32_t *mended)
{
	struct repair r = {.end = text.p + text.n, .to = to};
	struct fault ignored;
	bool bom, done;

	bom = str_starts(text, STR("\xef\xbb\xbf"));
	text = str_from(text, bom ? 3 : 0);
	done = write_reading(&r, text, NULL) || find_reading(&r, text, to);
	if (done) {
		drop_members(&r);
		if (bom)
			mend(&r, REPAIR_BOM);
	}
	free(r.members);
	*mended = r.mended;
	scan_pad(to);
	return done && json_check((struct str){to->p, to->n}, &ignored);
}
