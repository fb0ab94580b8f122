#include "table/text_width.h"

enum { WIDE = 2 };

/* wcwidth() is not used, since it depends on a locale. */
#ifdef HAVE_UTF8PROC

#include <utf8proc.h>

enum { EMOJI_STYLE = 0xfe0f, KEYCAP = 0x20e3 };

/* utf8proc gives no column to the vowel signs that stand beside a letter (Mc), but terminals do. */
static size_t code_width(uint32_t c)
{
	const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t)c);

	return p->category == UTF8PROC_CATEGORY_MC ? 1 : p->charwidth;
}

static bool joined(uint32_t before, uint32_t c, int32_t *state)
{
	return !utf8proc_grapheme_break_stateful((utf8proc_int32_t)before, (utf8proc_int32_t)c, state);
}

bool text_width_begins(uint32_t c)
{
	return utf8proc_get_property((utf8proc_int32_t)c)->boundclass == UTF8PROC_BOUNDCLASS_OTHER;
}

/* Whether c changes the preceding symbol, digit, # or * to an emoji, which is wide. */
static bool makes_emoji(uint32_t before, uint32_t c)
{
	return c == KEYCAP ? before == EMOJI_STYLE
			   : c == EMOJI_STYLE && utf8proc_get_property((utf8proc_int32_t)before)->boundclass ==
						     UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

#else

/*
 * Returns the width of a character. The table has only combining marks of Latin letters, the wide blocks of Unicode's
 * East Asian Width (UAX #11), and emoji.
 */
static size_t code_width(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c < 0xa0))
		return 0;
	if ((c >= 0x300 && c < 0x370) || (c >= 0x200b && c < 0x2010) || (c >= 0xfe00 && c < 0xfe10))
		return 0;
	if ((c >= 0x1100 && c < 0x1160) || (c >= 0x2e80 && c < 0xa4d0) || (c >= 0xac00 && c < 0xd7a4) ||
	    (c >= 0xf900 && c < 0xfb00) || (c >= 0xfe30 && c < 0xfe70) || (c >= 0xff00 && c < 0xff61) ||
	    (c >= 0x1f300 && c < 0x1fb00) || (c >= 0x20000 && c < 0x3fffe))
		return 2;
	return 1;
}

static bool joined(uint32_t before, uint32_t c, int32_t *state)
{
	(void)before, (void)c, (void)state;
	return false;
}

bool text_width_begins(uint32_t c)
{
	(void)c;
	return true;
}

static bool makes_emoji(uint32_t before, uint32_t c)
{
	(void)before, (void)c;
	return false;
}

#endif

size_t text_width_first(struct str s, size_t *width)
{
	uint32_t before, c;
	int32_t state = 0;
	size_t n = utf8_decode(s, &before), more;

	*width = n ? code_width(before) : 1;
	if (!n)
		return 1;
	for (; n < s.n && (s.p[n] & 0x80); n += more, before = c) { /* ASCII is not joined to preceding characters */
		more = utf8_decode(str_from(s, n), &c);
		if (!more || !joined(before, c, &state))
			break;
		*width = makes_emoji(before, c) ? WIDE : *width + code_width(c);
		*width = *width < WIDE ? *width : WIDE;
	}
	return n;
}

size_t text_width(struct str s)
{
	size_t sum = 0, width;

	while (s.n) {
		s = str_from(s, text_width_first(s, &width));
		sum += width;
	}
	return sum;
}
