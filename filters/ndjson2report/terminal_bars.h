/* terminal_bars: draws rows of stacked parts, and the legend of the parts. */
#ifndef TERMINAL_BARS_H
#define TERMINAL_BARS_H

#include "terminal.h"

/* Adds the lines of the legend with the shares: █ compute 60%  ▓ communication 19%. Nothing if there are no parts. */
void terminal_bars_legend(struct terminal *t, const struct report *r);

/* The same with the titles of the parts of a section. */
void terminal_bars_section_legend(struct terminal *t, const struct report_section *s);

/*
 * Adds a line for each of the first `most` rows of a section of view parts: the label, a bar, and the value of the last
 * brief column. The longest bar takes all columns that are left. A last line has the number of further rows.
 */
void terminal_bars_rows(struct terminal *t, const struct report_section *s, size_t most);

#endif
