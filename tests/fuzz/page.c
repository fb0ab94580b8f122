/*
 * fuzz target: the page of any report has one script and one style, no control characters, and at most HTML_PAGE_BYTES
 * bytes. The input is the records of a report, one per line (fuzz.h describes how to run it).
 */
#include "fuzz.h"

#include "json/check.h"
#include "ndjson2report/html_page.h"
#include "samples.h"

#include <stdlib.h>

static void take_line(struct report *r, struct diagnostics *d, struct str line)
{
	struct fault f;

	if (json_check(line, &f))
		report_take(r, line, d, (struct fault_location){"fuzz", 1, 0});
}

static size_t count(struct str text, struct str part)
{
	size_t n = 0, at;

	while ((at = str_find(text, part)) < text.n) {
		text = str_from(text, at + part.n);
		n++;
	}
	return n;
}

static void check_page(struct str page)
{
	size_t i;

	HOLD(page.n <= HTML_PAGE_BYTES);
	HOLD(count(page, STR("<script")) == 1 && count(page, STR("</script")) == 1);
	HOLD(count(page, STR("<style")) == 1 && count(page, STR("</style")) == 1);
	HOLD(count(page, STR("<!--")) == 0);
	for (i = 0; i < page.n; i++)
		HOLD(page.p[i] == '\n' || page.p[i] == '\t' || (unsigned char)page.p[i] >= 0x20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = {(const char *)data, size}, line;
	struct diagnostics d = {0};
	struct report report = {0};
	struct buf html = {0};
	uint64_t left_out;

	while (str_split(&rest, '\n', &line)) {
		const struct str copy = padded_copy(line);

		take_line(&report, &d, copy);
		free((char *)(uintptr_t)copy.p);
	}
	left_out = html_page_put(&html, &report);
	check_page((struct str){html.p, html.n});
	HOLD(!left_out); /* a small report fits */
	buf_free(&html);
	report_free(&report);
	diagnostics_free(&d);
	return 0;
}
