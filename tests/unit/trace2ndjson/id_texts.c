/* id_texts: texts by id, and the number of ids that wait for a text. */
#include "trace2ndjson/formats/id_texts.h"

#include "test.h"

void unit_test(void)
{
	struct id_texts t = {0};

	CHECK_INT(id_texts_get(&t, STR("7")).p == NULL, true);
	CHECK_INT(t.awaited, 0);
	CHECK_INT(id_texts_await(&t, STR("7")).p == NULL, true);
	CHECK_INT(id_texts_await(&t, STR("7")).p == NULL, true);
	CHECK_INT(id_texts_await(&t, STR("8")).p == NULL, true);
	CHECK_INT(id_texts_get(&t, STR("8")).p == NULL, true);
	CHECK_INT(t.awaited, 2);
	id_texts_put(&t, STR("7"), STR("\"a\""));
	id_texts_put(&t, STR("9"), STR("\"a\""));
	CHECK_INT(t.awaited, 1);
	CHECK_STR(id_texts_get(&t, STR("7")), "\"a\"");
	CHECK_INT(id_texts_get(&t, STR("9")).p == id_texts_await(&t, STR("7")).p, true); /* stored once */
	id_texts_put(&t, STR("7"), STR("\"b\""));
	CHECK_INT(t.awaited, 1);
	CHECK_STR(id_texts_get(&t, STR("7")), "\"b\"");
	CHECK_STR(id_texts_get(&t, STR("9")), "\"a\"");
	id_texts_free(&t);
	CHECK_INT(t.awaited, 0);
	CHECK_INT(id_texts_get(&t, STR("7")).p == NULL, true);
	id_texts_free(&t);
}
