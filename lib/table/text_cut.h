/*
 * text_cut: finds where to cut a text so that it fits in a number of terminal columns, and cuts a text in its middle.
 */
#ifndef TEXT_CUT_H
#define TEXT_CUT_H

#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>

#define TEXT_CUT_ELLIPSIS "\xe2\x80\xa6"

/*
 * A character is a cluster of table/text_width, which is never cut. Returns the length in bytes of the text's first
 * character; 1 if it is not UTF-8.
 */
size_t text_cut_character(struct str s);

/* Returns whether the offset is inside a character, not at its first byte. */
bool text_cut_joined(struct str s, size_t at); /* 0 < at < s.n */
static inline bool text_cut_inside(struct str s, size_t at)
{
	return at && at < s.n && (s.p[at] & 0x80) && text_cut_joined(s, at);
}

/* Returns the largest offset that is at most `width` columns after `at`. */
size_t text_cut_forward(struct str s, size_t at, size_t width);

/* Returns the smallest offset that is at most `width` columns before `at`. */
size_t text_cut_backward(struct str s, size_t at, size_t width);

/* Appends text, cut in the middle to at most `width` columns. */
void text_cut_middle(struct buf *to, struct str s, size_t width);

/* Appends text, cut at its end to at most `width` columns. */
void text_cut_end(struct buf *to, struct str s, size_t width);

#endif
