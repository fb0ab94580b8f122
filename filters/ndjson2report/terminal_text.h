/* terminal_text: makes the texts of a report fit for a terminal: expanded, printable, wrapped. */
#ifndef TERMINAL_TEXT_H
#define TERMINAL_TEXT_H

#include "base/escape.h"
#include "report_pieces.h"
#include "terminal.h"

/* Appends text of the report or a name, with escapes for characters that the terminal cannot show. */
static inline void terminal_text_put(struct buf *to, const struct terminal *t, struct str text)
{
	escape_text(to, t->ascii ? ESCAPE_ASCII : ESCAPE_PLAIN, text);
}

/* Appends text with a no-break space for each space, so that terminal_text_wrap() does not break it. */
void terminal_text_unbroken(struct buf *to, struct str text);

/*
 * Appends a text with its placeholders expanded. In numbers and names, a no-break space takes the place of a space, so
 * that terminal_text_wrap() keeps them on one line; names are cut to at most `most` columns.
 */
void terminal_text_expand(
    struct buf *to, const struct terminal *t, const struct report_record *record, struct str text, size_t most);

/*
 * Adds text to the lines of the terminal, beginning at the current column of the current line, so that no line exceeds
 * `end` columns; further lines begin with `indent` spaces. The last line is not ended. If the text needs more than
 * `most` lines, it is cut. A space that follows a space is kept if the whole text fits in one line.
 */
void terminal_text_wrap(
    struct terminal *t, struct str text, enum terminal_style style, size_t end, size_t indent, size_t most);

#endif
