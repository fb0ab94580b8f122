#include "stats/accumulator.h"

#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/write.h"

#include <stdlib.h>

size_t accumulator_size(enum accumulator_component component)
{
	static const size_t size[ACCUMULATOR_COMPONENTS] = {
	    [ACCUMULATOR_NUMBERS] = sizeof(struct accumulator_numbers),
	    [ACCUMULATOR_SPREAD] = sizeof(struct accumulator_spread),
	    [ACCUMULATOR_EDGES] = sizeof(struct accumulator_edges),
	    [ACCUMULATOR_OTHERS] = sizeof(uint64_t),
	    [ACCUMULATOR_DISTINCT] = sizeof(uint64_t),
	    [ACCUMULATOR_QUANTILE] = sizeof(struct quantile),
	    [ACCUMULATOR_LIST] = sizeof(struct accumulator_list),
	    [ACCUMULATOR_WEIGHTED] = sizeof(struct accumulator_weighted),
	};

	return (size[component] + 15) / 16 * 16;
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

	widen(r, &n, &n);
	r->n++;
	r->doubles += !n.whole;
	if (n.whole)
		exact_sum_add_int(&r->sum, n.i);
	else
		exact_sum_add(&r->sum, n.d);
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
	return !a->reals->doubles;
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

static void merge_numbers(struct accumulator_numbers *a, const struct accumulator_numbers *from)
{
	struct accumulator_reals *r;

	if (from->n && (!a->n || from->min < a->min))
		a->min = from->min;
	if (from->n && (!a->n || from->max > a->max))
		a->max = from->max;
	a->n += from->n;
	a->sum += from->sum;
	if (!from->reals)
		return;
	r = reals_of(a);
	widen(r, &from->reals->min, &from->reals->max);
	r->n += from->reals->n;
	r->doubles += from->reals->doubles;
	exact_sum_merge(&r->sum, &from->reals->sum);
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
		exact_sum_add_product(&s->reals, v->d, v->d);
		return;
	}
	square = (uint128)((int128)v->i * v->i);
	s->low += square;
	s->high += s->low < square;
}

static void get_squares(const struct accumulator_spread *s, struct exact_number *squares)
{
	struct exact_number reals;

	exact_wide(squares, s->high, s->low);
	exact_sum_get(&s->reals, &reals);
	exact_add(squares, &reals);
}

/*
 * With n numbers, gets n times the sum of their squares, less the square of their sum. It is negative only if no
 * numbers have these sums.
 */
static void get_spread(
    const struct accumulator_numbers *a, const struct accumulator_spread *s, struct exact_number *spread)
{
	struct exact_number n, sum, squares, product;

	get_squares(s, &squares);
	exact_int(&n, (int128)accumulator_count(a));
	exact_multiply(spread, &squares, &n);
	accumulator_sum(a, &sum);
	exact_multiply(&product, &sum, &sum);
	exact_subtract(spread, &product);
}

void accumulator_variance(const struct accumulator_numbers *a, const struct accumulator_spread *s, uint64_t less,
    struct exact_number *x, struct exact_number *y)
{
	const uint64_t n = accumulator_count(a);

	get_spread(a, s, x);
	exact_wide(y, 0, (uint128)n * (n - less));
}

/* --- edges and weighted numbers --- */

/* Replaces a stored value; the text of *v must not be the text of *k. */
static void set_edge(struct accumulator_edge *k, const struct value *v, struct record_position at)
{
	buf_set(&k->text, v->text);
	k->position = at;
	k->value = *v;
	k->value.text = (struct str){k->text.p, k->text.n};
}

static void merge_edges(struct accumulator_edges *a, const struct accumulator_edges *from)
{
	if (from->first.value.type == VALUE_NONE)
		return;
	if (a->first.value.type == VALUE_NONE || record_position_before(from->first.position, a->first.position))
		set_edge(&a->first, &from->first.value, from->first.position);
	if (a->last.value.type == VALUE_NONE || record_position_before(a->last.position, from->last.position))
		set_edge(&a->last, &from->last.value, from->last.position);
}

static bool is_number(const struct value *v)
{
	return v->type == VALUE_INT || v->type == VALUE_REAL;
}

/* Gets the number as a double; returns false if its value would change, or if it is an integer beyond 2^53. */
static bool get_double(const struct value *v, double *d)
{
	*d = v->d;
	return v->type == VALUE_INT ? v->i >= -((int64_t)1 << 53) && v->i <= (int64_t)1 << 53 : !v->wide;
}

