#include "record/member_capture.h"

#include "base/char_class.h"
#include "json/string.h"
#include "record/name_match.h"
#include "base/num_parse.h"
#include "cli/options.h"

#include <stdlib.h>

struct capture {
	struct str name;
	regex_t re;
};

enum event_member member_capture_member(const char *option, struct str name)
{
	enum event_member m;
	size_t i;

	if (!name.n)
		die("%s: NAME is missing (NAME=...)", option);
	for (i = 0; i < name.n; i++) {
		if ((unsigned char)name.p[i] < ' ' || name.p[i] == '"' || name.p[i] == '\\')
			die("%s: '%.*s' cannot be a member's name", option, STR_FMT(name));
	}
	for (m = 0; m < EVENT_N; m++) {
		if (str_eq(name, str_of(event_member_name(m))))
			break;
	}
	if (m == EVENT_TS || m == EVENT_DUR || m == EVENT_KIND || m == EVENT_ARGS || m == EVENT_SRC)
		die("%s: '%.*s' is the record's own and cannot be set", option, STR_FMT(name));
	return m;
}

void member_capture_value(struct buf *to, struct str value)
{
	int64_t i;
	double d;

	if (num_int(value, &i) == NUM_OK || num_double(value, &d) || str_eq(value, STR("true")) ||
	    str_eq(value, STR("false")) || str_eq(value, STR("null")))
		buf_add(to, value.p, value.n);
	else
		json_quote(to, value);
}

struct capture *member_capture_open(const char *option, const char *arg)
{
	struct capture *c = mem_alloc(sizeof *c);
	struct str all = str_of(arg);
	struct fault f;

	c->name = str_head(all, str_find(all, STR("=")));
	if (c->name.n == all.n)
		die("%s: '%s' is not NAME=REGEX", option, arg);
	member_capture_member(option, c->name);
	if (!name_match_compile(&c->re, arg + c->name.n + 1, 0, &f))
		die("%s: '%s' is not a regular expression: %s", option, arg + c->name.n + 1, f.what);
	if (c->re.re_nsub != 1)
		die("%s: '%s' needs one (group), which is the value", option, arg + c->name.n + 1);
	return c;
}

/* Names pad their numbers: rank-007 is 7. */
static struct str without_zeros(struct str s)
{
	while (s.n > 1 && s.p[0] == '0')
		s = str_from(s, 1);
	return s;
}

bool member_capture_match(const struct capture *c, const char *text, struct buf *to)
{
	regmatch_t at[2];
	struct str value;
	const int error = regexec(&c->re, text, 2, at, 0);

	if (error == REG_ESPACE)
		die("out of memory: looking for a regular expression in a name");
	if (error || at[1].rm_so < 0)
		return false;
	value = (struct str){text + at[1].rm_so, (size_t)(at[1].rm_eo - at[1].rm_so)};
	member_capture_value(to, str_all(value, is_digit) ? without_zeros(value) : value);
	return true;
}

struct str member_capture_name(const struct capture *c)
{
	return c->name;
}

void member_capture_free(struct capture *c)
{
	if (!c)
		return;
	regfree(&c->re);
	free(c);
}
