/* text_width: computes the number of terminal columns that a text takes. */
#ifndef TEXT_WIDTH_H
#define TEXT_WIDTH_H

#include "base/str.h"

/*
 * Returns the sum of the widths of all characters: 2 for wide characters of East Asia and emoji, 0 for combining marks
 * and control characters, 1 for all others and for each byte that is not UTF-8. The widths are from libutf8proc if the
 * build has it (UTF8PROC=1), otherwise from a table of the most common blocks.
 */
size_t text_width(struct str s);

#endif
