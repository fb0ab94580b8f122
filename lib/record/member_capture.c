#include "record/member_capture.h"

#include "json/string.h"
#include "record/name_match.h"
#include "base/num_parse.h"

#include <stdlib.h>

struct member_capture {
	struct str name;
	regex_t re;
};

bool member_capture_member(struct str name, enum event_member *m)
{
	size_t i;

	*m = EVENT_N;
	for (i = 0; i < name.n; i++) {
		if ((unsigned char)name.p[i] < ' ' || name.p[i] == '"' || name.p[i] == '\\')
			return false;
	}
	*m = event_member(name);
	return name.n && *m != EVENT_TS && *m != EVENT_DUR && *m != EVENT_KIND && *m != EVENT_ARGS && *m != EVENT_SRC;
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

struct member_capture *member_capture_new(struct str name, const char *regex, struct fault *f)
{
	struct member_capture *c = mem_alloc(sizeof *c);

	c->name = name;
	if (!name_match_compile(&c->re, regex, 0, f)) {
		free(c);
		return NULL;
	}
	if (c->re.re_nsub == 1)
		return c;
	*f = (struct fault){.what = "expected a regular expression with exactly one (group)", .error = FAULT_REFUSED};
	member_capture_free(c);
	return NULL;
}

bool member_capture_match(const struct member_capture *c, struct str text, struct buf *to)
{
	regmatch_t at[2];
	struct str value;

	if (!name_match_search(&c->re, text, at, 2) || at[1].rm_so < 0)
		return false;
	value = str_head(str_from(text, (size_t)at[1].rm_so), (size_t)(at[1].rm_eo - at[1].rm_so));
	/* Numbers in names are often padded with zeros: rank-007 means rank 7. */
	while (value.n > 1 && value.p[0] == '0' && str_all(value, is_digit))
		value = str_from(value, 1);
	member_capture_value(to, value);
	return true;
}

struct str member_capture_name(const struct member_capture *c)
{
	return c->name;
}

void member_capture_free(struct member_capture *c)
{
	if (!c)
		return;
	regfree(&c->re);
	free(c);
}
