#include "stats/accumulator.h"

#include "base/num_format.h"

#include <stdlib.h>

size_t accumulator_size(enum accumulator_part part)
{
	static const size_t size[ACCUMULATOR_PARTS] = {
	    [ACCUMULATOR_NUMBERS] = sizeof(struct accumulator_numbers),
	    [ACCUMULATOR_SPREAD] = sizeof(struct accumulator_spread),
	    [ACCUMULATOR_EDGES] = sizeof(struct accumulator_edges),
	    [ACCUMULATOR_VALUES] = sizeof(struct accumulator_values),
	    [ACCUMULATOR_DISTINCT] = sizeof(struct accumulator_distinct),
	    [ACCUMULATOR_QUANTILE] = sizeof(struct quantile),
	    [ACCUMULATOR_LIST] = sizeof(struct value_list),
	    [ACCUMULATOR_WEIGHTED] = sizeof(struct accumulator_weighted),
	};

	return (size[part] + 15) / 16 * 16;
}

/* --- numbers --- */

/* Returns whether a is nearer to the limit than b: less for sign 1, greater for -1; or equal, but written exactly. */
static bool is_beyond(const struct number *a, const struct number *b, int sign)
{
	const int order = number_compare(a, b) * sign;

	return order < 0 || (!order && a->whole > b->whole);
}

static void widen(struct accumulator_reals *r, const struct number *min, const struct number *max)
{
	if (!r->n || is_beyond(min, &r->min, 1))
		r->min = *min;
	if (!r->n || is_beyond(max, &r->max, -1))
		r->max = *max;
}

static struct accumulator_reals *reals_of(struct accumulator_numbers *a)
{
	if (!a->reals)
		a->reals = mem_zero(1, sizeof *a->reals);
	return a->reals;
}

void accumulator_add_real(struct accumulator_numbers *a, const struct value *v)
{
	struct accumulator_reals *r = reals_of(a);
	const struct number n = number_of(v);
	struct exact_number x;

	widen(r, &n, &n);
	r->n++;
	if (!n.whole) {
		exact_sum_add(&r->sum, n.d);
		return;
	}
	r->wide++;
	exact_int(&x, n.i);
	exact_sum_add_number(&r->sum, &x);
}

uint64_t accumulator_count(const struct accumulator_numbers *a)
{
	return a->n + (a->reals ? a->reals->n : 0);
}

bool accumulator_sum(const struct accumulator_numbers *a, struct exact_number *sum)
{
	struct exact_number reals;

	exact_int(sum, a->sum);
	if (!a->reals)
		return true;
	exact_sum_get(&a->reals->sum, &reals);
	exact_add(sum, &reals);
	return a->reals->n == a->reals->wide;
}

static struct number limit(
    const struct accumulator_numbers *a, int64_t of_ints, const struct number *of_reals, int sign)
{
	const struct number ints = number_of_int(of_ints);

	return a->n && (!of_reals || is_beyond(&ints, of_reals, sign)) ? ints : *of_reals;
}

struct number accumulator_min(const struct accumulator_numbers *a)
{
	return limit(a, a->min, a->reals ? &a->reals->min : NULL, 1);
}

struct number accumulator_max(const struct accumulator_numbers *a)
{
	return limit(a, a->max, a->reals ? &a->reals->max : NULL, -1);
}

double accumulator_mean(const struct accumulator_numbers *a)
{
	struct exact_number sum, n;

	accumulator_sum(a, &sum);
	exact_int(&n, (int128)accumulator_count(a));
	return exact_ratio(&sum, &n);
}

static void merge_reals(struct accumulator_numbers *a, const struct accumulator_reals *from)
{
	struct accumulator_reals *r = reals_of(a);

	widen(r, &from->min, &from->max);
	r->n += from->n;
	r->wide += from->wide;
	exact_sum_merge(&r->sum, &from->sum);
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

/* Adds a * b to a sum; for numbers of which at least one is not within int64. */
static void add_exactly(struct exact_sum *s, const struct value *a, const struct value *b)
{
	const struct number left = number_of(a), right = number_of(b);
	struct exact_number x, y, product;

	number_exact(&left, &x);
	number_exact(&right, &y);
	exact_multiply(&product, &x, &y);
	exact_sum_add_number(s, &product);
}

static void spread_add(struct accumulator_spread *s, const struct value *v)
{
	uint128 square;

	if (v->wide) {
		add_exactly(&s->reals, v, v);
		return;
	}
	if (v->type == VALUE_REAL) {
		exact_sum_add_square(&s->reals, v->d);
		return;
	}
	square = (uint128)((int128)v->i * v->i);
	s->low += square;
	s->high += s->low < square;
}

static void merge_spread(struct accumulator_spread *s, const struct accumulator_spread *from)
{
	s->low += from->low;
	s->high += from->high + (s->low < from->low);
	exact_sum_merge(&s->reals, &from->reals);
}

/* With n numbers, gets n times the sum of their squares, less the square of their sum. It is never negative. */
static void get_spread(
    const struct accumulator_numbers *a, const struct accumulator_spread *s, struct exact_number *spread)
{
	struct exact_number n, sum, squares, product;

	exact_wide(&squares, s->high, s->low);
	exact_sum_get(&s->reals, &sum);
	exact_add(&squares, &sum);
	exact_int(&n, (int128)accumulator_count(a));
	exact_multiply(spread, &squares, &n);
	accumulator_sum(a, &sum);
	exact_multiply(&product, &sum, &sum);
	exact_subtract(spread, &product);
}

int accumulator_spread_sign(const struct accumulator_numbers *a, const struct accumulator_spread *s)
{
	struct exact_number spread;

	get_spread(a, s, &spread);
	return exact_sign(&spread);
}

void accumulator_variance(const struct accumulator_numbers *a, const struct accumulator_spread *s, uint64_t less,
    struct exact_number *x, struct exact_number *y)
{
	const uint64_t n = accumulator_count(a);

	get_spread(a, s, x);
	exact_wide(y, 0, (uint128)n * (n - less));
}

/* --- the other parts --- */

void accumulator_keep(struct accumulator_kept *k, const struct value *v, struct record_position at)
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
	if (a->first.value.type == VALUE_NONE || record_position_before(from->first.at, a->first.at))
		accumulator_keep(&a->first, &from->first.value, from->first.at);
	if (a->last.value.type == VALUE_NONE || record_position_before(a->last.at, from->last.at))
		accumulator_keep(&a->last, &from->last.value, from->last.at);
}

