#include "cli/name_options.h"

#include "base/err.h"

_Noreturn static void refused(const char *option, const char *regex, const struct fault *f)
{
	die("%s: '%s' %s%s", option, regex, f->error == FAULT_REFUSED ? "" : "is not a regular expression: ", f->what);
}

void name_match_option(struct name_match *m, const char *option, const char *regex)
{
	struct fault fault;

	if (!name_match_regex(m, regex, &fault))
		refused(option, regex, &fault);
}

enum event_member member_name_option(const char *option, struct str name)
{
	enum event_member m;
	struct fault fault;

	if (!name.n)
		die("%s: NAME is missing (NAME=...)", option);
	if (!member_capture_member(name, &m, &fault))
		die("%s: '%.*s' %s", option, STR_FMT(name), fault.what);
	return m;
}

struct member_capture *member_capture_option(const char *option, const char *arg)
{
	struct str all = str_of(arg), name = str_head(all, str_find(all, STR("=")));
	struct member_capture *capture;
	struct fault fault;

	if (name.n == all.n)
		die("%s: '%s' is not NAME=REGEX", option, arg);
	member_name_option(option, name);
	capture = member_capture_new(name, arg + name.n + 1, &fault);
	if (!capture)
		refused(option, arg + name.n + 1, &fault);
	return capture;
}
