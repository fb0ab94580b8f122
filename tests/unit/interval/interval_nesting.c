#include "interval/interval_nesting.h"

#include "test.h"

void unit_test(void)
{
	CHECK(nesting_holds(10, 5, 5, 5));
	CHECK(!nesting_holds(5, 5, 5, 5));
	CHECK(!nesting_holds(10, 5, 4, 6));
}
