#include "json/repair.h"

#include "base/map.h"
#include "json/check.h"
#include "json/scan.h"
#include "json/string_inline.h"

#include <stdlib.h>

/* Bare quotes are searched for only in records with at most this number of strings. */
enum { MOST_STRINGS = 500 };

struct repair_member {
	size_t at;  /* offset of the opening quote of its key in the output */
	size_t key; /* length of the key, without its quotes */
	bool drop;  /* it has no value, or a later member has the same key */
};

struct repair {
	const char *end; /* end of the text */
	struct buf *to;  /* the output; NULL: nothing is written */
	uint32_t repairs;
	struct repair_member *members; /* members of the outermost object */
	size_t n_members, cap_members;
};

/* The reader's position in the grammar. It is small because the search for ends of strings copies it. */
struct repair_spot {
	const char *p;
	bool after; /* p is after a value or in an empty object or array; otherwise it is before a value or a key */
	size_t depth;
	uint64_t objects[JSON_DEPTH / 64]; /* one bit for each open bracket: set for a brace */
};

/* The reason why read_on() stopped. */
enum repair_reading { AT_STRING, AT_END, BROKEN };

/* Appends to the output, if there is one. */
static inline void add_bytes(struct repair *r, const char *p, size_t n)
{
	if (r->to)
		buf_add(r->to, p, n);
}

/* Adds a class of repairs to r->repairs if there is an output. */
static inline void add_repair(struct repair *r, enum repair_class c)
{
	if (r->to)
		r->repairs |= 1u << c;
}

/* Returns whether the innermost open bracket is a brace. */
static inline bool in_object(const struct repair_spot *at)
{
	return at->depth && at->objects[(at->depth - 1) / 64] >> (at->depth - 1) % 64 & 1;
}

/* --- strings --- */

/* Returns the length of the escape at s.p[0], or 0 if it is not an escape. Sets *code for a \u escape. */
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
	const char *back;
	uint32_t code;
	size_t n;

	while (s.n && (back = memchr(s.p, '\\', s.n))) {
		s = str_from(s, (size_t)(back - s.p));
		n = escape_length(s, &code);
		if (!n)
			return true;
		s = str_from(s, n);
	}
	return false;
}

/* Writes the escape or the literal backslash at the beginning of s. Returns its length in s. */
static size_t write_backslash(struct repair *r, struct str s, bool literal)
{
	uint32_t code, low;
	size_t n;

	if (literal && !(s.n > 1 && s.p[1] == '"')) {
		add_repair(r, REPAIR_BACKSLASH);
		/* Two backslashes are consumed together: the second one could form \" with a following quote. */
		n = s.n > 1 && s.p[1] == '\\' ? 2 : 1;
		add_bytes(r, s.p, n);
		add_bytes(r, s.p, n);
		return n;
	}
	n = escape_length(s, &code);
	if (code >= 0xd800 && code < 0xdc00 && str_starts(str_from(s, 6), STR("\\u")) &&
	    escape_length(str_from(s, 6), &low) && low >= 0xdc00 && low < 0xe000) {
		n += 6;
	} else if (code >= 0xd800 && code < 0xe000) {
		add_repair(r, REPAIR_SURROGATE);
		add_bytes(r, "\xef\xbf\xbd", 3);
		return n;
	}
	add_bytes(r, s.p, n);
	return n;
}

/* Writes a character that is not plain (see json_plain()); returns how many bytes of s it consumed. */
static size_t write_special(struct repair *r, struct str s, bool literal)
{
	uint32_t code;
	size_t n = 1;

	if (*s.p == '\\')
		return write_backslash(r, s, literal);
	if (*s.p == '"') {
		add_repair(r, REPAIR_QUOTE);
		add_bytes(r, "\\\"", 2);
	} else if ((unsigned char)*s.p < 0x20) {
		add_repair(r, *s.p ? REPAIR_CONTROL : REPAIR_NUL);
		json_escape(r->to, *s.p);
	} else if ((n = utf8_decode(s, &code)) > 0) {
		add_bytes(r, s.p, n);
	} else {
		n = utf8_broken(s);
		add_repair(r, REPAIR_UTF8);
		add_bytes(r, "\xef\xbf\xbd", 3);
	}
	return n;
}

