#include "program/clocks_option.h"

#include "program/filter.h"

#include <inttypes.h>

void clocks_option_read(
    struct clock_file *clocks, const char *path, const struct input_options *options, struct out *out)
{
	char *operands[] = {(char *)(uintptr_t)path, NULL};
	struct input in = {.options = *options, .report = filter_report};
	const char *wrong = NULL;
	struct event e;

	input_open(&in, operands, out);
	while (!wrong && input_next(&in, &e))
		wrong = clock_file_add(clocks, &e);
	if (wrong)
		die("%s:%" PRIu64 ": %s", in.file, in.line, wrong);
	if (filter_close_input(&in) != STATUS_OK)
		quit(STATUS_FAIL);
	if (clock_file_is_empty(clocks))
		die("%s: no clocks; write them with coll-join --write clocks", path);
}
