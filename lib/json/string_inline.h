/* string_inline: runs of plain bytes and the digits of \u escapes, for functions that read strings byte by byte. */
#ifndef JSON_STRING_INLINE_H
#define JSON_STRING_INLINE_H

#include "base/char_class.h"
#include "json/string.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline bool json_is_plain(char c)
{
	return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

#ifdef __SSE2__

enum { JSON_PLAIN_STEP = 16 };

/* Returns the number of bytes that precede the first byte that is not plain; 16 if all 16 bytes at p are plain. */
static inline size_t json_plain_step(const char *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)p);
	/* In a comparison of signed bytes, bytes over 0x7f are also less than 0x20. */
	__m128i other = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
	__m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')), back = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
	unsigned bits = (unsigned)_mm_movemask_epi8(_mm_or_si128(other, _mm_or_si128(quote, back)));

	return bits ? (size_t)__builtin_ctz(bits) : JSON_PLAIN_STEP;
}

#else

enum { JSON_PLAIN_STEP = 8 };

static inline uint64_t json_below(uint64_t v, uint64_t least) /* returns 0 if no ASCII byte of v is < least */
{
	return (v - 0x0101010101010101u * least) & ~v & 0x8080808080808080u;
}

static inline size_t json_plain_step(const char *p)
{
	const uint64_t quotes = 0x2222222222222222u, backslashes = 0x5c5c5c5c5c5c5c5cu;
	size_t n = 0;
	uint64_t v;

	memcpy(&v, p, sizeof v);
	if (!((v & 0x8080808080808080u) | json_below(v, 0x20) | json_below(v ^ quotes, 1) |
		json_below(v ^ backslashes, 1)))
		return JSON_PLAIN_STEP;
	while (n < JSON_PLAIN_STEP && json_is_plain(p[n]))
		n++;
	return n;
}

#endif

/* Returns the first position, at p or later, of a byte that cannot be in a string unchanged (see json_plain()). */
static inline const char *json_skip_plain(const char *p, const char *end)
{
	size_t n;

	for (; end - p >= JSON_PLAIN_STEP; p += JSON_PLAIN_STEP) {
		n = json_plain_step(p);
		if (n < JSON_PLAIN_STEP)
			return p + n;
	}
	while (p < end && json_is_plain(*p))
		p++;
	return p;
}

/* Returns the value of the four hexadecimal digits at p, or -1 when there are no four such digits. */
static inline int32_t json_hex4(const char *p, const char *end)
{
	int32_t v = 0, i;

	if (end - p < 4)
		return -1;
	for (i = 0; i < 4; i++) {
		const int32_t digit = hex_value(p[i]);

		if (digit < 0)
			return -1;
		v = v << 4 | digit;
	}
	return v;
}

#endif
