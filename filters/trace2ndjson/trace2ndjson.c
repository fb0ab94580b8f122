/*
 * trace2ndjson: converts a trace of any format to event records, one JSON object per line (events.5).
 *
 * in:  {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":12.5,"dur":3,"args":{"stream":7,"correlation":9}}
 * out: {"ts":12500,"dur":3000,"kind":"kernel","name":"gemm","cat":"kernel","dev":0,"stream":7,"corr":9,"args":{...}}
 */
#include "kept_args.h"
#include "nsys_export.h"
#include "cli/filter.h"
#include "cli/input_options.h"
#include "progress.h"
#include "recognise.h"
#include "relative.h"
#include "same_run.h"
#include "sorter.h"
#include "tags.h"

#include <stdlib.h>

#define ALL_KINDS ((1u << KIND_N) - 1)

enum { PROBE = 64 * 1024, SET = 256, CAPTURE, RELATIVE, FORMATS, NO_ARGS, KEEP_ARGS };

struct trace2ndjson {
	struct out out;
	struct diagnostics diagnostics;
	struct progress progress;
	enum recognise_format format; /* the value of -F; RECOGNISE_N: the format of each file is recognised */
	void *runs[RECOGNISE_N];      /* memory that each format keeps for all files */
	struct input_options options;
	uint32_t kinds;
	uint32_t bare;         /* the kinds of records that are written without args and src, as bits */
	struct kept_args kept; /* the members of args that records of these kinds keep */
	struct tags *tags;
	struct relative relative;
	struct fault_place waiting_at; /* place of the last record that waited for the origin */
	enum progress_when progress_when;
	bool failed, sorting;
};

#define TO(member) OPT_TO(struct trace2ndjson, member)
static const struct opt options[] = {
    {'F', "format", OPT_CHOICE("FORMAT", recognise_names), TO(format), "input format (default: recognised by content)"},
    {'k', "kind", OPT_SET("KIND,...", event_kind_names), TO(kinds),
	"write only records of these kinds (faster than filter-calls -k)"},
    {NO_ARGS, "no-args", OPT_SET_OPTIONAL("KIND,...", event_kind_names), OPT_TAKE,
	"leave out the members args and src, of records of these kinds\n(default: of all kinds)"},
    {KEEP_ARGS, "keep-args", OPT_TEXT("NAME,..."), OPT_TAKE,
	"with --no-args: keep the members of args with these names; a name with a\n"
	"comma is written in double quotes"},
    {SET, "set", OPT_TEXT("NAME=VALUE"), OPT_TAKE, "set the member NAME of every record to VALUE"},
    {CAPTURE, "capture", OPT_TEXT("NAME=REGEX"), OPT_TAKE,
	"set the member NAME to the text that the (group) in REGEX matches in\n"
	"the name of the file"},
    {0, "sort", OPT_FLAG, TO(sorting), "write the records in ts order (runs ts-sort)"},
    {RELATIVE, "relative", OPT_STAMP_OPTIONAL("T"), OPT_TAKE,
	"write ts relative to T (default: the first ts in the input);\na meta record named origin holds the T that was "
	"used"},
    {FORMATS, "formats", OPT_FLAG, OPT_TAKE, "list the formats and exit"},
    {0, "progress", OPT_CHOICE("WHEN", progress_names), TO(progress_when),
	"show progress on standard error: auto, always or never (default auto)"},
    {0},
};

static const struct opt_program program = {
    .brief = "Writes the events of a trace as records, one JSON object per line.",
    .synopsis = "[-F FORMAT] [-k KIND,...] [--no-args[=KIND,...] [--keep-args NAME,...]] [--set NAME=VALUE]... "
		"[--capture NAME=REGEX]... [--sort] [--relative[=T]] [FILE...]",
    .example = "trace2ndjson run.pt.trace.json.gz | filter-calls -k kernel | groupby -g name -o table",
};

/*
 * Returns the format of the content of src; RECOGNISE_N when it is unknown. Decides as soon as one line has been read,
 * so that the records of a live stream are written without delay.
 */
static enum recognise_format recognise(struct trace2ndjson *j, struct source *src, const char *file)
{
	enum recognise_format format = RECOGNISE_N;
	struct fault_place start = {file, 0, 0};
	struct str head, text;
	size_t mark;
	bool more;

	do {
		more = src->n < PROBE && source_more(src) > 0;
		head = str_head((struct str){src->p, src->n}, PROBE);
		mark = recognise_mark(head);
		text = str_trim(str_from(head, mark));
		if (text.n && (!more || memchr(head.p, '\n', head.n)))
			format = j->format < RECOGNISE_N ? j->format : recognise_head(head);
	} while (more && format == RECOGNISE_N);
	if (format < RECOGNISE_N && !recognise_formats[format]->binary && mark) {
		source_skip(src, mark);
		diagnostics_add(&j->diagnostics, DIAGNOSTICS_REPAIRED, repair_text(REPAIR_BOM), start);
	}
	return format;
}

