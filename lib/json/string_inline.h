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

/* Returns the first position, at p or later, of a byte that cannot be in a string unchanged (see json_plain()). */
static inline const char *json_skip_plain(const char *p, const char *end)
{
#ifdef __SSE2__
	for (; end - p >= 16; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)p);
		/* In a comparison of signed bytes, bytes over 0x7f are also less than 0x20. */
		__m128i other = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
		__m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')), back = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
		unsigned bits = (unsigned)_mm_movemask_epi8(_mm_or_si128(other, _mm_or_si128(quote, back)));

		if (bits)
			return p + __builtin_ctz(bits);
	}
#endif
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
