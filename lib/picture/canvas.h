/*
 * canvas: the marks of a picture. A kind of picture computes its layout once, in the units of the canvas, and draws it
 * through these functions. canvas_cells draws with characters, where a unit is a column or a line of the terminal;
 * ndjson2svg writes SVG, where a unit is a pixel. All coordinates are measured from the left and upper edge.
 */
#ifndef CANVAS_H
#define CANVAS_H

#include "picture/color.h"
#include "base/mem.h"
#include "io/out.h"

enum canvas_anchor { CANVAS_START, CANVAS_MIDDLE, CANVAS_END };

enum canvas_style {
	CANVAS_PLAIN, /* names */
	CANVAS_SOFT,  /* axes, notes */
	CANVAS_TITLE,
	CANVAS_INSIDE, /* a text in a mark, in a color that is readable there */
};

/* The point of a text: `y` is the middle of the line. */
struct canvas_point {
	double x, y;
	enum canvas_anchor anchor;
};

struct canvas_box {
	double x, y, w, h;
};

/* A sector of a ring; angles are shares of the whole circle, clockwise from the top. */
struct canvas_sector {
	double x, y, inner, outer, from, to;
};

struct canvas {
	bool cells;        /* units are columns and lines */
	double width;      /* of the page */
	double height;     /* minimum height of the page; 0: that of the contents */
	const char *title; /* in place of the title of the picture; "": no title; NULL: not given */
	double line;       /* height of a line of text */
	double space;      /* distance between a text and what is next to it */
	double margin;
	const struct canvas_ops *ops;
};

/*
 * All texts are UTF-8 without control characters, except newlines in tips. `tip` is the text that a reader gets by
 * pointing at the mark: the whole name and the exact value; an empty tip is not written.
 */
struct canvas_ops {
	double (*width)(struct str text, enum canvas_style style); /* the width of a text */
	void (*begin)(struct canvas *c, double height, struct str title);
	void (*box)(struct canvas *c, struct canvas_box box, enum color color, struct str tip);
	void (*sector)(struct canvas *c, struct canvas_sector sector, enum color color, struct str tip);
	void (*text)(struct canvas *c, struct canvas_point at, enum canvas_style style, enum color on, struct str text);
	void (*rule)(struct canvas *c, double x0, double y0, double x1, double y1, bool faint); /* a straight line */
	void (*curve)(struct canvas *c, enum color color, struct str tip);                      /* begins a curve */
	void (*point)(struct canvas *c, double x, double y); /* the next point of the curve */
	void (*curve_end)(struct canvas *c);
	void (*raw)(struct canvas *c, struct str text); /* constant text of the format, such as a script */
	void (*end)(struct canvas *c);
};

/*
 * Returns a new canvas of `width` columns that writes to *out. Free it with free(). `ascii`: only ASCII characters are
 * drawn; `colors` is the number of colors of the terminal: 0, 16 or 256.
 */
struct canvas *canvas_cells_new(struct out *out, double width, bool ascii, int colors);

/* Returns the width of a picture for a terminal of that many columns; 0: their number is not known. */
static inline double canvas_terminal_width(int columns)
{
	return !columns ? 80 : columns < 40 ? 40 : columns;
}

static inline double canvas_width(const struct canvas *c, struct str text, enum canvas_style style)
{
	return c->ops->width(text, style);
}

static inline void canvas_text(
    struct canvas *c, double x, double y, enum canvas_anchor anchor, enum canvas_style style, struct str text)
{
	c->ops->text(c, (struct canvas_point){x, y, anchor}, style, COLOR_NONE, text);
}

#endif
