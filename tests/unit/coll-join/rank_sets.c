#include "coll-join/rank_sets.h"
#include "test.h"

void unit_test(void)
{
	struct rank_sets s = {.n = 0};
	const uint32_t set = rank_sets_put_list(&s, STR("[3, 0,7, 3]"));
	const int32_t *ranks;
	size_t n;

	ranks = rank_sets_get(&s, set, &n);
	CHECK_INT(n, 3);
	CHECK(n == 3 && ranks[0] == 0 && ranks[1] == 3 && ranks[2] == 7);
	CHECK_INT(rank_sets_put_list(&s, STR(" [0,3,7] ")), set); /* equal sets have equal numbers */
	CHECK(rank_sets_has(&s, set, 7) && rank_sets_has(&s, set, 0));
	CHECK(!rank_sets_has(&s, set, 5) && !rank_sets_has(&s, set, -1));

	/* lists that are empty or not complete */
	CHECK_INT(rank_sets_put_list(&s, STR("[]")), RANK_SETS_NONE);
	CHECK_INT(rank_sets_put_list(&s, STR("")), RANK_SETS_NONE);
	CHECK_INT(rank_sets_put_list(&s, STR("[0, 1, ..., 63]")), RANK_SETS_NONE);
	CHECK_INT(rank_sets_put_list(&s, STR("[0, -1]")), RANK_SETS_NONE);
	CHECK_INT(rank_sets_put_list(&s, STR("[0, 2147483648]")), RANK_SETS_NONE);
	CHECK_INT(rank_sets_put_list(&s, STR("[0,]")), RANK_SETS_NONE);

	CHECK_INT(rank_sets_put_range(&s, 1, 2, 3), rank_sets_put_list(&s, STR("[1,3,5]")));
	CHECK_INT(rank_sets_put_range(&s, 0, 1, 0), RANK_SETS_NONE);
	CHECK_INT(rank_sets_put_range(&s, 0, 0, 2), RANK_SETS_NONE);
	CHECK_INT(rank_sets_put_range(&s, 0, -1, 2), RANK_SETS_NONE);
	CHECK_INT(rank_sets_put_range(&s, 0, 1, INT64_MAX), RANK_SETS_NONE);
	CHECK_INT(rank_sets_put_range(&s, INT32_MAX, 1, 2), RANK_SETS_NONE);
	CHECK_INT(rank_sets_put_range(&s, INT64_MIN, INT64_MAX, 2), RANK_SETS_NONE);

	/* a list that failed leaves nothing in the next set */
	rank_sets_add(&s, 3);
	rank_sets_add(&s, 0);
	rank_sets_add(&s, 7);
	CHECK_INT(rank_sets_finish(&s), set);
	CHECK_INT(rank_sets_finish(&s), RANK_SETS_NONE);
	rank_sets_free(&s);
}
