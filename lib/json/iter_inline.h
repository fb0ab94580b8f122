/*
 * iter_inline: inline functions that read short values, used by iter and event. iter_quick() is the same as
 * iter_next(), but needs no function call for text in the format that our own programs write. Callers that read only a
 * few members gain nothing from it.
 */
#ifndef ITER_INLINE_H
#define ITER_INLINE_H

#include "base/num_parse.h"
#include "json/scan.h"
#include "json/iter.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/*
 * Returns the closing quote of the string whose text begins at p, or NULL. Most strings end within a few dozen bytes.
 * Calling a kernel for these costs more than it saves, so the first 64 bytes are searched here.
 */
static inline const char *iter_string_end(const char *p, const char *end)
{
	size_t n;
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
	const char *at = p;
	unsigned found;

	do {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);

		found =
		    (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash)));
		at += found ? __builtin_ctz(found) : 16;
	} while (!found && at < end && at - p < 64);
	if (at >= end)
		return NULL;
	/* If a backslash precedes the first quote, scan_quote() handles the escape. */
	if (found && *at == '"')
		return at;
#endif
	n = scan_quote((struct str){p, (size_t)(end - p)});
	return n < (size_t)(end - p) ? p + n : NULL;
}

/*
 * The same for a text without backslashes. It compares 64 bytes at once, because the processor cannot predict in which
 * part of a name its end is.
 */
static inline const char *iter_plain_end(const char *p, const char *end)
{
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), *v = (const __m128i *)(const void *)p;
	uint64_t quotes;

	for (; (const char *)v < end; v += 4) {
		quotes = (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(v), quote)) |
			 (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(v + 1), quote)) << 16 |
			 (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(v + 2), quote)) << 32 |
			 (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(v + 3), quote)) << 48;
		if (quotes) {
			p = (const char *)v + __builtin_ctzll(quotes);
			return p < end ? p : NULL;
		}
	}
	return NULL;
#else
	return p < end ? memchr(p, '"', (size_t)(end - p)) : NULL;
#endif
}

/* The same for a word that is rarely longer than 16 bytes. */
static inline const char *iter_word_end(const char *p, const char *end)
{
#ifdef __SSE2__
	const __m128i text = _mm_loadu_si128((const __m128i *)(const void *)p);
	const unsigned quotes = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('"')));

	if (quotes) {
		p += __builtin_ctz(quotes);
		return p < end ? p : NULL;
	}
#endif
	return iter_plain_end(p, end);
}

/* Returns the end of the digits at p; checks at most 32 bytes, all of which must be readable. */
static inline const char *iter_digits_end(const char *p)
{
#ifdef __SSE2__
	const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
	unsigned mask;
	int half;

	for (half = 0; half < 32; half += 16) {
		__m128i v = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + half)), zero);

		mask = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, nine), v)) ^ 0xffffu;
		if (mask)
			return p + half + __builtin_ctz(mask);
	}
	return p + 32;
#else
	int i;

	for (i = 0; i < 32 && is_digit(p[i]); i++)
		;
	return p + i;
#endif
}

/* Returns the end of the integer at p, or NULL if it may be outside int64. */
static inline const char *iter_whole_end(const char *p)
{
	const char *first = p + (*p == '-'), *end = iter_digits_end(first);
	const size_t n = (size_t)(end - first);

	/* Leading zeros are not allowed. */
	if (n - 1 >= 19 || (*first == '0' && n > 1))
		return NULL;
	if (n == 19 && *first == '9' && memcmp(first, "9223372036854775807", 19) > 0)
		return NULL;
	return end;
}

/* Returns the value of the integer from p to end. */
static inline int64_t iter_whole(const char *p, const char *end)
{
	bool minus = *p == '-';
	size_t head;
	uint64_t n;

	p += minus;
	head = ((size_t)(end - p) - 1) % 8 + 1;
	n = num_digits(p, head);
	for (p += head; p < end; p += 8)
		n = n * 100000000 + num_digits(p, 8);
	return minus ? -(int64_t)n : (int64_t)n;
}

/* Gets the value at p, which follows a key, if it is a short string or an integer; otherwise returns false. */
static inline bool iter_short(struct iter *w, const char *p, struct str *value)
{
	const char *q = *p == '"' ? iter_string_end(p + 1, w->end) : iter_digits_end(p);

	if (!q || q == p || (*p == '0' && q - p > 1))
		return false;
	q += *p == '"';
	if (q >= w->end || (*q != ',' && *q != '}'))
		return false;
	*value = (struct str){p, (size_t)(q - p)};
	w->p = q;
	return true;
}

/*
 * The same as iter_next(), but fast for a member that is written without white space and has a short string or an
 * integer as its value.
 */
static inline int iter_quick(struct iter *w, struct str *key, struct str *value)
{
	const char *p = w->p + !w->first, *q;

	if (w->close == '}' && w->end - p > 3 && *p == '"' && (w->first || p[-1] == ',')) {
		q = iter_string_end(p + 1, w->end);
		if (q && w->end - q > 2 && q[1] == ':' && iter_short(w, q + 2, value)) {
			*key = (struct str){p + 1, (size_t)(q - p - 1)};
			w->first = false;
			return 1;
		}
	}
	return iter_next(w, key, value);
}

#endif
