#include "stats/aggregate.h"
#include "random_values.h"
#include "test.h"
#include "base/num_parse.h"
#include "base/num_format.h"
#include "json/scan.h"
#include "json/write.h"

/* --- values and results --- */

static struct value text_value(const char *json)
{
	struct value v;

	value_of(&v, str_of(json));
	return v;
}

/* Returns a number as a value, whose text is valid until the eighth call after this one. */
static struct value number_value(double d, int64_t i, bool real)
{
	static char text[8][NUM_ROOM + 3];
	static unsigned next;
	char *p = text[next++ % 8], *end = real ? num_put_double(p, d) : num_put_i64(p, i);

	*end = '\0';
	if (real && !strpbrk(p, ".e"))
		memcpy(end, ".0", 3); /* the point makes it a VALUE_REAL */
	return text_value(p);
}

static struct value int_value(int64_t i)
{
	return number_value(0, i, false);
}

static struct value real_value(double d)
{
	return number_value(d, 0, true);
}

/* Returns a set with the aggregates of `list`: "count" is the number of records; the others are for the field x. */
static struct aggregate_set set_of(const char *list, size_t keep)
{
	struct aggregate_set a = {0};
	struct str rest = str_of(list), name;
	struct fault fault;
	size_t field = aggregate_field(&a, STR("x"), &fault);

	while (str_split(&rest, ',', &name)) {
		if (str_eq(name, STR("count")))
			aggregate_request(&a, name, AGGREGATE_RECORDS);
		else
			aggregate_request(&a, str_head(name, str_find(name, STR(":"))), field);
	}
	aggregate_begin(&a, keep);
	return a;
}

static void add(struct aggregate_set *a, uint32_t group, struct value v)
{
	struct buf b = {0};
	struct event e;

	json_write_begin(&b, NULL, '{');
	if (v.type != VALUE_NONE)
		json_write_json(&b, "x", v.text);
	json_write_end(&b, '}');
	scan_pad(&b);
	CHECK(!event_parse(&e, buf_str(&b)));
	aggregate_add(a, &e, &group, 1);
	buf_free(&b);
}

/* Returns the value of column `name` as text; "-" when absent. */
static const char *told(struct aggregate_set *a, size_t group, const char *name)
{
	static char text[NUM_ROOM + 1];
	struct aggregate_result r = {.type = AGGREGATE_ABSENT};
	char *end = text;
	size_t i;

	aggregate_totals(a, NULL);
	for (i = 0; i < a->n_columns; i++) {
		if (str_eq(str_of(a->columns[i].name), str_of(name)))
			aggregate_result(a, i, group, (struct aggregate_scale){1, 1}, &r);
	}
	if (r.type == AGGREGATE_ABSENT)
		*end++ = '-';
	else if (r.type == AGGREGATE_NUMBER)
		end = r.number.whole ? num_put_i128(text, r.number.i) : num_put_double(text, r.number.d);
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
#define NEAR(got, want, part) CHECK(fabs((got) - (want)) <= (part)*fabs(want))

/* --- results computed by hand --- */

static void test_few(void)
{
	struct aggregate_set a =
	    set_of("count,sum,mean,min,max,std,pstd,var,first,last,share,distinct,median,p0,p99.9,p100,count:x",
		QUANTILE_KEEP);

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

/* Integers and doubles in one set: the minimum and the maximum are returned unchanged. */
static void test_mixed(void)
{
	struct aggregate_set a = set_of("sum,min,max,first,last,distinct", QUANTILE_KEEP);

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
	TOLD(&a, 1, "x_distinct", "3");
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
	struct fault fault;
	double percent;

	CHECK_INT(aggregate_field(&a, STR("x"), &fault), 0);
	CHECK_INT(aggregate_field(&a, STR("y..z"), &fault), AGGREGATE_NONE);
	CHECK_STR(str_of(fault.what), "the name is empty");
	CHECK_INT(aggregate_field(&a, STR("y/10"), &fault), 1);
	CHECK_INT(aggregate_field(&a, STR("x"), &fault), 0);
	CHECK_INT(aggregate_request(&a, STR("count"), AGGREGATE_RECORDS), 0);
	CHECK_INT(aggregate_request(&a, STR("sum"), 1), 1);
	CHECK_INT(aggregate_request(&a, STR("summ"), 1), AGGREGATE_NONE);
	CHECK_INT(aggregate_request(&a, STR("p05"), 0), 2);
	CHECK_INT(aggregate_request(&a, STR("sum"), 1), 1);
	CHECK_INT(a.n_columns, 3);
	CHECK_STR(str_of(a.columns[0].name), "count");
	CHECK_STR(str_of(a.columns[1].name), "y/10_sum");
	CHECK_STR(str_of(a.columns[2].name), "x_p05");
	CHECK(aggregate_function_find(STR("p05"), &percent));
	CHECK_DOUBLE(percent, 5);
	CHECK(aggregate_function_is_sum(a.columns[1].function) && !aggregate_function_is_sum(a.columns[2].function));
	aggregate_free(&a);
}

/* --- results compared with those of python3's fractions --- */

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
 * Computed by python3 from a thousand values of each kind, made by the same generator: sums and means are computed as
 * fractions.Fraction and rounded once, at the end.
 */
static const struct {
	const char *sum, *min, *max;
	double mean, std, pstd, var;
} expected[] = {
    {"8521917969", "12947", "16741513", 8521917.969, 4857807.504351611, 4855377.993069694, 23598293749334.83},
    {"1000000008726444513547", "1000000000013258158", "1000000017143309699", 1.0000000087264445e+18, 4974394868.134674,
	4971907048.590155, 2.4744604304124584e+19},
    {"-997539896452931660", "-9215127922065309103", "9216114636754983897", -997539896452931.6, 5.321063994887153e+18,
	5.318402797423935e+18, 2.8313722037684424e+37},
    {"7945.923253856185", "-499.2282736325263", "497.87195795188813", 7.945923253856185, 289.54788973468766,
	289.403079578226, 83837.98044981083},
    {"401939936.6259951", "0.0007717263674736907", "1046344", 401939.9366259951, 410408.05946507276, 410202.80410866626,
	168434775273.88672},
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
		struct aggregate_set a = set_of("sum,mean,min,max,std,pstd,var", QUANTILE_KEEP);
		uint64_t state = 1;

		for (i = 0; i < 1000; i++)
			add(&a, 0, draw(kind, &state));
		check_expected(&a, kind, 0);
		aggregate_free(&a);
	}
}

/*
 * Adds the same values to seven groups, which are folded into one, and to a single group. The results may differ only
 * by rounding.
 */
static void test_fold(void)
{
	static const size_t groups[] = {3, 0, 6, 1, 5, 2, 4};
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

void unit_test(void)
{
	test_few();
	test_mixed();
	test_columns();
	test_random();
	test_fold();
}
