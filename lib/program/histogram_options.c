#include "program/histogram_options.h"

#include "base/mem.h"
#include "base/num_parse.h"
#include "base/units.h"
#include "program/opt_value.h"

#include <stdlib.h>

static const char expected[] = "a number of bins from 1 to 10000, or ascending edges such as 0,10us,1ms";

/* Parses a number with or without a unit. A number with a unit is converted to ns or bytes. */
static bool parse_edge(struct str text, double *edge)
{
	const struct unit *unit;
	int64_t v;

	if (num_double(text, edge))
		return true;
	if (units_parse(text, &v, &unit) != NUM_OK)
		return false;
	*edge = (double)v;
	return true;
}

static void read_edges(struct histogram_options *o, const char *option, struct str text)
{
	struct str rest = text, piece;
	double edge;

	while (str_split(&rest, ',', &piece)) {
		if (!parse_edge(piece, &edge) || (o->n_edges && edge <= o->edges[o->n_edges - 1]) ||
		    o->n_edges > HISTOGRAM_OPTIONS_BINS_MOST)
			opt_invalid(option, text, expected);
		o->edges = mem_grow(o->edges, &o->edges_cap, o->n_edges + 1, sizeof *o->edges);
		o->edges[o->n_edges++] = edge;
	}
}

void histogram_options_read(struct histogram_options *o, const char *option, const char *text)
{
	const struct str argument = str_of(text);
	const bool edges = memchr(text, ',', argument.n);
	int64_t bins = 0;

	histogram_options_free(o);
	if (edges) {
		read_edges(o, option, argument);
		return;
	}
	if (num_int(argument, &bins) != NUM_OK || bins < 1 || bins > HISTOGRAM_OPTIONS_BINS_MOST)
		opt_invalid(option, argument, expected);
	o->bins = (size_t)bins;
}

void histogram_options_free(struct histogram_options *o)
{
	free(o->edges);
	o->edges = NULL;
	o->bins = o->n_edges = o->edges_cap = 0;
}
