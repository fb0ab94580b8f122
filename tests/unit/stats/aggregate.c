#include "stats/aggregate.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "stats/histogram_bins.h"
#include "test.h"

#include <stdlib.h>

/* --- values and results --- */

static struct value int_value(int64_t i)
{
	static char text[8][NUM_ROOM];
	static unsigned next;
	char *p = text[next++ % 8];
	struct value v;

	value_of(&v, (struct str){p, (size_t)(num_put_i64(p, i) - p)});
	return v;
}

static struct value real_value(double d)
{
	return (struct value){.type = VALUE_REAL, .d = d, .text = STR("0.5")};
}

static struct value text_value(const char *json)
{
	struct value v;

	value_of(&v, str_of(json));
	return v;
}

/* A set with the aggregates of `list` asked of the field x. */
static struct aggregate_set set_of(const char *list, size_t spare)
{
	struct aggregate_set a = {0};
	size_t field = aggregate_field(&a, "-f", STR("x"));

	aggregate_ask_list(&a, "-a", list, &field, 1);
	aggregate_begin(&a, spare);
	return a;
}

static void add(struct aggregate_set *a, uint32_t group, struct value v)
{
	aggregate_add_record(a, &group, 1);
	if (v.type != VALUE_NONE)
		aggregate_add_value(a, 0, group, &v);
}

/* What column `name` says, as text; "-" when absent. */
static const char *told(struct aggregate_set *a, size_t group, const char *name)
{
	static char text[NUM_ROOM + 1];
	struct aggregate_result r = {.type = AGGREGATE_ABSENT};
	char *end = text;
	size_t i;

	aggregate_totals(a);
	for (i = 0; i < a->n_columns; i++) {
		if (str_eq(str_of(a->columns[i].name), str_of(name)))
			aggregate_result(a, i, group, &r);
	}
	if (r.type == AGGREGATE_ABSENT)
		*end++ = '-';
	else if (r.type == AGGREGATE_INT)
		end = num_put_i128(text, r.i);
	else if (r.type == AGGREGATE_REAL)
		end = num_put_double(text, r.d);
	else
		end += snprintf(text, sizeof text, "%.*s", STR_FMT(r.text));
	*end = '\0';
	return text;
}

static double number(struct aggregate_set *a, const char *name)
{
	double v = NAN;

	num_double(str_of(told(a, 0, name)), &v);
	return v;
}

#define TOLD(a, group, name, want) CHECK_STR(str_of(told(a, group, name)), want)
#define NEAR(got, want, part) CHECK(fabs((got) - (want)) <= (part) * fabs(want))

/* --- by hand --- */

static void test_few(void)
{
	struct aggregate_set a =
	    set_of("count,sum,mean,min,max,std,pstd,var,first,last,share,distinct,median,p0,p99.9,p100,count:x", 0);

	add(&a, 0, int_value(4));
	TOLD(&a, 0, "count", "1");
	TOLD(&a, 0, "x_count", "1");
	TOLD(&a, 0, "x_mean", "4");
	TOLD(&a, 0, "x_std", "-");
	TOLD(&a, 0, "x_var", "-");
	TOLD(&a, 0, "x_pstd", "0");
	TOLD(&a, 0, "x_p99.9", "4");
	add(&a, 0, int_value(-1));
	add(&a, 0, text_value("\"text\""));
	add(&a, 0, (struct value){0});
	add(&a, 0, int_value(4));
	add(&a, 1, int_value(1));
	add(&a, 2, (struct value){0});
	TOLD(&a, 0, "count", "5");
	TOLD(&a, 0, "x_count", "4");
	TOLD(&a, 0, "x_sum", "7");
	TOLD(&a, 0, "x_mean", "2.3333333333333335");
	TOLD(&a, 0, "x_min", "-1");
	TOLD(&a, 0, "x_max", "4");
	TOLD(&a, 0, "x_var", "8.333333333333334");
	TOLD(&a, 0, "x_std", "2.8867513459481287");
	TOLD(&a, 0, "x_pstd", "2.3570226039551585");
	TOLD(&a, 0, "x_first", "4");
	TOLD(&a, 0, "x_last", "4");
	TOLD(&a, 0, "x_distinct", "3");
	TOLD(&a, 0, "x_share", "0.875");
	TOLD(&a, 0, "x_median", "4");
	TOLD(&a, 0, "x_p0", "-1");
	TOLD(&a, 0, "x_p100", "4");
	TOLD(&a, 1, "x_share", "0.125");
	TOLD(&a, 2, "count", "1");
	TOLD(&a, 2, "x_count", "0");
	TOLD(&a, 2, "x_sum", "-");
	TOLD(&a, 2, "x_mean", "-");
	TOLD(&a, 2, "x_min", "-");
	TOLD(&a, 2, "x_share", "-");
	TOLD(&a, 2, "x_pstd", "-");
	TOLD(&a, 2, "x_median", "-");
	TOLD(&a, 2, "x_first", "-");
	TOLD(&a, 2, "x_distinct", "0");
	CHECK_INT(aggregate_numbers(&a, 0, 0), 3);
	aggregate_free(&a);
}

