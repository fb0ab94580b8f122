/*
 * ndjson2report: prints a report (report(5)) on a terminal, as Markdown, or as an HTML page.
 *
 * in:  {"kind":"report/verdict","title":"run.json","text":"The GPU waits for the host {share:share} of the time.",
 *      "share":0.76}
 * out: run.json
 *
 *      The GPU waits for the host 76 % of the time.
 */
#include "program/filter.h"
#include "program/input_options.h"
#include "html_page.h"
#include "markdown_page.h"
#include "terminal.h"
#include "text_page.h"

#include <inttypes.h>

struct ndjson2report {
	enum { FORMAT_TEXT, FORMAT_MD, FORMAT_HTML, FORMAT_FINDINGS } format;
	bool commands;
	int64_t width; /* 0: that of the terminal */
};

static const char *const formats[] = {"text", "md", "html", "findings", NULL};

#define TO(member) OPT_TO(struct ndjson2report, member)
static const struct opt options[] = {
    {'o', "output", OPT_CHOICE("FORMAT", formats), TO(format),
	"write text for a terminal (text, default), Markdown (md), a page (html)\n"
	"or NDJSON for programs (findings)"},
    {0, "width", OPT_COUNT("N", TERMINAL_LEAST_WIDTH), TO(width),
	"use at most N columns for text (default: width of the terminal, or 80)"},
    {0, "commands", OPT_FLAG, TO(commands), "print the commands that compute the figures; html always has them"},
    {0},
};

static const struct opt_program program = {
    "Prints a report on a terminal, as Markdown, or as an HTML page that needs no other file.",
    "[-o FORMAT] [--width N] [--commands] [FILE...]",
    "trace-report -o ndjson run.json.gz | ndjson2report -o html >report.html",
    .reads = "records; those of report(5)",
    .needs = "trace-report",
};

static void write_text(struct buf *to, const struct report *r, const struct ndjson2report *s)
{
	struct terminal t;

	terminal_init(&t, (size_t)s->width);
	text_page_write(&t, r, s->commands);
	terminal_finish(&t, to);
	terminal_free(&t);
}

static void write_html(struct buf *to, const struct report *r, struct input *in)
{
	const uint64_t left_out = html_page_put(to, r);

	if (!left_out)
		return;
	warn("%" PRIu64 " parts of the report left out: the page would be larger than 300 kB", left_out);
	in->diagnostics.lost = true;
}

int main(int argc, char **argv)
{
	struct input in = {0};
	struct ndjson2report s = {0};
	const struct opt_table tables[] = {{options, &s, NULL}, INPUT_OPTIONS(&in), {0}};
	struct report report = {0};
	struct buf text = {0};
	struct out out;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	if (s.format != FORMAT_TEXT && s.width)
		opt_excluded(s.format == FORMAT_MD     ? "--output=md"
			     : s.format == FORMAT_HTML ? "--output=html"
						       : "--output=findings",
		    "--width");
	filter_open(&in, operands, &out);
	if (report_read(&report, &in)) {
		if (s.format == FORMAT_HTML)
			write_html(&text, &report, &in);
		else if (s.format == FORMAT_FINDINGS)
			claims_put(&text, &report.claims);
		else if (s.format == FORMAT_MD)
			markdown_page_put(&text, &report, s.commands);
		else
			write_text(&text, &report, &s);
		out_add(&out, text.p, text.n);
	}
	buf_free(&text);
	report_free(&report);
	return filter_close(&in);
}
