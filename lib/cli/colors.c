#include "cli/colors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the value of a variable that is not empty, otherwise NULL. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

int colors_of_stdout(void)
{
	const char *term = variable("TERM");

	if (!isatty(STDOUT_FILENO) || variable("NO_COLOR") || !term || strcmp(term, "dumb") == 0)
		return 0;
	return variable("COLORTERM") || strstr(term, "256color") ? 256 : 16;
}
