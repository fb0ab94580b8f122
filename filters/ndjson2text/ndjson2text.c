/*
 * ndjson2text: prints a report (report(5)) on a terminal, or as Markdown.
 *
 * in:  {"kind":"report/verdict","title":"run.json","text":"The GPU waits for the host {share:share} of the time.",
 *      "share":0.76}
 * out: run.json
 *
 *      The GPU waits for the host 76 % of the time.
 */
#include "program/filter.h"
#include "program/input_options.h"
#include "program/report_input.h"
#include "markdown_report.h"
#include "terminal_report.h"

struct ndjson2text {
	bool markdown, commands;
	int64_t width; /* 0: that of the terminal */
	struct input *in;
};

static const char *const formats[] = {"text", "md", NULL};

#define TO(member) OPT_TO(struct ndjson2text, member)
static const struct opt options[] = {
    {'o', "output", OPT_CHOICE("FORMAT", formats), TO(markdown),
	"write text for a terminal (text, default) or Markdown (md)"},
    {0, "width", OPT_COUNT("N", TERMINAL_LEAST_WIDTH), TO(width),
	"use at most N columns for text (default: width of the terminal, or 80)"},
    {0, "commands", OPT_FLAG, TO(commands), "print the commands that compute the figures of each section"},
    {0},
};

static const struct opt_program program = {
    "Prints a report on a terminal, or as Markdown.",
    "[-o FORMAT] [--width N] [--commands] [FILE...]",
    "trace-report -o ndjson run.json.gz | ndjson2text",
};

static void write_text(struct out *out, const struct report *r, const struct ndjson2text *s)
{
	struct terminal t;

	terminal_init(&t);
	if (s->width)
		terminal_set_width(&t, (size_t)s->width);
	terminal_report_write(&t, r, s->commands);
	out_add(out, t.out.p, t.out.n);
	terminal_free(&t);
}

static void write_markdown(struct out *out, const struct report *r, const struct ndjson2text *s)
{
	struct buf text = {0};

	markdown_report_put(&text, r, s->commands);
	out_add(out, text.p, text.n);
	buf_free(&text);
}

int main(int argc, char **argv)
{
	struct input in = {0};
	struct ndjson2text s = {.in = &in};
	const struct opt_table tables[] = {{options, &s, NULL}, INPUT_OPTIONS(&in), {0}};
	struct report report = {0};
	struct out out;
	char **operands;
	int status;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	if (s.markdown && s.width)
		opt_excluded("--output=md", "--width");
	filter_open(&in, operands, &out);
	if (report_input_read(&report, &in)) {
		if (s.markdown)
			write_markdown(&out, &report, &s);
		else
			write_text(&out, &report, &s);
	}
	status = filter_close(&in);
	report_free(&report);
	return status;
}