/* Adds v * w to a sum. */
static void add_product(struct exact_sum *s, const struct value *v, const struct value *w)
{
	double a, b;

	if (get_double(v, &a) && get_double(w, &b))
		exact_sum_add_product(s, a, b);
	else
		add_exactly(s, v, w);
}

void accumulator_add_weighted(struct accumulator_weighted *a, const struct value *v, const struct value *weight)
{
	const struct value one = {.type = VALUE_INT, .i = 1, .d = 1};

	if (!is_number(v) || !is_number(weight))
		return;
	add_product(&a->sum, v, weight);
	add_product(&a->weights, weight, &one);
}

/* --- lists --- */

/* Adds values after those of the same part. `elements` is their text, separated by commas; it must not be empty. */
static void list_add(struct accumulator_list *l, uint64_t part, struct str elements)
{
	size_t i = 0, high = l->n, mid;
	struct buf *text;

	if (l->n && l->segments[l->n - 1].part < part) /* the usual case: parts in their order */
		i = l->n;
	while (i < high) { /* finds the first segment whose part is at least `part` */
		mid = i + (high - i) / 2;
		if (l->segments[mid].part < part)
			i = mid + 1;
		else
			high = mid;
	}
	if (i < l->n && l->segments[i].part == part) {
		text = &l->segments[i].text;
		text->p[text->n - 1] = ','; /* replaces the closing bracket */
	} else {
		l->segments = mem_grow(l->segments, &l->cap, l->n + 1, sizeof *l->segments);
		memmove(&l->segments[i + 1], &l->segments[i], (l->n++ - i) * sizeof *l->segments);
		l->segments[i] = (struct accumulator_segment){.part = part};
		text = &l->segments[i].text;
		buf_char(text, '[');
	}
	buf_add(text, elements.p, elements.n);
	buf_char(text, ']');
}

struct str accumulator_join(struct accumulator_list *l)
{
	struct buf *all, *text;
	size_t i;

	if (!l->n)
		return STR("");
	all = &l->segments[0].text;
	for (i = 1; i < l->n; i++) {
		text = &l->segments[i].text;
		all->p[all->n - 1] = ',';
		buf_add(all, text->p + 1, text->n - 1);
		buf_free(text);
	}
	l->n = 1;
	l->segments[0].part = 0;
	return (struct str){all->p, all->n};
}

/* --- all components --- */

void accumulator_add_rest(const struct accumulator *a, const struct value *v, struct record_position at, size_t keep)
{
	const bool number = is_number(v);
	char text[NUM_ROOM];

	if (a->spread && number)
		spread_add(a->spread, v);
	if (a->quantile && v->type == VALUE_INT)
		quantile_add_int(a->quantile, v->i, keep);
	else if (a->quantile && number)
		quantile_add_real(a->quantile, v->d, keep);
	if (a->others && !number)
		++*a->others;
	if (a->edges && a->edges->first.value.type == VALUE_NONE)
		set_edge(&a->edges->first, v, at);
	if (a->edges)
		set_edge(&a->edges->last, v, at);
	if (a->list && v->type == VALUE_REAL && !v->wide) /* it may not be exact: written like a result */
		list_add(a->list, at.part, (struct str){text, (size_t)(num_put_double(text, v->d) - text)});
	else if (a->list)
		list_add(a->list, at.part, v->text);
}

void accumulator_merge(const struct accumulator *a, const struct accumulator *from, size_t keep)
{
	const struct accumulator_segment *segment;
	size_t i;

	merge_numbers(a->numbers, from->numbers);
	if (a->spread) {
		a->spread->low += from->spread->low;
		a->spread->high += from->spread->high + (a->spread->low < from->spread->low);
		exact_sum_merge(&a->spread->reals, &from->spread->reals);
	}
	if (a->edges)
		merge_edges(a->edges, from->edges);
	if (a->others)
		*a->others += *from->others;
	if (a->quantile)
		quantile_merge(a->quantile, from->quantile, keep);
	for (i = 0; a->list && i < from->list->n; i++) {
		segment = &from->list->segments[i];
		list_add(a->list, segment->part, (struct str){segment->text.p + 1, segment->text.n - 2});
	}
	if (a->weighted) {
		exact_sum_merge(&a->weighted->sum, &from->weighted->sum);
		exact_sum_merge(&a->weighted->weights, &from->weighted->weights);
	}
}

