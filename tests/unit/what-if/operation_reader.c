#include "what-if/operation_reader.h"
#include "test.h"

void unit_test(void)
{
	struct step_list all = {.cap = 0}, some = {.cap = 0}, wrong = {.cap = 0};

	CHECK(step_list_has(&all, INT64_MIN) && step_list_has(&all, 0));

	CHECK(step_list_add(&some, STR("5,8-10,7-7")));
	CHECK(step_list_add(&some, STR("9223372036854775807")));
	CHECK_INT(some.n, 4);
	CHECK(step_list_has(&some, 5) && step_list_has(&some, 8) && step_list_has(&some, 10) &&
	      step_list_has(&some, INT64_MAX));
	CHECK(!step_list_has(&some, 4) && !step_list_has(&some, 6) && !step_list_has(&some, 7 - 14) &&
	      !step_list_has(&some, 11));
	CHECK(some.ranges[0].found && some.ranges[1].found && !some.ranges[2].found && some.ranges[3].found);

	CHECK(!step_list_add(&wrong, STR("")));
	CHECK(!step_list_add(&wrong, STR("1,")));
	CHECK(!step_list_add(&wrong, STR("2-1")));
	CHECK(!step_list_add(&wrong, STR("1-")));
	CHECK(!step_list_add(&wrong, STR("-1")));
	CHECK(!step_list_add(&wrong, STR("1-2-3")));
	CHECK(!step_list_add(&wrong, STR("9223372036854775808")));
	step_list_free(&some);
	step_list_free(&wrong);
}
