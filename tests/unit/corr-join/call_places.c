/* call_places: equal places have the same number, and the values of a place can be looked up by this number. */
#include "corr-join/call_table.h"
#include "test.h"

static const struct str none = {NULL, 0};

void unit_test(void)
{
	struct call_places p = {0};
	uint32_t one = call_places_put(&p, none, STR("1"), STR("8")), anyone = call_places_put(&p, none, none, none);

	CHECK_INT(call_places_put(&p, none, STR("1"), STR("8")), one);
	CHECK(call_places_put(&p, STR("1"), none, STR("8")) != one);
	CHECK_STR(call_places_get(&p, one)->pid, "1");
	CHECK_STR(call_places_get(&p, one)->tid, "8");
	CHECK(!call_places_get(&p, anyone)->pid.p);
	CHECK_INT(call_places_get(&p, call_places_put(&p, none, STR("\"a\""), none))->process,
	    call_places_get(&p, call_places_put(&p, none, STR("\"\\u0061\""), none))->process);
	call_places_free(&p);
}