/* --- writing a state --- */

static void write_sum(struct buf *object, const char *key, const struct exact_sum *sum)
{
	struct exact_number x;

	exact_sum_get(sum, &x);
	exact_write(object, key, &x);
}

/* Writes each value with the number of its part. */
static void write_list(struct accumulator_list *l, struct buf *object, struct state_array *w)
{
	struct iter elements;
	struct str value;
	struct buf *item;
	size_t i;

	state_array_begin(w, "list");
	for (i = 0; i < l->n; i++) {
		scan_pad(&l->segments[i].text);
		iter_array(&elements, buf_str(&l->segments[i].text));
		while (iter_element(&elements, &value)) {
			item = state_array_item(w);
			json_write_begin(item, NULL, '[');
			json_write_int(item, NULL, (int64_t)l->segments[i].part);
			json_write_json(item, NULL, value);
			json_write_end(item, ']');
		}
	}
	state_array_end(w, object);
}

void accumulator_write(const struct accumulator *a, struct buf *object, struct state_array *w)
{
	const struct accumulator_numbers *numbers = a->numbers;
	struct exact_number x;
	struct number limit;

	if (accumulator_count(numbers)) {
		json_write_int(object, "n", (int64_t)accumulator_count(numbers));
		if (!accumulator_sum(numbers, &x))
			json_write_int(object, "doubles", (int64_t)numbers->reals->doubles);
		exact_write(object, "sum", &x);
		if (a->spread) {
			get_squares(a->spread, &x);
			exact_write(object, "sq", &x);
		}
		limit = accumulator_min(numbers);
		state_number_write(object, "min", &limit);
		limit = accumulator_max(numbers);
		state_number_write(object, "max", &limit);
	}
	if (a->others && *a->others)
		json_write_int(object, "other", (int64_t)*a->others);
	if (a->edges && a->edges->first.value.type != VALUE_NONE) { /* both are known, or none */
		state_position_write(object, "first", a->edges->first.position, a->edges->first.value.text);
		state_position_write(object, "last", a->edges->last.position, a->edges->last.value.text);
	}
	if (a->weighted) {
		write_sum(object, "wsum", &a->weighted->sum);
		write_sum(object, "weights", &a->weighted->weights);
	}
	if (a->quantile)
		quantile_write(a->quantile, object, w);
	if (a->list)
		write_list(a->list, object, w);
}

/* --- reading a state --- */

/*
 * The limits of exact_sum_read(). A sum of doubles is a multiple of 2^-1074 and, with at most 2^63 of them, less than
 * 2^1087; a sum of products is a multiple of 2^-2148 and less than 2^2111.
 */
enum { SUM_LOWEST = -34, SUM_END = 34, PRODUCT_LOWEST = -68, PRODUCT_END = 67 };

static bool read_edge(struct accumulator_edge *k, struct str array)
{
	struct record_position at;
	struct str value;
	struct value v;

	if (!state_position_read(array, &at, &value))
		return false;
	value_of(&v, value);
	set_edge(k, &v, at);
	return true;
}

static bool read_list(struct accumulator_list *l, struct str array)
{
	struct str pair, part, value;
	struct iter w, in;
	uint64_t number;

	if (!iter_array(&w, array))
		return false;
	while (iter_element(&w, &pair)) {
		if (!iter_array(&in, pair) || !iter_element(&in, &part) || !num_count(part, &number) ||
		    !iter_element(&in, &value))
			return false;
		list_add(l, number, value);
	}
	return true;
}