/* Writes a string with the text s, in quotes and with its damage repaired. */
static void write_string(struct repair *r, struct str s)
{
	bool literal;
	size_t n;

	if (!r->to)
		return;
	literal = has_lone_backslash(s);
	add_bytes(r, "\"", 1);
	for (; s.n; s = str_from(s, n)) {
		n = json_plain(s);
		if (n)
			add_bytes(r, s.p, n);
		else
			n = write_special(r, s, literal);
	}
	add_bytes(r, "\"", 1);
}

/* Returns the next quote from p on, or NULL; sets *escaped to whether a backslash makes this quote an escape. */
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

/* Returns the first quote from p on that is not escaped, or NULL: the end of the string that begins at p. */
static inline const char *first_end(const char *p, const char *end)
{
	bool escaped;

	do {
		p = next_quote(p, end, &escaped);
	} while (p && escaped && ++p);
	return p;
}

/* --- scalars --- */

static bool is_one_of(struct str s, const struct str *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (str_eq_any_case(s, words[i]))
			return true;
	}
	return false;
}

/*
 * Returns whether s, the text after the sign, is a number in a notation that JSON does not have: hexadecimal, with
 * digits on only one side of the point, or with leading zeros.
 */
static bool is_foreign_number(struct str s)
{
	size_t whole, part = 0;

	if (str_starts(s, STR("0x")) || str_starts(s, STR("0X")))
		return str_all(str_from(s, 2), is_hex_digit);
	whole = str_first(s, is_digit).n;
	s = str_from(s, whole);
	if (str_starts(s, STR("."))) {
		part = str_first(str_from(s, 1), is_digit).n;
		s = str_from(s, 1 + part);
	}
	if (s.n && to_lower(*s.p) == 'e') {
		s = str_from(s, 1);
		s = str_from(s, s.n && (*s.p == '+' || *s.p == '-'));
		return whole + part && str_all(s, is_digit);
	}
	return whole + part && !s.n;
}

/* Reads and writes a number or word; returns false when it is not a value in any known notation. */
static bool repair_scalar(struct repair *r, struct repair_spot *at)
{
	static const struct str nulls[] = {{"nan", 3}, {"inf", 3}, {"infinity", 8}, {"nan(ind)", 8}, {"nan(snan)", 9},
	    {"1.#inf", 6}, {"1.#ind", 6}, {"1.#qnan", 7}, {"1.#snan", 7}};
	struct str s = {at->p, 0}, bare;
	while (at->p < r->end && (unsigned char)*at->p > ' ' && !memchr(",}]", *at->p, 3))
		at->p++;
	s.n = (size_t)(at->p - s.p);
	if (!s.n)
		return false;
	bare = str_from(s, *s.p == '-' || *s.p == '+');
	if (json_check(s, NULL)) {
		add_bytes(r, s.p, s.n);
	} else if (is_one_of(bare, nulls, sizeof nulls / sizeof *nulls) || str_eq_any_case(s, STR("n/a"))) {
		add_repair(r, REPAIR_CONSTANT);
		add_bytes(r, "null", 4);
	} else if (str_eq_any_case(s, STR("true")) || str_eq_any_case(s, STR("false"))) {
		add_repair(r, REPAIR_LITERAL);
		add_bytes(r, to_lower(*s.p) == 't' ? "true" : "false", s.n);
	} else if (str_eq(s, STR("None"))) {
		add_repair(r, REPAIR_LITERAL);
		add_bytes(r, "null", 4);
	} else if (is_foreign_number(bare)) {
		add_repair(r, REPAIR_NUMBER);
		write_string(r, s);
	} else {
		return false;
	}
	return true;
}

/* --- grammar --- */

static inline void skip_blank(struct repair *r, struct repair_spot *at)
{
	for (; at->p < r->end; at->p++) {
		if (!*at->p)
			add_repair(r, REPAIR_NUL);
		else if (!is_json_space(*at->p))
			break;
	}
}

