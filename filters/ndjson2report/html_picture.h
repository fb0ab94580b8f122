/* html_picture: the bars and pictures of a page, as SVG. Places and widths are in percent: a picture fits any page. */
#ifndef HTML_PICTURE_H
#define HTML_PICTURE_H

#include "blocks.h"
#include "html.h"

/* The bar of a row. The title of each part begins with the first cell of the row, unless the bar precedes it. */
void html_bar(struct html *p, const struct block *block, const struct block_row *row, int height);

void html_legend(struct html *p, const struct report_part *parts, size_t n, bool with_shares);

/* The picture of a section, and its legend. */
void html_picture(struct html *p, const struct block *block);

#endif
