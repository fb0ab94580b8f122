/* text_width: computes the number of terminal columns that a text takes. */
#ifndef TEXT_WIDTH_H
#define TEXT_WIDTH_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns the number of columns that a text takes in a terminal: 2 for each wide character of East Asia and each emoji,
 * 0 for combining marks and control characters, 1 for all other characters and for each byte that is not UTF-8.
 *
 * With libutf8proc (UTF8PROC=1), the widths are those of all characters, and characters that users see as one (a
 * grapheme cluster, such as joined emoji, a flag, or a letter with vowel signs) take the sum of their widths, but at
 * most 2 columns. Without it, the widths are from a table of the most common blocks, and characters are never joined.
 */
size_t text_width(struct str s);

/* Returns the length in bytes of the first cluster of a text that is not empty, and sets *width to its columns. */
size_t text_width_first(struct str s, size_t *width);

/* Returns whether a character begins a cluster after almost every other character. */
bool text_width_begins(uint32_t c);

#endif
