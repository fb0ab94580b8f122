/* markdown_report: prints a report as GitHub Flavored Markdown. */
#ifndef MARKDOWN_REPORT_H
#define MARKDOWN_REPORT_H

#include "base/mem.h"
#include "report.h"

/*
 * Appends the whole report: verdict, figures, findings, and all sections with all columns and rows. With `commands`,
 * the commands of each section follow it in a code block. The same report gives the same bytes.
 */
void markdown_report_put(struct buf *to, const struct report *r, bool commands);

#endif
