#include "program/histogram_options.h"

#include "base/mem.h"
#include "base/num_parse.h"
#include "base/units.h"
#include "program/opt_value.h"

#include <stdlib.h>

static const char expected[] = "a number of bins from 1 to 10000, or ascending edges such as 0,10us,1ms";

/* Reads ascending edges. An edge with a unit is converted to ns or bytes. */
static void read_edges(struct histogram_options *o, const char *option, struct str text)
{
	struct str rest = text, item;
	const struct unit *unit;
	double edge;
	int64_t v;

	while (str_split(&rest, ',', &item)) {
		if (!num_double(item, &edge)) {
			if (units_parse(item, &v, &unit) != NUM_OK)
				opt_invalid(option, text, expected);
			edge = (double)v;
		}
		if ((o->n_edges && edge <= o->edges[o->n_edges - 1]) || o->n_edges > HISTOGRAM_OPTIONS_BINS_MOST)
			opt_invalid(option, text, expected);
		o->edges = mem_grow(o->edges, &o->edges_cap, o->n_edges + 1, sizeof *o->edges);
		o->edges[o->n_edges++] = edge;
	}
}

void histogram_options_read(struct histogram_options *o, const char *option, const char *text)
{
	const struct str argument = str_of(text);
	int64_t bins = 0;

	histogram_options_free(o);
	if (strchr(text, ','))
		read_edges(o, option, argument);
	else if (num_int(argument, &bins) != NUM_OK || bins < 1 || bins > HISTOGRAM_OPTIONS_BINS_MOST)
		opt_invalid(option, argument, expected);
	o->bins = (size_t)bins;
}

void histogram_options_free(struct histogram_options *o)
{
	free(o->edges);
	o->edges = NULL;
	o->bins = o->n_edges = o->edges_cap = 0;
}
