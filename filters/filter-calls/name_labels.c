#include "name_labels.h"

#include "base/err.h"
#include "cli/opt_value.h"
#include "record/event_attach.h"
#include "json/string.h"
#include "json/write.h"
#include "json/scan.h"
#include "io/source.h"
#include "record/name_match.h"

#include <stdlib.h>

struct name_labels {
	struct buf member;       /* the key as it is written to records: ,"FIELD": */
	struct name_match names; /* the regular expressions, in the order of the file */
	struct buf *texts;       /* for each expression, the member with its label */
	size_t cap;
	struct buf record; /* the record that was labelled last */
};

/* --- reading the file --- */

static bool add_line(struct name_labels *l, struct str line, struct fault *f)
{
	struct buf *text;
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
	good = name_match_regex(&l->names, regex, f);
	free(regex);
	if (!good)
		return false;
	l->texts = mem_grow(l->texts, &l->cap, l->names.n, sizeof *l->texts);
	text = &l->texts[l->names.n - 1];
	*text = (struct buf){0};
	buf_add(text, l->member.p, l->member.n);
	json_quote(text, str_from(label, 1));
	scan_pad(text);
	return true;
}

static bool add_lines(struct name_labels *l, struct str text, struct fault *f)
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
static bool read_file(struct name_labels *l, const char *path, struct fault *f)
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

struct name_labels *name_labels_option(const char *option, const char *spec, bool fold)
{
	struct name_labels *l = mem_zero(1, sizeof *l);
	struct str all = str_of(spec), field = str_head(all, str_find(all, STR("=")));
	const char *name;
	struct fault f;
	size_t i;

	l->names.fold = fold;
	if (!field.n || field.n + 1 >= all.n)
		opt_invalid(option, str_of(spec), "FIELD=FILE");
	for (i = 0; (name = event_member_name(i)); i++) {
		if (str_eq(field, str_of(name)))
			opt_reserved(option, field);
	}
	json_write_name(&l->member, field);
	if (!read_file(l, spec + field.n + 1, &f)) {
		f.at.file = spec + field.n + 1;
		warn_fault(&f);
		quit(STATUS_FAIL);
	}
	return l;
}

/* --- labelling --- */

struct str name_labels_put(struct name_labels *l, struct event *e, struct str record)
{
	size_t rule = name_match_first(&l->names, event_get(e, EVENT_NAME));

	if (rule == NAME_MATCH_NONE)
		return record;
	return event_attach_put(&l->record, record, (struct str){l->texts[rule].p, l->texts[rule].n});
}

void name_labels_free(struct name_labels *l)
{
	size_t i;

	for (i = 0; i < l->names.n; i++)
		buf_free(&l->texts[i]);
	free(l->texts);
	name_match_free(&l->names);
	buf_free(&l->member);
	buf_free(&l->record);
	free(l);
}
