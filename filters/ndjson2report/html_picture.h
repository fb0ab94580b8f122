/*
 * html_picture: bars and the pictures of sections, as SVG. Places and widths are attributes in percent, so that a
 * picture fits a page of any width.
 */
#ifndef HTML_PICTURE_H
#define HTML_PICTURE_H

#include "html.h"
#include "page.h"

/*
 * A bar of parts. `whole` is the sum of values that fills the width: the sum of all parts, or that of the longest bar
 * of several. `label` is HTML, the beginning of the title of each part; it may be empty.
 */
void html_stacked_bar(
    struct html *p, const struct page_part *parts, size_t n, double whole, int height, struct str label);

/* The legend of colors; with_share: also the share of each part. */
void html_legend(struct html *p, const struct page_part *parts, size_t n, bool with_share);

/* A single bar. share: 0 to 1 */
void html_bar(struct html *p, enum color color, double share);

/* The picture of a section, and its legend. */
void html_picture(struct html *p, const struct report_section *s);

#endif
