#include "record/category.h"

#include "test.h"

void unit_test(void)
{
	enum event_kind kind;
	size_t said = 0;

	CHECK_INT(category_kind(STR("\"cpu_op\"")), KIND_OP);
	CHECK_INT(category_kind(STR("\"Operator\"")), KIND_OP);
	CHECK_INT(category_kind(STR("\"overhead\"")), KIND_OTHER);
	CHECK_INT(category_kind(STR("\"Node\"")), KIND_OP);
	CHECK_INT(category_kind(STR("\"cpu_o\"")), KIND_N);
	CHECK_INT(category_kind(STR("")), KIND_N);
	CHECK_INT(category_of_phase('X'), KIND_N);
	CHECK_INT(category_of_phase('M'), KIND_META);
	CHECK_INT(category_of_phase('f'), KIND_FLOW);
	CHECK_INT(category_of_phase('?'), KIND_OTHER);
	CHECK_STR(category_of(KIND_KERNEL), "\"kernel\"");
	CHECK_STR(category_of(KIND_API), "\"cuda_runtime\"");
	CHECK(!category_of(KIND_COUNTER).p);
	/* Round trip: a category made from a kind is read as that kind. */
	for (kind = 0; kind < KIND_N; kind++) {
		if (!category_of(kind).p)
			continue;
		CHECK_INT(category_kind(category_of(kind)), kind);
		said++;
	}
	CHECK(said >= 10);
}