/* Integers and others: each limit stays what it was. */
static void test_mixed(void)
{
	struct aggregate_set a = set_of("sum,min,max,first,last,distinct", 0);

	add(&a, 0, int_value(INT64_MIN));
	add(&a, 0, int_value(INT64_MAX));
	TOLD(&a, 0, "x_sum", "-1");
	TOLD(&a, 0, "x_min", "-9223372036854775808");
	TOLD(&a, 0, "x_max", "9223372036854775807");
	add(&a, 0, text_value("1e19"));
	TOLD(&a, 0, "x_sum", "1e19");
	TOLD(&a, 0, "x_min", "-9223372036854775808");
	TOLD(&a, 0, "x_max", "1e19");
	add(&a, 1, text_value("0.5"));
	add(&a, 1, text_value("3"));
	add(&a, 1, text_value("\"\\u0041\""));
	add(&a, 1, text_value("\"A\""));
	add(&a, 1, text_value("3.0"));
	TOLD(&a, 1, "x_sum", "6.5");
	TOLD(&a, 1, "x_min", "0.5");
	TOLD(&a, 1, "x_max", "3");
	TOLD(&a, 1, "x_distinct", "4");
	add(&a, 2, text_value("\"a\""));
	add(&a, 2, text_value("true"));
	TOLD(&a, 2, "x_first", "\"a\"");
	TOLD(&a, 2, "x_last", "true");
	TOLD(&a, 2, "x_sum", "-");
	aggregate_free(&a);
}

static void test_columns(void)
{
	struct aggregate_set a = {0};
	size_t fields[2] = {aggregate_field(&a, "-f", STR("x")), aggregate_field(&a, "-f", STR("y/10"))};

	aggregate_ask_list(&a, "-a", "sum,max:z,count,sum,p05", fields, 2);
	CHECK_INT(a.n_columns, 6);
	CHECK_STR(str_of(a.columns[0].name), "count");
	CHECK_STR(str_of(a.columns[1].name), "x_sum");
	CHECK_STR(str_of(a.columns[2].name), "y/10_sum");
	CHECK_STR(str_of(a.columns[3].name), "z_max");
	CHECK_STR(str_of(a.columns[4].name), "x_p05");
	CHECK_DOUBLE(a.columns[4].percent, 5);
	CHECK(aggregate_is_sum(&a, 1) && !aggregate_is_sum(&a, 3));
	CHECK_INT(aggregate_field(&a, "-f", STR("z")), 2);
	aggregate_free(&a);
}

/* --- against python3's fractions --- */

