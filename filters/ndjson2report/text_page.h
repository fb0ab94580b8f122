/* text_page: a report on a terminal, in at most 40 lines. */
#ifndef TEXT_PAGE_H
#define TEXT_PAGE_H

#include "report.h"
#include "terminal.h"

/*
 * Writes the short form of a report to the lines of the terminal. If it needs more than 40 lines, findings and tables
 * have fewer rows, or sections are left out. With `commands`, the commands of each section follow it; their lines are
 * never broken, and do not count.
 */
void text_page_write(struct terminal *t, const struct report *r, bool commands);

#endif