/* Counts content of an unknown format as lost; one_file() reports read errors. */
static void report_unknown(struct trace2ndjson *j, const struct source *src)
{
	const struct str head = str_head((struct str){src->p, src->n}, PROBE);
	const struct str text = str_trim(str_from(head, recognise_mark(head)));

	if (!src->fault.error)
		diagnostics_add(&j->diagnostics, DIAGNOSTICS_LOST, text.n ? recognise_guess(text) : "empty input",
		    (struct fault_place){src->file, 0, 0});
}

_Noreturn static void list_formats(void)
{
	struct out o;

	out_open(&o);
	recognise_list(&o);
	quit(filter_close_output(&o, NULL));
}

static void take_option(void *arg, const struct opt_value *v)
{
	struct trace2ndjson *j = arg;

	switch (v->opt->letter) {
	case SET:
	case CAPTURE:
		tags_add(j->tags, v->text, v->opt->letter == CAPTURE);
		break;
	case RELATIVE:
		j->relative.on = true;
		j->relative.known = v->text;
		j->relative.origin = v->number;
		break;
	case NO_ARGS:
		j->bare |= v->text ? (uint32_t)v->number : ALL_KINDS;
		break;
	case KEEP_ARGS:
		kept_args_add(&j->kept, v->option, v->text);
		break;
	case FORMATS:
		list_formats();
	}
}

/* Returns true for records of the selected kinds. Readers may leave out other records, but need not. */
static bool is_wanted(const struct trace2ndjson *j, struct event *e)
{
	enum event_kind k;

	if (j->kinds == ALL_KINDS)
		return true;
	k = event_get_kind(e);
	return k < KIND_N && (j->kinds >> k & 1);
}

static bool idle(void *arg)
{
	struct trace2ndjson *j = arg;

	return out_flush(&j->out);
}

/* Sets the members that the options and the rank of the trace add to each record, and shortens args for --no-args. */
static void set_members(struct trace2ndjson *j, const struct reader *r, struct event *e)
{
	if (j->bare == ALL_KINDS || (j->bare && event_get_kind(e) < KIND_N && j->bare >> event_get_kind(e) & 1))
		kept_args_apply(&j->kept, r->unkept, e);
	if (r->rank.p && !event_has(e, EVENT_RANK))
		event_set(e, EVENT_RANK, r->rank);
	tags_put(j->tags, e);
}

/* Writes a record with its times relative to the origin, or counts it as lost. */
static void write_relative(struct trace2ndjson *j, struct fault_place at, struct event *e)
{
	switch (relative_shift(&j->relative, e)) {
	case RELATIVE_BEYOND:
		diagnostics_add(&j->diagnostics, DIAGNOSTICS_LOST,
		    "ts or api.ts minus the origin does not fit in 64 bits; record skipped", at);
		return;
	case RELATIVE_ODD:
		diagnostics_add(
		    &j->diagnostics, DIAGNOSTICS_NOTE, "ts is not an integer number of ns; treated as absent", at);
		break;
	case RELATIVE_DONE:
		break;
	}
	event_write(&j->out, e);
}

/*
 * Writes the record that holds the origin, even if its kind is not selected. It belongs to no file, so --capture sets
 * no members of it.
 */
static void write_origin(struct trace2ndjson *j)
{
	struct event e;

	tags_begin(j->tags, NULL);
	relative_make_record(&j->relative, &e);
	tags_put(j->tags, &e);
	event_write(&j->out, &e);
}

/* Writes the origin and the records that waited for it. */
static void begin_relative(struct trace2ndjson *j)
{
	struct event *waiting;
	size_t i;

	write_origin(j);
	for (i = 0; (waiting = relative_waiting(&j->relative, i)); i++)
		write_relative(j, j->waiting_at, waiting);
}

/*
 * Writes the record, or stores it until the origin is known. Until then the reader returns records of all kinds, so
 * that the origin does not depend on the selected kinds.
 */
static void convert_relative(struct trace2ndjson *j, struct reader *r, struct event *e)
{
	const struct fault_place at = {r->file, r->line, r->line ? 0 : r->src->offset};
	struct event original;

	if (!j->relative.known) {
		original = *e;
		set_members(j, r, e);
		if (!relative_find(&j->relative, e)) {
			if (!is_wanted(j, e))
				return;
			if (relative_must_wait(&j->relative, e)) {
				relative_hold(&j->relative, e);
				j->waiting_at = at;
			} else {
				write_relative(j, at, e);
			}
			return;
		}
		begin_relative(j);
		tags_begin(j->tags, r->path);
		r->kinds = j->kinds;
		*e = original; /* begin_relative() overwrote the attachments from set_members() */
	}
	if (!is_wanted(j, e))
		return;
	set_members(j, r, e);
	write_relative(j, at, e);
}

