/* repair_quotes: the search for the ends of strings that hold bare quotes. */
#include "json/repair_private.h"

enum { TRY = 32 }; /* what trying an end costs, in bytes read */

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
	const char **ends;       /* of the values that are strings, in turn */
	const char *path[REPAIR_MOST_STRINGS];
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
	p = repair_first_end(p, end);
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

/* Whether the string up to `end` has a bare quote more at one of its ends than in pairs: it may stand twice. */
static bool is_doubled(const struct repair_spot *at, const char *end, size_t bare)
{
	return bare % 2 && (at->p[1] == '"' || (end[-1] == '"' && end[-2] != '\\'));
}

/* Every reading of what lies behind `at`, the nearest ends first, without those that can only be dearer. */
static void explore(struct search *s, struct repair_spot at, size_t n, struct cost c)
{
	const char *from = at.p, *quote, *q;
	enum repair_reading what = repair_read_on(s->r, &at);
	size_t passed = 0, bare = 0;
	struct cost with;
	bool escaped, swallows = c.swallows, doubt = false; /* the string's first end by the letter was passed */

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
