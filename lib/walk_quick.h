/*
 * walk_quick: what walk and event have in common of reading short texts, and walk_next() without a call for what our
 * own programs write. Not for callers that read little.
 */
#ifndef WALK_QUICK_H
#define WALK_QUICK_H

#include "scan.h"
#include "walk.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/*
 * The quote that ends the string whose text begins at p, or NULL. Most strings end within a few dozen bytes, where
 * calling a kernel costs more than it saves: the first 64 bytes are looked at here.
 */
static inline const char *walk_string_end(const char *p, const char *end)
{
	size_t n;
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
	const char *at = p, *far = end - p > 64 ? p + 64 : end;

	for (; at < far; at += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
		unsigned q = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, quote));
		unsigned b = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, backslash));

		if (q | b) {
			/* A backslash first: escapes are counted the long way. */
			if (b && (!q || __builtin_ctz(b) < __builtin_ctz(q)))
				break;
			at += __builtin_ctz(q);
			return at < end ? at : NULL;
		}
	}
	if (at >= end)
		return NULL;
#endif
	n = scan_quote((struct str){p, (size_t)(end - p)});
	return n < (size_t)(end - p) ? p + n : NULL;
}

/* walk_next(), quick where a member follows another without white space and is a short string or a whole number. */
static inline int walk_quick(struct walk *w, struct str *key, struct str *value)
{
	const char *p = w->p, *q;

	if (w->end - p > 4 && p[0] == ',' && p[1] == '"' && w->close == '}' && !w->first) {
		q = walk_string_end(p + 2, w->end);
		if (q && w->end - q > 2 && q[1] == ':') {
			*key = (struct str){p + 2, (size_t)(q - p - 2)};
			p = q += 2;
			if (*p == '"') {
				q = walk_string_end(p + 1, w->end);
				q = q ? q + 1 : p;
			} else {
				while ((unsigned char)(*q - '0') < 10)
					q++;
			}
			if (q > p && q < w->end && (*q == ',' || *q == '}')) {
				*value = (struct str){p, (size_t)(q - p)};
				w->p = q;
				return 1;
			}
		}
	}
	return walk_next(w, key, value);
}

#endif
