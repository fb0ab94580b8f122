#include "stats/aggregate_function.h"
#include "base/num_parse.h"
#include "base/int_math.h"

#include <math.h>
#include <string.h>

/* Variants of functions. */
enum { MINIMUM, MAXIMUM };
enum { FIRST, LAST };
enum { OF_SAMPLE = 1, DEVIATION = 2 }; /* bits: of a sample (n-1), and the square root of the variance */

static void whole(struct aggregate_result *r, int128 v)
{
	r->type = AGGREGATE_NUMBER;
	r->number = number_of_int(v);
}

static void multiply(struct exact_number *x, int64_t factor)
{
	struct exact_number y, product;

	if (factor == 1)
		return;
	exact_int(&y, factor);
	exact_multiply(&product, x, &y);
	*x = product;
}

/* Sets the result to x / y or, if `root` is set, to the square root of x / y; y must not be 0. */
static void ratio(const struct aggregate_function_input *t, struct aggregate_result *r, struct exact_number *x,
    struct exact_number *y, bool root)
{
	int i;

	for (i = 0; i < (root ? 2 : 1); i++) {
		multiply(x, t->scale.times);
		multiply(y, t->scale.over);
	}
	r->number = number_of_real(root ? exact_root(x, y) : exact_ratio(x, y));
	r->huge = !isfinite(r->number.d);
	r->type = r->huge ? AGGREGATE_ABSENT : AGGREGATE_NUMBER;
}

static void number(const struct aggregate_function_input *t, struct aggregate_result *r, const struct number *v)
{
	struct exact_number x, one;

	if (v->whole) {
		whole(r, v->i);
		return;
	}
	exact_real(&x, v->d);
	exact_int(&one, 1);
	ratio(t, r, &x, &one, false);
}

static void count_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	whole(r, (int128)(accumulator_count(t->acc.numbers) + *t->acc.others));
}

static void sum_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	struct exact_number sum, one;
	int128 v;

	if (!accumulator_count(t->acc.numbers))
		return;
	exact_int(&one, 1);
	if (accumulator_sum(t->acc.numbers, &sum) && exact_get_int(&sum, &v))
		whole(r, v);
	else
		ratio(t, r, &sum, &one, false);
}

static void mean_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	struct exact_number sum, n;

	if (!accumulator_count(t->acc.numbers))
		return;
	accumulator_sum(t->acc.numbers, &sum);
	exact_int(&n, (int128)accumulator_count(t->acc.numbers));
	ratio(t, r, &sum, &n, false);
}

static void wmean_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	struct exact_number sum, weights;

	exact_sum_get(&t->acc.weighted->sum, &sum);
	exact_sum_get(&t->acc.weighted->weights, &weights);
	if (exact_sign(&weights) > 0)
		ratio(t, r, &sum, &weights, false);
}

static void limit_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	struct number v;

	if (!accumulator_count(t->acc.numbers))
		return;
	v = (t->variant == MINIMUM ? accumulator_min : accumulator_max)(t->acc.numbers);
	number(t, r, &v);
}

static void variance_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	const uint64_t less = t->variant & OF_SAMPLE ? 1 : 0;
	struct exact_number x, y;

	if (accumulator_count(t->acc.numbers) <= less)
		return;
	accumulator_variance(t->acc.numbers, t->acc.spread, less, &x, &y);
	ratio(t, r, &x, &y, t->variant & DEVIATION);
}

static void edge_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	const struct accumulator_edge *k = t->variant == FIRST ? &t->acc.edges->first : &t->acc.edges->last;
	struct number v;

	if (k->value.type == VALUE_INT || k->value.type == VALUE_REAL) {
		v = number_of(&k->value);
		number(t, r, &v);
	} else if (k->value.type != VALUE_NONE) {
		r->type = AGGREGATE_TEXT;
		r->text = (struct str){k->text.p, k->text.n};
	}
}

static void list_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	if (t->acc.list->n) {
		r->type = AGGREGATE_TEXT;
		r->text = accumulator_join(t->acc.list);
	}
}

static void share_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	struct exact_number sum, total = *t->total;

	accumulator_sum(t->acc.numbers, &sum);
	if (accumulator_count(t->acc.numbers) && exact_sign(&total))
		ratio(t, r, &sum, &total, false);
}

static void distinct_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	whole(r, (int128)*t->acc.distinct);
}

