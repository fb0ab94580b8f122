#include "interval/interval_nesting.h"

#include "test.h"

int main(void)
{
	CHECK_INT(nesting_end(5, 7), 12);
	CHECK_INT(nesting_end(5, 0), 5);
	CHECK_INT(nesting_end(5, -7), 5);
	CHECK_INT(nesting_end(5, INT64_MAX), INT64_MAX);
	CHECK(nesting_holds(10, 5, 5, 5));
	CHECK(!nesting_holds(5, 5, 5, 5));
	CHECK(!nesting_holds(10, 5, 4, 6));
	return test_end();
}
