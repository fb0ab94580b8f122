/*
 * trace2ndjson: a trace of any kind as event records, one JSON object a line (events.5).
 *
 * in:  {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":12.5,"dur":3,"args":{"stream":7,"correlation":9}}
 * out: {"ts":12500,"dur":3000,"kind":"kernel","name":"gemm","cat":"kernel","dev":0,"stream":7,"corr":9,"args":{...}}
 */
#include "nsys_export.h"
#include "cli/filter.h"
#include "cli/options.h"
#include "progress.h"
#include "recognise.h"
#include "sorter.h"
#include "tags.h"

#include <getopt.h>
#include <stdlib.h>

#define ALL_KINDS ((1u << KIND_N) - 1)

enum { PROBE = 64 * 1024, MAX_RECORD = 64 << 20, NO_ARGS = 256, SET, CAPTURE, SORT, FORMATS, PROGRESS, LENIENT, MAX, QUIET,
	KEEP_TEXT, DROP_SOURCE, RAW_CLOCK, TZ_OFFSET, YEAR };

static const struct opt options[] = {
    {'F', "format", "FORMAT", "the input's format; without, it is recognised by its content"},
    {'k', "kind", "KIND,...", "only records of these kinds: costs least where they are made"},
    {NO_ARGS, "no-args", NULL, "leave out args and src"},
    {SET, "set", "NAME=VALUE", "put a member on every record"},
    {CAPTURE, "capture", "NAME=REGEX", "put what the (group) matches in the file's name on its records"},
    {SORT, "sort", NULL, "in ts order: write through ts-sort"},
    {KEEP_TEXT, "keep-text", NULL, "of logs: lines that are none of the format's become records too"},
    {DROP_SOURCE, "drop-source", NULL, "dvdt: leave out the kernels' source text"},
    {TZ_OFFSET, "tz-offset", "[+-]H[:MM]", "dvdt: how far the log's local time is ahead of UTC"},
    {YEAR, "year", "YEAR", "dvdt: the year of the log's dates, which have none"},
    {RAW_CLOCK, "raw-clock", NULL, "plaidml: leave device times on the device's clock"},
    {FORMATS, "formats", NULL, "list the formats and exit"},
    {PROGRESS, "progress", "WHEN", "bytes, speed and events on stderr: auto, always, never"},
    {LENIENT, "lenient", NULL, "exit 0 even when something was lost"},
    {MAX, "max-record", "SIZE", "skip events over SIZE (64MiB)"},
    {QUIET, "quiet", NULL, "print no hints and notes on standard error"},
    {0},
};

static const struct program program = {
    .brief = "Writes the events of a trace as records, one JSON object a line.",
    .synopsis = "[-F FORMAT] [-k KIND,...] [--no-args] [--set NAME=VALUE]... [--capture NAME=REGEX]... [--sort] [FILE...]",
    .example = "trace2ndjson run.pt.trace.json.gz | filter-calls -k kernel | groupby -g name -o table",
    .options = options,
};

struct job {
	struct out out;
	struct diagnostics tally;
	struct progress progress;
	const struct format *format;
	uint32_t kinds;
	size_t max_record;
	struct tags tags;
	struct format_wishes wishes;
	struct format_before before;
	const char *progress_when;
	bool args, lenient, failed, sorting;
};

/*
 * The format of what src holds; NULL when it is none, which is told. It is asked for as soon as a line has come,
 * so that what a live stream has goes on at once.
 */
static const struct format *recognise(struct job *j, struct source *src, const char *file)
{
	const struct format *format = NULL;
	struct file_place start = {file, 0, 0};
	struct str head, text;
	size_t mark;
	bool more;

	do {
		more = src->n < PROBE && source_more(src) > 0;
		head = str_head((struct str){src->p, src->n}, PROBE);
		mark = recognise_mark(head);
		text = str_trim(str_from(head, mark));
		if (text.n && (!more || memchr(head.p, '\n', head.n)))
			format = j->format ? j->format : recognise_head(head);
	} while (more && !format);
	if (!format && !src->fault.error) /* that is told by itself */
		diagnostics_add(&j->tally, DIAGNOSTICS_LOST, text.n ? recognise_guess(text) : "empty input", start);
	if (format && !format->binary && mark) {
		source_skip(src, mark);
		diagnostics_add(&j->tally, DIAGNOSTICS_REPAIRED, repair_text(REPAIR_BOM), start);
	}
	return format;
}

_Noreturn static void list_formats(void)
{
	struct out o;

	out_open(&o);
	recognise_list(&o);
	quit(filter_close_output(&o, NULL));
}

/* Up to two digits at *p, which moves behind them; -1 when there is none. */
static int64_t two_digits(const char **p)
{
	int64_t v = -1;
	int i;

	for (i = 0; i < 2 && **p >= '0' && **p <= '9'; i++, (*p)++)
		v = (v < 0 ? 0 : v * 10) + (**p - '0');
	return v;
}

