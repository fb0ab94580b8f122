/*
 * trace2ndjson: a trace of any kind as event records, one JSON object a line (events.5).
 *
 * in:  {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":12.5,"dur":3,"args":{"stream":7,"correlation":9}}
 * out: {"ts":12500,"dur":3000,"kind":"kernel","name":"gemm","cat":"kernel","dev":0,"stream":7,"corr":9,"args":{...}}
 */
#include "export.h"
#include "format.h"
#include "opt.h"
#include "progress.h"
#include "sorter.h"
#include "tags.h"

#include <getopt.h>
#include <stdlib.h>

#define ALL_KINDS ((1u << KIND_N) - 1)

enum { PROBE = 64 * 1024, MAX_RECORD = 64 << 20, NO_ARGS = 256, SET, CAPTURE, SORT, FORMATS, PROGRESS, LENIENT, MAX };

static const struct opt options[] = {
    {'F', "format", "FORMAT", "the input's format; without, it is recognised by its content"},
    {'k', "kind", "KIND,...", "only records of these kinds: costs least where they are made"},
    {NO_ARGS, "no-args", NULL, "leave out args and src"},
    {SET, "set", "NAME=VALUE", "put a member on every record"},
    {CAPTURE, "capture", "NAME=REGEX", "put what the (group) matches in the file's name on its records"},
    {SORT, "sort", NULL, "in ts order: write through ts-sort"},
    {FORMATS, "formats", NULL, "list the formats and exit"},
    {PROGRESS, "progress", "WHEN", "bytes, speed and events on stderr: auto, always, never"},
    {LENIENT, "lenient", NULL, "exit 0 even when something was lost"},
    {MAX, "max-record", "SIZE", "skip events over SIZE (64MiB)"},
    {0},
};

static const struct program program = {
    .brief = "Writes the events of a trace as records, one JSON object a line.",
    .synopsis = "[-F FORMAT] [-k KIND,...] [--no-args] [--set NAME=VALUE]... [--capture NAME=REGEX]... [--sort] [FILE...]",
    .example = "trace2ndjson run.pt.trace.json.gz | filter-calls -k kernel | groupby -g name -o table",
    .options = options,
};