static void convert(
    struct trace2ndjson *j, struct source *src, const char *path, const char *file, enum recognise_format number)
{
	const struct format *format = recognise_formats[number];
	struct reader r = {.src = src,
	    .path = path,
	    .file = file,
	    .run = j->runs[number],
	    .kinds = j->relative.on && !j->relative.known ? ALL_KINDS : j->kinds,
	    .args = j->bare != ALL_KINDS || j->kept.n,
	    .kept = &j->kept,
	    .max_record = j->options.max_record,
	    .diagnostics = &j->diagnostics};
	void *state = mem_zero(1, format->state_size);
	struct event e;

	if (format->open)
		format->open(state, &r);
	while (!j->out.error && format->next(state, &r, &e)) {
		progress_event(&j->progress, src, file);
		if (j->relative.on) {
			convert_relative(j, &r, &e);
			continue;
		}
		if (!is_wanted(j, &e))
			continue;
		set_members(j, &r, &e);
		event_write(&j->out, &e);
	}
	format->close(state, &r);
	buf_free(&r.names);
	free(state);
}

/*
 * Returns the format of *src. If the content is a binary report of nsys, replaces *src by its export, or by NULL after
 * a message if that fails.
 */
static enum recognise_format begin(struct trace2ndjson *j, struct source **src)
{
	enum recognise_format format;
	struct source *report = *src;

	source_on_idle(report, idle, j);
	format = recognise(j, report, report->file);
	if (format < RECOGNISE_N || !nsys_export_begins((struct str){report->p, report->n}))
		return format;
	*src = nsys_export_open(report->file, report);
	source_close(report);
	return *src ? recognise(j, *src, (*src)->file) : RECOGNISE_N;
}

static void one_file(struct trace2ndjson *j, const char *path)
{
	enum recognise_format format;
	struct fault fault;
	struct source *src;

	if (nsys_export_is_report(path))
		src = nsys_export_open(path, NULL);
	else if (!(src = source_open(path, &fault)))
		warn_fault(&fault);
	format = src ? begin(j, &src) : RECOGNISE_N;
	if (!src) {
		j->failed = true;
		return;
	}
	tags_begin(j->tags, path);
	if (format < RECOGNISE_N)
		convert(j, src, path, src->file, format);
	else
		report_unknown(j, src);
	progress_erase(&j->progress);
	if (!source_judge(src, &j->diagnostics)) {
		warn_fault(&src->fault);
		j->failed = true;
	}
	source_close(src);
}

/* Reads the operands: first those that must be read early, then the others. */
static void all_files(struct trace2ndjson *j, char **operands)
{
	char **path;
	int later;

	for (later = 0; later < 2; later++) {
		for (path = operands; *path && !j->out.error; path++) {
			if (recognise_early(*path) != (later == 1))
				one_file(j, *path);
		}
	}
}

static char **read_options(struct trace2ndjson *j, int argc, char **argv)
{
	struct opt_table tables[RECOGNISE_N + 3] = {{options, j, take_option}};
	const struct format *format;
	char **operands;
	size_t i, n = 1;

	for (i = 0; i < RECOGNISE_N; i++) {
		format = recognise_formats[i];
		j->runs[i] = mem_zero(1, format->run_size);
		if (format->options)
			tables[n++] = (struct opt_table){format->options, j->runs[i], format->take};
	}
	tables[n] = (struct opt_table)TRACE_OPTIONS(&j->options);
	operands = opt_read(&program, argc, argv, tables);
	if (j->kept.n && !j->bare)
		opt_needs("--keep-args", "--no-args");
	if (!j->kinds)
		j->kinds = ALL_KINDS;
	return operands;
}

int main(int argc, char **argv)
{
	struct trace2ndjson j = {.format = RECOGNISE_N, .options.max_record = INPUT_MAX_RECORD};
	struct child_pipe sorter;
	char **operands;
	size_t i;
	int status, own;

	err_init(argv[0]);
	j.tags = tags_new();
	operands = read_options(&j, argc, argv);
	progress_init(&j.progress, j.progress_when);
	if (j.sorting)
		sorter_open(&sorter, argv[0]);
	filter_open_output(&j.out);
	if (j.relative.known)
		write_origin(&j);
	same_run_note(operands);
	if (!*operands)
		one_file(&j, "-");
	all_files(&j, operands);
	if (!j.relative.known && relative_waiting(&j.relative, 0))
		begin_relative(&j);
	own = filter_summary(&j.diagnostics, j.failed, j.options.lenient);
	status = filter_close_output(&j.out, j.sorting ? &sorter : NULL);
	tags_free(j.tags);
	kept_args_free(&j.kept);
	relative_free(&j.relative);
	for (i = 0; i < RECOGNISE_N; i++)
		free(j.runs[i]);
	return own > status ? own : status;
}
