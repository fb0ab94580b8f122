/* text_width: how many columns of a terminal a text takes. */
#ifndef TEXT_WIDTH_H
#define TEXT_WIDTH_H

#include "base/str.h"

/*
 * The sum over the characters: 2 for wide ones of East Asia and emoji, 0 for combining marks and controls, 1 for others
 * and for each byte that is not UTF-8. From libutf8proc (UTF8PROC=1), else from the most common blocks.
 */
size_t text_width(struct str s);

#endif
