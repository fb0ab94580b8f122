/* histogram_options: the options --bins and --log of stats --hist. */
#ifndef HISTOGRAM_OPTIONS_H
#define HISTOGRAM_OPTIONS_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum { HISTOGRAM_OPTIONS_BINS_MOST = 10000 };

/* Zero-initialise; free with histogram_options_free(). If all members are zero, the bins depend on the values only. */
struct histogram_options {
	size_t bins;   /* number of bins; 0: not given */
	double *edges; /* n_edges ascending edges; NULL: not given */
	size_t n_edges, edges_cap;
	bool log; /* edges grow by a factor, so bins do not have the same width */
};

/*
 * Reads the argument of --bins: a number of bins, or at least two ascending edges such as 0,10us,1ms. Exits with a
 * message if it is invalid; `option` is the option's name in this message.
 */
void histogram_options_read(struct histogram_options *o, const char *option, const char *text);

void histogram_options_free(struct histogram_options *o);

#endif
