/* escape: texts that people read: hidden characters become visible, and those with a meaning lose it. */
#ifndef ESCAPE_H
#define ESCAPE_H

#include "base/str.h"

/* The language that a text becomes part of. A new one needs a column of the table in escape.c. */
enum escape_target {
	ESCAPE_PLAIN,    /* lines of a terminal in UTF-8, names that are escaped again */
	ESCAPE_ASCII,    /* lines of a terminal in ASCII: "u" for the micro sign; other characters have escapes */
	ESCAPE_XML,      /* elements and quoted attributes; newlines stay */
	ESCAPE_HTML,     /* elements and quoted attributes */
	ESCAPE_MARKDOWN, /* texts of Markdown, except at the beginning of a line */
	ESCAPE_CELL,     /* cells of Markdown tables: only what would break the table or vanish */
	ESCAPE_TARGETS
};

/*
 * Appends a text in which all characters are visible and none has a meaning in the target. An escape as in C (\n, \x1b,
 * \u202e, \U000e0041) replaces each hidden character (utf8_is_hidden()), and U+FFFD bytes that are not UTF-8. Joiners
 * (U+200C, U+200D) stay after a character beyond ASCII, as in Persian words and in emoji.
 */
void escape_text(struct buf *to, enum escape_target target, struct str text);

#endif
