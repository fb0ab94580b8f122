/*
 * key_gaps: remembers the texts between the values of objects. Most objects of a file have the same keys in the same
 * order and with the same white space, so a comparison with the text that followed the preceding value in earlier
 * objects finds the next key faster than iter_key(), which reads it byte by byte.
 */
#ifndef KEY_GAPS_H
#define KEY_GAPS_H

#include "json/iter.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { KEY_GAP_ROOM = 64, KEY_GAPS_MOST = 200, KEY_GAP_FOLLOWERS = 6 };

/*
 * The text between two values, for example `, "ts": `; between the opening brace and the first value; or between the
 * last value and the closing brace, which it includes.
 */
struct key_gap {
	char text[KEY_GAP_ROOM];
	char squeezed[KEY_GAP_ROOM]; /* the text without white space around its tokens: ,"ts": */
	unsigned char n;             /* length of the text */
	unsigned char squeezed_n;    /* length of `squeezed` */
	unsigned char key, key_n;    /* the key between its quotes is at text + key */
	unsigned char member;        /* the caller's number of the key; KEY_GAP_END for the end of the object */
	bool kept;                   /* for the caller; initially false */
	unsigned char n_followers;   /* number of gaps that followed the next value in earlier objects */
	unsigned char followers[KEY_GAP_FOLLOWERS];
};

enum { KEY_GAP_END = 255 };

/* Zero-initialise; key_gaps_begin() before the first object. */
struct key_gaps {
	/* private */
	unsigned n, failures; /* failures: number of gaps that could not be stored */
	struct key_gap list[KEY_GAPS_MOST];
};

/* Returns the gap before all objects, which key_gaps_find() and key_gaps_learn() take as the preceding one. */
static inline struct key_gap *key_gaps_begin(struct key_gaps *g)
{
	g->n += !g->n;
	return g->list;
}

static inline bool key_gap_is_at(const struct key_gap *gap, const char *p)
{
#ifdef __SSE2__
	const __m128i *a = (const __m128i *)(const void *)gap->text, *b = (const __m128i *)(const void *)p;
	uint64_t same = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(a), _mm_loadu_si128(b)));
	unsigned i;

	if (gap->n <= 16)
		return !(~same << (64 - gap->n));
	for (i = 1; i < KEY_GAP_ROOM / 16; i++)
		same |= (uint64_t)(unsigned)_mm_movemask_epi8(
			    _mm_cmpeq_epi8(_mm_loadu_si128(a + i), _mm_loadu_si128(b + i)))
			<< 16 * i;
	return !(~same << (64 - gap->n));
#else
	return memcmp(gap->text, p, gap->n) == 0;
#endif
}

/*
 * Returns the gap at p if it followed `last` before; otherwise NULL. The SCAN_PAD bytes after `end` must be readable.
 * If the gap has a key, at least one byte follows it before `end`; after KEY_GAP_END, any text may follow.
 */
static inline struct key_gap *key_gaps_find(
    struct key_gaps *g, const struct key_gap *last, const char *p, const char *end)
{
	struct key_gap *gap;
	unsigned i;

	for (i = 0; i < last->n_followers; i++) {
		gap = &g->list[last->followers[i]];
		if (!key_gap_is_at(gap, p))
			continue;
		if (gap->member == KEY_GAP_END)
			return (size_t)(end - p) >= gap->n ? gap : NULL;
		/* If white space follows, the gap is longer than this one. */
		if ((unsigned char)p[gap->n] > ' ')
			return (size_t)(end - p) > gap->n ? gap : NULL;
	}
	return NULL;
}

/*
 * Remembers the gap `text`, which followed `last`. `key` is a view of the text, which iter_key() accepted; its p is
 * NULL at the end of the object. Returns the gap, or NULL when it cannot be stored: the text is too long, or the
 * objects have too many different keys.
 */
struct key_gap *key_gaps_learn(
    struct key_gaps *g, struct key_gap *last, struct str text, struct str key, unsigned member);

#endif
