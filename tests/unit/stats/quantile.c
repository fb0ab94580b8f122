#include "stats/quantile.h"
#include "json/scan.h"
#include "json/write.h"
#include "random_values.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Computes a quantile by its definition, from sorted values. */
static double quantile_of(const double *sorted, size_t n, double percent)
{
	double rank = percent * (double)(n - 1) / 100;
	size_t k = (size_t)rank;

	return k + 1 < n ? sorted[k] + (sorted[k + 1] - sorted[k]) * (rank - (double)k) : sorted[n - 1];
}

static const double percents[] = {0, 0.1, 1, 5, 25, 33.3, 50, 75, 90, 99, 99.9, 99.99, 100};
enum { PERCENTS = sizeof percents / sizeof *percents };

static void check_quantiles(const double *values, size_t n, size_t keep, double part)
{
	double *sorted = malloc(n * sizeof *sorted);
	struct quantile q = {0};
	size_t i;

	for (i = 0; i < n; i++)
		quantile_add_real(&q, values[i], keep);
	memcpy(sorted, values, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_doubles);
	for (i = 0; i < PERCENTS; i++) {
		double want = quantile_of(sorted, n, percents[i]), got = quantile_double(quantile_at(&q, percents[i]));

		/* `want` is not exact, because quantile_of() computes the rank as a double. */
		CHECK(fabs(got - want) <= (part + 1e-12) * fabs(want));
	}
	CHECK_DOUBLE(quantile_double(quantile_at(&q, 0)), sorted[0]);
	CHECK_DOUBLE(quantile_double(quantile_at(&q, 100)), sorted[n - 1]);
	quantile_free(&q);
	free(sorted);
}

static void test_error(void)
{
	enum { N = 100000 };
	double *values = malloc(N * sizeof *values);
	uint64_t state = 1;
	size_t i;

	for (i = 0; i < N; i++) { /* log-normal, by the Box-Muller method */
		double u = random_part(&state) + 0x1p-60;

		values[i] = exp(9 + 3 * sqrt(-2 * log(u)) * cos(6.283185307179586 * random_part(&state)));
	}
	check_quantiles(values, N, QUANTILE_KEEP, 0.006);
	check_quantiles(values, N, N, 0);
	check_quantiles(values, N, SIZE_MAX, 0);
	for (i = 0; i < N; i++)
		values[i] = -values[i];
	check_quantiles(values, N, QUANTILE_KEEP, 0.006);
	for (i = 0; i < N; i++) /* integers, of which every third is 0 */
		values[i] = i % 3 ? floor(values[i] / 100) : 0;
	check_quantiles(values, N, QUANTILE_KEEP, 0.006);
	for (i = 0; i < N; i++) /* -128 .. 127: each bucket contains one integer */
		values[i] = (double)(random_bits(&state) >> 56) - 128;
	check_quantiles(values, N, QUANTILE_KEEP, 0);
	for (i = 0; i < N; i++)
		values[i] = (double)i;
	check_quantiles(values, N, SIZE_MAX, 0);
	for (i = 0; i < N; i++)
		values[i] = 7;
	check_quantiles(values, N, SIZE_MAX, 0);
	check_quantiles(values, QUANTILE_KEEP, QUANTILE_KEEP, 0);
	for (i = 0; i < N; i++)
		values[i] = (i % 2 ? -1 : 1) * ldexp(1.5, (int)(i % 1000) * 2 - 1000);
	check_quantiles(values, N, QUANTILE_KEEP, 0.006);
	check_quantiles(values, QUANTILE_KEEP, QUANTILE_KEEP, 0);
	free(values);
}

