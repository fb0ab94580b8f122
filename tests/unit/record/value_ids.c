#include "record/value_ids.h"
#include "test.h"

void unit_test(void)
{
	struct buf text_room = {0}, room = {0};
	struct value_ids k = {0};
	char text[32];
	size_t i;

	CHECK_INT(value_ids_put(&k, STR("\"A\\/\\u0042\"")), 0);
	CHECK_INT(value_ids_put(&k, STR("\"A/B\"")), 0);
	CHECK_INT(value_ids_put(&k, STR("")), 1);
	CHECK_INT(value_ids_put(&k, STR("\"\"")), 2);
	CHECK_INT(value_ids_put(&k, STR("1")), 3);
	CHECK_INT(value_ids_put(&k, STR("1e20")), 4);
	CHECK_INT(value_ids_put(&k, STR("1.0")), 3);
	CHECK_INT(value_ids_put(&k, STR("100000000000000000000.0")), 4);
	CHECK_INT(value_ids_put(&k, STR("\"1\"")), 5);
	CHECK_INT(value_ids_put(&k, STR("\"\\u0031\"")), 5);
	CHECK_INT(value_ids_put(&k, STR("\"a\\nb\"")), 6);
	CHECK_INT(value_ids_put(&k, STR("\"a\\u000ab\"")), 6);
	CHECK_INT(value_ids_put(&k, STR("\"A\\u002fB\"")), 0);
	CHECK_STR(value_ids_text(&k, 0), "\"A/B\"");
	CHECK_STR(value_ids_text(&k, 1), "");
	CHECK_STR(value_ids_text(&k, 4), "100000000000000000000");
	CHECK_STR(value_ids_text(&k, 6), "\"a\\nb\"");
	CHECK_STR(value_ids_canonical(STR("\"A\\u002fB\""), &text_room, &room), "\"A/B\"");
	CHECK_STR(value_ids_canonical(STR("1.00"), &text_room, &room), "1");
	CHECK_STR(value_ids_canonical(STR("-1"), &text_room, &room), "-1");
	CHECK_STR(value_ids_canonical(STR("[1.0]"), &text_room, &room), "[1.0]");
	buf_free(&text_room);
	buf_free(&room);
	CHECK_INT(k.n, 7);
	for (i = 0; i < 3000; i++) {
		int n = snprintf(text, sizeof text, i % 2 ? "\"%zu\\u0021\"" : "\"%zu!\"", i / 2);

		CHECK_INT(value_ids_put(&k, (struct str){text, (size_t)n}), 7 + i / 2);
	}
	value_ids_free(&k);
}
