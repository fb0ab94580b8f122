/*
 * ndjson2html: writes a report as an HTML page: one file, which needs no other file and no network.
 *
 * in:  {"kind":"report/verdict","title":"run.json.gz","text":"Communication is the largest loss"}
 *      {"kind":"report/section","id":"steps","title":"Steps","columns":["step","dur"],"units":["int","time"]}
 *      {"kind":"report/row","section":"steps","step":7,"dur":77529000}
 * out: <!doctype html>... a page with the heading "run.json.gz", the sentence, and a table of one row
 */
#include "page.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/report_input.h"

#include <inttypes.h>

static const struct opt_program program = {
    "Writes a report as an HTML page that needs no other file.",
    "[FILE...]",
    "trace-report -o ndjson run.json.gz | ndjson2html >report.html",
};

/* Prints what is not on the page. */
static void report_loss(const struct page_loss *loss, struct input *in)
{
	if (loss->rows)
		note("%" PRIu64 " table rows left out: the page would be larger than 300 kB", loss->rows);
	if (loss->marks)
		note("%" PRIu64 " marks of pictures left out: the page would be larger than 300 kB", loss->marks);
	if (!loss->items)
		return;
	warn("%" PRIu64 " parts of the report left out: the page would be larger than 300 kB", loss->items);
	in->diagnostics.lost = true;
}

int main(int argc, char **argv)
{
	struct input in = {0};
	const struct opt_table tables[] = {INPUT_OPTIONS(&in), {0}};
	struct report report = {0};
	struct page_loss loss;
	struct buf html = {0};
	struct out out;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	filter_open(&in, operands, &out);
	if (report_input_read(&report, &in)) {
		page_write(&html, &report, &loss);
		out_add(&out, html.p, html.n);
		report_loss(&loss, &in);
	}
	buf_free(&html);
	report_free(&report);
	return filter_close(&in);
}
