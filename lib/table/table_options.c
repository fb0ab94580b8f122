#include "table/table_options.h"

#include "base/err.h"
#include "cli/options.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { TERMINAL = 80 }; /* columns of a terminal that does not tell */

#define TABLE_NAME(id, name, help) name,
static const char *const formats[] = {TABLE_FORMATS(TABLE_NAME)};

static const char *format_name(size_t i)
{
	return i < TABLE_N ? formats[i] : NULL;
}

enum table_format table_options_format(const char *option, const char *arg)
{
	size_t i;

	for (i = 0; i < TABLE_N; i++) {
		if (str_eq(str_of(arg), str_of(formats[i])))
			return (enum table_format)i;
	}
	opt_unknown(option, "output format", str_of(arg), format_name);
}

static const char *unit_name(size_t i)
{
	const struct num_unit *unit = num_units(i);

	return unit ? unit->name : NULL;
}

void table_options_unit(struct table_options *to, const char *option, const char *arg)
{
	const struct num_unit *unit = num_unit(str_of(arg)), **slot;

	if (!unit)
		opt_unknown(option, "unit", str_of(arg), unit_name);
	slot = unit->size ? &to->size : &to->time;
	if (*slot)
		die("%s: '%s' after '%s': one unit of %s", option, arg, (*slot)->name, unit->size ? "size" : "time");
	*slot = unit;
}

void table_options_init(struct table_options *to, enum table_format otherwise)
{
	struct winsize size = {0};

	*to = (struct table_options){.format = otherwise};
	if (!isatty(STDOUT_FILENO))
		return;
	to->width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : TERMINAL;
}
