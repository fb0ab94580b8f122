/* str: views of bytes that are owned elsewhere, and functions on text. */
#ifndef STR_H
#define STR_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

/* A view of bytes, without a NUL at the end. Where a view is declared, a comment names the owner of the bytes. */
struct str {
	const char *p;
	size_t n;
};

#define STR(lit) ((struct str){"" lit, sizeof(lit) - 1})
#define STR_BYTES(v) ((struct str){(const char *)&(v), sizeof(v)}) /* a view of a variable, such as the key of a map */
#define STR_FMT(s) (int)((s).n > 200 ? 200 : (s).n), (s).p         /* arguments for "%.*s" in messages */

/*
 * Returns a view of a C string: an operand, an option's value, a table's entry. Do not use it for data from the input,
 * which may contain NUL bytes.
 */
static inline struct str str_of(const char *z)
{
	return (struct str){z, strlen(z)};
}

static inline struct str buf_str(const struct buf *b) /* a view of the bytes, until more are appended */
{
	return (struct str){b->p, b->n};
}

static inline void buf_set(struct buf *b, struct str s) /* replaces the bytes by those of s */
{
	b->n = 0;
	buf_add(b, s.p, s.n);
}

static inline bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool str_starts(struct str s, struct str prefix)
{
	return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

static inline bool str_ends(struct str s, struct str tail)
{
	return s.n >= tail.n && memcmp(s.p + s.n - tail.n, tail.p, tail.n) == 0;
}

static inline struct str str_from(struct str s, size_t at) /* all bytes from offset `at` on */
{
	if (at < s.n)
		return (struct str){s.p + at, s.n - at};
	return (struct str){s.n ? s.p + s.n : s.p, 0}; /* adding to a null pointer is undefined, even adding 0 */
}

static inline struct str str_head(struct str s, size_t n) /* the first n bytes */
{
	return (struct str){s.p, n < s.n ? n : s.n};
}

static inline char *str_copy(char *p, struct str s) /* copies the bytes to p; returns the end of the copy */
{
	if (s.n)
		memcpy(p, s.p, s.n);
	return p + s.n;
}

/* The same, but faster for texts of up to 32 bytes: it makes two overlapping copies of a fixed size. */
static inline char *str_copy_short(char *p, struct str s)
{
	if (s.n > 32) {
		memcpy(p, s.p, s.n);
	} else if (s.n >= 16) {
		memcpy(p, s.p, 16);
		memcpy(p + s.n - 16, s.p + s.n - 16, 16);
	} else if (s.n >= 8) {
		memcpy(p, s.p, 8);
		memcpy(p + s.n - 8, s.p + s.n - 8, 8);
	} else if (s.n >= 4) {
		memcpy(p, s.p, 4);
		memcpy(p + s.n - 4, s.p + s.n - 4, 4);
	} else if (s.n) {
		p[0] = s.p[0];
		p[s.n / 2] = s.p[s.n / 2];
		p[s.n - 1] = s.p[s.n - 1];
	}
	return p + s.n;
}

/* Returns the longest beginning or end of s whose bytes are all in a class. */
static inline struct str str_first(struct str s, bool (*is)(char))
{
	size_t n = 0;

	while (n < s.n && is(s.p[n]))
		n++;
	return str_head(s, n);
}

static inline struct str str_last(struct str s, bool (*is)(char))
{
	size_t n = s.n;

	while (n && is(s.p[n - 1]))
		n--;
	return str_from(s, n);
}

/* Returns the offset of the byte after the last c; 0 if there is no c. */
static inline size_t str_after_last(struct str s, char c)
{
	size_t n = s.n;

	while (n && s.p[n - 1] != c)
		n--;
	return n;
}

/* Returns whether s is not empty and all its bytes are in the class that `is` tests (base/char_class). */
static inline bool str_all(struct str s, bool (*is)(char))
{
	return s.n && str_first(s, is).n == s.n;
}

/* Returns whether s is one of the C strings in the list, which is NULL-terminated. */
bool str_in(struct str s, const char *const *list);
bool str_in_words(struct str s, const char *words); /* the same for words separated by spaces; NULL: none */
/* Returns the length of the first C string in such a list with which s begins, or ends; otherwise 0. */
size_t str_starts_in(struct str s, const char *const *list);
size_t str_ends_in(struct str s, const char *const *list);

bool str_eq_any_case(struct str a, struct str b); /* equal, ignoring the case of ASCII letters */
struct str str_trim(struct str s);                /* removes space, tab, CR, LF at both ends */
int str_cmp(struct str a, struct str b);          /* compares bytes; returns < 0, 0 or > 0 */
size_t str_find(struct str s, struct str part);   /* offset of the first `part`, or s.n when it is absent */

/*
 * Sets *piece to the text before the first `sep` in *rest, and *rest to the text after that `sep`. After the last
 * piece, rest->p is NULL, and the next call returns false. "a,,b" has three pieces, "" has one.
 */
bool str_split(struct str *rest, char sep, struct str *piece);

/* Returns a NUL-terminated copy, which the caller frees. */
char *str_dup(struct str s);

/*
 * Returns the distance of a and b: the minimum number of steps that change a into b, ignoring letter case. A step
 * inserts, deletes or replaces a character, or swaps two neighbouring characters. Returns SIZE_MAX if the distance is
 * too large for a typing error, that is, over a third of the length of the longer text.
 */
size_t str_distance(struct str a, struct str b);

/*
 * The nearest of several candidates, for "did you mean". Zero-initialise it, and set `want`. `best.p` is NULL as long
 * as no candidate was near enough.
 */
struct str_near {
	struct str want, best;
	/* private */
	size_t distance;
};
void str_near(struct str_near *near, struct str candidate);

/* Returns whether a byte is not the first one of a UTF-8 character. */
static inline bool utf8_continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Decodes one UTF-8 character of s (s.n > 0): returns its length, or 0 when the bytes are not UTF-8. */
size_t utf8_decode(struct str s, uint32_t *code);
/*
 * For bytes that utf8_decode() rejected: returns the number of bytes that one U+FFFD replaces. This is the length of
 * the incomplete character at the start of s, but at least 1, as the Unicode Standard recommends (3.9, maximal
 * subparts).
 */
size_t utf8_broken(struct str s);
size_t utf8_encode(char *p, uint32_t code); /* writes up to 4 bytes at p; returns their number */

/*
 * Returns whether a character is not visible or changes how the text around it is shown: control characters, characters
 * that change the direction of text, and characters without width. Programs that show text to people write an escape or
 * U+FFFD instead of it.
 */
bool utf8_is_hidden(uint32_t code);

#endif