bool accumulator_read(const struct accumulator *a, struct str name, struct str value, size_t keep)
{
	struct accumulator_reals *r;

	if (str_eq(name, STR("other")))
		return a->others && num_count(value, a->others);
	if (str_eq(name, STR("first")))
		return a->edges && read_edge(&a->edges->first, value);
	if (str_eq(name, STR("last")))
		return a->edges && read_edge(&a->edges->last, value);
	if (str_eq(name, STR("wsum")))
		return a->weighted && exact_sum_read(&a->weighted->sum, value, PRODUCT_LOWEST, PRODUCT_END);
	if (str_eq(name, STR("weights")))
		return a->weighted && exact_sum_read(&a->weighted->weights, value, SUM_LOWEST, SUM_END);
	if (str_eq(name, STR("frac")))
		return a->quantile && (a->quantile->fractions = str_eq(value, STR("true")));
	if (str_eq(name, STR("vals")))
		return a->quantile && quantile_read(a->quantile, value, keep);
	if (str_eq(name, STR("list")))
		return a->list && read_list(a->list, value);
	/* All numbers are stored like those that are not integers within int64, until accumulator_complete(). */
	r = reals_of(a->numbers);
	if (str_eq(name, STR("n")))
		return num_count(value, &r->n);
	if (str_eq(name, STR("doubles")))
		return num_count(value, &r->doubles);
	if (str_eq(name, STR("sum")))
		return exact_sum_read(&r->sum, value, SUM_LOWEST, SUM_END);
	if (str_eq(name, STR("sq")))
		return a->spread && exact_sum_read(&a->spread->reals, value, PRODUCT_LOWEST, PRODUCT_END);
	if (str_eq(name, STR("min")))
		return state_number_read(value, &r->min);
	return str_eq(name, STR("max")) && state_number_read(value, &r->max);
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

static bool numbers_agree(const struct accumulator *a)
{
	const struct accumulator_reals *r = a->numbers->reals;
	struct exact_number sum, spread;

	if (!r)
		return true;
	exact_sum_get(&r->sum, &sum);
	if (!r->n || r->doubles > r->n || number_compare(&r->min, &r->max) > 0 ||
	    compare_with_sum(r->n, &r->min, &sum) > 0 || compare_with_sum(r->n, &r->max, &sum) < 0)
		return false;
	if (!a->spread)
		return true;
	get_spread(a->numbers, a->spread, &spread);
	return exact_sign(&spread) >= 0;
}

static bool is_int64(const struct number *n)
{
	return n->whole && n->i >= INT64_MIN && n->i <= INT64_MAX;
}

/* If all numbers are integers within int64, stores them as such, which takes less memory. */
static void store_integers(const struct accumulator *a)
{
	struct accumulator_numbers *numbers = a->numbers;
	struct accumulator_reals *r = numbers->reals;
	struct exact_number x;
	int128 squares;

	exact_sum_get(&r->sum, &x);
	if (r->doubles || !is_int64(&r->min) || !is_int64(&r->max) || !exact_get_int(&x, &numbers->sum))
		return;
	numbers->n = r->n;
	numbers->min = (int64_t)r->min.i;
	numbers->max = (int64_t)r->max.i;
	exact_sum_free(&r->sum);
	free(r);
	numbers->reals = NULL;
	if (!a->spread)
		return;
	exact_sum_get(&a->spread->reals, &x);
	if (exact_get_int(&x, &squares) && squares >= 0) {
		a->spread->low = (uint128)squares;
		exact_sum_free(&a->spread->reals);
	}
}

bool accumulator_complete(const struct accumulator *a)
{
	const struct accumulator_reals *r = a->numbers->reals;
	double min, max;

	if (!numbers_agree(a))
		return false;
	if (a->quantile && a->quantile->n) {
		quantile_limits(a->quantile, &min, &max);
		if (!r || a->quantile->n != r->n || min != number_double(&r->min) || max != number_double(&r->max))
			return false;
	} else if (a->quantile && r) {
		return false;
	}
	if (a->edges) {
		const struct accumulator_edge *first = &a->edges->first, *last = &a->edges->last;
		const bool none = first->value.type == VALUE_NONE;

		if (none != (last->value.type == VALUE_NONE) || (none && r) ||
		    (!none && record_position_before(last->position, first->position)))
			return false;
	}
	if (r)
		store_integers(a);
	return true;
}

void accumulator_free(const struct accumulator *a)
{
	size_t i;

	if (a->numbers->reals)
		exact_sum_free(&a->numbers->reals->sum);
	free(a->numbers->reals);
	if (a->spread)
		exact_sum_free(&a->spread->reals);
	if (a->edges)
		bufs_free(&a->edges->first.text, &a->edges->last.text);
	if (a->quantile)
		quantile_free(a->quantile);
	if (a->list) {
		for (i = 0; i < a->list->n; i++)
			buf_free(&a->list->segments[i].text);
		free(a->list->segments);
	}
	if (a->weighted) {
		exact_sum_free(&a->weighted->sum);
		exact_sum_free(&a->weighted->weights);
	}
}
