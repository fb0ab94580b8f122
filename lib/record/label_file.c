#include "record/label_file.h"

#include "io/source.h"

#include <stdlib.h>

/* Adds a line. Returns false, and sets f->what, if it is not valid. */
static bool add_line(struct label_file *l, struct str line, struct fault *f)
{
	struct str label;
	const char *wrong;
	char *regex;
	bool good;

	if (str_ends(line, STR("\r")))
		line.n--;
	if (!str_trim(line).n || line.p[0] == '#')
		return true;
	if (l->ended)
		return fault_refuse(f, "rule after the line that ends the rules", 0);
	if (l->last && str_eq(str_trim(line), str_of(l->last))) {
		l->ended = true;
		return true;
	}
	label = str_from(line, str_find(line, STR("\t")));
	if (!label.n)
		return fault_refuse(f, "missing tab between expression and label", 0);
	if (label.n < 2)
		return fault_refuse(f, "missing label after the tab", 0);
	regex = str_dup(str_head(line, line.n - label.n));
	good = name_match_regex(l->names, regex, f);
	free(regex);
	if (!good)
		return false;
	l->line = line;
	wrong = l->add(l->arg, str_from(label, 1));
	return !wrong || fault_refuse(f, wrong, 0);
}

bool label_file_text(struct label_file *l, struct str text, struct fault *f)
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

bool label_file_read(struct label_file *l, const char *path, struct fault *f)
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
	good = r == 0 && label_file_text(l, (struct str){src->p, src->n}, f);
	source_close(src);
	f->at.file = path;
	return good;
}
