#include "stats/accumulator.h"

#include <math.h>
#include <stdlib.h>

size_t accumulator_size(enum accumulator_part part)
{
	static const size_t size[ACCUMULATOR_PARTS] = {
	    [ACCUMULATOR_NUMBERS] = sizeof(struct accumulator_numbers),
	    [ACCUMULATOR_SPREAD] = sizeof(struct accumulator_spread),
	    [ACCUMULATOR_EDGES] = sizeof(struct accumulator_edges),
	    [ACCUMULATOR_VALUES] = sizeof(struct accumulator_values),
	    [ACCUMULATOR_QUANTILE] = sizeof(struct quantile),
	    [ACCUMULATOR_LIST] = sizeof(struct accumulator_list),
	    [ACCUMULATOR_WEIGHTED] = sizeof(struct accumulator_weighted),
	};

	return (size[part] + 15) / 16 * 16;
}

/* --- numbers --- */

void accumulator_add_real(struct accumulator_numbers *a, double v)
{
	struct accumulator_reals *r = a->reals;

	if (!r)
		r = a->reals = mem_zero(1, sizeof *r);
	if (!r->n || v < r->min)
		r->min = v;
	if (!r->n || v > r->max)
		r->max = v;
	r->n++;
	r->sum += (long double)v;
}

uint64_t accumulator_count(const struct accumulator_numbers *a)
{
	return a->n + (a->reals ? a->reals->n : 0);
}

long double accumulator_sum(const struct accumulator_numbers *a)
{
	return (long double)a->sum + (a->reals ? a->reals->sum : 0);
}

static void merge_reals(struct accumulator_numbers *a, const struct accumulator_reals *from)
{
	struct accumulator_reals *r = a->reals;

	if (!r) {
		a->reals = mem_alloc(sizeof *r);
		*a->reals = *from;
		return;
	}
	r->min = from->min < r->min ? from->min : r->min;
	r->max = from->max > r->max ? from->max : r->max;
	r->n += from->n;
	r->sum += from->sum;
}

static void merge_numbers(struct accumulator_numbers *a, const struct accumulator_numbers *from)
{
	if (from->n && (!a->n || from->min < a->min))
		a->min = from->min;
	if (from->n && (!a->n || from->max > a->max))
		a->max = from->max;
	a->n += from->n;
	a->sum += from->sum;
	if (from->reals)
		merge_reals(a, from->reals);
}

/* --- spread --- */

static const int64_t near_enough = (int64_t)1 << 44;

static void spread_far(struct accumulator_spread *s, long double v)
{
	long double d;

	if (!s->far.n++)
		s->far.origin = v;
	d = v - s->far.origin;
	s->far.sum += d;
	s->far.squares += d * d;
}

static void spread_add(struct accumulator_spread *s, const struct value *v)
{
	int64_t d;

	if (v->type == VALUE_REAL) {
		spread_far(s, (long double)v->d);
		return;
	}
	if (!s->n)
		s->origin = v->i;
	if (__builtin_sub_overflow(v->i, s->origin, &d) || d >= near_enough || d <= -near_enough) {
		spread_far(s, (long double)v->i);
		return;
	}
	s->n++;
	s->sum += d;
	s->squares += (int128)d * d;
}

/* A set of numbers, given by their count, mean, and sum of squared differences from the mean. */
struct moments {
	long double n, mean, squares;
};

/*
 * Returns the moments of the integers that are summed exactly. The origin is first moved to the integer nearest to the
 * mean. This is exact, and the subtraction in `squares` then loses little precision.
 */
static struct moments moments_near(const struct accumulator_spread *s)
{
	int128 n = (int128)s->n, shift, rest, squares;

	if (!n)
		return (struct moments){0, 0, 0};
	shift = s->sum / n;
	rest = s->sum - shift * n;
	if (rest * 2 > n)
		shift++;
	else if (rest * 2 < -n)
		shift--;
	rest = s->sum - shift * n;
	squares = s->squares - 2 * shift * s->sum + n * shift * shift;
	return (struct moments){
	    (long double)n,
	    (long double)((int128)s->origin + shift) + (long double)rest / (long double)n,
	    (long double)squares - (long double)rest * (long double)rest / (long double)n,
	};
}

static struct moments moments_far(const struct accumulator_spread *s)
{
	long double n = (long double)s->far.n, mean;

	if (!s->far.n)
		return (struct moments){0, 0, 0};
	mean = s->far.sum / n;
	return (struct moments){n, s->far.origin + mean, s->far.squares - s->far.sum * mean};
}

/*
 * The formulae of Chan, Golub and LeVeque in "Updating Formulae and a Pairwise Algorithm for Computing Sample
 * Variances" (1979).
 */
static struct moments moments_join(struct moments a, struct moments b)
{
	long double n = a.n + b.n, d = b.mean - a.mean;

