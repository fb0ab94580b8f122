/* int_math: sums and differences at the limits of int64. */
#include "test.h"

#include "base/int_math.h"

/* Times and durations saturate at the limits. */
static void ends(void)
{
	CHECK_INT(int_add(-5, 7), 2);
	CHECK_INT(int_add(INT64_MAX, 1), INT64_MAX);
	CHECK_INT(int_add(INT64_MIN, -1), INT64_MIN);
	CHECK_INT(int_sub(7, -5), 12);
	CHECK_INT(int_sub(INT64_MAX, INT64_MIN), INT64_MAX);
	CHECK_INT(int_sub(INT64_MIN, 1), INT64_MIN);
	CHECK_INT(int_interval_end(5, 7), 12);
	CHECK_INT(int_interval_end(5, 0), 5);
	CHECK_INT(int_interval_end(5, -7), 5);
	CHECK_INT(int_interval_end(5, INT64_MAX), INT64_MAX);
}

void unit_test(void)
{
	ends();
}
