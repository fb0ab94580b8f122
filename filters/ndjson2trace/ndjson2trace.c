/*
 * ndjson2trace: records as a Chrome trace, for ui.perfetto.dev and chrome://tracing.
 *
 * in:  {"ts":12500,"dur":3000,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":9,"delay":400}
 * out: {"traceEvents":[
 *      {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":12.5,"dur":3,
 *       "args":{"stream":7,"correlation":9,"delay":400}},
 *      {"record":null,"ph":"M","name":"process_name","pid":0,"args":{"name":"GPU 0"}}, ...
 *      ]}
 */
#include "record/input.h"
#include "cli/filter.h"
#include "cli/options.h"
#include "json/write.h"
#include "io/child_pipe.h"
#include "chrome_writer.h"

#include <getopt.h>
#include <inttypes.h>

enum { FLOWS = INPUT_OPTION_END };

static const struct opt options[] = {
    {'z', "gzip", NULL, "compress the output with gzip"},
    {FLOWS, "flows", "WHEN", "arrows from calls to device work by corr: always, never, or auto,\n"
			     "for records of other traces than Chrome's, which bring their own (auto)"},
    INPUT_OPTIONS,
    {0},
};

static const struct program program = {
    "Writes records as a Chrome trace, which ui.perfetto.dev and chrome://tracing open.",
    "[-z] [--flows auto|always|never] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | filter-calls --from +2s --to +2.1s | ndjson2trace -z >cut.gz",
    options,
};

static const char *const flows_names[] = {"auto", "always", "never", NULL}; /* as enum trace_flows */

static void tell(const struct chrome_writer *w, const char *prog)
{
	if (w->tracks.late)
		note("%" PRIu64
		     " records are out of ts order: where they cross others of their thread a viewer loses some; "
		     "run: ... | ts-sort | %s",
		    w->tracks.late, prog);
	if (w->tracks.crowded)
		note("%" PRIu64 " records cross others in all %d lanes of their thread: a viewer loses some",
		    w->tracks.crowded, (int)VIEWER_LANES_LANES);
	if (w->timeless)
		note("%" PRIu64 " records have no ts: they are in the trace, but a viewer does not show them", w->timeless);
}

int main(int argc, char **argv)
{
	char gzip[] = "gzip", to_stdout[] = "-c", *const gzip_argv[] = {gzip, to_stdout, NULL};
	struct chrome_writer w = {0};
	struct child_pipe through;
	struct input in = {.times = INPUT_TIMED};
	struct event e;
	struct out out;
	const char *arg;
	bool zipped = false;
	int letter, status, written;

	err_init(argv[0]);
	while ((letter = opt_next(&program, argc, argv, &arg)) != -1) {
		if (letter == 'z')
			zipped = true;
		else if (letter == FLOWS)
			w.flows = (enum trace_flows)opt_choice("--flows", "choice", arg, flows_names);
		else
			input_option(&in, letter, arg);
	}
	opt_need_input(&program, argc, argv);
	if (zipped)
		filter_open_child(&through, gzip_argv, "-z");
	w.out = &out;
	in.reads = chrome_writer_read;
	in.reads_arg = &w;
	filter_open(&in, argv + optind, &out);
	while (input_next(&in, &e))
		chrome_writer_add(&w, &e);
	/* An empty trace is one, but not that of a file that is not there. */
	if (!in.failed || w.events || w.members)
		chrome_writer_end(&w);
	tell(&w, err_prog());
	chrome_writer_free(&w);
	status = filter_close_input(&in);
	written = filter_close_output(&out, zipped ? &through : NULL);
	return written ? STATUS_FAIL : status;
}
