#include "program/opt_fields.h"

#include "program/opt_value.h"

#include <stdlib.h>

/* --- fields --- */

void opt_field_refused(const char *option, struct str spec, const struct fault *f)
{
	die("%s: '%.*s': invalid field: %s", option, STR_FMT(spec), f->what);
}

void opt_field(struct field *f, const char *option, const char *spec)
{
	struct fault fault;

	if (!field_compile(f, str_of(spec), &fault))
		opt_field_refused(option, str_of(spec), &fault);
}

void opt_fields_add(struct opt_fields *f, const char *option, const char *list)
{
	struct fault fault;
	struct str item;
	struct buf text = {0};

	while (opt_item(&list, &text, &item)) {
		f->list = mem_grow(f->list, &f->cap, f->n + 1, sizeof *f->list);
		if (!field_compile(&f->list[f->n++], item, &fault))
			opt_field_refused(option, item, &fault);
	}
	buf_free(&text);
}

void opt_fields_free(struct opt_fields *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		field_free(&f->list[i]);
	free(f->list);
	*f = (struct opt_fields){0};
}

void opt_group_keys(struct groups *g, const char *option, const char *list)
{
	struct fault fault;
	struct str item;
	struct buf text = {0};

	while (opt_item(&list, &text, &item)) {
		if (!groups_add_key(g, item, &fault))
			opt_field_refused(option, item, &fault);
	}
	buf_free(&text);
}

void opt_condition(struct conditions *c, const char *option, const char *text)
{
	struct fault f;

	if (!conditions_add(c, text, &f))
		die("%s: '%s': invalid condition at byte %llu: %s", option, text, (unsigned long long)f.at.byte + 1,
		    f.what);
}

/* --- names and members --- */

void opt_regex_refused(const char *option, const char *regex, const struct fault *f)
{
	die("%s: '%s': %s%s", option, regex, f->error == FAULT_REFUSED ? "" : "invalid regular expression: ", f->what);
}

void opt_name_regex(struct name_match *m, const char *option, const char *regex)
{
	struct fault fault;

	if (!name_match_regex(m, regex, &fault))
		opt_regex_refused(option, regex, &fault);
}

void opt_label_file(
    const char *path, struct name_match *names, const char *(*add)(void *arg, struct str label), void *arg)
{
	struct label_file l = {.names = names, .add = add, .arg = arg};
	struct fault f;

	err_check(label_file_read(&l, path, &f), &f);
}

enum event_member opt_member(const char *option, struct str name)
{
	enum event_member m;

	if (!name.n)
		die("%s: the name of the member is empty", option);
	if (member_capture_member(name, &m))
		return m;
	if (m != EVENT_N)
		opt_reserved(option, name);
	die("%s: '%.*s' contains a quote, a backslash or a control character; choose another name", option,
	    STR_FMT(name));
}

struct member_capture *opt_member_capture(const char *option, const char *arg)
{
	struct str all = str_of(arg), name = str_head(all, str_find(all, STR("=")));
	struct member_capture *capture;
	struct fault fault;

	if (name.n == all.n)
		opt_invalid(option, all, "NAME=REGEX");
	opt_member(option, name);
	capture = member_capture_new(name, arg + name.n + 1, &fault);
	if (!capture)
		opt_regex_refused(option, arg + name.n + 1, &fault);
	return capture;
}
