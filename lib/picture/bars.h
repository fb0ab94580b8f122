/* bars: draws horizontal bars with names on the left and values on the right. */
#ifndef BARS_H
#define BARS_H

#include "picture/axis.h"
#include "picture/page.h"

struct bar {
	struct label label;
	double value, error; /* error: half the length of the error bar; negative: no error bar */
	struct str note;     /* the text at the end of the bar */
	struct str tip;
	enum color color;
};

/* Draws the whole picture. `axis` is the name of the axis, and `measure` the unit of the values. */
void bars_draw(struct canvas *canvas, struct bar *bars, size_t n, const struct measure *measure, struct str title,
    struct str axis);

#endif
