/*
 * trace2ndjson: converts a trace of any format to event records, one JSON object per line (events.5).
 *
 * in:  {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":12.5,"dur":3,"args":{"stream":7,"correlation":9}}
 * out: {"ts":12500,"dur":3000,"kind":"kernel","name":"gemm","cat":"kernel","dev":0,"stream":7,"corr":9,"args":{...}}
 */
#include "block_conversion.h"
#include "conversion.h"
#include "nsys_export.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "io/child_pipe.h"
#include "io/folder.h"
#include "progress.h"
#include "recognise.h"
#include "scrub.h"
#include "tags.h"

enum { PROBE = 64 * 1024, SET = 256, CAPTURE, RELATIVE, FORMATS, NO_ARGS, KEEP_ARGS, SCRUB, BEGINS };

struct trace2ndjson {
	struct conversion conversion;
	enum recognise_format format; /* the value of -F; RECOGNISE_N: the format of each file is recognised */
	struct input_options options;
	enum progress_when progress_when;
	bool failed, sorting;
};

#define TO(member) OPT_TO(struct trace2ndjson, member)
static const struct opt options[] = {
    {'F', "format", {OPT_TYPE_TEXT, "FORMAT", 0, NULL, recognise_names, false}, OPT_TAKE,
	"input format (default: recognised by content)"},
    {'k', "kind", OPT_SET("KIND,...", event_kind_names), TO(conversion.kinds),
	"write only records of these kinds (faster than filter-calls -k)"},
    {BEGINS, "begins", OPT_TEXT("KIND=TEXT"), OPT_TAKE,
	"of the records of KIND, write only those whose names begin with TEXT;\n"
	"with KIND!=TEXT, do not write these; can be repeated, also with the same\n"
	"KIND"},
    {NO_ARGS, "no-args", OPT_SET_OPTIONAL("KIND,...", event_kind_names), OPT_TAKE,
	"leave out the members args and src, of records of these kinds\n(default: of all kinds)"},
    {KEEP_ARGS, "keep-args", OPT_TEXT("NAME,..."), OPT_TAKE,
	"with --no-args: keep the members of args with these names; a name with a\n"
	"comma is written in double quotes"},
    {SCRUB, "scrub", OPT_CHOICE_OPTIONAL("secrets|hosts", scrub_names), OPT_TAKE,
	"replace environment variables, passwords, tokens, names of users and home\n"
	"folders by [removed]; with hosts, also names of hosts (default secrets)"},
    {SET, "set", OPT_TEXT("NAME=VALUE"), OPT_TAKE, "set the member NAME of every record to VALUE"},
    {CAPTURE, "capture", OPT_TEXT("NAME=REGEX"), OPT_TAKE,
	"set the member NAME to the text that the (group) in REGEX matches in\n"
	"the name of the file"},
    {'j', "jobs", OPT_COUNT("N", 0), TO(conversion.threads),
	"convert large files of Chrome JSON with N threads (default 1; 0: one\nfor each core); the output is the same"},
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
    .synopsis = "[-F FORMAT] [-k KIND,...] [--begins KIND=TEXT]... [--no-args[=KIND,...] [--keep-args NAME,...]] "
		"[--scrub[=secrets|hosts]] [--set NAME=VALUE]... "
		"[--capture NAME=REGEX]... [-j N] [--sort] [--relative[=T]] [FILE...]",
    .example = "trace2ndjson run.pt.trace.json.gz | filter-calls -k kernel | groupby -g name -o table",
    .reads = "trace, records",
    .writes = "records",
};

/*
 * Returns the format of the content of src; RECOGNISE_N when it is unknown. Decides as soon as one line has been read,
 * so that the records of a live stream are written without delay.
 */
static enum recognise_format recognise(struct trace2ndjson *j, struct source *src, const char *file)
{
	enum recognise_format format = RECOGNISE_N;
	struct fault_location start = {file, 0, 0};
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
		diagnostics_add(&j->conversion.diagnostics, DIAGNOSTICS_REPAIRED, repair_text(REPAIR_BOM), start);
	}
	return format;
}

/* Returns the format of -F. A program that writes traces is not a format, so the message names its format. */
static enum recognise_format format_of_name(const struct opt_value *v)
{
	static const char *const writers[][2] = {{"kineto", "chrome"}, {"pytorch", "chrome"}, {"json", "chrome"},
	    {"perfetto", "pftrace"}, {"jax", "xplane"}, {"tensorflow", "xplane"}, {"nccl", "inspector"},
	    {"opencl", "dvdt"}};
	size_t i;

	for (i = 0; i < RECOGNISE_N; i++) {
		if (strcmp(v->text, recognise_names[i]) == 0)
			return (enum recognise_format)i;
	}
	for (i = 0; i < sizeof writers / sizeof *writers; i++) {
		if (strcmp(v->text, writers[i][0]) == 0)
			die("%s: '%s': the name of this format is %s", v->option, v->text, writers[i][1]);
	}
	opt_unknown(v->option, str_of(v->text), recognise_names);
}

_Noreturn static void list_formats(void)
{
	struct out o;

	out_open(&o);
	recognise_list(&o);
	quit(filter_close_output(&o, NULL));
}

