#include "sorter.h"

#include "cli/filter.h"

#include <stdlib.h>

/* Returns the path of ts-sort, which has the same folder and prefix as trace2ndjson. */
static char *sorter_path(const char *argv0)
{
	const struct str own = STR("trace2ndjson"), name = str_of(argv0);
	struct buf b = {0};

	if (str_ends(name, own))
		buf_add(&b, name.p, name.n - own.n);
	buf_add(&b, "ts-sort", sizeof "ts-sort");
	return b.p;
}

void sorter_open(struct child_pipe *t, const char *argv0)
{
	/*
	 * Records that this program writes may be larger than the default limit of ts-sort, so set the limit to the
	 * maximum.
	 */
	char any_size[] = "--max-record=9223372036854775807", *argv[] = {sorter_path(argv0), any_size, NULL};

	filter_open_child(t, argv, "--sort");
	free(argv[0]);
}
