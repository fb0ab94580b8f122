/* markdown_page: a report as GitHub Flavored Markdown, in which nothing from a trace is markup. */
#ifndef MARKDOWN_PAGE_H
#define MARKDOWN_PAGE_H

#include "base/mem.h"
#include "report.h"

/*
 * Appends the whole report: verdict, figures, findings, and all sections with all columns and rows. With `commands`,
 * the commands of each section follow it in a code block. The same report gives the same bytes.
 */
void markdown_page_put(struct buf *to, const struct report *r, bool commands);

#endif