static inline bool at_close(const struct repair *r, const struct repair_spot *at)
{
	return at->depth && at->p < r->end && *at->p == (in_object(at) ? '}' : ']');
}

static bool open_bracket(struct repair *r, struct repair_spot *at)
{
	uint64_t bit = (uint64_t)1 << at->depth % 64, *word = &at->objects[at->depth / 64];

	if (at->depth == JSON_DEPTH)
		return false;
	*word = *at->p == '{' ? *word | bit : *word & ~bit;
	at->depth++;
	add_bytes(r, at->p++, 1);
	skip_blank(r, at);
	at->after = at_close(r, at);
	return true;
}

/* Reads a key and its colon. */
static bool read_key(struct repair *r, struct repair_spot *at)
{
	const char *key = at->p + 1, *q;
	size_t from = r->to ? r->to->n : 0;

	if (at->p == r->end || *at->p != '"')
		return false;
	q = first_end(key, r->end);
	if (!q)
		return false;
	write_string(r, (struct str){key, (size_t)(q - key)});
	if (r->to && at->depth == 1) {
		r->members = mem_grow(r->members, &r->cap_members, r->n_members + 1, sizeof *r->members);
		r->members[r->n_members++] = (struct repair_member){from, r->to->n - from - 2, false};
	}
	at->p = q + 1;
	skip_blank(r, at);
	if (at->p == r->end || *at->p != ':')
		return false;
	add_bytes(r, at->p++, 1);
	skip_blank(r, at);
	return true;
}

/*
 * Returns the length of the list at at->p if it was shortened with an ellipsis: [0, 1, ...]. Returns 0 for other lists,
 * and for lists that contain strings or brackets.
 */
static size_t cut_list(const struct repair *r, const struct repair_spot *at)
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

/*
 * Reads up to the next string that is a value, and stops at its opening quote; after that, the caller must move at->p
 * past the string. AT_END means that the text is an object and was read completely.
 */
static enum repair_reading read_on(struct repair *r, struct repair_spot *at)
{
	size_t cut;

	for (;;) {
		skip_blank(r, at);
		if (at->after && !at->depth)
			return at->p == r->end ? AT_END : BROKEN;
		if (at->p == r->end)
			return BROKEN;
		if (at->after && at_close(r, at)) {
			add_bytes(r, at->p++, 1);
			at->depth--;
			continue;
		}
		if (at->after) {
			if (*at->p++ != ',')
				return BROKEN;
			skip_blank(r, at);
			if (at_close(r, at)) {
				add_repair(r, REPAIR_COMMA);
				continue;
			}
			add_bytes(r, ",", 1);
			at->after = false;
		}
		if (in_object(at) && !read_key(r, at))
			return BROKEN;
		if (at->p == r->end || (!at->depth && *at->p != '{'))
			return BROKEN;
		if (in_object(at) && (*at->p == ',' || *at->p == '}')) {
			/* A member without a value. */
			add_repair(r, REPAIR_EMPTY);
			add_bytes(r, "null", 4);
			if (r->to && at->depth == 1)
				r->members[r->n_members - 1].drop = true;
			at->after = true;
			continue;
		}
		cut = *at->p == '[' ? cut_list(r, at) : 0;
		if (cut) {
			add_repair(r, REPAIR_CUT);
			write_string(r, (struct str){at->p, cut});
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
			return AT_STRING;
		if (!repair_scalar(r, at))
			return BROKEN;
	}
}

/* --- the ends of strings with bare quotes --- */

enum { TRY = 32 }; /* each attempt to end a string counts as this number of bytes */

struct cost {
	size_t strings; /* number of strings that do not end at their first quote */
	size_t quotes;  /* number of bare quotes in these strings */
	/* one of these strings may be the result of other damage, such as a missing comma: see is_structure() */
	bool swallows;
};

struct search {
	struct repair *r;
	/* Number of bytes that may still be read. This limit keeps the time linear in the length of the text. */
	size_t left;
	bool found, gave_up;
	bool only; /* no other reading has the same cost as `best` */
	/* best: the costs of the reading in `ends`; least: the minimum of each cost over all readings */
	struct cost best, least;
	/* ends: the ends of the strings that are values, in order; path: those of the reading being tried */
	const char *ends[MOST_STRINGS], *path[MOST_STRINGS];
};

/* Returns whether no cost of `a` is lower than that of `b`, and at least one is higher. */
static bool is_worse(struct cost a, struct cost b)
{
	return a.strings >= b.strings && a.quotes >= b.quotes && (a.strings > b.strings || a.quotes > b.quotes);
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
		memcpy(s->ends, s->path, n * sizeof *s->path);
	}
	if (!s->found || c.strings < s->least.strings)
		s->least.strings = c.strings;
	if (!s->found || c.quotes < s->least.quotes)
		s->least.quotes = c.quotes;
	s->found = true;
}

