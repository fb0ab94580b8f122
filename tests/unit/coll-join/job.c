#include "coll-join/job.h"
#include "test.h"

void unit_test(void)
{
	struct job j = {.n = 0};
	const uint32_t set = job_add_rank_list(&j, STR("[3, 0,7, 3]"));
	const int32_t *ranks;
	size_t n;

	ranks = job_rank_set(&j, set, &n);
	CHECK_INT(n, 3);
	CHECK(n == 3 && ranks[0] == 0 && ranks[1] == 3 && ranks[2] == 7);
	CHECK_INT(job_add_rank_list(&j, STR(" [0,3,7] ")), set); /* equal sets have equal numbers */

	/* lists that are empty or not complete */
	CHECK_INT(job_add_rank_list(&j, STR("[]")), JOB_NONE);
	CHECK_INT(job_add_rank_list(&j, STR("")), JOB_NONE);
	CHECK_INT(job_add_rank_list(&j, STR("[0, 1, ..., 63]")), JOB_NONE);
	CHECK_INT(job_add_rank_list(&j, STR("[0, -1]")), JOB_NONE);
	CHECK_INT(job_add_rank_list(&j, STR("[0, 2147483648]")), JOB_NONE);
	CHECK_INT(job_add_rank_list(&j, STR("[0,]")), JOB_NONE);

	CHECK_INT(job_add_rank_range(&j, 1, 2, 3), job_add_rank_list(&j, STR("[1,3,5]")));
	CHECK_INT(job_add_rank_range(&j, 0, 1, 0), JOB_NONE);
	CHECK_INT(job_add_rank_range(&j, 0, 0, 2), JOB_NONE);
	CHECK_INT(job_add_rank_range(&j, 0, -1, 2), JOB_NONE);
	CHECK_INT(job_add_rank_range(&j, 0, 1, INT64_MAX), JOB_NONE);
	CHECK_INT(job_add_rank_range(&j, INT32_MAX, 1, 2), JOB_NONE);
	CHECK_INT(job_add_rank_range(&j, INT64_MIN, INT64_MAX, 2), JOB_NONE);

	/* a list that failed leaves nothing in the next set */
	CHECK_INT(job_add_all_ranks(&j), JOB_NONE);
	job_rank(&j, 3);
	job_rank(&j, 0);
	job_rank(&j, job_add_process(&j, STR("node"), 1)); /* a process has no rank */
	job_rank(&j, 7);
	CHECK_INT(job_add_rank_list(&j, STR("[1,2,x]")), JOB_NONE);
	CHECK_INT(job_add_all_ranks(&j), set);
	job_free(&j);
}
