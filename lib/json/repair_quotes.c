/* repair_quotes: searches for the ends of strings that contain bare quotes. */
#include "json/repair_private.h"

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
	const char **ends; /* ends of the strings that are values, in order */
	const char *path[REPAIR_MOST_STRINGS];
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
	p = repair_first_end(p, end);
	return p && str_starts(rest_of(p + 1, end), STR(":"));
}

/* Returns whether c is white space or a character that may occur between strings. */
static bool is_between(char c)
{
	return (unsigned char)c <= ' ' || memchr(",{}[]", c, 5);
}

/*
 * Returns whether the text at p, which follows a quote, looks like the beginning of a member: a key, possibly after
 * commas or brackets (a key after these may lack its opening quote). In that case the quote probably ends a string, and
 * a repair must not make the member a part of that string. The real damage may be a doubled or missing comma, or a
 * missing bracket or newline at the end of a record.
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

/* Returns whether the text at p is a colon followed by the beginning of a value. */
static bool value_follows(const char *p, const char *end)
{
	struct str s = rest_of(p, end);

	if (!str_starts(s, STR(":")))
		return false;
	s = rest_of(s.p + 1, end);
	return s.n && memchr("\"[{-0123456789tfn", s.p[0], 17);
}

/* Returns whether the text before p, in the string that begins at `from`, ends in a comma, possibly with brackets. */
static bool is_after_comma(const char *from, const char *p)
{
	bool comma = false;

	while (p > from && is_between(p[-1]))
		comma |= *--p == ',';
	return comma;
}

/* Returns whether the text at p consists of commas or brackets, followed by a string or by the end of the text. */
static bool string_follows(const char *p, const char *end)
{
	bool any = false;

	for (; p < end && is_between(*p); p++)
		any |= (unsigned char)*p > ' ';
	return any && (p == end || *p == '"');
}

/*
 * Returns whether a quote in the string at at->p may end this string or begin the next one, instead of being an
 * unescaped quote in its text. `first`: whether it is the first bare quote in the string.
 */
static bool is_structure(const struct repair *r, const struct repair_spot *at, const char *quote, bool first)
{
	struct str next = rest_of(quote + 1, r->end);

	if (member_follows(quote + 1, r->end))
		return true;
	if (first && (value_follows(quote + 1, r->end) || string_follows(quote + 1, r->end)))
		return true;
	if (is_after_comma(at->p + 1, quote) && (!repair_in_object(at) || ends_key(quote + 1, r->end)))
		return true;
	return !repair_in_object(at) && next.n && memchr(",]\"", next.p[0], 3);
}

/*
 * Returns whether the string up to `end` has an odd number of bare quotes and one of them is its first or last byte. If
 * so, its opening or closing quote may be doubled.
 */
static bool is_doubled(const struct repair_spot *at, const char *end, size_t bare)
{
	return bare % 2 && (at->p[1] == '"' || (end[-1] == '"' && end[-2] != '\\'));
}

/*
 * Tries every reading of the text after `at`, except readings that cannot be the best. For each string, near ends are
 * tried before distant ones.
 */
static void explore(struct search *s, struct repair_spot at, size_t n, struct cost c)
{
	const char *from = at.p, *quote, *q;
	enum repair_reading what = repair_read_on(s->r, &at);
	size_t passed = 0, bare = 0;
	struct cost with;
	/* doubt: the loop has passed a quote that ends the string by JSON's grammar */
	bool escaped, swallows = c.swallows, doubt = false;

	if (!spend(s, (size_t)(at.p - from) + TRY))
		return;
	if (what == REPAIR_AT_END)
		found_reading(s, n, c);
	if (what != REPAIR_AT_STRING)
		return;
	s->gave_up |= n == REPAIR_MOST_STRINGS;
	quote = at.p;
	for (from = at.p; !s->gave_up && (q = repair_next_quote(from + 1, s->r->end, &escaped)); from = q, passed++) {
		if (!spend(s, (size_t)(q - from)))
			return;
		/*
		 * An escaped quote may be the end of the string if its backslash is the last character of a path; this
		 * costs as much as a bare quote.
		 */
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
			return; /* ends that are farther away cost even more */
		}
		swallows |= !escaped && is_structure(s->r, &at, q, !doubt);
		bare += !escaped;
		doubt |= !escaped;
	}
}

bool repair_find_ends(struct repair *r, struct str text, const char **ends)
{
	struct buf *to = r->to;
	struct search s;

	r->to = NULL;
	s.r = r;
	s.ends = ends;
	s.left = 64 * text.n + 4096;
	s.found = s.gave_up = s.only = false;
	explore(&s, repair_start_of(text), 0, (struct cost){0});
	r->to = to;
	return s.found && !s.gave_up && s.only && !s.best.swallows && s.best.strings == s.least.strings &&
	       s.best.quotes == s.least.quotes;
}
