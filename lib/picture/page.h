/* page: the page of a picture: its title, the height of its rows, its legend. */
#ifndef PAGE_H
#define PAGE_H

#include "picture/labels.h"

/*
 * Begins the page with a title, which is `title` unless canvas.title is set. page_top() returns the height of the title.
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

/* Return the height of a legend, and draw it at y. */
double page_legend_height(struct canvas *c, const struct page_legend *legend);
void page_legend_draw(struct canvas *c, const struct page_legend *legend, double y);

#endif
