/* event_kind: names of kinds. */
#include "test.h"

#include "record/event_kind.h"

static void test_kinds(void)
{
	size_t i;

	for (i = 0; event_kind_names[i]; i++)
		CHECK_INT(event_kind(str_of(event_kind_names[i])), i);
	CHECK_INT(i, KIND_N);
	CHECK_INT(event_kind(STR("kernels")), KIND_N);
	CHECK_INT(event_kind(STR("")), KIND_N);
	CHECK(event_kind_is_device(KIND_SYNC) && !event_kind_is_device(KIND_API));
}

void unit_test(void)
{
	test_kinds();
}
