/* terminal: the lines of a terminal: a width, a character set, colors. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "base/mem.h"
#include "report.h"

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
	/* private */
	struct buf line;
	size_t column; /* number of columns that `line` takes */
};

/* Sets the width (default 80), the character set and the number of colors: those of program/tty.h. */
void terminal_init(struct terminal *t);
/* Sets the width; it is at least TERMINAL_LEAST_WIDTH. */
void terminal_set_width(struct terminal *t, size_t width);
void terminal_free(struct terminal *t);

/*
 * Appends text to the line. Its characters must be printable; in ASCII, only the ellipsis of table/text_cut may be
 * another character.
 */
void terminal_add(struct terminal *t, struct str text);
void terminal_add_styled(struct terminal *t, enum terminal_style style, struct str text);

/* Appends text that is padded with spaces to `width` columns: at its end, or at its beginning if `right` is set. */
void terminal_add_padded(struct terminal *t, struct str text, size_t width, bool right);

/* Appends spaces up to a column; none if the line is longer already. */
void terminal_pad_to(struct terminal *t, size_t column);

/* Ends the line; spaces at its end are removed. */
void terminal_end_line(struct terminal *t);

/* Adds an empty line, except at the beginning. */
void terminal_gap(struct terminal *t);

/* Drops all lines. */
void terminal_clear(struct terminal *t);

#endif
