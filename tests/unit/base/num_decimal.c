/* num_compare: compares all pairs of an ascending list, and different forms of one number. */
#include "base/num_decimal.h"

#include "test.h"

static void check_order(const char *less, const char *more)
{
	CHECK(num_compare(str_of(less), str_of(more)) < 0);
	CHECK(num_compare(str_of(more), str_of(less)) > 0);
}

static void test_compare(void)
{
	static const char *const ascending[] = {"-1e400", "-123456789012345678901234567891",
	    "-123456789012345678901234567890", "-9223372036854775809", "-1.5", "-1", "-1e-400", "0", "1e-400", "1e-399",
	    "0.001", "0.0010000000000000000000000000001", "0.999", "1", "1.0000000000000000000000001",
	    "9007199254740992", "9007199254740993", "18446744073709551616", "123456789012345678901234567890",
	    "123456789012345678901234567890.5", "1e308", "1e400", "1.1e400", "1e99999999999"};
	static const char *const equal[] = {"100", "1e2", "1E+02", "100.000", "0.1e3", "1000000e-4", "0.0000001e9"};
	size_t i, j;

	for (i = 0; i < sizeof ascending / sizeof *ascending; i++) {
		CHECK_INT(num_compare(str_of(ascending[i]), str_of(ascending[i])), 0);
		for (j = 0; j < i; j++)
			check_order(ascending[j], ascending[i]);
	}
	for (i = 0; i < sizeof equal / sizeof *equal; i++)
		CHECK_INT(num_compare(str_of(equal[0]), str_of(equal[i])), 0);
	CHECK_INT(num_compare(STR("-0"), STR("0.00e7")), 0);
}

void unit_test(void)
{
	test_compare();
}
