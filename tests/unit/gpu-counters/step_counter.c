#include "gpu-counters/step_counter.h"
#include "test.h"

static void next(struct step_counter *l, int64_t until, int64_t ts, size_t which, double value)
{
	struct step_counter_step step;
	double v;

	bool taken = step_counter_next(l, until, &step, &v);

	CHECK(taken);
	if (taken) {
		CHECK_INT(step.ts, ts);
		CHECK_INT(step.which, which);
		CHECK_DOUBLE(v, value);
	}
}

void unit_test(void)
{
	struct step_counter *l = step_counter_new();
	struct step_counter_step step;
	double v;

	CHECK(step_counter_add(l, 10, 0, 1));
	CHECK(step_counter_add(l, 20, 0, -1));
	CHECK(step_counter_add(l, 5, 0, 1));
	CHECK(step_counter_add(l, 20, 0, 1));
	CHECK(step_counter_add(l, 7, 3, 0.1));
	next(l, 9, 5, 0, 1);
	next(l, 9, 7, 3, 0.1);
	CHECK(!step_counter_next(l, 9, &step, &v));
	CHECK(!step_counter_add(l, 6, 0, 1)); /* too late */
	next(l, 20, 10, 0, 2);
	next(l, 20, 20, 0, 1); /* decrease first */
	next(l, 20, 20, 0, 2);

	/* 0.1 + 0.2 - 0.1 - 0.2 is not 0 in doubles. */
	CHECK(step_counter_add(l, 30, 3, 0.2));
	CHECK(step_counter_add(l, 31, 3, -0.1));
	CHECK(step_counter_add(l, 32, 3, -0.2));
	CHECK(step_counter_next(l, INT64_MAX, &step, &v) && step_counter_next(l, INT64_MAX, &step, &v));
	next(l, INT64_MAX, 32, 3, 0);
	CHECK(!step_counter_next(l, INT64_MAX, &step, &v));
	step_counter_free(l);
}
