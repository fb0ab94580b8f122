/* html_table: the rows of a section as a table, as a histogram, as a list of terms, or as bars of stacked parts. */
#ifndef HTML_TABLE_H
#define HTML_TABLE_H

#include "html.h"
#include "page.h"

/* The rows of a section in its view; those of view parts, and all rows with `folded`, are a table without bars. */
void html_table(struct html *p, const struct report_section *s, bool folded);

/* A bar of parts for each row, and the legend. */
void html_part_bars(struct html *p, const struct report_section *s);

#endif
