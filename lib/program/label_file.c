#include "program/label_file.h"

#include "base/err.h"
#include "io/source.h"

#include <stdlib.h>

struct label_file {
	struct name_match *names;
	const char *(*add)(void *arg, struct str label);
	void *arg;
};

static bool add_line(const struct label_file *l, struct str line, struct fault *f)
{
	const char *wrong;
	struct str label;
	char *regex;
	bool good;

	if (str_ends(line, STR("\r")))
		line.n--;
	if (!str_trim(line).n || line.p[0] == '#')
		return true;
	label = str_from(line, str_find(line, STR("\t")));
	if (label.n < 2) {
		*f = (struct fault){
		    .what = label.n ? "missing label after the tab" : "missing tab between expression and label"};
		return false;
	}
	regex = str_dup(str_head(line, line.n - label.n));
	good = name_match_regex(l->names, regex, f);
	free(regex);
	if (!good)
		return false;
	wrong = l->add(l->arg, str_from(label, 1));
	if (wrong)
		*f = (struct fault){.what = wrong};
	return !wrong;
}

static bool add_lines(const struct label_file *l, struct str text, struct fault *f)
{
	struct str line;
	uint64_t number;

	if (str_ends(text, STR("\n")))
		text.n--;
	for (number = 1; str_split(&text, '\n', &line); number++) {
		if (!add_line(l, line, f)) {
			f->at.line = number;
			return false;
		}
	}
	return true;
}

/* Reads the whole file and adds its lines. */
static bool read_file(const struct label_file *l, const char *path, struct fault *f)
{
	struct source *src = source_open(path, f);
	bool good;
	int r;

	if (!src)
		return false;
	while ((r = source_more(src)) > 0)
		;
	if (r < 0)
		*f = src->fault;
	good = r == 0 && add_lines(l, (struct str){src->p, src->n}, f);
	source_close(src);
	return good;
}

void label_file_read(
    const char *path, struct name_match *names, const char *(*add)(void *arg, struct str label), void *arg)
{
	const struct label_file l = {names, add, arg};
	struct fault f;

	if (read_file(&l, path, &f))
		return;
	f.at.file = path;
	warn_fault(&f);
	quit(STATUS_FAIL);
}