static int compare_ints(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Present-day times in ns have more digits than a double can hold. */
static void test_ints(void)
{
	enum { N = 4001 }; /* so that the rank of each whole percent is an integer */
	int64_t *values = malloc(N * sizeof *values);
	uint64_t state = 3;
	size_t i;
	struct quantile q = {0}, few = {0};

	for (i = 0; i < N; i++) {
		values[i] = INT64_C(1700000000000000000) + (int64_t)(random_bits(&state) >> 40);
		quantile_add_int(&q, values[i], QUANTILE_KEEP);
	}
	qsort(values, N, sizeof *values, compare_ints);
	for (i = 0; i <= 100; i++) {
		const size_t percent = i * 37 % 101; /* in arbitrary order */
		struct quantile_value v = quantile_at(&q, (double)percent);

		CHECK(v.whole && !v.approx);
		CHECK_INT(v.i, values[percent * 40]);
	}
	quantile_add_int(&few, INT64_MIN, QUANTILE_KEEP);
	quantile_add_int(&few, INT64_MAX, QUANTILE_KEEP);
	CHECK_DOUBLE(quantile_at(&few, 50).d, -0.5);
	CHECK_INT(quantile_at(&few, 75).i, INT64_C(4611686018427387903)); /* 2^62 - 0.75, rounded */
	CHECK_INT(quantile_at(&few, 0).i, INT64_MIN);
	CHECK_INT(quantile_at(&few, 100).i, INT64_MAX);
	quantile_free(&few);
	quantile_add_int(&few, -3, QUANTILE_KEEP);
	quantile_add_int(&few, 4, QUANTILE_KEEP);
	CHECK_DOUBLE(quantile_at(&few, 50).d, 0.5);
	CHECK_DOUBLE(quantile_at(&few, 10).d, -2.3);
	quantile_add_real(&few, 4.5, QUANTILE_KEEP); /* the integers become doubles */
	CHECK_DOUBLE(quantile_at(&few, 50).d, 4);
	CHECK_DOUBLE(quantile_at(&few, 0).d, -3);
	CHECK(few.fractions && !quantile_at(&few, 50).whole);
	quantile_free(&few);
	quantile_free(&q);
	free(values);
}

/*
 * If there are more values than can be stored, results are rounded to the digits that are certain, because a result can
 * be wrong by up to half the width of a bucket.
 */
static void test_digits(void)
{
	struct quantile q = {0};
	int64_t i;

	for (i = 0; i <= 20000; i++)
		quantile_add_int(&q, 10973 + i * (i % 3 - 1), QUANTILE_KEEP);
	CHECK(quantile_at(&q, 50).approx);
	CHECK_DOUBLE(quantile_at(&q, 50).d, 10980);
	CHECK(quantile_at(&q, 100).whole && !quantile_at(&q, 100).approx);
	quantile_free(&q);
	for (i = 0; i <= 20000; i++)
		quantile_add_int(&q, i % 256, QUANTILE_KEEP); /* one number in each bucket, so results are exact */
	CHECK(!quantile_at(&q, 50).approx);
	CHECK_DOUBLE(quantile_at(&q, 50).d, 127);
	quantile_free(&q);
	for (i = 0; i <= 20000; i++)
		quantile_add_int(
		    &q, 256 + i % 2 + (i == 20000), QUANTILE_KEEP); /* one bucket with two adjacent integers */
	CHECK(quantile_at(&q, 50).approx);
	CHECK_DOUBLE(quantile_at(&q, 50).d, 256);
	quantile_free(&q);
	for (i = 0; i <= 20000; i++)
		quantile_add_real(&q, 1.0 + (double)i * 1e-7, QUANTILE_KEEP);
	CHECK(quantile_at(&q, 99).approx);
	/* the exact result is 1.00198; all values are between 1 and 1.002 */
	CHECK_DOUBLE(quantile_at(&q, 99).d, 1.001);
	quantile_free(&q);
	for (i = 0; i <= 20000; i++)
		quantile_add_real(&q, 7.25, QUANTILE_KEEP);
	CHECK(!quantile_at(&q, 50).approx);
	CHECK_DOUBLE(quantile_at(&q, 50).d, 7.25);
	quantile_free(&q);
}

static void test_limit(void)
{
	enum { KEEP = 10 };
	struct quantile a = {0}, b = {0};
	size_t i;

	for (i = 0; i < KEEP; i++)
		quantile_add_real(&a, 1, KEEP);
	CHECK(a.values && !a.counted);
	quantile_add_real(&a, 1, KEEP);
	CHECK(!a.values && a.counted);
	CHECK_INT(a.n, KEEP + 1);
	quantile_add_real(&b, 3, KEEP);
	quantile_merge(&b, &a, KEEP);
	CHECK_INT(b.n, KEEP + 2);
	CHECK_DOUBLE(quantile_double(quantile_at(&b, 50)), 1);
	CHECK_DOUBLE(quantile_double(quantile_at(&b, 100)), 3);
	quantile_free(&a);
	quantile_free(&b);
}

/* Merges two sets of any sizes. The result must have the same quantiles as one set with all values. */
static void test_merge(void)
{
	size_t sizes[] = {0, 1, 40, QUANTILE_KEEP, QUANTILE_KEEP + 1, 10000}, i, j, k;

	for (i = 0; i < 6; i++) {
		for (j = 0; j < 6; j++) {
			struct quantile a = {0}, b = {0}, all = {0};
			uint64_t state = 7;

			for (k = 0; k < sizes[i] + sizes[j]; k++) {
				double v = random_part(&state) * 100 - 50;

				quantile_add_real(k < sizes[i] ? &a : &b, v, QUANTILE_KEEP);
				quantile_add_real(&all, v, QUANTILE_KEEP);
			}
			quantile_merge(&a, &b, QUANTILE_KEEP);
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

static void check_same(struct quantile *a, struct quantile *b)
{
	size_t i;

	CHECK_INT(a->n, b->n);
	for (i = 0; i < PERCENTS; i++)
		CHECK_DOUBLE(
		    quantile_double(quantile_at(a, percents[i])), quantile_double(quantile_at(b, percents[i])));
}

/* Returns the state of a quantile as JSON. */
static struct buf state_of(struct quantile *q)
{
	struct state_array w = {.out = NULL};
	struct buf object = {0};

	quantile_write(q, &object, &w);
	buf_free(&w.items);
	scan_pad(&object);
	return object;
}

/* Adds the values of a state. */
static void read_state(struct quantile *q, const struct buf *state, size_t keep)
{
	const struct str text = buf_str(state);
	const size_t at = str_find(text, STR("["));

	q->fractions |= str_find(text, STR("\"frac\":true")) < text.n;
	CHECK(at == text.n || quantile_read(q, str_from(text, at), keep));
}

/*
 * Values that are read with their counts have the same quantiles as values that are added one by one, and the same
 * state; so have those of a part to which further values are added.
 */
static void test_states(void)
{
	enum { N = 2000 };
	const size_t keeps[] = {10, QUANTILE_KEEP, SIZE_MAX};
	struct quantile one, part, merged;
	struct buf before, after;
	uint64_t state = 5, bits;
	size_t k, i;

	for (k = 0; k < 6; k++) {
		one = part = merged = (struct quantile){0};
		for (i = 0; i < N; i++) {
			bits = random_bits(&state) >> 54;
			if (k % 2 && i % 3)
				quantile_add_real(&one, (double)bits / 4 - 99, keeps[k / 2]);
			else
				quantile_add_int(&one, (int64_t)bits - 500, keeps[k / 2]);
			if (i == N / 2) {
				before = state_of(&one);
				read_state(&part, &before, keeps[k / 2]);
				buf_free(&before);
			} else if (i > N / 2 && k % 2 && i % 3) {
				quantile_add_real(&part, (double)bits / 4 - 99, keeps[k / 2]);
			} else if (i > N / 2) {
				quantile_add_int(&part, (int64_t)bits - 500, keeps[k / 2]);
			}
		}
		check_same(&one, &part);
		quantile_merge(&merged, &part, keeps[k / 2]);
		check_same(&one, &merged);
		before = state_of(&one);
		after = state_of(&merged);
		CHECK(before.n < 40000 && str_eq(buf_str(&before), buf_str(&after)));
		buf_free(&before);
		buf_free(&after);
		quantile_free(&one);
		quantile_free(&part);
		quantile_free(&merged);
	}
}

/* Each bucket is found again from the value that stands for it, also those of the limits of int64 and of double. */
static void test_buckets(void)
{
	static const double values[] = {-DBL_MAX, -0x1p63, -1000.5, -255, -1, -DBL_MIN, -5e-324, 0, 5e-324, DBL_MIN, 1,
	    255, 1000.5, 0x1p63, DBL_MAX};
	static const int64_t ints[] = {
	    INT64_MIN, INT64_MIN + 1, -1000003, -1, 0, 1, 257, 1000003, INT64_MAX - 1, INT64_MAX};
	struct quantile q[2] = {{0}, {0}}, read[2] = {{0}, {0}};
	struct buf before, after;
	size_t i;

	for (i = 0; i < 3 * sizeof values / sizeof *values; i++)
		quantile_add_real(&q[0], values[i / 3], 2);
	for (i = 0; i < 3 * sizeof ints / sizeof *ints; i++)
		quantile_add_int(&q[1], ints[i / 3], 2);
	for (i = 0; i < 2; i++) {
		before = state_of(&q[i]);
		read_state(&read[i], &before, 2);
		after = state_of(&read[i]);
		CHECK_STR(buf_str(&after), before.p);
		check_same(&q[i], &read[i]);
		buf_free(&before);
		buf_free(&after);
		quantile_free(&q[i]);
		quantile_free(&read[i]);
	}
}

/* The memory does not depend on the counts. */
static void test_counts(void)
{
	static const char *const bad[] = {"[1]", "[[1]]", "[[1,0]]", "[[1,-1]]", "[[\"1\",1]]", "[[1e400,1]]", "{}",
	    "[[1,9223372036854775807],[2,1]]"};
	struct quantile q = {0};
	struct buf b = {0};
	size_t i;

	buf_lit(&b, "[[5,9223372036854775806],[7.5,1]]");
	scan_pad(&b);
	CHECK(quantile_read(&q, buf_str(&b), SIZE_MAX));
	CHECK_DOUBLE(quantile_at(&q, 50).d, 5);
	quantile_free(&q);
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		b.n = 0;
		buf_add(&b, bad[i], strlen(bad[i]));
		scan_pad(&b);
		CHECK(!quantile_read(&q, buf_str(&b), SIZE_MAX));
		quantile_free(&q);
	}
	buf_free(&b);
}

void unit_test(void)
{
	test_error();
	test_ints();
	test_digits();
	test_limit();
	test_merge();
	test_states();
	test_buckets();
	test_counts();
}