static void quantile_done(const struct aggregate_function_input *t, struct aggregate_result *r)
{
	struct exact_number x, y;
	struct quantile_value v;

	if (!t->acc.quantile->n)
		return;
	v = quantile_at(t->acc.quantile, t->percent);
	r->approx = v.approx;
	if (v.whole) {
		whole(r, v.i);
	} else if (v.approx) {
		r->type = AGGREGATE_NUMBER;
		r->number = number_of_real(v.d);
	} else {
		quantile_ratio(&v, &x, &y);
		ratio(t, r, &x, &y, false);
	}
}

static const struct aggregate_function functions[] = {
    {"count", 1u << ACCUMULATOR_OTHERS, AGGREGATE_OTHER, count_done, 0,
	"number of records; count:FIELD: number of values of FIELD"},
    {"sum", 0, AGGREGATE_VALUE, sum_done, 0, "sum, exact for integers; other sums are rounded once"},
    {"mean", 0, AGGREGATE_VALUE, mean_done, 0, "arithmetic mean"},
    {"min", 0, AGGREGATE_VALUE, limit_done, MINIMUM, "minimum"},
    {"max", 0, AGGREGATE_VALUE, limit_done, MAXIMUM, "maximum"},
    {"std", 1u << ACCUMULATOR_SPREAD, AGGREGATE_DISTANCE, variance_done, OF_SAMPLE | DEVIATION,
	"standard deviation of a sample (n-1)"},
    {"pstd", 1u << ACCUMULATOR_SPREAD, AGGREGATE_DISTANCE, variance_done, DEVIATION,
	"standard deviation of a population (n)"},
    {"var", 1u << ACCUMULATOR_SPREAD, AGGREGATE_OTHER, variance_done, OF_SAMPLE, "variance of a sample (n-1)"},
    {"first", 1u << ACCUMULATOR_EDGES, AGGREGATE_VALUE, edge_done, FIRST,
	"value of the first record that has the field"},
    {"last", 1u << ACCUMULATOR_EDGES, AGGREGATE_VALUE, edge_done, LAST, "value of the last record that has the field"},
    {"list", 1u << ACCUMULATOR_LIST, AGGREGATE_OTHER, list_done, 0, "array of all values, in the order of the records"},
    {"share", 0, AGGREGATE_FRACTION, share_done, 0, "sum as a fraction of the sum of all groups"},
    {"wmean", 1u << ACCUMULATOR_WEIGHTED, AGGREGATE_VALUE, wmean_done, 0,
	"wmean:FIELD: mean of FIELD, weighted by the first field of -f"},
    {"distinct", 1u << ACCUMULATOR_DISTINCT, AGGREGATE_OTHER, distinct_done, 0, "number of distinct values"},
    {"median", 1u << ACCUMULATOR_QUANTILE, AGGREGATE_VALUE, quantile_done, 0, "median, the same as p50"},
    {"pNN", 1u << ACCUMULATOR_QUANTILE, AGGREGATE_VALUE, quantile_done, 0, "percentile NN, such as p50, p99 or p99.9"},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions, MEDIAN = 50 };

const char *const *aggregate_function_names(void)
{
	static const char *names[FUNCTIONS + 1];
	size_t i;

	for (i = 0; i < FUNCTIONS; i++)
		names[i] = functions[i].name;
	return names;
}

char *aggregate_function_help(const char *intro)
{
	struct buf b = {0};
	size_t i, n;

	buf_add(&b, intro, strlen(intro));
	for (i = 0; i < FUNCTIONS; i++) {
		buf_lit(&b, "\n  ");
		buf_add(&b, functions[i].name, strlen(functions[i].name));
		for (n = strlen(functions[i].name); n < 10; n++)
			buf_char(&b, ' ');
		buf_add(&b, functions[i].help, strlen(functions[i].help));
	}
	buf_char(&b, '\0');
	return b.p;
}

const struct aggregate_function *aggregate_function_find(struct str name, double *percent)
{
	struct str number = str_from(name, 1);
	size_t i;

	*percent = MEDIAN;
	for (i = 0; i + 1 < FUNCTIONS; i++) {
		if (str_eq(name, str_of(functions[i].name)))
			return &functions[i];
	}
	while (number.n > 1 && number.p[0] == '0' && number.p[1] != '.') /* "p05" is p5 */
		number = str_from(number, 1);
	if (!str_starts(name, STR("p")) || !num_double(number, percent) || *percent < 0 || *percent > 100)
		return NULL;
	return &functions[i];
}

bool aggregate_function_is_weighted(struct str name)
{
	double percent;
	const struct aggregate_function *f = aggregate_function_find(name, &percent);

	return f && f->needs >> ACCUMULATOR_WEIGHTED & 1;
}

bool aggregate_function_is_sum(const struct aggregate_function *f)
{
	return f->done == sum_done;
}
