/*
 * report-sections: fills the sections of a report.
 *
 * in:  a trace, and files that describe sections. This one is the file kernels:
 *        section kernels trace
 *        title Kernels
 *        table groupby -g name
 *        columns name name Kernel | dur_sum time Time
 * out: {"kind":"report/section","id":"kernels","title":"Kernels","columns":[{"name":"name"}, ...], ...}
 *      {"kind":"report/row","section":"kernels","name":"gemm","dur_sum":9000000}
 */
#include "program/filter.h"
#include "program/kernel_names_option.h"
#include "program/opt.h"
#include "program/shell_words.h"
#include "sections.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

enum { SET = 256, PICTURES, ENDING };

static const char *ending = "section";

#define TO(member) OPT_TO(struct sections, member)
static const struct opt options[] = {
    {'t', "top", OPT_COUNT("N", 1), TO(rows), "write at most N rows of each section (default 15)"},
    {PICTURES, "pictures", OPT_FLAG, TO(pictures), "also write the marks of pictures"},
    {ENDING, "ending", OPT_TEXT("TEXT"), OPT_TAKE, "read the files whose names end in .TEXT (default section)"},
    {SET, "set", OPT_TEXT("NAME=TEXT"), OPT_TAKE, "set a variable that the section files use"},
    {0},
};

static const struct opt_program program = {
    "Fills the sections of a report: runs their pipelines, and writes records of report(5).",
    "[-t N] [--pictures] [--ending TEXT] [--set NAME=TEXT]... FOLDER [FILE...]",
    "report-sections my-report.d run.json.gz | ndjson2text",
    .reads = "records; for the pipelines in FOLDER",
    .writes = "report",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct sections *r = arg;
	const struct str text = str_of(v->text);
	const size_t equals = str_find(text, STR("="));

	if (v->opt->letter == ENDING) {
		ending = v->text;
		return;
	}
	if (!equals || equals == text.n)
		opt_invalid(v->option, text, "NAME=TEXT");
	figures_set(&r->shared, str_head(text, equals), result_text(str_from(text, equals + 1)));
}

static int is_section_file(const struct dirent *entry)
{
	const struct str name = str_of(entry->d_name), end = str_of(ending);

	return name.n > end.n && str_ends(name, end) && name.p[name.n - end.n - 1] == '.';
}

/* Reads the section files of the folder, in the order of their names. Returns their number. */
static size_t read_files(const char *folder, struct section_file **files)
{
	struct dirent **names;
	const int n = scandir(folder, &names, is_section_file, alphasort);
	struct buf path = {0};
	int i;

	if (n < 0)
		die("%s: cannot open:", folder);
	if (n == 0)
		die("%s: no files with the ending .%s", folder, ending);
	*files = mem_zero((size_t)n, sizeof **files);
	for (i = 0; i < n; i++) {
		buf_add(&path, folder, strlen(folder));
		buf_char(&path, '/');
		buf_add(&path, names[i]->d_name, strlen(names[i]->d_name) + 1);
		section_file_read(&(*files)[i], path.p);
		buf_free(&path);
		free(names[i]);
	}
	free(names);
	return (size_t)n;
}

int main(int argc, char **argv)
{
	struct sections r = {.rows = 0};
	const struct opt_table tables[] = {{options, &r, take_option}, {0}};
	struct section_file *files;
	struct buf words = {0};
	char **operands, **end;
	struct out out;
	size_t n, i;
	int status;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	kernel_names_option_read();
	if (!*operands)
		die("FOLDER is missing; try %s -h", err_prog());
	for (end = operands + 1; *end; end++)
		;
	shell_words_add(&words, operands + 1, end);
	figures_set(&r.shared, STR("files"), result_text(buf_str(&words)));
	figures_set(&r.shared, STR("pictures"), result_int(r.pictures));
	buf_free(&words);
	setenv("TRACEFILTERS_COMMAND", err_command(), 1);
	setenv("TRACEFILTERS_QUIET", "yes", 1);
	r.answers.progress = isatty(STDERR_FILENO);
	n = read_files(*operands, &files);
	for (i = 0; i < n; i++)
		sections_ask(&r, &files[i]);
	filter_open_output(&out);
	if (!sections_write(&r, &out) && !r.answers.lost) {
		warn("no verdict: the input has no records, or none that a section uses");
		r.answers.lost = true;
	}
	status = filter_close_output(&out, NULL);
	if (status == STATUS_OK && r.answers.lost)
		status = STATUS_LOST;
	sections_free(&r);
	for (i = 0; i < n; i++)
		section_file_free(&files[i]);
	free(files);
	return status;
}
