/* findings_page: the claims of a report as at most 4096 bytes of NDJSON for programs, the most important first. */
#ifndef FINDINGS_PAGE_H
#define FINDINGS_PAGE_H

#include "report.h"

enum { FINDINGS_MOST = 4096 };

/* Appends all lines. If they exceed FINDINGS_MOST bytes, leaves out the last findings, then the last questions. */
void findings_page_put(struct buf *to, const struct report *r);

#endif
