#include "what-if/training_job.h"
#include "test.h"

static void add(struct training_job *j, int64_t step, int64_t dp, int64_t stage, int type, int64_t seq)
{
	const struct operation_source source = {.dp = dp, .rank = dp * 10 + stage, .stage = stage};
	struct operation *o = training_job_add(j);

	*o = (struct operation){.ts = seq, .dur = 1, .step = step, .seq = seq, .has_seq = true, .chunk = -1};
	o->type = (uint8_t)type;
	o->worker = training_job_add_source(j, &source);
}

/* Adds a step of `n` forward computations on each of two stages and two DP ranks. */
static void add_step(struct training_job *j, int64_t step, int64_t n)
{
	int64_t i;

	for (i = n - 1; i >= 0; i--) {
		add(j, step, 7, 1, OPERATION_FORWARD_COMPUTE, i);
		add(j, step, 7, 0, OPERATION_FORWARD_COMPUTE, i);
		add(j, step, -2, 0, OPERATION_FORWARD_COMPUTE, i);
		add(j, step, -2, 1, OPERATION_FORWARD_COMPUTE, i);
	}
}

void unit_test(void)
{
	struct training_job job = {.n = 0}, apart = {.n = 0}, unnamed = {.n = 0};
	const struct operation_source thread = {.pid = 3, .tid = 5, .rank = 1, .stage = -1};
	struct buf why = {0};
	size_t i;

	/* Steps 4 and 6 are equal; in step 5, a DP rank lacks an operation; step 3 has fewer operations. */
	add_step(&job, 6, 3);
	add_step(&job, 3, 2);
	add_step(&job, 4, 3);
	add_step(&job, 5, 3);
	add(&job, 5, 7, 1, OPERATION_GC, 0);
	add(&job, 6, 7, 1, OPERATION_FORWARD_COMPUTE, 1); /* a double */
	CHECK(training_job_arrange(&job, &why) && !why.n);
	CHECK(job.n_dps == 2 && job.dps[0] == -2 && job.dps[1] == 7 && job.n_stages == 2);
	CHECK(job.ranks[0] == -20 && job.ranks[1] == -19 && job.ranks[2] == 70 && job.ranks[3] == 71);
	CHECK_INT(job.doubles, 1);
	training_job_select_steps(&job);
	CHECK(job.n_steps == 2 && job.n == 24);
	CHECK(training_job_step(&job, 0)->step == 4 && training_job_step(&job, 1)->step == 6);
	CHECK_INT(job.per_dp, 6);
	CHECK(job.unequal_steps == 1 && job.first_unequal == 3);
	CHECK(job.unequal_dps == 1 && job.first_unequal_dps == 5);
	for (i = 0; i < 12; i++) {
		const struct operation *o = &job.ops[i];

		CHECK(o->step == 4 && o->worker == i / 3 && o->seq == (int64_t)(i % 3));
	}

	/* Two ranks with the same DP rank and stage. */
	add_step(&apart, 1, 1);
	training_job_add_source(&apart, &(struct operation_source){.dp = 7, .rank = 5, .stage = 1});
	CHECK(!training_job_arrange(&apart, &why) && why.n > 0);

	/* The stage of a thread comes from its name. */
	why.n = 0;
	*training_job_add(&unnamed) = (struct operation){.dur = 5};
	unnamed.ops[0].worker = training_job_add_source(&unnamed, &thread);
	CHECK(training_job_name_thread(&unnamed, 3, 5, 0));
	CHECK(training_job_name_thread(&unnamed, 3, 5, 0));
	CHECK(!training_job_name_thread(&unnamed, 3, 5, 1));
	CHECK(training_job_name_thread(&unnamed, 5, 3, 9));
	CHECK(training_job_arrange(&unnamed, &why) && unnamed.n_stages == 1);
	training_job_select_steps(&unnamed);
	CHECK(unnamed.n_steps == 1 && unnamed.per_dp == 1);

	training_job_free(&job);
	training_job_free(&apart);
	training_job_free(&unnamed);
	buf_free(&why);
}
