/* accumulator_read: reads the state that accumulator_state writes. The text is JSON, but may contain any values. */
#include "stats/accumulator_state.h"

#include "base/num_parse.h"
#include "json/iter.h"
#include "json/string.h"

/*
 * The limits of exact_read(). A sum of doubles is a multiple of 2^-1074 and, with at most 2^63 of them, less than
 * 2^1087; a sum of products is a multiple of 2^-2148 and less than 2^2111.
 */
enum { SUM_LOWEST = -34, SUM_END = 34, PRODUCT_LOWEST = -68, PRODUCT_END = 67 };

static bool read_sum(struct exact_sum *sum, struct str text, int lowest, int end)
{
	struct exact_number x;

	if (!json_is_string(text) || !exact_read(&x, json_inner(text), lowest, end))
		return false;
	exact_sum_free(sum);
	exact_sum_add_number(sum, &x);
	return true;
}

/* --- numbers --- */

static bool read_int_sum(struct accumulator_numbers *numbers, struct str text)
{
	return num_int128(text, &numbers->sum);
}

static bool read_squares(struct accumulator_spread *spread, struct str text)
{
	struct exact_number x;

	if (!spread || !exact_read(&x, text, 0, 6) || exact_sign(&x) < 0)
		return false;
	spread->low = exact_low(&x);
	spread->high = exact_high(&x);
	return true;
}

/* Integers within int64 are doubles here. */
static bool read_real(struct str text, struct number *number)
{
	struct value v;

	value_of(&v, text);
	*number = v.wide ? number_of(&v) : number_of_real(v.d);
	return v.type == VALUE_INT || v.type == VALUE_REAL;
}

static bool read_reals(const struct accumulator *a, struct str object)
{
	struct accumulator_reals *r = a->numbers->reals;
	struct str key, value;
	struct iter w;
	bool good = true;

	if (!r)
		r = a->numbers->reals = mem_zero(1, sizeof *r);
	iter_init(&w, object);
	if (w.close != '}')
		return false;
	while (good && iter_next(&w, &key, &value) > 0) {
		if (str_eq(key, STR("n")))
			good = num_count(value, &r->n);
		else if (str_eq(key, STR("wide")))
			good = num_count(value, &r->wide);
		else if (str_eq(key, STR("sum")))
			good = read_sum(&r->sum, value, SUM_LOWEST, SUM_END);
		else if (str_eq(key, STR("sq")))
			good = a->spread && read_sum(&a->spread->reals, value, PRODUCT_LOWEST, PRODUCT_END);
		else if (str_eq(key, STR("min")))
			good = read_real(value, &r->min);
		else
			good = str_eq(key, STR("max")) && read_real(value, &r->max);
	}
	return good;
}

/* --- the other members --- */

static bool read_kept(struct accumulator_kept *k, struct str array)
{
	struct record_position at;
	struct str value;
	struct value v;

	if (!state_position_read(array, &at, &value))
		return false;
	value_of(&v, value);
	accumulator_keep(k, &v, at);
	return true;
}

static bool read_quantile(struct quantile *q, struct str array, bool bucket, size_t keep)
{
	struct str pair, number, count;
	struct quantile_item item = {.bucket = bucket};
	struct value v;
	struct iter w, in;

	if (!q || !iter_array(&w, array))
		return false;
	while (iter_element(&w, &pair)) {
		if (!iter_array(&in, pair) || !iter_element(&in, &number) || !iter_element(&in, &count) ||
		    !num_count(count, &item.count))
			return false;
		value_of(&v, number);
		item.whole = v.type == VALUE_INT;
		item.i = v.i;
		item.d = v.d;
		if ((v.type != VALUE_INT && (bucket || v.type != VALUE_REAL)) || !quantile_put(q, &item, keep))
			return false;
	}
	return true;
}

static bool read_list(struct value_list *l, struct str array)
{
	struct str segment, part, values, value;
	struct iter w, in, elements;
	uint64_t number;

	if (!l || !iter_array(&w, array))
		return false;
	while (iter_element(&w, &segment)) {
		if (!iter_array(&in, segment) || !iter_element(&in, &part) || !iter_element(&in, &values) ||
		    !num_count(part, &number) || !iter_array(&elements, values) || !iter_element(&elements, &value))
			return false;
		do {
			value_list_add(l, number, value);
		} while (iter_element(&elements, &value));
	}
	return true;
}

/* The count, the minimum and the maximum of the integers, or false when `name` is another member. */
static bool read_number(struct accumulator_numbers *numbers, struct str name, struct str value)
{
	if (str_eq(name, STR("n")))
		return num_count(value, &numbers->n);
	if (str_eq(name, STR("min")))
		return num_int(value, &numbers->min) == NUM_OK;
	return str_eq(name, STR("max")) && num_int(value, &numbers->max) == NUM_OK;
}

