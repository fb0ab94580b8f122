#include "stats/aggregate.h"

#include "base/num_parse.h"
#include "cli/options.h"
#include "base/int_math.h"

#include <math.h>
#include <stdlib.h>

/* --- the aggregates --- */

/* One field's parts in one group, and what else an answer may take. */
struct told {
	struct accumulator acc;
	const struct aggregate_column *column;
};

/*
 * One row each. `needs` are the parts beside the numbers; `done` leaves *r absent where there is no
 * answer.
 */
struct agg {
	const char *name;
	unsigned needs;
	enum aggregate_unit unit;
	void (*done)(const struct told *t, struct aggregate_result *r);
	const char *help;
};

/* What a double cannot hold, and 0/0, is absent. */
static void real(struct aggregate_result *r, long double v)
{
	r->d = (double)v;
	r->type = isfinite(r->d) ? AGGREGATE_REAL : AGGREGATE_ABSENT;
}

static void whole(struct aggregate_result *r, num_i128 v)
{
	r->type = AGGREGATE_INT;
	r->i = v;
}

static void count_done(const struct told *t, struct aggregate_result *r)
{
	whole(r, (num_i128)(accumulator_count(t->acc.numbers) + t->acc.values->others));
}

static void sum_done(const struct told *t, struct aggregate_result *r)
{
	if (t->acc.numbers->reals)
		real(r, accumulator_sum(t->acc.numbers));
	else if (t->acc.numbers->n)
		whole(r, t->acc.numbers->sum);
}

static void mean_done(const struct told *t, struct aggregate_result *r)
{
	uint64_t n = accumulator_count(t->acc.numbers);

	if (n)
		real(r, accumulator_sum(t->acc.numbers) / (long double)n);
}

static void min_done(const struct told *t, struct aggregate_result *r)
{
	const struct accumulator_numbers *a = t->acc.numbers;

	if (a->n && (!a->reals || (long double)a->min <= (long double)a->reals->min))
		whole(r, a->min);
	else if (a->reals)
		real(r, (long double)a->reals->min);
}

static void max_done(const struct told *t, struct aggregate_result *r)
{
	const struct accumulator_numbers *a = t->acc.numbers;

	if (a->n && (!a->reals || (long double)a->max >= (long double)a->reals->max))
		whole(r, a->max);
	else if (a->reals)
		real(r, (long double)a->reals->max);
}

/* `less` is 1 for a sample, 0 for a population. */
static void spread_done(const struct told *t, struct aggregate_result *r, uint64_t less, bool root)
{
	uint64_t n = accumulator_count(t->acc.numbers);
	long double v;

	if (n <= less)
		return;
	v = accumulator_variance(t->acc.spread, n - less);
	real(r, root ? sqrtl(v) : v);
}

static void std_done(const struct told *t, struct aggregate_result *r)
{
	spread_done(t, r, 1, true);
}

static void pstd_done(const struct told *t, struct aggregate_result *r)
{
	spread_done(t, r, 0, true);
}

static void var_done(const struct told *t, struct aggregate_result *r)
{
	spread_done(t, r, 1, false);
}

static void kept_done(const struct accumulator_kept *k, struct aggregate_result *r)
{
	if (k->value.type == VALUE_INT) {
		whole(r, k->value.i);
	} else if (k->value.type == VALUE_REAL) {
		real(r, (long double)k->value.d);
	} else if (k->value.type != VALUE_NONE) {
		r->type = AGGREGATE_TEXT;
		r->text = (struct str){k->text.p, k->text.n};
	}
}

static void first_done(const struct told *t, struct aggregate_result *r)
{
	kept_done(&t->acc.edges->first, r);
}

static void last_done(const struct told *t, struct aggregate_result *r)
{
	kept_done(&t->acc.edges->last, r);
}

static void share_done(const struct told *t, struct aggregate_result *r)
{
	if (accumulator_count(t->acc.numbers))
		real(r, accumulator_sum(t->acc.numbers) / t->column->total);
}

static void distinct_done(const struct told *t, struct aggregate_result *r)
{
	whole(r, (num_i128)t->acc.values->distinct);
}

static void quantile_done(const struct told *t, struct aggregate_result *r)
{
	struct quantile_value v;

	if (!t->acc.quantile->n)
		return;
	v = quantile_at(t->acc.quantile, t->column->percent);
	r->approx = v.approx;
	if (v.whole)
		whole(r, v.i);
	else
		real(r, (long double)v.d);
}

