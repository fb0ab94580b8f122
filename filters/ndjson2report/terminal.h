/*
 * terminal: the lines of a terminal: a width, a character set, colors. Until the lines are taken, they are UTF-8, and a
 * no-break space is a space at which terminal_wrap() does not break a line.
 */
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

enum { TERMINAL_LEAST_WIDTH = 20 };

/* Call terminal_init() first. */
struct terminal {
	size_t width;
	bool ascii;
	int colors;     /* 0, 16 or 256 */
	struct buf out; /* complete lines */
	size_t lines;   /* their number */
	size_t column;  /* number of columns that the current line takes */
	/* private */
	struct buf line;
};

/* Sets the width, the character set and the number of colors: those of program/tty.h, unless `width` is not 0. */
void terminal_init(struct terminal *t, size_t width);
void terminal_free(struct terminal *t);

/*
 * Adds text to the line. Its characters must be printable. In ASCII, texts of the report must have been escaped; for an
 * ellipsis and the characters of bars, terminal_finish() writes another character.
 */
void terminal_add(struct terminal *t, enum terminal_style style, struct str text);

/* Adds text so that it ends at a column. If there is no room for it and a space before it, it is in a new line. */
void terminal_add_right(struct terminal *t, enum terminal_style style, struct str text, size_t end);

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

/* Adds an empty line, except at the beginning. */
void terminal_gap(struct terminal *t);

/* Drops all lines. */
void terminal_clear(struct terminal *t);

/* Appends all lines in the characters of the terminal. */
void terminal_finish(struct terminal *t, struct buf *to);

/* Returns the sequence that begins a style; empty if the terminal has no colors. `room` is for its text. */
struct str terminal_style_begin(const struct terminal *t, enum terminal_style style, struct buf *room);
#define TERMINAL_STYLE_END "\033[0m"

#endif
