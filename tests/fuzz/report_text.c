/*
 * fuzz target: any report as text has at most 40 lines, no line is wider than the terminal, and neither text nor
 * Markdown has control characters. The first byte of the input is the width and the character set; the records of a
 * report follow, one per line (fuzz.h describes how to run it).
 */
#include "fuzz.h"

#include "json/check.h"
#include "ndjson2report/markdown_page.h"
#include "ndjson2report/text_page.h"
#include "samples.h"
#include "table/text_width.h"

#include <stdlib.h>

static void take_line(struct report *r, struct diagnostics *d, struct str line)
{
	struct fault f;

	if (json_check(line, &f))
		report_take(r, line, d, (struct fault_location){"fuzz", 1, 0});
}

static void check_characters(struct str text, bool ascii)
{
	uint32_t code;
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		n = utf8_decode(text, &code);
		HOLD(n && (code == '\n' || !utf8_is_hidden(code)));
		HOLD(!ascii || code < 0x80);
	}
}

static void check_text(const struct report *r, bool ascii, size_t width)
{
	struct terminal t = {.width = width, .ascii = ascii};
	struct str rest, line;

	struct buf text = {0};

	text_page_write(&t, r, false);
	terminal_finish(&t, &text);
	rest = buf_str(&text);
	check_characters(rest, ascii);
	HOLD(t.lines <= 40);
	while (str_split(&rest, '\n', &line))
		HOLD(text_width(line) <= width);
	terminal_clear(&t);
	text.n = 0;
	text_page_write(&t, r, true);
	terminal_finish(&t, &text);
	check_characters(buf_str(&text), false);
	terminal_free(&t);
	buf_free(&text);
}

static void check_markdown(const struct report *r)
{
	struct buf text = {0};

	markdown_page_put(&text, r, true);
	check_characters((struct str){text.p, text.n}, false);
	buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = {(const char *)data + (size > 0), size - (size > 0)}, line;
	struct diagnostics d = {0};
	struct report report = {0};

	while (str_split(&rest, '\n', &line)) {
		const struct str copy = padded_copy(line);

		take_line(&report, &d, copy);
		free((char *)(uintptr_t)copy.p);
	}
	check_text(&report, size && data[0] & 1, TERMINAL_LEAST_WIDTH + (size ? data[0] / 2 : 0));
	check_markdown(&report);
	report_free(&report);
	diagnostics_free(&d);
	return 0;
}
