#include "program/label_file.h"

#include "base/err.h"
#include "io/source.h"

#include <stdlib.h>

typedef const char *label_adder(void *arg, struct str label);

/* Adds a line. Returns NULL, or what is wrong with the line. */
static const char *add_line(struct name_match *names, label_adder *add, void *arg, struct str line)
{
	struct str label;
	struct fault f;
	char *regex;
	bool good;

	if (str_ends(line, STR("\r")))
		line.n--;
	if (!str_trim(line).n || line.p[0] == '#')
		return NULL;
	label = str_from(line, str_find(line, STR("\t")));
	if (label.n < 2)
		return label.n ? "missing label after the tab" : "missing tab between expression and label";
	regex = str_dup(str_head(line, line.n - label.n));
	good = name_match_regex(names, regex, &f);
	free(regex);
	return good ? add(arg, str_from(label, 1)) : f.what;
}

void label_file_read(const char *path, struct name_match *names, label_adder *add, void *arg)
{
	struct fault f = {.what = NULL};
	struct source *src = source_open(path, &f);
	struct str text, line;
	int more = 1;

	while (src && more > 0)
		more = source_more(src);
	if (src && more < 0)
		f = src->fault;
	text = src ? (struct str){src->p, src->n} : STR("");
	if (str_ends(text, STR("\n")))
		text.n--;
	while (!f.what && str_split(&text, '\n', &line)) {
		f.at.line++;
		f.what = add_line(names, add, arg, line);
	}
	if (src)
		source_close(src);
	if (!f.what)
		return;
	f.at.file = path;
	warn_fault(&f);
	quit(STATUS_FAIL);
}
