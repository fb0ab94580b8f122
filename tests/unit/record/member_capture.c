/*
 * record/member_capture: names of members that can be set, regular expressions with one group, and the captured values.
 */
#include "record/member_capture.h"
#include "test.h"

/* Returns the member of that name, -1 when it cannot be set. */
static int member(const char *name)
{
	enum event_member m;

	return member_capture_member(str_of(name), &m) ? (int)m : -1;
}

/* Returns the reason why the expression is refused; "" when it is accepted. */
static struct str refusal(const char *regex, int error)
{
	struct fault f = {.what = ""};
	struct member_capture *c = member_capture_new(STR("n"), regex, &f);

	CHECK_INT(c ? 0 : f.error, error);
	member_capture_free(c);
	return str_of(f.what);
}

static struct str value_of(const char *regex, struct str text)
{
	static struct buf b;
	struct fault f;
	struct member_capture *c = member_capture_new(STR("n"), regex, &f);

	b.n = 0;
	CHECK_STR(member_capture_name(c), "n");
	if (!member_capture_match(c, text, &b))
		buf_lit(&b, "no match");
	member_capture_free(c);
	return (struct str){b.p, b.n};
}

static struct str value(const char *regex, const char *text)
{
	return value_of(regex, str_of(text));
}

void unit_test(void)
{
	CHECK_INT(member("rank"), EVENT_RANK);
	CHECK_INT(member("iteration"), EVENT_N);
	CHECK_INT(member("\xc3\xa9"), EVENT_N);
	CHECK_INT(member("ts"), -1);
	CHECK_INT(member("dur"), -1);
	CHECK_INT(member("kind"), -1);
	CHECK_INT(member("args"), -1);
	CHECK_INT(member("src"), -1);
	CHECK_INT(member(""), -1);
	CHECK_INT(member("a\"b"), -1);
	CHECK_INT(member("a\\b"), -1);
	CHECK_INT(member("a\nb"), -1);
	CHECK_STR(refusal("n=([0-9]+)", 0), "");
	CHECK_STR(refusal("n=[0-9]+", FAULT_REFUSED), "expected a regular expression with exactly one (group)");
	CHECK_STR(refusal("(n)=([0-9]+)", FAULT_REFUSED), "expected a regular expression with exactly one (group)");
	CHECK_STR(refusal("(n", 0), "unmatched ( or \\(");
	CHECK_STR(value("rank-([0-9]+)", "run/rank-007.json"), "7");
	CHECK_STR(value("rank-([a-z0-9]+)", "run/rank-a7.json"), "\"a7\"");
	CHECK_STR(value("rank-([0-9]+)", "run/node-7.json"), "no match");
	CHECK_STR(value_of("a.(b)", (struct str){"a\0b", 3}), "\"b\"");
}
