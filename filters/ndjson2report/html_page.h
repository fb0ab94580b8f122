/*
 * html_page: one HTML file with a report. It makes no request, works without its script, and needs less than
 * HTML_PAGE_BYTES whatever the report holds.
 */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include "html.h"
#include "report.h"

enum { HTML_PAGE_BYTES = 300000 };

/*
 * Appends the page of a report. The same report gives the same bytes. If the page would be too large, its names and
 * texts are cut and its tables are shortened, as little as is needed; then, blocks at its end are left out.
 * Returns their number.
 */
uint64_t html_page_put(struct buf *to, const struct report *report);

#endif