static const struct agg aggs[] = {
    {"count", 1u << ACCUMULATOR_VALUES, AGGREGATE_OTHER, count_done, "records; count:FIELD how many values it has"},
    {"sum", 0, AGGREGATE_VALUE, sum_done, "sum, exact for integers"},
    {"mean", 0, AGGREGATE_VALUE, mean_done, "arithmetic mean"},
    {"min", 0, AGGREGATE_VALUE, min_done, "least"},
    {"max", 0, AGGREGATE_VALUE, max_done, "greatest"},
    {"std", 1u << ACCUMULATOR_SPREAD, AGGREGATE_DISTANCE, std_done, "standard deviation of a sample (n-1)"},
    {"pstd", 1u << ACCUMULATOR_SPREAD, AGGREGATE_DISTANCE, pstd_done, "standard deviation of a population (n)"},
    {"var", 1u << ACCUMULATOR_SPREAD, AGGREGATE_OTHER, var_done, "variance of a sample (n-1)"},
    {"first", 1u << ACCUMULATOR_EDGES, AGGREGATE_VALUE, first_done, "value of the first record that has the field"},
    {"last", 1u << ACCUMULATOR_EDGES, AGGREGATE_VALUE, last_done, "value of the last record that has the field"},
    {"share", 0, AGGREGATE_FRACTION, share_done, "the sum as a fraction of all groups' sums"},
    {"distinct", 1u << ACCUMULATOR_VALUES, AGGREGATE_OTHER, distinct_done, "how many different values"},
    {"median", 1u << ACCUMULATOR_QUANTILE, AGGREGATE_VALUE, quantile_done, "p50"},
    {"pNN", 1u << ACCUMULATOR_QUANTILE, AGGREGATE_VALUE, quantile_done, "percentile: p50, p99, p99.9"},
};

enum { AGGS = sizeof aggs / sizeof *aggs, MEDIAN = 50 };

const char *aggregate_name(size_t i)
{
	return i < AGGS ? aggs[i].name : NULL;
}

char *aggregate_help(const char *intro)
{
	struct buf b = {0};
	size_t i, n;

	buf_add(&b, intro, strlen(intro));
	for (i = 0; i < AGGS; i++) {
		buf_lit(&b, "\n  ");
		buf_add(&b, aggs[i].name, strlen(aggs[i].name));
		for (n = strlen(aggs[i].name); n < 10; n++)
			buf_char(&b, ' ');
		buf_add(&b, aggs[i].help, strlen(aggs[i].help));
	}
	buf_char(&b, '\0');
	return b.p;
}

/* "p99.9"; zeros before the number are no harm. */
static bool read_percent(struct str name, double *percent)
{
	struct str number = str_from(name, 1);

	if (!str_starts(name, STR("p")))
		return false;
	while (number.n > 1 && number.p[0] == '0' && number.p[1] != '.')
		number = str_from(number, 1);
	return num_double(number, percent) && *percent >= 0 && *percent <= 100;
}

static const struct agg *find(struct str name, double *percent)
{
	size_t i;

	*percent = MEDIAN;
	for (i = 0; i + 1 < AGGS; i++) {
		if (str_eq(name, str_of(aggs[i].name)))
			return &aggs[i];
	}
	return read_percent(name, percent) ? &aggs[i] : NULL;
}

/* --- asking --- */

size_t aggregate_field(struct aggregate_set *a, const char *option, struct str spec)
{
	size_t i;

	for (i = 0; i < a->n_fields; i++) {
		if (str_eq(spec, str_of(a->fields[i].spec)))
			return i;
	}
	a->fields = mem_grow(a->fields, &a->fields_cap, a->n_fields + 1, sizeof *a->fields);
	a->fields[i] = (struct aggregate_field){.spec = str_dup(spec), .parts = 1u << ACCUMULATOR_NUMBERS};
	field_option(&a->fields[i].field, option, a->fields[i].spec);
	a->n_fields++;
	return i;
}

static char *column_name(const struct aggregate_set *a, struct str name, size_t field)
{
	struct buf b = {0};

	if (field != AGGREGATE_RECORDS) {
		const char *spec = a->fields[field].spec;

		buf_add(&b, spec, strlen(spec));
		buf_char(&b, '_');
	}
	buf_add(&b, name.p, name.n);
	buf_char(&b, '\0');
	return b.p;
}

size_t aggregate_ask(struct aggregate_set *a, const char *option, struct str name, size_t field)
{
	struct aggregate_column c = {.field = field};
	size_t i;

	c.agg = find(name, &c.percent);
	if (!c.agg)
		opt_unknown(option, "aggregate", name, aggregate_name);
	c.name = column_name(a, name, field);
	for (i = 0; i < a->n_columns; i++) {
		if (str_eq(str_of(a->columns[i].name), str_of(c.name))) {
			free(c.name);
			return i;
		}
	}
	if (field != AGGREGATE_RECORDS) {
		a->fields[field].parts |= c.agg->needs;
		a->fields[field].field.numeric |= !(c.agg->needs & (1u << ACCUMULATOR_VALUES | 1u << ACCUMULATOR_EDGES));
	}
	a->columns = mem_grow(a->columns, &a->columns_cap, a->n_columns + 1, sizeof *a->columns);
	a->columns[a->n_columns] = c;
	return a->n_columns++;
}

