#include "recognise.h"

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

const char *recognise_guess(struct str head)
{
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
	    {"PERFILE2", 8, "looks like a perf.data file; convert it with perf script"},
	    {"\x28\xb5\x2f\xfd", 4, "looks like zstd; decompress it with zstd -dc"},
	    {"PK\x03\x04", 4, "looks like a zip archive; unpack it first"},
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
	if (head.n > 3 && ((!head.p[0] && head.p[1]) || (head.p[0] && !head.p[1])))
		return "looks like UTF-16; convert it with iconv -f UTF-16 -t UTF-8";
	return "unknown format; select one with -F FORMAT (trace2ndjson --formats lists them)";
}
