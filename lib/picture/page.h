/* page: the page of a picture: its title, the height of its rows, its legend, and axes with round numbers at ticks. */
#ifndef PAGE_H
#define PAGE_H

#include "picture/labels.h"
#include "picture/display_unit.h"

/*
 * Begins the page with a title, which is `title` unless canvas.title is set. page_top() returns the height of the
 * title.
 */
void page_begin(struct canvas *c, double height, struct str title);
double page_top(const struct canvas *c);

/* Returns the height for n rows: `height` for each, or what fits on a page of canvas.height beside `rest`. */
double page_row(const struct canvas *c, size_t n, double height, double rest);

/* The entries of a legend. */
struct page_legend {
	struct label *labels; /* with their colors */
	const enum color *colors;
	size_t n;
	bool curves; /* the colors are those of curves */
};

/* Return the height of a legend, which is 0 without entries, and draw it at y. */
double page_legend_height(struct canvas *c, const struct page_legend *legend);
void page_legend_draw(struct canvas *c, const struct page_legend *legend, double y);

/* --- axes --- */

struct axis {
	struct display_unit unit;
	double low, high; /* limits of the values, low < high */
	double from, to;  /* their coordinates */
	double step;      /* distance of the ticks, as a value; 1, 2 or 5 times a power of ten in the unit */
	bool powers;      /* the values are logarithms: ticks have powers of ten */
};

/*
 * Returns an axis for values from low to high. `room` is the minimum distance of two ticks on the canvas; `whole`: the
 * values are integers, so the ticks are too. If low == high, the axis ends one unit after low.
 */
struct axis axis_of(
    const struct display_unit *m, double low, double high, double from, double to, double room, bool whole);

/* Returns an axis for the logarithms from low to high, which are integers. */
struct axis axis_of_powers(double low, double high, double from, double to, double room);

static inline double axis_at(const struct axis *a, double v)
{
	return a->from + (v - a->low) / (a->high - a->low) * (a->to - a->from);
}

/* Returns a width for `room`: that of the longest text at a tick of an axis with these limits. */
double axis_room(const struct canvas *c, const struct display_unit *m, double low, double high);

/*
 * Draws a horizontal axis at y = `bottom` with faint lines up to `top`, and the name with its unit below it. With
 * `both`, also writes the numbers above `top`. axis_height() returns the height that is needed below `bottom`.
 */
void axis_draw_across(struct canvas *c, const struct axis *a, double top, double bottom, struct str name, bool both);
double axis_height(const struct canvas *c);

/* Draws a vertical axis at x = `left` with faint lines to `right`; the name is written above the axis. */
void axis_draw_upright(struct canvas *c, const struct axis *a, double left, double right, struct str name);

/*
 * The place of a picture with two axes between the title and the legend, which may be empty. page_plot_of() sets the
 * limits at the top, bottom and right; `height` is that of a page without a height of its own, without the legend.
 * page_plot_axes() sets the left limit, and both axes for values from x[0] to x[1] and y[0] to y[1]; `whole`: the
 * values of y are integers. page_plot_begin() begins the page, and draws the legend and the axes with their names.
 */
struct page_plot {
	double top, bottom, left, right;
	struct axis x, y;
};
struct page_plot page_plot_of(struct canvas *c, const struct page_legend *legend, double height);
void page_plot_axes(struct canvas *c, struct page_plot *p, const struct display_unit *x_unit, const double x[2],
    const struct display_unit *y_unit, const double y[2], bool whole);
void page_plot_begin(struct canvas *c, const struct page_plot *p, const struct page_legend *legend, struct str title,
    struct str x_name, struct str y_name);

#endif
