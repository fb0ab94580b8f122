/* terminal: the lines of a terminal: a width, a character set, colors. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "base/mem.h"
#include "picture/color.h"

/* How a part of a line is shown. The style of a color is TERMINAL_COLORS plus the color. */
enum terminal_style {
	TERMINAL_PLAIN,
	TERMINAL_BOLD,
	TERMINAL_SOFT,
	TERMINAL_COLORS,
	TERMINAL_STYLES = TERMINAL_COLORS + COLOR_MEANINGS
};

static inline enum terminal_style terminal_style_of(enum color color)
{
	return (enum terminal_style)(TERMINAL_COLORS + (color < COLOR_MEANINGS ? color : COLOR_NONE));
}

enum { TERMINAL_LEAST_WIDTH = 20 };

/* Call terminal_init() first. */
struct terminal {
	size_t width;
	bool ascii;
	int colors;     /* 0, 16 or 256 */
	struct buf out; /* complete lines */
	size_t lines;   /* number of lines in `out` that count */
	size_t column;  /* number of columns that the current line takes */
	/* private */
	struct buf line;
};

/* Sets the width (default 80), the character set and the number of colors: those of program/tty.h. */
void terminal_init(struct terminal *t);
/* Sets the width; it is at least TERMINAL_LEAST_WIDTH. */
void terminal_set_width(struct terminal *t, size_t width);
void terminal_free(struct terminal *t);

/* Appends text with escapes for the characters that the terminal cannot show. */
void terminal_put(const struct terminal *t, struct buf *to, struct str text);

/* Appends text with a no-break space for each space, so that terminal_wrap() does not break it. */
void terminal_put_unbroken(struct buf *to, struct str text);

/*
 * Adds text to the line. Its characters must be printable; in ASCII, only the ellipsis of table/text_cut may be another
 * character.
 */
void terminal_add(struct terminal *t, enum terminal_style style, struct str text);

/* Adds text that is padded with spaces to `width` columns: at its end, or at its beginning if `right` is set. */
void terminal_add_padded(struct terminal *t, struct str text, size_t width, bool right);

/* Adds text at the right end of the line, or of a new line if it does not fit before the column `end`. */
void terminal_add_at_end(struct terminal *t, enum terminal_style style, struct str text, size_t end);

/* Adds spaces up to a column; none if the line is longer already. */
void terminal_pad_to(struct terminal *t, size_t column);

/*
 * Adds text so that no line exceeds `end` columns; further lines begin with `indent` spaces. The last line is not
 * ended. If the text needs more than `most` lines, it is cut. A space that follows a space is kept if the whole text
 * fits in one line.
 */
void terminal_wrap(
    struct terminal *t, struct str text, enum terminal_style style, size_t end, size_t indent, size_t most);

/* Ends the line; spaces at its end are removed. */
void terminal_end_line(struct terminal *t);

/* Adds a whole line of a grid, which may have a style. */
void terminal_add_line(struct terminal *t, struct str line);

/* Returns the sequence that begins a style; empty if the terminal has no colors. `room` is for its text. */
struct str terminal_style_begin(const struct terminal *t, enum terminal_style style, struct buf *room);
#define TERMINAL_STYLE_END "\033[0m"

/* Adds an empty line, except at the beginning. */
void terminal_gap(struct terminal *t);

/* Drops all lines. */
void terminal_clear(struct terminal *t);

#endif
