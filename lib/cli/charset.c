#include "cli/charset.h"

#include "base/str.h"

#include <stdlib.h>

bool charset_is_utf8(void)
{
	static const char *const names[] = {"TRACEFILTERS_CHARSET", "LC_ALL", "LC_CTYPE", "LANG"};
	const char *value = NULL;
	size_t i;

	for (i = 0; (!value || !*value) && i < sizeof names / sizeof *names; i++)
		value = getenv(names[i]);
	for (; value && *value; value++) {
		if (str_eq_any_case(str_head(str_of(value), 5), STR("utf-8")) ||
		    str_eq_any_case(str_head(str_of(value), 4), STR("utf8")))
			return true;
	}
	return false;
}