static bool is_number(const struct value *v)
{
	return v->type == VALUE_INT || v->type == VALUE_REAL;
}

/* Adds d * i to a sum. An integer may have more digits than a double, so it is added in two parts. */
static void add_mixed(struct exact_sum *s, double d, int64_t i)
{
	const int64_t low = i % ((int64_t)1 << 32);

	exact_sum_add_product(s, d, (double)(i - low));
	exact_sum_add_product(s, d, (double)low);
}

/* Adds v * w to a sum. */
static void add_product(struct exact_sum *s, const struct value *v, const struct value *w)
{
	if (v->wide || w->wide)
		add_exactly(s, v, w);
	else if (v->type == VALUE_REAL && w->type == VALUE_REAL)
		exact_sum_add_product(s, v->d, w->d);
	else if (v->type == VALUE_REAL)
		add_mixed(s, v->d, w->i);
	else if (w->type == VALUE_REAL)
		add_mixed(s, w->d, v->i);
	else
		exact_sum_add_int(s, (int128)v->i * w->i);
}

void accumulator_add_weighted(struct accumulator_weighted *a, const struct value *v, const struct value *weight)
{
	const struct value one = {.type = VALUE_INT, .i = 1};

	if (!is_number(v) || !is_number(weight))
		return;
	add_product(&a->sum, v, weight);
	add_product(&a->weights, weight, &one);
}

/* Numbers that are not exact are written like results. */
static void list_add(struct value_list *l, uint64_t part, const struct value *v)
{
	char text[NUM_ROOM];

	if (v->type == VALUE_REAL && !v->wide)
		value_list_add(l, part, (struct str){text, (size_t)(num_put_double(text, v->d) - text)});
	else
		value_list_add(l, part, v->text);
}

void accumulator_add_rest(const struct accumulator *a, const struct value *v, struct record_position at, size_t keep)
{
	bool number = is_number(v);

	if (a->spread && number)
		spread_add(a->spread, v);
	if (a->quantile && v->type == VALUE_INT)
		quantile_add_int(a->quantile, v->i, keep);
	else if (a->quantile && number)
		quantile_add_real(a->quantile, v->d, keep);
	if (a->values && !number)
		a->values->others++;
	if (a->edges && a->edges->first.value.type == VALUE_NONE)
		accumulator_keep(&a->edges->first, v, at);
	if (a->edges)
		accumulator_keep(&a->edges->last, v, at);
	if (a->list)
		list_add(a->list, at.part, v);
}

void accumulator_merge(const struct accumulator *a, const struct accumulator *from, size_t keep)
{
	merge_numbers(a->numbers, from->numbers);
	if (a->spread)
		merge_spread(a->spread, from->spread);
	if (a->edges)
		merge_edges(a->edges, from->edges);
	if (a->values)
		a->values->others += from->values->others;
	if (a->quantile)
		quantile_merge(a->quantile, from->quantile, keep);
	if (a->list)
		value_list_merge(a->list, from->list);
	if (a->weighted) {
		exact_sum_merge(&a->weighted->sum, &from->weighted->sum);
		exact_sum_merge(&a->weighted->weights, &from->weighted->weights);
	}
}

void accumulator_free(const struct accumulator *a)
{
	if (a->numbers->reals)
		exact_sum_free(&a->numbers->reals->sum);
	free(a->numbers->reals);
	if (a->spread)
		exact_sum_free(&a->spread->reals);
	if (a->edges) {
		buf_free(&a->edges->first.text);
		buf_free(&a->edges->last.text);
	}
	if (a->quantile)
		quantile_free(a->quantile);
	if (a->list)
		value_list_free(a->list);
	if (a->weighted) {
		exact_sum_free(&a->weighted->sum);
		exact_sum_free(&a->weighted->weights);
	}
}