bool accumulator_read(const struct accumulator *a, struct str name, struct str value, size_t keep)
{
	if (str_eq(name, STR("sum")))
		return read_int_sum(a->numbers, value);
	if (str_eq(name, STR("sq")))
		return read_squares(a->spread, value);
	if (str_eq(name, STR("real")))
		return read_reals(a, value);
	if (str_eq(name, STR("other")))
		return a->values && num_count(value, &a->values->others);
	if (str_eq(name, STR("first")))
		return a->edges && read_kept(&a->edges->first, value);
	if (str_eq(name, STR("last")))
		return a->edges && read_kept(&a->edges->last, value);
	if (str_eq(name, STR("wsum")))
		return a->weighted && read_sum(&a->weighted->sum, value, PRODUCT_LOWEST, PRODUCT_END);
	if (str_eq(name, STR("weights")))
		return a->weighted && read_sum(&a->weighted->weights, value, SUM_LOWEST, SUM_END);
	if (str_eq(name, STR("frac")) && a->quantile) {
		a->quantile->fractions = str_eq(value, STR("true"));
		return a->quantile->fractions;
	}
	if (str_eq(name, STR("vals")) || str_eq(name, STR("bins")))
		return read_quantile(a->quantile, value, name.p[0] == 'b', keep);
	if (str_eq(name, STR("list")))
		return read_list(a->list, value);
	return read_number(a->numbers, name, value);
}

/* --- contradictions --- */

static bool int_numbers_agree(const struct accumulator_numbers *numbers)
{
	const int128 n = (int128)numbers->n;

	if (!n)
		return !numbers->sum;
	return numbers->min <= numbers->max && numbers->sum >= n * numbers->min && numbers->sum <= n * numbers->max;
}

/* Returns the sign of n * v - sum. */
static int compare_with_sum(uint64_t n, const struct number *v, const struct exact_number *sum)
{
	struct exact_number count, value, product;

	exact_int(&count, (int128)n);
	number_exact(v, &value);
	exact_multiply(&product, &count, &value);
	exact_subtract(&product, sum);
	return exact_sign(&product);
}

static bool reals_agree(const struct accumulator_reals *r)
{
	struct exact_number sum;

	exact_sum_get(&r->sum, &sum);
	return r->n && r->wide <= r->n && number_compare(&r->min, &r->max) <= 0 &&
	       compare_with_sum(r->n, &r->min, &sum) <= 0 && compare_with_sum(r->n, &r->max, &sum) >= 0;
}

static bool spread_agrees(const struct accumulator *a)
{
	struct exact_number x;

	exact_sum_get(&a->spread->reals, &x);
	if (a->spread->high > a->numbers->n || (!a->numbers->n && a->spread->low) ||
	    (!a->numbers->reals && exact_sign(&x)))
		return false;
	return accumulator_spread_sign(a->numbers, a->spread) >= 0;
}

static bool edges_agree(const struct accumulator_edges *edges, bool some)
{
	const struct accumulator_kept *first = &edges->first, *last = &edges->last;

	if (first->value.type == VALUE_NONE || last->value.type == VALUE_NONE)
		return !some && first->value.type == last->value.type;
	return first->at.part < last->at.part || (first->at.part == last->at.part && first->at.index <= last->at.index);
}

static bool quantile_agrees(const struct accumulator *a, size_t keep)
{
	const struct accumulator_numbers *numbers = a->numbers;
	const struct accumulator_reals *r = numbers->reals;
	struct quantile_numbers all = {
	    accumulator_count(numbers), r, a->quantile->fractions, numbers->min, numbers->max, 0, 0};
	struct number min, max;

	if (r) {
		min = accumulator_min(numbers);
		max = accumulator_max(numbers);
		all.real_min = number_double(&min);
		all.real_max = number_double(&max);
	}
	return quantile_complete(a->quantile, &all, keep);
}

bool accumulator_complete(const struct accumulator *a, size_t keep)
{
	const struct accumulator_numbers *numbers = a->numbers;

	if (!int_numbers_agree(numbers) || (numbers->reals && !reals_agree(numbers->reals)))
		return false;
	if (numbers->reals && numbers->reals->n > INT64_MAX - numbers->n)
		return false;
	if (a->spread && !spread_agrees(a))
		return false;
	if (a->edges && !edges_agree(a->edges, accumulator_count(numbers) != 0))
		return false;
	return !a->quantile || quantile_agrees(a, keep);
}
