#include "gpu-busy/levels.h"
#include "test.h"

static void next(struct levels *l, int64_t until, int64_t ts, size_t which, double value)
{
	struct level_step step;
	double v;

	bool taken = levels_next(l, until, &step, &v);

	CHECK(taken);
	if (taken) {
		CHECK_INT(step.ts, ts);
		CHECK_INT(step.which, which);
		CHECK_DOUBLE(v, value);
	}
}

int main(void)
{
	struct levels l = {0};
	struct level_step step;
	double v;

	CHECK(levels_add(&l, 10, 0, 1));
	CHECK(levels_add(&l, 20, 0, -1));
	CHECK(levels_add(&l, 5, 0, 1));
	CHECK(levels_add(&l, 20, 0, 1));
	CHECK(levels_add(&l, 7, 3, 0.1));
	next(&l, 9, 5, 0, 1);
	next(&l, 9, 7, 3, 0.1);
	CHECK(!levels_next(&l, 9, &step, &v));
	CHECK(!levels_add(&l, 6, 0, 1)); /* too late */
	next(&l, 20, 10, 0, 2);
	next(&l, 20, 20, 0, 1); /* down first */
	next(&l, 20, 20, 0, 2);

	/* 0.1 + 0.2 - 0.1 - 0.2 is not 0 in doubles. */
	CHECK(levels_add(&l, 30, 3, 0.2));
	CHECK(levels_add(&l, 31, 3, -0.1));
	CHECK(levels_add(&l, 32, 3, -0.2));
	CHECK(levels_next(&l, INT64_MAX, &step, &v) && levels_next(&l, INT64_MAX, &step, &v));
	next(&l, INT64_MAX, 32, 3, 0);
	CHECK_INT(l.n, 0);
	levels_free(&l);
	return test_end();
}
