#include "table/text_width.h"

/* wcwidth() is not used, since it depends on a locale. */
#ifdef HAVE_UTF8PROC

#include <utf8proc.h>

static size_t code_width(uint32_t c)
{
	return (size_t)utf8proc_charwidth((utf8proc_int32_t)c);
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

#endif

size_t text_width(struct str s)
{
	size_t width = 0, n;
	uint32_t code;

	for (; s.n; s = str_from(s, n)) {
		n = utf8_decode(s, &code);
		width += n ? code_width(code) : 1;
		n = n ? n : 1;
	}
	return width;
}
