#include "program/kernel_names_option.h"

#include "base/err.h"

static const char *path;

const struct opt kernel_names_option_rows[] = {
    {0, "kernel-names", OPT_TEXT("FILE"), OPT_TAKE,
	"classify kernels by the rules in FILE, and then by those in\n"
	"share/tracefilters/kernel-names.tsv (default $TRACEFILTERS_KERNEL_NAMES)"},
    {0},
};

void kernel_names_option_take(void *arg, const struct opt_value *v)
{
	(void)arg;
	path = v->text;
}

void kernel_names_option_read(void)
{
	struct fault f;

	err_check(kernel_names_read(path, &f), &f);
}
