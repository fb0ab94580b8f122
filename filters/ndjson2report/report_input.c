#include "report_input.h"

#include "base/err.h"

bool report_input_read(struct report *r, struct input *in)
{
	struct event e;

	while (input_next(in, &e))
		report_take(r, &e, &in->diagnostics, (struct fault_place){in->file, in->line, 0});
	if (!r->has_verdict && !in->failed) {
		warn("no report/verdict in the input; make a report first: trace-report -o ndjson FILE | %s",
		    err_prog());
		in->diagnostics.lost = true;
	}
	return r->has_verdict || r->n_figures || r->n_findings || r->n_sections;
}