/* Subtracts n from the number of bytes that may still be read; returns false when too few are left. */
static bool spend(struct search *s, size_t n)
{
	s->gave_up |= n > s->left;
	s->left -= s->gave_up ? 0 : n;
	return !s->gave_up;
}

/* Returns the text from p on, without leading and trailing white space. */
static struct str rest_of(const char *p, const char *end)
{
	return str_trim((struct str){p, (size_t)(end - p)});
}

/* Returns whether a colon follows the first quote from p on. */
static bool ends_key(const char *p, const char *end)
{
	p = first_end(p, end);
	return p && str_starts(rest_of(p + 1, end), STR(":"));
}

/* Returns whether c is white space or a character that may occur between strings. */
static bool is_between(char c)
{
	return (unsigned char)c <= ' ' || memchr(",{}[]", c, 5);
}

/* Returns whether the text at p is a colon followed by the beginning of a value. */
static bool value_follows(const char *p, const char *end)
{
	struct str s = rest_of(p, end);

	if (!str_starts(s, STR(":")))
		return false;
	s = rest_of(s.p + 1, end);
	return s.n && memchr("\"[{-0123456789tfn", s.p[0], 17);
}

/*
 * Returns whether a quote in the string at at->p may end this string or begin the next one, instead of being an
 * unescaped quote in its text. `first`: whether it is the first bare quote in the string.
 */
static bool is_structure(const struct repair *r, const struct repair_spot *at, const char *quote, bool first)
{
	const char *p, *end = r->end;
	bool any = false, comma = false, quoted;

	for (p = quote + 1; p < end && is_between(*p); p++)
		any |= (unsigned char)*p > ' ';
	quoted = p < end && *p == '"';
	/*
	 * A key follows, possibly after commas or brackets (then it may lack its opening quote). So the quote probably
	 * ends a string, and a repair must not make the member a part of that string. The real damage may be a doubled
	 * or missing comma, or a missing bracket or newline at the end of a record.
	 */
	if (quoted ? ends_key(p + 1, end) : any && ends_key(p, end))
		return true;
	/* Commas or brackets follow, and then a string or the end of the text. */
	if (first && any && (quoted || p == end))
		return true;
	if (first && value_follows(quote + 1, end))
		return true;
	/* The text before the quote ends in a comma, possibly with brackets. */
	for (p = quote; p > at->p + 1 && is_between(p[-1]);)
		comma |= *--p == ',';
	if (comma && (!in_object(at) || ends_key(quote + 1, end)))
		return true;
	p = rest_of(quote + 1, end).p;
	return !in_object(at) && p < end && memchr(",]\"", *p, 3);
}