	if (a.n < 1 || b.n < 1)
		return a.n < 1 ? b : a;
	return (struct moments){n, a.mean + d * (b.n / n), a.squares + b.squares + d * d * (a.n * b.n / n)};
}

long double accumulator_variance(const struct accumulator_spread *s, uint64_t by)
{
	long double squares = moments_join(moments_near(s), moments_far(s)).squares;

	return squares > 0 ? squares / (long double)by : 0;
}

/*
 * Adds n values to s->far. `sum` and `squares` are the sums of the values' differences from `origin` and of the squares
 * of these differences; they are converted to differences from s->far.origin.
 */
static void spread_join(
    struct accumulator_spread *s, uint64_t n, long double origin, long double sum, long double squares)
{
	long double d;

	if (!s->far.n)
		s->far.origin = origin;
	d = origin - s->far.origin;
	s->far.n += n;
	s->far.sum += sum + (long double)n * d;
	s->far.squares += squares + 2 * d * sum + (long double)n * d * d;
}

static void merge_spread(struct accumulator_spread *s, const struct accumulator_spread *from)
{
	int128 n = (int128)from->n, d;

	if (!s->n)
		s->origin = from->origin;
	d = (int128)from->origin - s->origin;
	if (d < near_enough && d > -near_enough) {
		s->n += from->n;
		s->sum += from->sum + n * d;
		s->squares += from->squares + 2 * d * from->sum + n * d * d;
	} else if (n) {
		spread_join(s, from->n, (long double)from->origin, (long double)from->sum, (long double)from->squares);
	}
	if (from->far.n)
		spread_join(s, from->far.n, from->far.origin, from->far.sum, from->far.squares);
}

/* --- the other parts --- */

static void keep(struct accumulator_kept *k, const struct value *v, uint64_t at)
{
	k->text.n = 0;
	buf_add(&k->text, v->text.p, v->text.n);
	k->at = at;
	k->value = *v;
	k->value.text = (struct str){k->text.p, k->text.n};
}

static void merge_edges(struct accumulator_edges *a, const struct accumulator_edges *from)
{
	if (from->first.value.type == VALUE_NONE)
		return;
	if (a->first.value.type == VALUE_NONE || from->first.at < a->first.at)
		keep(&a->first, &from->first.value, from->first.at);
	if (a->last.value.type == VALUE_NONE || from->last.at > a->last.at)
		keep(&a->last, &from->last.value, from->last.at);
}

/* Appends elements to the array. `elements` is their text, with commas between them. */
static void list_add(struct accumulator_list *l, struct str elements)
{
	if (l->text.n)
		l->text.p[l->text.n - 1] = ','; /* replaces the closing bracket */
	else
		buf_char(&l->text, '[');
	buf_add(&l->text, elements.p, elements.n);
	buf_char(&l->text, ']');
}

void accumulator_add_weighted(struct accumulator_weighted *a, const struct value *v, long double weight)
{
	if (isnan(weight) || (v->type != VALUE_INT && v->type != VALUE_REAL))
		return;
	a->sum += weight * value_number(v);
	a->weights += weight;
}

void accumulator_add_rest(const struct accumulator *a, const struct value *v, uint64_t at, size_t *spare)
{
	bool number = v->type == VALUE_INT || v->type == VALUE_REAL;

	if (a->spread && number)
		spread_add(a->spread, v);
	if (a->quantile && v->type == VALUE_INT)
		quantile_add_int(a->quantile, v->i, spare);
	else if (a->quantile && number)
		quantile_add_real(a->quantile, v->d, spare);
	if (a->values && !number)
		a->values->others++;
	if (a->edges && a->edges->first.value.type == VALUE_NONE)
		keep(&a->edges->first, v, at);
	if (a->edges)
		keep(&a->edges->last, v, at);
	if (a->list)
		list_add(a->list, v->text);
}

void accumulator_merge(const struct accumulator *a, const struct accumulator *from, size_t *spare)
{
	merge_numbers(a->numbers, from->numbers);
	if (a->spread)
		merge_spread(a->spread, from->spread);
	if (a->edges)
		merge_edges(a->edges, from->edges);
	if (a->values)
		a->values->others += from->values->others;
	if (a->quantile)
		quantile_merge(a->quantile, from->quantile, spare);
	if (a->list && from->list->text.n)
		list_add(a->list, (struct str){from->list->text.p + 1, from->list->text.n - 2});
	if (a->weighted) {
		a->weighted->sum += from->weighted->sum;
		a->weighted->weights += from->weighted->weights;
	}
}

void accumulator_free(const struct accumulator *a)
{
	free(a->numbers->reals);
	if (a->edges) {
		buf_free(&a->edges->first.text);
		buf_free(&a->edges->last.text);
	}
	if (a->quantile)
		quantile_free(a->quantile);
	if (a->list)
		buf_free(&a->list->text);
}