static uint64_t random_bits(uint64_t *state)
{
	return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

static double random_part(uint64_t *state) /* 0 .. 1 */
{
	return (double)(random_bits(state) >> 11) / 0x1p53;
}

static struct value draw(int kind, uint64_t *state)
{
	uint64_t bits;

	switch (kind) {
	case 0:
		return int_value((int64_t)(random_bits(state) >> 40));
	case 1:
		return int_value(1000000000000000000 + (int64_t)(random_bits(state) >> 30));
	case 2:
		return int_value((int64_t)random_bits(state));
	case 3:
		return real_value(random_part(state) * 1000 - 500);
	case 4:
		bits = random_bits(state);
		return bits >> 63 ? int_value((int64_t)(bits >> 44)) : real_value((double)(bits >> 11) / 0x1p53);
	default:
		return real_value(1e9 + random_part(state));
	}
}

/*
 * What python3 makes of a thousand values of each kind, from the same generator: sums and means of
 * fractions.Fraction, then rounded once.
 */
static const struct {
	const char *sum, *min, *max;
	double mean, std, pstd, var;
} expected[] = {
    {"8521917969", "12947", "16741513", 8521917.969, 4857807.504351611, 4855377.993069694, 23598293749334.83},
    {"1000000008726444513547", "1000000000013258158", "1000000017143309699", 1.0000000087264445e+18,
	4974394868.134674, 4971907048.590155, 2.4744604304124584e+19},
    {"-997539896452931660", "-9215127922065309103", "9216114636754983897", -997539896452931.6,
	5.321063994887153e+18, 5.318402797423935e+18, 2.8313722037684424e+37},
    {"7945.923253856185", "-499.2282736325263", "497.87195795188813", 7.945923253856185, 289.54788973468766,
	289.403079578226, 83837.98044981083},
    {"401939936.6259951", "0.0007717263674736907", "1046344", 401939.9366259951, 410408.05946507276,
	410202.80410866626, 168434775273.88672},
    {"1000000000507.9459", "1000000000.0007718", "1000000000.997872", 1000000000.5079459, 0.2895478920312653,
	0.28940308187365504, 0.08383798177974926},
};

enum { KINDS = sizeof expected / sizeof *expected };

static void check_expected(struct aggregate_set *a, int kind, size_t group)
{
	TOLD(a, group, "x_sum", expected[kind].sum);
	TOLD(a, group, "x_min", expected[kind].min);
	TOLD(a, group, "x_max", expected[kind].max);
	if (group)
		return;
	NEAR(number(a, "x_mean"), expected[kind].mean, 1e-15);
	NEAR(number(a, "x_std"), expected[kind].std, 1e-15);
	NEAR(number(a, "x_pstd"), expected[kind].pstd, 1e-15);
	NEAR(number(a, "x_var"), expected[kind].var, 1e-15);
}

static void test_random(void)
{
	int kind, i;

	for (kind = 0; kind < KINDS; kind++) {
		struct aggregate_set a = set_of("sum,mean,min,max,std,pstd,var", 0);
		uint64_t state = 1;

		for (i = 0; i < 1000; i++)
			add(&a, 0, draw(kind, &state));
		check_expected(&a, kind, 0);
		aggregate_free(&a);
	}
}

/* The same values in seven groups, folded into one: nothing changes but rounding. */
static void test_fold(void)
{
	static const uint32_t groups[] = {3, 0, 6, 1, 5, 2, 4};
	int kind, i;

	for (kind = 0; kind < KINDS; kind++) {
		struct aggregate_set a = set_of("sum,mean,min,max,std,pstd,var,p50,distinct,first,last", SIZE_MAX);
		struct aggregate_set whole = set_of("sum,std,p50,distinct,first,last", SIZE_MAX);
		uint64_t state = 1;
		double v;
		size_t to;

		for (i = 0; i < 1000; i++) {
			struct value one = draw(kind, &state);

			add(&a, (uint32_t)i % 7, one);
			add(&whole, 0, one);
		}
		to = aggregate_fold(&a, groups, a.n);
		CHECK_INT(aggregate_records(&a, to), 1000);
		check_expected(&a, kind, to);
		CHECK(num_double(str_of(told(&a, to, "x_std")), &v));
		NEAR(v, expected[kind].std, 1e-14);
		CHECK(num_double(str_of(told(&a, to, "x_p50")), &v));
		CHECK_DOUBLE(v, number(&whole, "x_p50"));
		TOLD(&a, to, "x_distinct", told(&whole, 0, "x_distinct"));
		TOLD(&a, to, "x_first", told(&whole, 0, "x_first"));
		TOLD(&a, to, "x_last", told(&whole, 0, "x_last"));
		aggregate_unfold(&a);
		CHECK_INT(a.n, to);
		aggregate_free(&a);
		aggregate_free(&whole);
	}
}

/* --- quantiles --- */

static int compare_doubles(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* By the definition, of sorted values. */
static double quantile_of(const double *sorted, size_t n, double percent)
{
	double rank = percent * (double)(n - 1) / 100;
	size_t k = (size_t)rank;

	return k + 1 < n ? sorted[k] + (sorted[k + 1] - sorted[k]) * (rank - (double)k) : sorted[n - 1];
}

static const double percents[] = {0, 0.1, 1, 5, 25, 33.3, 50, 75, 90, 99, 99.9, 99.99, 100};
enum { PERCENTS = sizeof percents / sizeof *percents };

static void check_quantiles(const double *values, size_t n, size_t spare, double part)
{
	double *sorted = malloc(n * sizeof *sorted);
	struct quantile q = {0};
	size_t i;

	for (i = 0; i < n; i++)
		quantile_add_real(&q, values[i], &spare);
	memcpy(sorted, values, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_doubles);
	for (i = 0; i < PERCENTS; i++) {
		double want = quantile_of(sorted, n, percents[i]), got = quantile_double(quantile_at(&q, percents[i]));

		CHECK(fabs(got - want) <= (part + 1e-12) * fabs(want)); /* the rank here is a double */
	}
	CHECK_DOUBLE(quantile_double(quantile_at(&q, 0)), sorted[0]);
	CHECK_DOUBLE(quantile_double(quantile_at(&q, 100)), sorted[n - 1]);
	quantile_free(&q);
	free(sorted);
}

static void test_quantile_error(void)
{
	enum { N = 100000 };
	double *values = malloc(N * sizeof *values);
	uint64_t state = 1;
	size_t i;

	for (i = 0; i < N; i++) { /* log-normal, by Box and Muller */
		double u = random_part(&state) + 0x1p-60;

		values[i] = exp(9 + 3 * sqrt(-2 * log(u)) * cos(6.283185307179586 * random_part(&state)));
	}
	check_quantiles(values, N, 0, 0.006);
	check_quantiles(values, N, N, 0);
	check_quantiles(values, N, SIZE_MAX, 0);
	for (i = 0; i < N; i++)
		values[i] = -values[i];
	check_quantiles(values, N, 0, 0.006);
	for (i = 0; i < N; i++) /* whole ones, every third 0 */
		values[i] = i % 3 ? floor(values[i] / 100) : 0;
	check_quantiles(values, N, 0, 0.006);
	for (i = 0; i < N; i++) /* up to 256 buckets hold one whole number each */
		values[i] = (double)(random_bits(&state) >> 56) - 128;
	check_quantiles(values, N, 0, 0);
	for (i = 0; i < N; i++)
		values[i] = (double)i;
	check_quantiles(values, N, SIZE_MAX, 0);
	for (i = 0; i < N; i++)
		values[i] = 7;
	check_quantiles(values, N, SIZE_MAX, 0);
	check_quantiles(values, QUANTILE_KEEP, 0, 0);
	for (i = 0; i < N; i++)
		values[i] = (i % 2 ? -1 : 1) * ldexp(1.5, (int)(i % 1000) * 2 - 1000);
	check_quantiles(values, N, 0, 0.006);
	check_quantiles(values, QUANTILE_KEEP, 0, 0);
	free(values);
}

static int compare_ints(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Times of today in ns have more digits than a double. */
static void test_quantile_ints(void)
{
	enum { N = 4001 }; /* so that whole percents are ranks */
	int64_t *values = malloc(N * sizeof *values);
	uint64_t state = 3;
	size_t none = 0, i;
	struct quantile q = {0}, few = {0};

	for (i = 0; i < N; i++) {
		values[i] = INT64_C(1700000000000000000) + (int64_t)(random_bits(&state) >> 40);
		quantile_add_int(&q, values[i], &none);
	}
	qsort(values, N, sizeof *values, compare_ints);
	for (i = 0; i <= 100; i++) {
		const size_t percent = i * 37 % 101; /* in no order */
		struct quantile_value v = quantile_at(&q, (double)percent);

		CHECK(v.whole && !v.approx);
		CHECK_INT(v.i, values[percent * 40]);
	}
	quantile_add_int(&few, INT64_MIN, &none);
	quantile_add_int(&few, INT64_MAX, &none);
	CHECK_DOUBLE(quantile_at(&few, 50).d, -0.5);
	CHECK_INT(quantile_at(&few, 75).i, INT64_C(4611686018427387903)); /* 2^62 - 0.75, rounded */
	CHECK_INT(quantile_at(&few, 0).i, INT64_MIN);
	CHECK_INT(quantile_at(&few, 100).i, INT64_MAX);
	quantile_free(&few);
	quantile_add_int(&few, -3, &none);
	quantile_add_int(&few, 4, &none);
	CHECK_DOUBLE(quantile_at(&few, 50).d, 0.5);
	CHECK_DOUBLE(quantile_at(&few, 10).d, -2.3);
	quantile_add_real(&few, 4.5, &none); /* the integers become doubles */
	CHECK_DOUBLE(quantile_at(&few, 50).d, 4);
	CHECK_DOUBLE(quantile_at(&few, 0).d, -3);
	CHECK(few.fractions && !quantile_at(&few, 50).whole);
	quantile_free(&few);
	quantile_free(&q);
	free(values);
}

/* Beyond the limit only digits that are known: the last one is at most as far off as half of a bucket is wide. */
static void test_quantile_digits(void)
{
	struct quantile q = {0};
	size_t none = 0;
	int64_t i;

	for (i = 0; i <= 20000; i++)
		quantile_add_int(&q, 10973 + i * (i % 3 - 1), &none);
	CHECK(quantile_at(&q, 50).approx);
	CHECK_DOUBLE(quantile_at(&q, 50).d, 10980);
	CHECK(quantile_at(&q, 100).whole && !quantile_at(&q, 100).approx);
	quantile_free(&q);
	for (i = 0; i <= 20000; i++)
		quantile_add_int(&q, i % 256, &none); /* a number a bucket: exact */
	CHECK(!quantile_at(&q, 50).approx);
	CHECK_DOUBLE(quantile_at(&q, 50).d, 127);
	quantile_free(&q);
	for (i = 0; i <= 20000; i++)
		quantile_add_int(&q, 256 + i % 2 + (i == 20000), &none); /* two numbers a bucket, no third between them */
	CHECK(quantile_at(&q, 50).approx);
	CHECK_DOUBLE(quantile_at(&q, 50).d, 256);
	quantile_free(&q);
	for (i = 0; i <= 20000; i++)
		quantile_add_real(&q, 1.0 + (double)i * 1e-7, &none);
	CHECK(quantile_at(&q, 99).approx);
	CHECK_DOUBLE(quantile_at(&q, 99).d, 1.001); /* 1.00198, from 1 to 1.002 */
	quantile_free(&q);
	for (i = 0; i <= 20000; i++)
		quantile_add_real(&q, 7.25, &none);
	CHECK(!quantile_at(&q, 50).approx);
	CHECK_DOUBLE(quantile_at(&q, 50).d, 7.25);
	quantile_free(&q);
}

static void test_quantile_spare(void)
{
	struct quantile a = {0}, b = {0};
	size_t spare = 10, i;

	for (i = 0; i < QUANTILE_KEEP; i++)
		quantile_add_real(&a, 1, &spare);
	CHECK_INT(spare, 10);
	for (i = 0; i < 10; i++)
		quantile_add_real(&a, 1, &spare);
	CHECK_INT(spare, 0);
	CHECK(a.kept && !a.counted);
	quantile_add_real(&a, 1, &spare);
	CHECK_INT(spare, 10);
	CHECK(!a.kept && a.counted);
	CHECK_INT(a.n, QUANTILE_KEEP + 11);
	quantile_add_real(&b, 3, &spare);
	quantile_merge(&b, &a, &spare);
	CHECK_INT(b.n, QUANTILE_KEEP + 12);
	CHECK_DOUBLE(quantile_double(quantile_at(&b, 50)), 1);
	CHECK_DOUBLE(quantile_double(quantile_at(&b, 100)), 3);
	quantile_free(&a);
	quantile_free(&b);
}

/* Two halves joined tell what the whole does, whatever each half is. */
static void test_quantile_merge(void)
{
	size_t sizes[] = {0, 1, 40, QUANTILE_KEEP, QUANTILE_KEEP + 1, 10000}, i, j, k, none = 0;

	for (i = 0; i < 6; i++) {
		for (j = 0; j < 6; j++) {
			struct quantile a = {0}, b = {0}, all = {0};
			uint64_t state = 7;

			for (k = 0; k < sizes[i] + sizes[j]; k++) {
				double v = random_part(&state) * 100 - 50;

				quantile_add_real(k < sizes[i] ? &a : &b, v, &none);
				quantile_add_real(&all, v, &none);
			}
			quantile_merge(&a, &b, &none);
			CHECK_INT(a.n, all.n);
			for (k = 0; all.n && k < PERCENTS; k++)
				CHECK_DOUBLE(quantile_double(quantile_at(&a, percents[k])),
				    quantile_double(quantile_at(&all, percents[k])));
			quantile_free(&a);
			quantile_free(&b);
			quantile_free(&all);
		}
	}
}

/* --- bins --- */

static void check_edges(double min, double max, bool whole, const char *want)
{
	char text[1024], *p = text;
	struct histogram_bins b;
	size_t i;

	histogram_bins_edges(&b, min, max, whole);
	for (i = 0; i <= b.n; i++) {
		p = num_put_double(p, b.edges[i]);
		*p++ = i < b.n ? ' ' : '\0';
	}
	CHECK_STR(str_of(text), want);
	histogram_bins_free(&b);
}

static void test_bins(void)
{
	check_edges(7, 7, true, "7 8");
	check_edges(0.25, 0.25, false, "0 1");
	check_edges(1, 4, true, "1 2 3 4 5");
	check_edges(-0.1, 0.3, false, "-0.1 -0.05 0 0.05 0.1 0.15 0.2 0.25 0.3 0.35");
	check_edges(30, 4000, true, "20 50 100 200 500 1000 2000 5000");
	check_edges(0, 101, true, "0 1 2 5 10 20 50 100 200");
	check_edges(0.003, 0.4, false, "0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5");
	check_edges(1e300, 1e300, false, "1e300 1.0000000000000005e300");
}

static void test_spread(void)
{
	struct quantile q = {0};
	size_t spare = 0, i;
	struct histogram_bins b;

	for (i = 0; i < 100; i++)
		quantile_add_real(&q, (double)(i % 5), &spare);
	histogram_bins_of(&b, &q);
	CHECK_INT(b.n, 5);
	for (i = 0; i < b.n; i++)
		CHECK_INT(b.counts[i], 20);
	histogram_bins_free(&b);
	quantile_free(&q);
}

/* --- keys --- */

static void test_keys(void)
{
	struct value_ids k = {0};
	char text[32];
	size_t i;

	CHECK_INT(value_ids_put(&k, STR("\"A\\/\\u0042\"")), 0);
	CHECK_INT(value_ids_put(&k, STR("\"A/B\"")), 0);
	CHECK_INT(value_ids_put(&k, STR("")), 1);
	CHECK_INT(value_ids_put(&k, STR("\"\"")), 2);
	CHECK_INT(value_ids_put(&k, STR("1")), 3);
	CHECK_INT(value_ids_put(&k, STR("1.0")), 4);
	CHECK_INT(value_ids_put(&k, STR("\"1\"")), 5);
	CHECK_INT(value_ids_put(&k, STR("\"\\u0031\"")), 5);
	CHECK_INT(value_ids_put(&k, STR("\"a\\nb\"")), 6);
	CHECK_INT(value_ids_put(&k, STR("\"a\\u000ab\"")), 6);
	CHECK_INT(value_ids_put(&k, STR("\"A\\u002fB\"")), 0);
	CHECK_STR(value_ids_text(&k, 0), "\"A/B\"");
	CHECK_STR(value_ids_text(&k, 1), "");
	CHECK_STR(value_ids_text(&k, 6), "\"a\\nb\"");
	CHECK_INT(k.n, 7);
	for (i = 0; i < 3000; i++) {
		int n = snprintf(text, sizeof text, i % 2 ? "\"%zu\\u0021\"" : "\"%zu!\"", i / 2);

		CHECK_INT(value_ids_put(&k, (struct str){text, (size_t)n}), 7 + i / 2);
	}
	value_ids_free(&k);
}

int main(void)
{
	test_few();
	test_mixed();
	test_columns();
	test_random();
	test_fold();
	test_quantile_error();
	test_quantile_ints();
	test_quantile_digits();
	test_quantile_spare();
	test_quantile_merge();
	test_bins();
	test_spread();
	test_keys();
	return test_end();
}
