/*
 * ndjson2trace: writes records as a Chrome trace, for ui.perfetto.dev and chrome://tracing.
 *
 * in:  {"ts":12500,"dur":3000,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":9,"delay":400}
 * out: {"traceEvents":[
 *      {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":12.5,"dur":3,
 *       "args":{"stream":7,"correlation":9,"delay":400}},
 *      {"record":null,"ph":"M","name":"process_name","pid":0,"args":{"name":"GPU 0"}}, ...
 *      ]}
 */
#include "program/filter.h"
#include "program/input_options.h"
#include "io/child_pipe.h"
#include "chrome_writer.h"
#include "viewer_lanes.h"

#include <inttypes.h>

struct ndjson2trace {
	enum chrome_writer_flows flows;
	bool gzip;
};

static const char *const flows_names[] = {
    "auto", "always", "never", "collectives", NULL}; /* indexed by enum chrome_writer_flows */

#define TO(member) OPT_TO(struct ndjson2trace, member)
static const struct opt options[] = {
    {'z', "gzip", OPT_FLAG, TO(gzip), "compress the output with gzip"},
    {0, "flows", OPT_CHOICE("WHEN", flows_names), TO(flows),
	"draw arrows from calls to their device work (same corr): always, never\n"
	"or auto: for records that do not come from a Chrome trace (default auto);\n"
	"collectives: arrows between the ranks of a collective (member coll)"},
    {0},
};

static const struct opt_program program = {
    "Writes records as a Chrome trace, which ui.perfetto.dev and chrome://tracing open.",
    "[-z] [--flows auto|always|never|collectives] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | filter-calls --from +2s --until +2.1s | ndjson2trace -z >cut.gz",
    .reads = "records",
    .writes = "trace",
    .needs = "ts order for overlapping records",
};

/* Ends the trace, and reports what is not in it as the user may expect. */
static void end_trace(struct chrome_writer *w, enum chrome_writer_flows flows)
{
	const struct chrome_writer_counts counts = chrome_writer_end(w);

	if (flows == FLOWS_COLLECTIVES && !counts.collectives && chrome_writer_any(w))
		note("no record is in a collective of several ranks (member coll); run: coll-join --write members ... "
		     "| %s",
		    err_prog());
	if (counts.late)
		note(
		    "%" PRIu64
		    " records are not in ts order; viewers may drop those that overlap others; run: ... | ts-sort | %s",
		    counts.late, err_prog());
	if (counts.crowded)
		note("%" PRIu64 " records partly overlap others in all %d lanes of their thread; viewers may drop some",
		    counts.crowded, (int)VIEWER_LANES_MOST);
}

static void note_times(struct input *in, struct event *e)
{
	if (!event_has(e, EVENT_TS) && event_get_kind(e) != KIND_META)
		diagnostics_add(&in->diagnostics, DIAGNOSTICS_NOTE,
		    "record without ts; it is in the trace, but viewers do not show it", input_location(in));
	if (event_has(e, EVENT_DUR) && e->dur < 0)
		diagnostics_add(
		    &in->diagnostics, DIAGNOSTICS_NOTE, "negative dur; the event has dur 0", input_location(in));
}

int main(int argc, char **argv)
{
	char gzip[] = "gzip", to_stdout[] = "-c", *const gzip_argv[] = {gzip, to_stdout, NULL};
	struct ndjson2trace f = {.gzip = false};
	struct chrome_writer *w;
	struct child_pipe through;
	struct input in = {.times = INPUT_TIMED};
	const struct opt_table tables[] = {{options, &f, NULL}, INPUT_OPTIONS(&in), {0}};
	struct event e;
	struct out out;
	char **operands;
	int status, written;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	if (f.gzip)
		filter_open_child(&through, gzip_argv, "-z");
	w = chrome_writer_new(&out, f.flows);
	input_uses_members(&in, UINT32_MAX, 1u << EVENT_KIND);
	filter_open(&in, operands, &out);
	while (input_next(&in, &e)) {
		chrome_writer_read(w, &e);
		if (!input_valid(&in, &e))
			continue;
		note_times(&in, &e);
		chrome_writer_add(w, &e);
	}
	/* An empty input gives an empty trace. A file that cannot be opened gives no trace. */
	if (!in.failed || chrome_writer_any(w))
		end_trace(w, f.flows);
	chrome_writer_free(w);
	status = filter_close_input(&in);
	written = filter_close_output(&out, f.gzip ? &through : NULL);
	return written ? STATUS_FAIL : status;
}