static void set_option(void *arg, const struct opt_value *v)
{
	struct conversion *c = &((struct trace2ndjson *)arg)->conversion;

	switch (v->opt->letter) {
	case SET:
	case CAPTURE:
		tags_add(&c->tags, v->text, v->opt->letter == CAPTURE);
		break;
	case 'F':
		((struct trace2ndjson *)arg)->format = format_of_name(v);
		break;
	case RELATIVE:
		c->writer.relative.on = true;
		c->writer.relative.known = v->text;
		c->writer.relative.origin = v->number;
		break;
	case NO_ARGS:
		c->bare |= v->text ? (uint32_t)v->number : CONVERSION_ALL_KINDS;
		break;
	case KEEP_ARGS:
		kept_args_add(&c->kept, v->option, v->text);
		break;
	case BEGINS:
		name_begins_add(&c->begins, v->option, v->text);
		break;
	case SCRUB:
		c->scrub = v->text ? (enum scrub_level)v->number + 1 : SCRUB_SECRETS;
		break;
	case FORMATS:
		list_formats();
	}
}

static bool idle(void *out)
{
	return out_flush(out);
}

/* Returns the format of *src. Replaces a binary report of nsys by its export, or by NULL after a message. */
static enum recognise_format open_content(struct trace2ndjson *j, struct source **src)
{
	enum recognise_format format;
	struct source *report = *src;

	source_on_idle(report, idle, &j->conversion.out);
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
	struct str head;

	if (folder_is(path)) {
		warn("%s: a folder without files that can be read", path);
		j->failed = true;
		return;
	}
	if (nsys_export_is_report(path))
		src = nsys_export_open(path, NULL);
	else if (!(src = source_open(path, &fault)))
		warn_fault(&fault);
	format = src ? open_content(j, &src) : RECOGNISE_N;
	if (!src) {
		j->failed = true;
		return;
	}
	tags_begin(&j->conversion.tags, path);
	if (format < RECOGNISE_N) {
		block_conversion_read(&j->conversion, src, path, format);
	} else if (!src->fault.error) {
		head = str_head((struct str){src->p, src->n}, PROBE);
		head = str_trim(str_from(head, recognise_mark(head)));
		diagnostics_add(&j->conversion.diagnostics, DIAGNOSTICS_LOST,
		    head.n ? recognise_guess(head) : "empty input", (struct fault_location){src->file, 0, 0});
	}
	progress_erase(&j->conversion.progress);
	if (!source_judge(src, &j->conversion.diagnostics)) {
		warn_fault(&src->fault);
		j->failed = true;
	}
	source_close(src);
}

static char **read_options(struct trace2ndjson *j, int argc, char **argv)
{
	struct opt_table tables[RECOGNISE_N + 3] = {{options, j, set_option}};
	struct conversion *c = &j->conversion;
	const struct format *format;
	char **operands;
	size_t i, n = 1;

	for (i = 0; i < RECOGNISE_N; i++) {
		format = recognise_formats[i];
		if (format->options)
			tables[n++] = (struct opt_table){format->options, c->runs[i], format->take};
	}
	tables[n] = (struct opt_table)TRACE_OPTIONS(&j->options);
	operands = opt_read(&program, argc, argv, tables);
	if (c->kept.names.n && !c->bare)
		opt_needs("--keep-args", "--no-args");
	c->max_record = j->options.max_record;
	if (!c->kinds)
		c->kinds = CONVERSION_ALL_KINDS;
	return operands;
}

/*
 * --sort: starts ts-sort, which reads the output. If this program was called by a path, ts-sort is run from the same
 * folder; otherwise it is searched for in PATH. If the name of this program has a prefix (tf-trace2ndjson), the name of
 * ts-sort gets the same prefix.
 */
static void open_sorter(struct child_pipe *t, const char *argv0)
{
	const struct str own = STR("trace2ndjson"), name = str_of(argv0);
	/* Records may be larger than the default limit of ts-sort. */
	char any_size[] = "--max-record=9223372036854775807";
	struct buf path = {0};

	if (str_ends(name, own))
		buf_add(&path, name.p, name.n - own.n);
	buf_add(&path, "ts-sort", sizeof "ts-sort");
	filter_open_child(t, (char *[]){path.p, any_size, NULL}, "--sort");
	buf_free(&path);
}

int main(int argc, char **argv)
{
	struct trace2ndjson j = {
	    .format = RECOGNISE_N, .options.max_record = INPUT_MAX_RECORD, .conversion.threads = 1};
	struct conversion *c = &j.conversion;
	struct child_pipe sorter;
	char **operands, **path;
	int later, status, own;

	err_init(argv[0]);
	conversion_init(c);
	operands = folder_expand((const char *const *)read_options(&j, argc, argv));
	progress_init(&c->progress, j.progress_when);
	if (j.sorting)
		open_sorter(&sorter, argv[0]);
	filter_open_output(&c->out);
	conversion_begin(c);
	recognise_same_run(operands);
	if (!*operands)
		one_file(&j, "-");
	for (later = 0; later < 2; later++) { /* first the operands that must be read early */
		for (path = operands; *path && !c->out.error; path++) {
			if (recognise_early(*path) != (later == 1))
				one_file(&j, *path);
		}
	}
	conversion_end(c);
	own = filter_summary(&c->diagnostics, j.failed, j.options.lenient);
	status = filter_close_output(&c->out, j.sorting ? &sorter : NULL);
	conversion_free(c);
	folder_free(operands);
	return own > status ? own : status;
}
