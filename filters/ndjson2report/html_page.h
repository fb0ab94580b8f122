/*
 * page: one HTML file with a report. It makes no request, works without its script, and needs less than HTML_PAGE_BYTES
 * whatever the report holds.
 */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include "base/mem.h"
#include "report.h"

enum { HTML_PAGE_BYTES = 300000 };

/* The parts of a report that are not on a page because there is no room. */
struct html_loss {
	uint64_t items; /* facts, figures, findings, sections and rows that the page does not show */
	uint64_t rows;  /* rows that a table does not show, with a sentence after it that says so */
	uint64_t marks; /* marks that a picture does not show; likewise */
};

/*
 * Appends the page of a report. The same report gives the same bytes. If the page would be too
 * large, its names and texts are cut and its tables are shortened, as little as is needed.
 */
void html_page_put(struct buf *html, const struct report *report, struct html_loss *loss);

#endif
