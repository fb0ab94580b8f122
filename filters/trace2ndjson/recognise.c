#include "recognise.h"

#include "base/char_class.h"
#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "record/input.h"

#include <stdio.h>
#include <stdlib.h>

const struct format *const recognise_formats[] = {
#define FORMAT(id) &format_##id,
#include "trace2ndjson/formats/formats.def"
#undef FORMAT
};

const char *const recognise_names[] = {
#define FORMAT(id) #id,
#include "trace2ndjson/formats/formats.def"
#undef FORMAT
    NULL,
};

void recognise_list(struct out *o)
{
	size_t i, n;

	for (i = 0; i < RECOGNISE_N; i++) {
		out_z(o, recognise_formats[i]->name);
		for (n = strlen(recognise_formats[i]->name); n < 10; n++)
			out_char(o, ' ');
		out_z(o, recognise_formats[i]->help);
		out_char(o, '\n');
		if (recognise_formats[i]->example) {
			out_z(o, "          ");
			out_z(o, recognise_formats[i]->example);
			out_char(o, '\n');
		}
	}
}

enum recognise_format recognise_head(struct str head)
{
	struct str text = str_from(head, recognise_mark(head));
	enum recognise_format i;

	for (i = 0; i < RECOGNISE_N; i++) {
		if (recognise_formats[i]->probe(recognise_formats[i]->binary ? head : text))
			break;
	}
	return i;
}

size_t recognise_mark(struct str head)
{
	const struct str mark = STR("\xef\xbb\xbf");

	return str_starts(head, mark) ? mark.n : 0;
}

/* Returns whether the text is JSON of PyTorch's ExecutionTraceObserver, which begins with the schema's version. */
static bool is_execution_trace(struct str head)
{
	enum { LOOK = 256 };
	const struct str begin = str_head(head, LOOK);

	return str_starts(head, STR("{")) && str_starts(str_trim(str_from(head, 1)), STR("\"schema\"")) &&
	       (str_find(begin, STR("\"nodes\"")) < begin.n || str_find(begin, STR("chakra")) < begin.n ||
		   str_find(begin, STR("\"pid\"")) < begin.n);
}

/* Returns whether the bytes begin with a message of Chakra that has only the schema's version, such as "0.0.4". */
static bool is_chakra(struct str head)
{
	struct str rest = str_from(head, 3), part;

	if (head.n < 6 || head.p[1] != '\n' || head.p[0] != head.p[2] + 2 || head.p[2] < 3 || head.p[2] > 32 ||
	    rest.n < (size_t)head.p[2])
		return false;
	rest = str_head(rest, (size_t)head.p[2]);
	while (str_split(&rest, '.', &part)) {
		if (part.n && !str_all(part, is_digit))
			return false;
	}
	return true;
}

bool recognise_early(const char *path)
{
	size_t i;

	for (i = 0; i < RECOGNISE_N; i++) {
		if (recognise_formats[i]->early && recognise_formats[i]->early(str_of(path)))
			return true;
	}
	return false;
}

