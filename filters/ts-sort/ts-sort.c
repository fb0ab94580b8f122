/*
 * ts-sort: sorts records by ts and writes them unchanged.
 *
 * in:  {"ts":160,"dur":90,"kind":"kernel","name":"gemm"}
 *      {"ts":100,"kind":"mark","name":"begin"}
 *      {"kind":"meta","name":"schemaVersion"}
 *      {"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel"}
 * out: {"kind":"meta","name":"schemaVersion"}
 *      {"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel"}
 *      {"ts":100,"kind":"mark","name":"begin"}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm"}
 */
#include "program/clocks_option.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "merge_inputs.h"
#include "sort_runs.h"

enum { MEMORY = 256 << 20 };

struct ts_sort {
	struct input in;
	size_t memory;       /* -S */
	const char *clocks;  /* --clocks */
	bool merging, force; /* --merge, --force */
};

#define TO(member) OPT_TO(struct ts_sort, member)
static const struct opt options[] = {
    {0, "merge", OPT_FLAG, TO(merging), "merge files that ts-sort has already sorted"},
    {0, "clocks", OPT_TEXT("FILE"), TO(clocks),
	"with --merge: shift the times of each rank to the clock of the lowest\n"
	"rank; FILE is the output of coll-join --write clocks"},
    {0, "force", OPT_FLAG, TO(force),
	"with --clocks: also merge ranks whose clock is unknown (only their base\n"
	"time is added) or not in FILE (their times are unchanged)"},
    {'S', "memory", OPT_SIZE("SIZE", 0), TO(memory),
	"use this much memory for sorting; larger inputs use files in TMPDIR\n"
	"(default 256MiB)"},
    {0},
};

static const struct opt_program program = {
    "Sorts records by ts, then by descending dur; records without a ts come first.",
    "[--merge [--clocks FILE [--force]]] [-S SIZE] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | nvtx-attach | corr-join --sorted",
    .reads = "records",
    .writes = "records",
    .needs = "ts-sort with --merge",
};

static int sort(struct input *in, size_t memory, char **operands, struct out *out)
{
	struct sort_runs *runs = sort_runs_new(memory);
	struct sort_runs_key key;
	struct fault fault;
	struct event e;
	bool good = true;

	input_uses_members(in, UINT32_MAX, RECORD_KEY_MEMBERS);
	filter_open(in, operands, out);
	/* Records without ts are written immediately, so they come first. */
	while (good && input_next(in, &e)) {
		if (record_key(&e, &key))
			good = sort_runs_add(runs, key.ts, key.dur, e.raw, &fault);
		else
			event_copy(out, &e);
	}
	if (!good || !sort_runs_write(runs, out, &fault)) {
		warn_fault(&fault);
		in->failed = true;
	}
	sort_runs_free(runs);
	return filter_close(in);
}

static int merge(struct ts_sort *f, char **operands, struct out *out)
{
	struct merge_inputs m = {.given = &f->in, .force = f->force, .memory = f->memory, .out = out};
	struct clock_file clocks = {.cap = 0};
	int status, written;

	filter_open_output(out);
	if (f->clocks) {
		clocks_option_read(&clocks, f->clocks, &f->in.options, out);
		m.clocks = &clocks;
	}
	status = merge_inputs(&m, operands);
	clock_file_free(&clocks);
	written = filter_close_output(out, NULL);
	return written > status ? written : status;
}

int main(int argc, char **argv)
{
	struct ts_sort f = {.in.times = INPUT_SORTED, .memory = MEMORY};
	const struct opt_table tables[] = {{options, &f, NULL}, INPUT_OPTIONS(&f.in), {0}};
	struct out out;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	if (f.clocks && !f.merging)
		opt_needs("--clocks", "--merge");
	if (f.force && !f.clocks)
		opt_needs("--force", "--clocks");
	return f.merging ? merge(&f, operands, &out) : sort(&f.in, f.memory, operands, &out);
}
