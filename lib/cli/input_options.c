#include "cli/input_options.h"

#define TO(member) OPT_TO(struct input_options, member)
#define TRACE_ROWS                                                                                                     \
	{0, "lenient", OPT_FLAG, TO(lenient), "exit 0 even when records were lost"},                                   \
	    {0, "max-record", OPT_SIZE("SIZE", 1), TO(max_record), "skip records larger than SIZE (default 64MiB)"},   \
	    {0, "quiet", OPT_FLAG, OPT_TAKE, "do not print hints or notes on standard error"},                         \
	{                                                                                                              \
		0                                                                                                      \
	}

const struct opt trace_option_rows[] = {TRACE_ROWS};

const struct opt record_option_rows[] = {
    {0, "check", OPT_FLAG, TO(check), "check the JSON of whole records, including parts that are not used"},
    TRACE_ROWS,
};

/* --quiet */
void input_options_take(void *options, const struct opt_value *v)
{
	(void)options;
	(void)v;
	err_set_quiet();
}