const char *recognise_guess(struct str head)
{
	enum { TAR_MAGIC = 257 };
	static const char zeros[4096]; /* an export to SQLite writes the first page last */
	static const struct {
		const char *begin;
		size_t n;
		const char *what;
	} signs[] = {
	    {"\xff\xfe\0\0", 4, "looks like UTF-32; convert it with iconv -f UTF-32 -t UTF-8"},
	    {"\0\0\xfe\xff", 4, "looks like UTF-32; convert it with iconv -f UTF-32 -t UTF-8"},
	    {"\xff\xfe", 2, "looks like UTF-16; convert it with iconv -f UTF-16 -t UTF-8"},
	    {"\xfe\xff", 2, "looks like UTF-16; convert it with iconv -f UTF-16 -t UTF-8"},
	    {zeros, sizeof zeros,
		"looks like an nsys export that did not finish (it begins with zeros); run nsys export again"},
	    {"version https://git-lfs", 23, "a Git LFS pointer, not the file itself; run git lfs pull"},
	    {"PERFILE2", 8, "looks like a perf.data file; convert it with: perf script -i FILE | trace2ndjson"},
	    {"\x28\xb5\x2f\xfd", 4, "looks like zstd; decompress it with zstd -dc"},
	    {"PK\x03\x04", 4,
		"looks like a zip archive; unpack it with unzip, or read a member: unzip -p FILE.zip NAME | "
		"trace2ndjson"},
	    {"PAR1", 4,
		"looks like a Parquet file; if nsys export wrote it, use: nsys export -t sqlite REPORT.nsys-rep"},
	    {"ARROW1", 6,
		"looks like an Arrow file; if nsys export wrote it, use: nsys export -t sqlite REPORT.nsys-rep"},
	    {"\x89HDF", 4,
		"looks like an HDF5 file; if nsys export wrote it, use: nsys export -t sqlite REPORT.nsys-rep"},
	    {"BZh", 3, "looks like bzip2; decompress it with bzip2 -dc"},
	    {"\xfd"
	     "7zXZ",
		5, "looks like xz; decompress it with xz -dc"},
	    {"<", 1, "looks like XML or HTML, not like a trace"},
	};
	size_t i;

	for (i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (str_starts(head, (struct str){signs[i].begin, signs[i].n}))
			return signs[i].what;
	}
	if (is_execution_trace(head))
		return "looks like an execution trace of PyTorch (ExecutionTraceObserver), which has no times of the "
		       "GPU; read the trace of torch.profiler (Kineto) of the same run";
	if (is_chakra(head))
		return "looks like a Chakra execution trace, which has no times of the GPU; read the trace of "
		       "torch.profiler (Kineto) of the same run, or print this one with chakra_jsonizer";
	if (str_starts(str_from(head, TAR_MAGIC), STR("ustar")))
		return "looks like a tar archive; unpack it with tar -xf, or read a member: tar -xOf FILE.tar NAME | "
		       "trace2ndjson";
	/* Python's pickle: the protocol and the first instruction, one of these for objects that profilers save */
	if (head.n > 2 && head.p[0] == '\x80' && head.p[1] >= 2 && head.p[1] <= 5 && head.p[2] &&
	    strchr("}]c\x95(\x8a", head.p[2]))
		return "looks like a Python pickle; save the trace with export_chrome_trace() of torch.profiler "
		       "instead";
	if (head.n > 3 && ((!head.p[0] && head.p[1]) || (head.p[0] && !head.p[1])))
		return "looks like UTF-16; convert it with iconv -f UTF-16 -t UTF-8";
	if (input_is_csv(head))
		return "looks like CSV, not like a trace; make a record of each row: mlr --icsv --ojsonl cat FILE";
	return "unknown format; select one with -F FORMAT (trace2ndjson --formats lists them)";
}

/* Returns the path without the ending of a compressed file and of a form of a run; p is NULL if no such ending. */
static struct str run_stem(struct str path)
{
	/* .trace.json precedes .json, the longer ending first. */
	static const char *const forms[] = {
	    ".xplane.pb", ".trace.json", ".nsys-rep", ".qdrep", ".sqlite", ".db", ".jsonl", ".json", ".pftrace", NULL};
	size_t ending;

	path.n -= str_ends(path, STR(".gz")) ? 3 : str_ends(path, STR(".zst")) ? 4 : 0;
	ending = str_ends_in(path, forms);
	return ending ? str_head(path, path.n - ending) : (struct str){0};
}

void recognise_same_run(char *const *paths)
{
	struct map stems = {0};
	char *const *path;
	const char **first = NULL; /* for each stem its first path */
	const char *one = NULL, *other = NULL;
	size_t i, cap = 0, n = 0;
	char more[48] = "";
	struct str s;

	for (path = paths; *path; path++) {
		s = run_stem(str_of(*path));
		if (!s.p)
			continue;
		i = map_put(&stems, s);
		first = mem_grow_zero(first, &cap, stems.n, sizeof *first);
		if (!first[i]) {
			first[i] = *path;
		} else if (strcmp(first[i], *path) != 0 && !n++) {
			one = first[i];
			other = *path;
		}
	}
	if (n > 1)
		snprintf(more, sizeof more, " (and %zu more)", n - 1);
	if (n)
		note("%s and %s may be the same run in two forms, whose events count twice%s", one, other, more);
	map_free(&stems);
	free(first);
}
