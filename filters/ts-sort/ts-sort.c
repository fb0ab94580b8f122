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
#include "base/heap.h"
#include "cli/filter.h"
#include "cli/input_options.h"
#include "sort_runs.h"
#include "io/temp_file.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MEMORY = 256 << 20 };

struct ts_sort {
	struct input in;
	size_t memory; /* -S */
	bool merging;
};

#define TO(member) OPT_TO(struct ts_sort, member)
static const struct opt options[] = {
    {0, "merge", OPT_FLAG, TO(merging), "merge files that ts-sort has already sorted"},
    {'S', "memory", OPT_SIZE("SIZE", 0), TO(memory),
	"use this much memory for sorting; larger inputs use files in TMPDIR\n"
	"(default 256MiB)"},
    {0},
};

static const struct opt_program program = {
    "Sorts records by ts, then by descending dur; records without a ts come first.",
    "[--merge] [-S SIZE] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | nvtx-attach | corr-join --sorted",
};

/* Sets *key to the sort key of the record; returns false when the record has no ts. */
static bool get_key(struct event *e, struct sort_runs_key *key)
{
	if (!event_get(e, EVENT_TS).p)
		return false;
	key->ts = e->ts;
	key->dur = event_get(e, EVENT_DUR).p ? e->dur : 0;
	return true;
}

/* For input.reads: reads ts and dur. */
static void read_times(void *arg, struct event *e)
{
	struct sort_runs_key ignored;

	(void)arg;
	get_key(e, &ignored);
}

/* --- sorting --- */

/* Records without ts are written immediately, so they come first. */
static bool take_all(struct sort_runs *runs, struct input *in, struct out *out, struct fault *f)
{
	struct event e;
	struct sort_runs_key key;

	while (input_next(in, &e)) {
		if (!get_key(&e, &key))
			event_copy(out, &e);
		else if (!sort_runs_add(runs, key.ts, key.dur, e.raw, f))
			return false;
	}
	return true;
}

static int sort(struct input *in, size_t memory, char **operands, struct out *out)
{
	struct sort_runs *runs = sort_runs_new(memory);
	struct fault fault;

	filter_open(in, operands, out);
	if (!take_all(runs, in, out, &fault) || !sort_runs_write(runs, out, &fault)) {
		warn_fault(&fault);
		in->failed = true;
	}
	sort_runs_free(runs);
	return filter_close(in);
}

/* --- merging --- */

struct merge_input {
	struct input in;
	struct event e; /* the next record */
	struct sort_runs_key key;
	char *operand[2];
};

enum next { END, WITHOUT_TS, NEXT, DISORDER };

/*
 * Reads the next record of the source. In each source, all records without ts must precede those with ts. `timed`: a
 * record with ts has already been read.
 */
static enum next next(struct merge_input *s, bool timed)
{
	struct sort_runs_key before = s->key;

	if (!input_next(&s->in, &s->e))
		return END;
	if (!get_key(&s->e, &s->key))
		return timed ? DISORDER : WITHOUT_TS;
	return timed && sort_runs_key_before(&s->key, &before) ? DISORDER : NEXT;
}

static void report_disorder(struct merge_input *s)
{
	warn("%s:%" PRIu64 ": not in the order of ts-sort; run ts-sort without --merge", s->in.file, s->in.line);
	s->in.failed = true;
}

/*
 * Writes the records without ts, one source after the other, and puts the key of the next record of each source into
 * the heap `keys`. Returns the number of keys.
 */
static size_t begin_merge(struct merge_input *list, size_t n, struct sort_runs_key *keys, struct out *out)
{
	enum next what;
	size_t i, n_keys = 0;

	for (i = 0; i < n; i++) {
		while ((what = next(&list[i], false)) == WITHOUT_TS)
			event_copy(out, &list[i].e);
		list[i].key.source = i;
		if (what != NEXT)
			continue;
		keys[n_keys++] = list[i].key;
		heap_sift_up(keys, n_keys, sizeof *keys, sort_runs_key_before);
	}
	return n_keys;
}

static void merge_loop(struct merge_input *list, struct sort_runs_key *keys, size_t n, struct out *out)
{
	struct merge_input *s;
	enum next what;

	while (n && !out->error) {
		s = &list[keys[0].source];
		event_copy(out, &s->e);
		what = next(s, true);
		if (what == DISORDER) {
			report_disorder(s);
			break;
		}
		keys[0] = what == NEXT ? s->key : keys[--n];
		heap_sift_down(keys, n, sizeof *keys, sort_runs_key_before);
	}
}

static int merge(const struct input *given, char **operands, struct out *out)
{
	static char dash[] = "-";
	size_t n = 0, i;
	struct sort_runs_key *keys;
	struct merge_input *list;
	int status = STATUS_OK, one;

	while (operands[n])
		n++;
	n = n ? n : 1;
	list = mem_zero(n, sizeof *list);
	keys = mem_zero(n, sizeof *keys);
	filter_open_output(out);
	for (i = 0; i < n; i++) {
		list[i].in = *given;
		list[i].in.report = filter_report;
		list[i].operand[0] = operands[0] ? operands[i] : dash;
		input_open(&list[i].in, list[i].operand, out);
	}
	merge_loop(list, keys, begin_merge(list, n, keys, out), out);
	for (i = 0; i < n; i++) {
		one = filter_close_input(&list[i].in);
		status = one > status ? one : status;
	}
	free(keys);
	free(list);
	one = filter_close_output(out, NULL);
	return one > status ? one : status;
}

int main(int argc, char **argv)
{
	struct ts_sort f = {
	    .in = {.times = INPUT_SORTED, .reads = read_times, .enough = 1u << EVENT_TS | 1u << EVENT_DUR},
	    .memory = MEMORY};
	const struct opt_table tables[] = {{options, &f, NULL}, INPUT_OPTIONS(&f.in), {0}};
	struct out out;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	return f.merging ? merge(&f.in, operands, &out) : sort(&f.in, f.memory, operands, &out);
}
