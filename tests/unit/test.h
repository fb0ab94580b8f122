/*
 * test.h: checks for the unit tests. A test is a program:
 *
 *	int main(void)
 *	{
 *		CHECK_INT(twice(2), 4);
 *		return test_end();
 *	}
 */
#ifndef TEST_H
#define TEST_H

#include "base/str.h"

#include <math.h>
#include <stdio.h>

static unsigned long test_passed, test_failed;

static inline bool test_count(bool good, const char *file, int line)
{
	if (good)
		test_passed++;
	else
		test_failed++;
	if (!good)
		printf("FAIL %s:%d: ", file, line);
	return good;
}

static inline void test_true(bool got, const char *text, const char *file, int line)
{
	if (!test_count(got, file, line))
		printf("%s is false\n", text);
}

static inline void test_int(intmax_t got, intmax_t want, const char *text, const char *file, int line)
{
	if (!test_count(got == want, file, line))
		printf("%s is %jd, expected %jd\n", text, got, want);
}

static inline void test_str(struct str got, struct str want, const char *text, const char *file, int line)
{
	if (!test_count((got.p || !got.n) && str_eq(got, want), file, line))
		printf("%s is '%.*s', expected '%.*s'\n", text, (int)got.n, got.p ? got.p : "", (int)want.n, want.p);
}

/* Equal as they are, NaN to NaN too: what is only near is for CHECK(fabs(a - b) < e). */
static inline void test_double(double got, double want, const char *text, const char *file, int line)
{
	if (!test_count(!(got < want || got > want) && isnan(got) == isnan(want), file, line))
		printf("%s is %.17g, expected %.17g\n", text, got, want);
}

#define CHECK(cond) test_true(cond, #cond, __FILE__, __LINE__)
#define CHECK_INT(got, want) test_int((intmax_t)(got), (intmax_t)(want), #got, __FILE__, __LINE__)
#define CHECK_STR(got, want) test_str(got, str_of(want), #got, __FILE__, __LINE__)
#define CHECK_DOUBLE(got, want) test_double(got, want, #got, __FILE__, __LINE__)

/* What main() returns; prints the sums. */
static inline int test_end(void)
{
	printf("%lu passed, %lu failed\n", test_passed, test_failed);
	return test_failed > 0;
}

#endif
