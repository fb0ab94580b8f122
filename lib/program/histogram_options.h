/* histogram_options: the option --bins of programs that draw or print histograms. */
#ifndef HISTOGRAM_OPTIONS_H
#define HISTOGRAM_OPTIONS_H

#include "stats/histogram_bins.h"

/*
 * Reads the argument of --bins: a number of bins, or at least two ascending edges such as 0,10us,1ms. Exits with a
 * message if it is invalid; `option` is the option's name in this message.
 */
void histogram_options_read(struct histogram_options *o, const char *option, const char *text);

void histogram_options_free(struct histogram_options *o);

#endif
