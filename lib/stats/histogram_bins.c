#include "stats/histogram_bins.h"

#include "base/mem.h"
#include "base/num_parse.h"

#include <math.h>
#include <stdio.h>

/* A round number: digit * 10^power. */
struct round_number {
	int digit, power; /* digit: 1, 2 or 5 */
};

/* Divides by a power of ten if power < 0: 3 / 10 is 0.3, 3 * 0.1 is not. */
static double times_power(double v, int power)
{
	return power < 0 ? v / pow(10, -power) : v * pow(10, power);
}

static double value(struct round_number v)
{
	return times_power(v.digit, v.power);
}

static struct round_number after(struct round_number v)
{
	if (v.digit == 5)
		return (struct round_number){1, v.power + 1};
	return (struct round_number){v.digit == 1 ? 2 : 5, v.power};
}

/* Returns the largest round number that is at most v; v > 0. */
static struct round_number at_most(double v)
{
	struct round_number n = {1, (int)floor(log10(v)) - 1};

	while (value(after(n)) <= v)
		n = after(n);
	return n;
}

/* Adds an edge after the existing ones. Each edge except the first one also adds a bin. Returns the edge. */
static double add_edge(struct histogram_bins *b, double edge)
{
	const size_t i = b->cap ? ++b->n : 0;

	b->edges = mem_grow(b->edges, &b->cap, i + 1, sizeof *b->edges);
	return b->edges[i] = edge;
}

/*
 * Makes the edges 1 2 5 10 20 ... of bins whose width grows. Integers can begin at 0: the first edge is then 0, and 0
 * gets its own bin.
 */
static void growing(struct histogram_bins *b, double min, double max)
{
	struct round_number edge = min > 0 ? at_most(min) : (struct round_number){1, 0};

	if (min <= 0)
		add_edge(b, min < 0 ? -INFINITY : 0);
	while (add_edge(b, value(edge)) <= max)
		edge = after(edge);
}

static void even(struct histogram_bins *b, double min, double max, bool whole)
{
	double least = max / (HISTOGRAM_BINS_MOST - 1) - min / (HISTOGRAM_BINS_MOST - 1), first, i = 0;
	struct round_number step = {1, 0};

	if (least > 0 && (!whole || least > 1)) {
		step = at_most(least);
		if (value(step) < least)
			step = after(step);
	}
	/* Edges ascend only if the step is larger than the distance between adjacent doubles. */
	while (fmax(fabs(min), fabs(max)) / value(step) > 0x1p52)
		step = after(step);
	first = floor(min / value(step));
	while (add_edge(b, times_power((first + i) * step.digit, step.power)) <= max)
		i++;
}

/* Rounds v to 12 significant digits: 0.30000000000000004 becomes 0.3. If `step` is too small for this, returns v. */
static double round_edge(double v, double step)
{
	char text[32];
	double rounded;

	if (!(step > fabs(v) * 1e-9))
		return v;
	snprintf(text, sizeof text, "%.12g", v);
	return num_double(str_of(text), &rounded) ? rounded : v;
}

/* Makes n bins of the same width from min to max. Their distance may be larger than the largest double. */
static void equal_steps(struct histogram_bins *b, size_t n, double min, double max)
{
	const double step = max / (double)n - min / (double)n;
	const bool wide = isinf(max - min);
	size_t i;
	double edge;

	add_edge(b, min);
	for (i = 1; i < n; i++) {
		edge = min + step * (double)i;
		if (wide)
			edge = min * ((double)(n - i) / (double)n) + max * ((double)i / (double)n);
		add_edge(b, round_edge(edge, step));
	}
	add_edge(b, max);
}

/* Makes n bins from min to max. Each edge is the preceding edge times the same factor. */
static void equal_factors(struct histogram_bins *b, size_t n, double min, double max)
{
	size_t i;
	double edge;

	if (min <= 0) {
		add_edge(b, min < 0 ? -INFINITY : 0);
		min = 1;
		n = max > min ? n - 1 : 0;
	}
	for (i = 0; i < n; i++) {
		edge = pow(min, 1 - (double)i / (double)n) * pow(max, (double)i / (double)n);
		add_edge(b, i ? round_edge(edge, edge - b->edges[b->n]) : edge);
	}
	add_edge(b, fmax(max, min));
}

static void given_edges(struct histogram_bins *b, const struct histogram_options *o, double min, double max)
{
	size_t i;

	if (min < o->edges[0])
		add_edge(b, -INFINITY);
	for (i = 0; i < o->n_edges; i++)
		add_edge(b, o->edges[i]);
	if (max >= o->edges[o->n_edges - 1])
		add_edge(b, INFINITY);
}

void histogram_bins_edges(
    struct histogram_bins *b, const struct histogram_options *o, double min, double max, bool whole)
{
	*b = (struct histogram_bins){0};
	if (o->edges)
		given_edges(b, o, min, max);
	else if (o->bins && max > min)
		(o->log ? equal_factors : equal_steps)(b, o->bins, min, max);
	else if (o->log || (min > 0 && max / 100 > min) || (whole && min == 0 && max > 100))
		growing(b, min, max);
	else
		even(b, min, max, whole);
}

void histogram_bins_of(struct histogram_bins *b, const struct histogram_options *o, const struct quantile *q)
{
	double min, max;

	*b = (struct histogram_bins){0};
	if (!q->n)
		return;
	quantile_limits(q, &min, &max);
	histogram_bins_edges(b, o, min, max, !q->fractions);
	b->counts = mem_zero(b->n, sizeof *b->counts);
	quantile_spread(q, b->edges, b->n, b->counts);
}

uint64_t histogram_bins_most(const struct histogram_bins *b)
{
	uint64_t most = 1;
	size_t i;

	for (i = 0; i < b->n; i++)
		most = b->counts[i] > most ? b->counts[i] : most;
	return most;
}

void histogram_bins_free(struct histogram_bins *b)
{
	mem_free(b->edges, b->counts);
	*b = (struct histogram_bins){0};
}
