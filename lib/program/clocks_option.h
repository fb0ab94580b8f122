/* clocks_option: reads the FILE of the option --clocks, for coll-join and ts-sort. */
#ifndef CLOCKS_OPTION_H
#define CLOCKS_OPTION_H

#include "record/clock_file.h"
#include "record/input.h"

/*
 * Reads the clocks in the file `path`. Exits when the file cannot be read, has no clocks, or has a clock that is not
 * valid. `out` is standard output.
 */
void clocks_option_read(
    struct clock_file *clocks, const char *path, const struct input_options *options, struct out *out);

#endif