static void ask_of_all(struct aggregate_set *a, const char *option, struct str name, const size_t *fields, size_t n)
{
	size_t i;

	if (n == 0)
		aggregate_ask(a, option, name, aggregate_field(a, option, STR("dur")));
	for (i = 0; i < n; i++)
		aggregate_ask(a, option, name, fields[i]);
}

void aggregate_ask_list(struct aggregate_set *a, const char *option, const char *list, const size_t *fields, size_t n)
{
	struct str piece, name;
	struct buf item = {0};
	const char *rest;

	for (rest = list; opt_item(&rest, &item);) {
		piece = (struct str){item.p, item.n};
		if (str_eq(piece, STR("count")))
			aggregate_ask(a, option, piece, AGGREGATE_RECORDS);
	}
	for (rest = list; opt_item(&rest, &item);) {
		piece = (struct str){item.p, item.n};
		name = str_head(piece, str_find(piece, STR(":")));
		if (name.n < piece.n)
			aggregate_ask(a, option, name, aggregate_field(a, option, str_from(piece, name.n + 1)));
		else if (!str_eq(name, STR("count")))
			ask_of_all(a, option, name, fields, n);
	}
	buf_free(&item);
}

/* A row is the count of records, then each field's parts. */
void aggregate_begin(struct aggregate_set *a, size_t spare)
{
	size_t i;
	enum accumulator_part part;

	a->stride = 16;
	for (i = 0; i < a->n_fields; i++) {
		a->fields[i].spare = spare;
		for (part = 0; part < ACCUMULATOR_PARTS; part++) {
			a->fields[i].at[part] = a->stride;
			if (a->fields[i].parts >> part & 1)
				a->stride += accumulator_size(part);
		}
	}
}

/* --- adding --- */

static void *row(const struct aggregate_set *a, size_t group)
{
	return a->rows + group * a->stride;
}

static void *part_of(
    const struct aggregate_set *a, const struct aggregate_field *f, size_t group, enum accumulator_part part)
{
	return f->parts >> part & 1 ? a->rows + group * a->stride + f->at[part] : NULL;
}

static struct accumulator acc_of(const struct aggregate_set *a, const struct aggregate_field *f, size_t group)
{
	return (struct accumulator){
	    part_of(a, f, group, ACCUMULATOR_NUMBERS),
	    part_of(a, f, group, ACCUMULATOR_SPREAD),
	    part_of(a, f, group, ACCUMULATOR_EDGES),
	    part_of(a, f, group, ACCUMULATOR_VALUES),
	    part_of(a, f, group, ACCUMULATOR_QUANTILE),
	};
}

static void add_groups(struct aggregate_set *a, size_t n)
{
	a->rows = mem_grow(a->rows, &a->rows_cap, n, a->stride);
	memset(row(a, a->n), 0, (n - a->n) * a->stride);
	a->n = n;
}

void aggregate_add_record(struct aggregate_set *a, const uint32_t *groups, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (groups[i] >= a->n)
			add_groups(a, (size_t)groups[i] + 1);
		++*(uint64_t *)row(a, groups[i]);
	}
	a->records++;
}

static void add_distinct(struct aggregate_field *f, uint32_t group, const struct value *v, uint64_t *distinct)
{
	uint32_t pair[2] = {group, (uint32_t)value_ids_put(&f->values, v->text)};
	size_t known = f->pairs.n;

	*distinct += map_put(&f->pairs, (struct str){(const char *)pair, sizeof pair}) == known;
}

static void add_rest(struct aggregate_set *a, struct aggregate_field *f, uint32_t group, const struct value *v)
{
	struct accumulator acc = acc_of(a, f, group);

	accumulator_add_rest(&acc, v, a->records, &f->spare);
	if (acc.values)
		add_distinct(f, group, v, &acc.values->distinct);
}

static inline void add_value(struct aggregate_set *a, struct aggregate_field *f, uint32_t group, const struct value *v)
{
	struct accumulator_numbers *numbers = part_of(a, f, group, ACCUMULATOR_NUMBERS);

	if (v->type == VALUE_INT)
		accumulator_add_int(numbers, v->i);
	else if (v->type == VALUE_REAL)
		accumulator_add_real(numbers, v->d);
	if (f->parts != 1u << ACCUMULATOR_NUMBERS)
		add_rest(a, f, group, v);
}

