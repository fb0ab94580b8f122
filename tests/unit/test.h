/*
 * test: checks for the unit tests. The test of a module is a file with this function:
 *
 *	void unit_test(void)
 *	{
 *		CHECK_INT(twice(2), 4);
 *	}
 *
 * main.c is linked with all tests of a folder and runs each of them in a process of its own.
 */
#ifndef TEST_H
#define TEST_H

#include "base/str.h"

#include <math.h>
#include <stdio.h>

/*
 * Each CHECK in the source is one case, even if it is evaluated several times; the case fails if any evaluation fails.
 */
struct test_case {
	const char *file;
	int line;
	const char *text;
	bool evaluated;
	unsigned long failures;
};

/* The numbers of cases, in memory that the processes of all tests share. */
struct test_counts {
	unsigned long passed, failed;
};

extern struct test_counts *test_total;
extern const char *test_program; /* the path of the running program */

/* The Makefile defines unit_test as unit_test_NAME for the test of the module NAME. */
void unit_test(void);

#define TEST_MOST_SHOWN 5 /* maximum number of failed evaluations that a case prints */

/* Counts one evaluation. Returns whether the caller should print the difference. */
static inline bool test_fails(struct test_case *here, bool good)
{
	if (!here->evaluated)
		test_total->passed++;
	here->evaluated = true;
	if (good)
		return false;
	if (here->failures++ == 0) {
		test_total->passed--;
		test_total->failed++;
	}
	if (here->failures == TEST_MOST_SHOWN + 1)
		printf("FAIL %s:%d: more than %d times\n", here->file, here->line, TEST_MOST_SHOWN);
	if (here->failures > TEST_MOST_SHOWN)
		return false;
	printf("FAIL %s:%d: %s is ", here->file, here->line, here->text);
	return true;
}

static inline void test_true(struct test_case *here, bool got)
{
	if (test_fails(here, got))
		printf("false\n");
}

static inline void test_int(struct test_case *here, intmax_t got, intmax_t want)
{
	if (test_fails(here, got == want))
		printf("%jd, expected %jd\n", got, want);
}

static inline void test_str(struct test_case *here, struct str got, struct str want)
{
	if (test_fails(here, (got.p || !got.n) && str_eq(got, want)))
		printf("'%.*s', expected '%.*s'\n", (int)got.n, got.p ? got.p : "", (int)want.n, want.p);
}

/* Equal means identical, and NaN equals NaN. Compare inexact results with CHECK(fabs(a - b) < e). */
static inline void test_double(struct test_case *here, double got, double want)
{
	if (test_fails(here, !(got < want || got > want) && isnan(got) == isnan(want)))
		printf("%.17g, expected %.17g\n", got, want);
}

#define TEST_HERE(text) static struct test_case test_here = {__FILE__, __LINE__, text, false, 0}

#define TEST_CASE(test, text, ...)                                                                                     \
	do {                                                                                                           \
		TEST_HERE(text);                                                                                       \
                                                                                                                       \
		test(&test_here, __VA_ARGS__);                                                                         \
	} while (0)

#define CHECK(cond) TEST_CASE(test_true, #cond, cond)
#define CHECK_INT(got, want) TEST_CASE(test_int, #got, (intmax_t)(got), (intmax_t)(want))
#define CHECK_STR(got, want) TEST_CASE(test_str, #got, got, str_of(want))
#define CHECK_DOUBLE(got, want) TEST_CASE(test_double, #got, got, want)

/* A CHECK that also prints the input on which it fails, given as a printf() format and its arguments. */
#define CHECK_SHOW(cond, ...)                                                                                          \
	do {                                                                                                           \
		TEST_HERE(#cond);                                                                                      \
                                                                                                                       \
		if (test_fails(&test_here, cond)) {                                                                    \
			printf("false: ");                                                                             \
			printf(__VA_ARGS__);                                                                           \
			printf("\n");                                                                                  \
		}                                                                                                      \
	} while (0)

#endif
