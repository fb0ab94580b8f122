/* text_cut: where to cut a text to a number of columns of a terminal, and a text cut in its middle. */
#ifndef TEXT_CUT_H
#define TEXT_CUT_H

#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>

#define TEXT_CUT_ELLIPSIS "\xe2\x80\xa6"

/* Bytes of the text's first character; 1 where it is not UTF-8. */
size_t text_cut_character(struct str s);

/* Whether the offset is inside a character, not at its first byte. */
static inline bool text_cut_inside(struct str s, size_t at)
{
	return at && at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80;
}

/* The offset at which `width` columns from `at` on end. */
size_t text_cut_forward(struct str s, size_t at, size_t width);

/* The offset from which up to `width` columns precede `at`. */
size_t text_cut_backward(struct str s, size_t at, size_t width);

/* Appends text with its middle left out, so that it has at most `width` columns. */
void text_cut_middle(struct buf *to, struct str s, size_t width);

#endif
