/* bars: draws horizontal bars with names on the left and values on the right. */
#ifndef BARS_H
#define BARS_H

#include "picture/page.h"
#include "stats/histogram_bins.h"

struct bar {
	struct label label;
	size_t level; /* in a tree, from 1: the label begins at the left, indented; 0: the label ends at the bar */
	double value, error; /* error: half the length of the error bar; 0 or less: no error bar */
	struct str note;     /* the text at the end of the bar */
	struct str tip;
	enum color color;
};

/* Draws the whole picture. `axis` is the name of the axis, and `unit` that of the values. */
void bars_draw(struct canvas *canvas, struct bar *bars, size_t n, const struct display_unit *unit, struct str title,
    struct str axis);

/*
 * Draws a histogram: a bar for each bin, with the number of its values. `kind` is that of the values; `options` has the
 * units that the user gave.
 */
void bars_draw_bins(struct canvas *canvas, const struct histogram_bins *bins, enum column_kind kind,
    const struct table_options *options, struct str title);

#endif
