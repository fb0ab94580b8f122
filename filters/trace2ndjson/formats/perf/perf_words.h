/* perf_words: splits a line of perf into words and classifies them. */
#ifndef PERF_WORDS_H
#define PERF_WORDS_H

#include "base/char_class.h"
#include "base/str.h"

static inline struct str trim_left(struct str s)
{
	while (s.n && is_blank(s.p[0]))
		s = str_from(s, 1);
	return s;
}

static inline struct str trim_right(struct str s)
{
	while (s.n && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* Whether c can be part of an address: perf prints addresses in lower case. */
static inline bool is_of_address(char c)
{
	return is_hex_digit(c) && !is_upper(c);
}

/* Whether s is a whole number. perf prints -1 for an unknown thread. */
static inline bool is_id(struct str s)
{
	return str_all(s.n && s.p[0] == '-' ? str_from(s, 1) : s, is_digit);
}

/* Returns the first word of s, which does not begin with white space. */
static inline struct str first_word(struct str s)
{
	size_t n = 0;

	while (n < s.n && !is_blank(s.p[n]))
		n++;
	return str_head(s, n);
}

static inline struct str last_word(struct str s)
{
	size_t n = s.n;

	while (n && !is_blank(s.p[n - 1]))
		n--;
	return str_from(s, n);
}

/* Returns s without the word at its end and the space before it. */
static inline struct str drop_last(struct str s, struct str word)
{
	return trim_right(str_head(s, s.n - word.n));
}

static inline struct str drop_first(struct str s, struct str word)
{
	return trim_left(str_from(s, word.n));
}

#endif