static const struct format *const formats[] = {
#define FORMAT(id) &format_##id,
#include "formats.def"
#undef FORMAT
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

struct job {
	struct out out;
	struct tally tally;
	struct progress progress;
	const struct format *format;
	uint32_t kinds;
	size_t max_record;
	struct tags tags;
	bool args, lenient, failed;
};

static const char *format_name(size_t i)
{
	return i < N_FORMATS ? formats[i]->name : NULL;
}

static const struct format *format_option(const char *arg)
{
	size_t i;

	for (i = 0; i < N_FORMATS; i++) {
		if (strcmp(arg, formats[i]->name) == 0)
			return formats[i];
	}
	opt_unknown("-F", "format", str_of(arg), format_name);
}

_Noreturn static void list_formats(void)
{
	struct out o;
	size_t i, n;

	out_open(&o);
	for (i = 0; i < N_FORMATS; i++) {
		out_z(&o, formats[i]->name);
		for (n = strlen(formats[i]->name); n < 10; n++)
			out_char(&o, ' ');
		out_z(&o, formats[i]->help);
		out_char(&o, '\n');
	}
	quit(out_close(&o));
}

/* What content of no known format looks like. */
static const char *looks_like(struct str head)
{
	static const struct {
		const char *begin;
		size_t n;
		const char *what;
	} signs[] = {
	    {"\xff\xfe\0\0", 4, "looks like UTF-32; convert it with iconv -f UTF-32 -t UTF-8"},
	    {"\0\0\xfe\xff", 4, "looks like UTF-32; convert it with iconv -f UTF-32 -t UTF-8"},
	    {"\xff\xfe", 2, "looks like UTF-16; convert it with iconv -f UTF-16 -t UTF-8"},
	    {"\xfe\xff", 2, "looks like UTF-16; convert it with iconv -f UTF-16 -t UTF-8"},
	    {"SQLite format 3", 15, "looks like an SQLite database; export the report with nsys export --type=jsonlines"},
	    {"\x28\xb5\x2f\xfd", 4, "looks like zstd; decompress it with zstd -dc"},
	    {"PK\x03\x04", 4, "looks like a zip archive; unpack it first"},
	    {"BZh", 3, "looks like bzip2; decompress it with bzip2 -dc"},
	    {"\xfd" "7zXZ", 5, "looks like xz; decompress it with xz -dc"},
	    {"<", 1, "looks like XML or HTML"},
	};
	size_t i;

	for (i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (str_starts(head, (struct str){signs[i].begin, signs[i].n}))
			return signs[i].what;
	}
	if (head.n > 3 && ((!head.p[0] && head.p[1]) || (head.p[0] && !head.p[1])))
		return "looks like UTF-16; convert it with iconv -f UTF-16 -t UTF-8";
	return "content of no known format (trace2ndjson --formats lists them; -F FORMAT insists on one)";
}

/* The format of what begins so, NULL when it is none. */
static const struct format *probe(const struct job *j, struct str head)
{
	size_t i;

	if (j->format)
		return j->format;
	for (i = 0; i < N_FORMATS; i++) {
		if (formats[i]->probe(head))
			return formats[i];
	}
	return NULL;
}

/*
 * The format of what src holds; NULL when it is none, which is told. It is asked for as soon as a line has come,
 * so that what a live stream has goes on at once.
 */
static const struct format *recognise(struct job *j, struct src *src, const char *file)
{
	const struct format *format = NULL;
	struct str head;
	bool more;

	do {
		more = src->n < PROBE && src_more(src) > 0;
		head = str_head((struct str){src->p, src->n}, PROBE);
		if (str_trim(head).n && (!more || memchr(head.p, '\n', head.n)))
			format = probe(j, head);
	} while (more && !format);
	if (!format && !src->fault.error) /* that is told by itself */
		tally_add(&j->tally, TALLY_LOST, str_trim(head).n ? looks_like(head) : "empty input", (struct place){file, 0, 0});
	return format;
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

static void convert(struct job *j, struct src *src, const char *file, const struct format *format)
{
	struct reader r = {.src = src, .file = file, .kinds = j->kinds, .args = j->args, .max_record = j->max_record,
	    .tally = &j->tally};
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
	free(state);
}

static void one_file(struct job *j, const char *path)
{
	const char *file = strcmp(path, "-") == 0 ? "stdin" : path;
	const struct format *format;
	struct fault fault;
	struct src *src;

	src = export_is_report(path) ? export_open(path) : src_open(path, &fault);
	if (!src) {
		if (!export_is_report(path))
			warn_fault(file, &fault);
		j->failed = true;
		return;
	}
	src_on_idle(src, idle, j);
	tags_open(&j->tags, path);
	format = recognise(j, src, file);
	if (format)
		convert(j, src, file, format);
	progress_close(&j->progress);
	if (src->fault.error) {
		warn_fault(file, &src->fault);
		j->failed = true;
	} else if (src->fault.what) {
		tally_add(&j->tally, TALLY_LOST, src->fault.what, (struct place){file, 0, src->fault.byte});
	}
	if (src->note.what)
		tally_add(&j->tally, TALLY_NOTE, src->note.what, (struct place){file, 0, src->note.byte});
	src_close(src);
}

int main(int argc, char **argv)
{
	struct job j = {.kinds = ALL_KINDS, .max_record = MAX_RECORD, .args = true};
	const char *arg, *progress = NULL;
	pid_t sorter = 0;
	bool lost, sorting = false;
	int c, status, own;

	err_init(argv[0]);
	while ((c = opt_next(&program, argc, argv, &arg)) != -1) {
		switch (c) {
		case 'F':
			j.format = format_option(arg);
			break;
		case 'k':
			j.kinds = event_kind_set("-k", arg);
			break;
		case NO_ARGS:
			j.args = false;
			break;
		case SET:
		case CAPTURE:
			tags_add(&j.tags, arg, c == CAPTURE);
			break;
		case SORT:
			sorting = true;
			break;
		case FORMATS:
			list_formats();
		case PROGRESS:
			progress = arg;
			break;
		case LENIENT:
			j.lenient = true;
			break;
		case MAX:
			j.max_record = (size_t)opt_size("--max-record", arg);
			break;
		}
	}
	opt_need_input(&program, argc, argv);
	progress_open(&j.progress, progress);
	if (sorting)
		sorter = sorter_start(argv[0]);
	out_open(&j.out);
	if (optind == argc)
		one_file(&j, "-");
	for (; optind < argc && !j.out.error; optind++)
		one_file(&j, argv[optind]);
	lost = tally_tell(&j.tally);
	status = sorting ? sorter_close(sorter, &j.out) : out_close(&j.out);
	tags_free(&j.tags);
	own = j.failed ? STATUS_FAIL : lost && !j.lenient ? STATUS_LOST : STATUS_OK;
	return own > status ? own : status;
}
