#include "label.h"

#include "json.h"
#include "scan.h"
#include "src.h"
#include "walk.h"

#include <stdlib.h>

/* --- reading the file --- */

static bool add_line(struct label *l, struct str line, struct fault *f)
{
	struct str label;
	char *regex;
	bool good;

	if (str_ends(line, STR("\r")))
		line.n--;
	if (!str_trim(line).n || line.p[0] == '#')
		return true;
	label = str_from(line, str_find(line, STR("\t")));
	if (label.n < 2) {
		*f = (struct fault){.what = label.n ? "no label behind the tab" : "no tab between expression and label"};
		return false;
	}
	regex = str_dup(str_head(line, line.n - label.n));
	good = match_regex(&l->names, regex, f);
	free(regex);
	if (!good)
		return false;
	l->texts = mem_grow(l->texts, &l->cap, l->names.n, sizeof *l->texts);
	l->texts[l->names.n - 1] = (struct buf){0};
	json_quote(&l->texts[l->names.n - 1], str_from(label, 1));
	return true;
}

static bool add_lines(struct label *l, struct str text, struct fault *f)
{
	struct str line;
	uint64_t number;

	if (str_ends(text, STR("\n")))
		text.n--;
	for (number = 1; str_split(&text, '\n', &line); number++) {
		if (!add_line(l, line, f)) {
			f->line = number;
			return false;
		}
	}
	return true;
}

/* The whole file is in the window at its end. */
static bool read_file(struct label *l, const char *path, struct fault *f)
{
	struct src *src = src_open(path, f);
	bool good;
	int r;

	if (!src)
		return false;
	while ((r = src_more(src)) > 0)
		;
	if (r < 0)
		*f = src->fault;
	good = r == 0 && add_lines(l, (struct str){src->p, src->n}, f);
	src_close(src);
	return good;
}

void label_option(struct label *l, const char *option, const char *spec, bool fold)
{
	struct str all = str_of(spec), field = str_head(all, str_find(all, STR("=")));
	const char *name;
	struct fault f;
	size_t i;

	*l = (struct label){.names.fold = fold};
	if (!field.n || field.n + 1 >= all.n)
		die("%s: '%s' is not FIELD=FILE", option, spec);
	for (i = 0; (name = event_member_name(i)); i++) {
		if (str_eq(field, str_of(name)))
			die("%s: '%s' is a standard member, a label needs a name of its own", option, name);
	}
	json_quote(&l->member, field);
	buf_char(&l->member, ':');
	if (!read_file(l, spec + field.n + 1, &f)) {
		warn_fault(spec + field.n + 1, &f);
		quit(STATUS_FAIL);
	}
}

/* --- labelling --- */

/* Where the label goes: text[from..to) makes way for it. */
struct gap {
	size_t from, to;
	bool value; /* of the member FIELD, which is there already */
	bool last;  /* behind the last member */
};

static struct gap find_gap(const struct label *l, struct str text)
{
	struct str name = {l->member.p + 1, l->member.n - 3}, key, value;
	struct gap gap = {text.n, text.n, false, false};
	struct walk w;

	walk_open(&w, text);
	while (walk_next(&w, &key, &value) > 0) {
		size_t at = (size_t)(key.p - 1 - text.p);

		if (str_eq(key, name)) {
			at = (size_t)(value.p - text.p);
			gap = (struct gap){at, at + value.n, true, false};
		} else if (!gap.value && gap.from == text.n && (str_eq(key, STR("args")) || str_eq(key, STR("src")))) {
			gap = (struct gap){at, at, false, false};
		}
	}
	if (gap.from == text.n) {
		while (gap.from > 0 && text.p[gap.from - 1] != '}')
			gap.from--;
		gap.from--;
		gap.to = gap.from;
		gap.last = true;
	}
	return gap;
}

struct str label_put(struct label *l, struct event *e, struct str record)
{
	size_t rule = match_first(&l->names, event_get(e, EVENT_NAME));
	struct buf *to = &l->record;
	struct gap gap;

	if (rule == MATCH_NONE)
		return record;
	gap = find_gap(l, record);
	to->n = 0;
	buf_add(to, record.p, gap.from);
	if (gap.last)
		buf_char(to, ',');
	if (!gap.value)
		buf_add(to, l->member.p, l->member.n);
	buf_add(to, l->texts[rule].p, l->texts[rule].n);
	if (!gap.value && !gap.last)
		buf_char(to, ',');
	buf_add(to, record.p + gap.to, record.n - gap.to);
	memset(buf_room(to, SCAN_PAD), 0, SCAN_PAD); /* another label may walk it */
	return (struct str){to->p, to->n};
}

void label_free(struct label *l)
{
	size_t i;

	for (i = 0; i < l->names.n; i++)
		buf_free(&l->texts[i]);
	free(l->texts);
	match_free(&l->names);
	buf_free(&l->member);
	buf_free(&l->record);
	*l = (struct label){0};
}
