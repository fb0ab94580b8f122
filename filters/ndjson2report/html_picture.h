/* html_picture: the bars and pictures of a page, as SVG. Places and widths are in percent: a picture fits any page. */
#ifndef HTML_PICTURE_H
#define HTML_PICTURE_H

#include "blocks.h"
#include "html.h"

/* A bar of parts. Its label is the beginning of the title of each part. */
void html_stacked_bar(struct html *p, const struct block *block, const struct block_bar *bar, int height);

/* The legend of parts. Parts with a share show it. */
void html_legend(struct html *p, const struct block_part *parts, size_t n);

/* The picture of a section, and its legend. */
void html_picture(struct html *p, const struct block *block);

#endif