/* "+2", "-5:30", "+0530" (as date +%z has it): ns ahead of UTC. */
static int64_t zone_option(const char *arg)
{
	const bool west = arg[0] == '-';
	const char *p = arg + (west || arg[0] == '+');
	int64_t hours = two_digits(&p), minutes = 0;

	if (*p) {
		p += *p == ':';
		minutes = two_digits(&p);
	}
	if (*p || hours < 0 || hours > 24 || minutes < 0 || minutes > 59)
		die("--tz-offset: '%s' is no offset like +2 or -5:30", arg);
	return (west ? -1 : 1) * (hours * 60 + minutes) * 60 * 1000000000;
}

static void take_option(struct job *j, int letter, const char *arg)
{
	switch (letter) {
	case 'F':
		j->format = recognise_option(arg);
		break;
	case 'k':
		j->kinds = event_kind_set("-k", arg);
		break;
	case NO_ARGS:
		j->args = false;
		break;
	case SET:
	case CAPTURE:
		tags_add(&j->tags, arg, letter == CAPTURE);
		break;
	case SORT:
		j->sorting = true;
		break;
	case KEEP_TEXT:
		j->wishes.keep_text = true;
		break;
	case DROP_SOURCE:
		j->wishes.drop_source = true;
		break;
	case RAW_CLOCK:
		j->wishes.raw_clock = true;
		break;
	case TZ_OFFSET:
		j->wishes.tz_offset = zone_option(arg);
		break;
	case YEAR:
		j->wishes.year = opt_count("--year", arg, 1);
		j->wishes.has_year = true;
		break;
	case FORMATS:
		list_formats();
	case PROGRESS:
		j->progress_when = arg;
		break;
	case LENIENT:
		j->lenient = true;
		break;
	case MAX:
		j->max_record = (size_t)opt_size("--max-record", arg, 1);
		break;
	case QUIET:
		err_set_quiet();
		break;
	}
}

/* Readers drop most of what is not wanted, but need not. */
static bool is_wanted(const struct job *j, struct event *e)
{
	enum event_kind k = event_get_kind(e);

	return k < KIND_N && (j->kinds >> k & 1);
}

static bool idle(void *arg)
{
	struct job *j = arg;

	return out_flush(&j->out);
}

static void convert(struct job *j, struct source *src, const char *path, const char *file, const struct format *format)
{
	struct reader r = {.src = src, .path = path, .file = file, .wishes = &j->wishes,
	    .before = &j->before, .kinds = j->kinds, .args = j->args, .max_record = j->max_record, .tally = &j->tally};
	void *state = mem_zero(1, format->state_size);
	struct event e;

	if (format->open)
		format->open(state, &r);
	while (!j->out.error && format->next(state, &r, &e)) {
		progress_event(&j->progress, src, file);
		if (j->kinds != ALL_KINDS && !is_wanted(j, &e))
			continue;
		if (!j->args)
			e.has &= ~(1u << EVENT_ARGS | 1u << EVENT_SRC);
		if (r.rank.p && !event_has(&e, EVENT_RANK))
			event_set(&e, EVENT_RANK, r.rank);
		tags_put(&j->tags, &e);
		event_write(&j->out, &e);
	}
	format->close(state, &r);
	buf_free(&r.names);
	free(state);
}

static void one_file(struct job *j, const char *path)
{
	const struct format *format;
	struct fault fault;
	struct source *src;

	src = nsys_export_is_report(path) ? nsys_export_open(path) : source_open(path, &fault);
	if (!src) {
		if (!nsys_export_is_report(path))
			warn_fault(&fault);
		j->failed = true;
		return;
	}
	source_on_idle(src, idle, j);
	tags_open(&j->tags, path);
	format = recognise(j, src, src->file);
	if (format)
		convert(j, src, path, src->file, format);
	progress_close(&j->progress);
	if (!source_judge(src, &j->tally)) {
		warn_fault(&src->fault);
		j->failed = true;
	}
	source_close(src);
}

int main(int argc, char **argv)
{
	struct job j = {.kinds = ALL_KINDS, .max_record = MAX_RECORD, .args = true};
	const char *arg;
	struct child_pipe sorter;
	int c, status, own;

	err_init(argv[0]);
	while ((c = opt_next(&program, argc, argv, &arg)) != -1)
		take_option(&j, c, arg);
	opt_need_input(&program, argc, argv);
	progress_open(&j.progress, j.progress_when);
	if (j.sorting)
		sorter_start(&sorter, argv[0]);
	filter_open_output(&j.out);
	if (optind == argc)
		one_file(&j, "-");
	for (; optind < argc && !j.out.error; optind++)
		one_file(&j, argv[optind]);
	own = filter_summary(&j.tally, j.failed, j.lenient);
	status = filter_close_output(&j.out, j.sorting ? &sorter : NULL);
	tags_free(&j.tags);
	return own > status ? own : status;
}
