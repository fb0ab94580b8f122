#include "base/str.h"

#include "base/char_class.h"

#include <stdlib.h>

struct str str_trim(struct str s)
{
	s = str_from(s, str_first(s, is_json_space).n);
	return str_head(s, s.n - str_last(s, is_json_space).n);
}

bool str_in_words(struct str s, const char *words)
{
	struct str rest = str_of(words ? words : ""), word;

	while (str_split(&rest, ' ', &word)) {
		if (word.n && str_eq(word, s))
			return true;
	}
	return false;
}

bool str_eq_any_case(struct str a, struct str b)
{
	size_t i;

	for (i = 0; i < a.n && i < b.n && to_lower(a.p[i]) == to_lower(b.p[i]); i++)
		;
	return i == a.n && i == b.n;
}

int str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

size_t str_find(struct str s, struct str part)
{
	size_t at = 0;
	const char *hit;

	if (!part.n)
		return 0;
	while (at + part.n <= s.n) {
		hit = memchr(s.p + at, part.p[0], s.n - at - part.n + 1);
		if (!hit)
			break;
		if (memcmp(hit, part.p, part.n) == 0)
			return (size_t)(hit - s.p);
		at = (size_t)(hit - s.p) + 1;
	}
	return s.n;
}

bool str_in(struct str s, const char *const *list)
{
	for (; *list; list++) {
		if (str_eq(s, str_of(*list)))
			return true;
	}
	return false;
}

size_t str_starts_in(struct str s, const char *const *list)
{
	/* most texts differ in the first character */
	while (*list && !(s.n && **list == s.p[0] && str_starts(s, str_of(*list))))
		list++;
	return *list ? strlen(*list) : 0;
}

size_t str_ends_in(struct str s, const char *const *list)
{
	while (*list && !str_ends(s, str_of(*list)))
		list++;
	return *list ? strlen(*list) : 0;
}

bool str_split(struct str *rest, char sep, struct str *piece)
{
	const char *hit;

	if (!rest->p)
		return false;
	hit = rest->n ? memchr(rest->p, sep, rest->n) : NULL;
	if (!hit) {
		*piece = *rest;
		*rest = (struct str){NULL, 0};
		return true;
	}
	*piece = str_head(*rest, (size_t)(hit - rest->p));
	*rest = str_from(*rest, piece->n + 1);
	return true;
}

char *str_dup(struct str s)
{
	char *z = mem_alloc(s.n + 1);

	if (s.n)
		memcpy(z, s.p, s.n);
	z[s.n] = '\0';
	return z;
}

size_t str_distance(struct str a, struct str b)
{
	enum { MOST = 64 };
	size_t row[3][MOST + 1], longer = a.n > b.n ? a.n : b.n, i, j, cost, best;

	if (longer > MOST)
		return SIZE_MAX;
	for (j = 0; j <= b.n; j++)
		row[0][j] = j;
	for (i = 1; i <= a.n; i++) {
		size_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= b.n; j++) {
			cost = to_lower(a.p[i - 1]) != to_lower(b.p[j - 1]);
			best = before[j - 1] + cost;
			if (before[j] + 1 < best)
				best = before[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && to_lower(a.p[i - 1]) == to_lower(b.p[j - 2]) &&
			    to_lower(a.p[i - 2]) == to_lower(b.p[j - 1]) && earlier[j - 2] + 1 < best)
				best = earlier[j - 2] + 1;
			now[j] = best;
		}
	}
	best = row[a.n % 3][b.n];
	return best <= (longer + 2) / 3 ? best : SIZE_MAX;
}

void str_near(struct str_near *near, struct str candidate)
{
	size_t d = str_distance(near->want, candidate);

	if (d == SIZE_MAX || (near->best.p && d >= near->distance))
		return;
	near->best = candidate;
	near->distance = d;
}

size_t utf8_decode(struct str s, uint32_t *code)
{
	const unsigned char *u = (const unsigned char *)s.p;
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n, i;

	n = u[0] < 0x80 ? 1 : u[0] >> 5 == 6 ? 2 : u[0] >> 4 == 14 ? 3 : u[0] >> 3 == 30 ? 4 : 0;
	if (n == 0 || n > s.n)
		return 0;
	*code = n == 1 ? u[0] : u[0] & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (u[i] & 0x3f);
	}
	if (*code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return n;
}

size_t utf8_broken(struct str s)
{
	const unsigned char *u = (const unsigned char *)s.p;
	unsigned least = u[0] == 0xe0 ? 0xa0 : u[0] == 0xf0 ? 0x90 : 0x80;
	unsigned most = u[0] == 0xed ? 0x9f : u[0] == 0xf4 ? 0x8f : 0xbf;
	size_t n = u[0] < 0xc2 || u[0] > 0xf4 ? 1 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4, i;

	for (i = 1; i < n && i < s.n && u[i] >= least && u[i] <= most; i++) {
		least = 0x80; /* only the range of the second byte depends on the first byte */
		most = 0xbf;
	}
	return i;
}

size_t utf8_encode(char *p, uint32_t code)
{
	const size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	size_t i;

	for (i = n - 1; i > 0; i--, code >>= 6)
		p[i] = (char)(0x80 | (code & 0x3f));
	p[0] = (char)(n > 1 ? (0xff00u >> n & 0xff) | code : code); /* begins with n ones, if n > 1 */
	return n;
}

bool utf8_is_hidden(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
	    {0, 0x1f},          /* control characters */
	    {0x7f, 0x9f},       /* DEL and more control characters */
	    {0xad, 0xad},       /* soft hyphen */
	    {0x61c, 0x61c},     /* direction */
	    {0x200b, 0x200f},   /* no width, direction */
	    {0x2028, 0x202e},   /* line separators, direction */
	    {0x2060, 0x206f},   /* no width, direction */
	    {0xfeff, 0xfeff},   /* no width */
	    {0xfff9, 0xfffb},   /* annotations */
	    {0xfffe, 0xffff},   /* not characters; XML cannot contain them */
	    {0xe0000, 0xe007f}, /* tags */
	};
	size_t i;

	for (i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	}
	return false;
}