/* Tries the readings of the text after `at` that may be the best; near ends of a string before distant ones. */
static void explore(struct search *s, struct repair_spot at, size_t n, struct cost c)
{
	const char *from = at.p, *quote, *q;
	enum repair_reading what = read_on(s->r, &at);
	size_t passed = 0, bare = 0;
	struct cost with;
	/* doubt: the loop has passed a quote that ends the string by JSON's grammar */
	bool escaped, swallows = c.swallows, doubt = false;

	if (!spend(s, (size_t)(at.p - from) + TRY))
		return;
	if (what == AT_END)
		found_reading(s, n, c);
	if (what != AT_STRING)
		return;
	s->gave_up |= n == MOST_STRINGS;
	quote = at.p;
	for (from = at.p; !s->gave_up && (q = next_quote(from + 1, s->r->end, &escaped)); from = q, passed++) {
		if (!spend(s, (size_t)(q - from)))
			return;
		/*
		 * An escaped quote may be the end of the string if its backslash is the last character of a path; this
		 * costs as much as a bare quote.
		 */
		with = c;
		/*
		 * If the string has an odd number of bare quotes and one of them is its first or last byte, its opening
		 * or closing quote may be doubled.
		 */
		with.swallows = swallows || (bare % 2 && (at.p[1] == '"' || (q[-1] == '"' && q[-2] != '\\')));
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
			return; /* ends that are farther away cost even more */
		}
		swallows |= !escaped && is_structure(s->r, &at, q, !doubt);
		bare += !escaped;
		doubt |= !escaped;
	}
}

/*
 * Stores the ends of all strings that are values in s->ends. Returns whether the text has exactly one best reading. If
 * it has several, the record is lost.
 */
static bool find_ends(struct search *s, struct repair *r, struct str text)
{
	struct buf *to = r->to;

	r->to = NULL;
	s->r = r;
	s->left = 64 * text.n + 4096;
	s->found = s->gave_up = s->only = false;
	explore(s, (struct repair_spot){.p = text.p}, 0, (struct cost){0});
	r->to = to;
	return s->found && !s->gave_up && s->only && !s->best.swallows && s->best.strings == s->least.strings &&
	       s->best.quotes == s->least.quotes;
}

/* --- the result --- */

const char *repair_text(enum repair_class c)
{
#define REPAIR_TEXT(name, text) text,
	static const char *const texts[] = {REPAIR_CLASSES(REPAIR_TEXT)};

	return texts[c];
}

/* Removes members without a value. If several members have the same key, removes all of them except the last. */
static void drop_members(struct repair *r)
{
	struct map keys = {0};
	struct buf *b = r->to;
	size_t i, end, known, to = 1;

	for (i = r->n_members; i-- > 0;) {
		struct repair_member *m = &r->members[i];

		known = keys.n;
		if (m->drop || map_put(&keys, (struct str){b->p + m->at + 1, m->key}) == known)
			continue;
		m->drop = true;
		add_repair(r, REPAIR_DUPLICATE);
	}
	for (i = 0; i < r->n_members; i++) {
		const struct repair_member *m = &r->members[i];

		end = (i + 1 < r->n_members ? m[1].at : b->n) - 1; /* the comma or brace after the member */
		if (m->drop)
			continue;
		if (to > 1)
			b->p[to++] = ',';
		memmove(b->p + to, b->p + m->at, end - m->at);
		to += end - m->at;
	}
	b->p[to++] = '}';
	b->n = to;
	map_free(&keys);
}

/* Writes one reading of the text: its strings end at ends[], or at their first quotes if `ends` is NULL. */
static bool write_reading(struct repair *r, struct str text, const char *const *ends)
{
	struct repair_spot at = (struct repair_spot){.p = text.p};
	enum repair_reading what;
	const char *q;

	r->to->n = 0;
	r->repairs = 0;
	r->n_members = 0;
	while ((what = read_on(r, &at)) == AT_STRING) {
		q = ends ? *ends++ : first_end(at.p + 1, r->end);
		if (!q)
			return false;
		write_string(r, (struct str){at.p + 1, (size_t)(q - at.p - 1)});
		at.p = q + 1;
	}
	return what == AT_END;
}

bool repair_object(struct str text, struct buf *to, uint32_t *repairs)
{
	struct repair r = {.end = text.p + text.n, .to = to};
	const bool bom = str_starts(text, STR("\xef\xbb\xbf"));
	struct search s;
	bool done;

	text = str_from(text, bom ? 3 : 0);
	done = write_reading(&r, text, NULL) || (find_ends(&s, &r, text) && write_reading(&r, text, s.ends));
	if (done) {
		drop_members(&r);
		if (bom)
			add_repair(&r, REPAIR_BOM);
	}
	free(r.members);
	*repairs = r.repairs;
	scan_pad(to);
	return done && json_check(buf_str(to), NULL);
}
