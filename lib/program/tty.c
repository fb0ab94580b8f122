#include "program/tty.h"

#include "base/num_parse.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 80 }; /* columns of a terminal that does not report its width */

/* Returns the value of a variable that is not empty, otherwise NULL. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

int tty_width(void)
{
	const char *columns = variable("TRACEFILTERS_COLUMNS");
	struct winsize size = {0};
	int64_t width;

	if (isatty(STDOUT_FILENO))
		return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : DEFAULT_WIDTH;
	if (columns && num_int(str_of(columns), &width) == NUM_OK && width > 0 && width < INT_MAX)
		return (int)width;
	return 0;
}

bool tty_is_utf8(void)
{
	static const char *const names[] = {"TRACEFILTERS_CHARSET", "LC_ALL", "LC_CTYPE", "LANG"};
	const char *value = NULL;
	size_t i;

	for (i = 0; !value && i < sizeof names / sizeof *names; i++)
		value = variable(names[i]);
	for (; value && *value; value++) {
		if (str_eq_any_case(str_head(str_of(value), 5), STR("utf-8")) ||
		    str_eq_any_case(str_head(str_of(value), 4), STR("utf8")))
			return true;
	}
	return false;
}

int tty_colors(void)
{
	const char *term = variable("TERM");

	if (!isatty(STDOUT_FILENO) || variable("NO_COLOR") || !term || str_eq(str_of(term), STR("dumb")))
		return 0;
	return variable("COLORTERM") || strstr(term, "256color") ? 256 : 16;
}