void aggregate_add_value(struct aggregate_set *a, size_t field, uint32_t group, const struct value *v)
{
	add_value(a, &a->fields[field], group, v);
}

void aggregate_add(struct aggregate_set *a, struct event *e, const uint32_t *groups, size_t n)
{
	struct aggregate_field *f;
	struct value v;
	size_t i, g;

	aggregate_add_record(a, groups, n);
	for (f = a->fields; f < a->fields + a->n_fields; f++) {
		for (i = 0; field_get(&f->field, e, i, &v); i++) {
			for (g = 0; g < n; g++)
				add_value(a, f, groups[g], &v);
			if (!f->field.each)
				break;
		}
	}
}

/* --- results --- */

uint64_t aggregate_records(const struct aggregate_set *a, size_t group)
{
	return *(const uint64_t *)row(a, group);
}

uint64_t aggregate_numbers(const struct aggregate_set *a, size_t group, size_t field)
{
	return accumulator_count(part_of(a, &a->fields[field], group, ACCUMULATOR_NUMBERS));
}

struct quantile *aggregate_quantile(const struct aggregate_set *a, size_t group, size_t field)
{
	return part_of(a, &a->fields[field], group, ACCUMULATOR_QUANTILE);
}

void aggregate_totals(struct aggregate_set *a)
{
	struct aggregate_column *c;
	size_t group;

	for (c = a->columns; c < a->columns + a->n_columns; c++) {
		c->total = 0;
		for (group = 0; c->agg->unit == AGGREGATE_FRACTION && group < a->n; group++)
			c->total += accumulator_sum(part_of(a, &a->fields[c->field], group, ACCUMULATOR_NUMBERS));
	}
}

void aggregate_result(const struct aggregate_set *a, size_t column, size_t group, struct aggregate_result *r)
{
	struct told t = {.column = &a->columns[column]};

	*r = (struct aggregate_result){.type = AGGREGATE_ABSENT};
	if (t.column->field == AGGREGATE_RECORDS) {
		whole(r, (num_i128)aggregate_records(a, group));
		return;
	}
	t.acc = acc_of(a, &a->fields[t.column->field], group);
	t.column->agg->done(&t, r);
}

enum aggregate_unit aggregate_unit(const struct aggregate_set *a, size_t column)
{
	return a->columns[column].agg->unit;
}

bool aggregate_is_sum(const struct aggregate_set *a, size_t column)
{
	return a->columns[column].agg->done == sum_done;
}

/* --- folding --- */

/* How many different values there are in the folded groups together. */
static uint64_t distinct_in(const struct aggregate_field *f, const bool *folded)
{
	bool *seen = mem_zero(f->values.n + 1, sizeof *seen);
	uint32_t pair[2];
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < f->pairs.n; i++) {
		memcpy(pair, map_key(&f->pairs, i).p, sizeof pair);
		if (folded[pair[0]] && !seen[pair[1]]) {
			seen[pair[1]] = true;
			n++;
		}
	}
	free(seen);
	return n;
}

size_t aggregate_fold(struct aggregate_set *a, const uint32_t *groups, size_t n)
{
	bool *folded = mem_zero(a->n + 1, sizeof *folded);
	size_t i, to = a->n;
	struct aggregate_field *f;

	add_groups(a, a->n + 1);
	for (i = 0; i < n; i++) {
		folded[groups[i]] = true;
		*(uint64_t *)row(a, to) += aggregate_records(a, groups[i]);
	}
	for (f = a->fields; f < a->fields + a->n_fields; f++) {
		struct accumulator sum = acc_of(a, f, to);
		size_t spare = f->spare;

		for (i = 0; i < n; i++) {
			struct accumulator one = acc_of(a, f, groups[i]);

			accumulator_merge(&sum, &one, &spare);
		}
		if (sum.values)
			sum.values->distinct = distinct_in(f, folded);
	}
	free(folded);
	return to;
}

void aggregate_unfold(struct aggregate_set *a)
{
	struct aggregate_field *f;

	a->n--;
	for (f = a->fields; f < a->fields + a->n_fields; f++) {
		struct accumulator acc = acc_of(a, f, a->n);

		accumulator_clear(&acc);
	}
}

void aggregate_free(struct aggregate_set *a)
{
	size_t i;

	while (a->n)
		aggregate_unfold(a);
	for (i = 0; i < a->n_fields; i++) {
		field_free(&a->fields[i].field);
		free(a->fields[i].spec);
		value_ids_free(&a->fields[i].values);
		map_free(&a->fields[i].pairs);
	}
	for (i = 0; i < a->n_columns; i++)
		free(a->columns[i].name);
	free(a->fields);
	free(a->columns);
	free(a->rows);
	*a = (struct aggregate_set){0};
}
