#include "cli/input_options.h"

#include "base/err.h"

enum { CHECK = 256, LENIENT, MAX_RECORD, QUIET };

#define TRACE_ROWS                                                                                                     \
	{LENIENT, "lenient", OPT_FLAG, "exit 0 even when records were lost"},                                          \
	    {MAX_RECORD, "max-record", OPT_SIZE("SIZE", 1), "skip records over SIZE (64MiB)"},                         \
	    {QUIET, "quiet", OPT_FLAG, "print no hints and notes on standard error"},                                  \
	{0}

const struct opt trace_option_rows[] = {TRACE_ROWS};

const struct opt record_option_rows[] = {
    {CHECK, "check", OPT_FLAG, "check whole records, also the parts that are not read"},
    TRACE_ROWS,
};

void input_options_take(void *options, const struct opt_value *v)
{
	struct input_options *o = options;

	switch (v->opt->letter) {
	case CHECK:
		o->check = true;
		break;
	case LENIENT:
		o->lenient = true;
		break;
	case MAX_RECORD:
		o->max_record = (size_t)v->number;
		break;
	case QUIET:
		err_set_quiet();
		break;
	}
}
