/* columns: the fields of columns by name and set. */
#include "trace2ndjson/formats/columns.h"

#include "test.h"

enum { START, NAME, SIZE, UNUSED, FIELDS };

static const struct columns_row list[FIELDS] = {
    [START] = {{"start timestamp", "Timestamp", NULL}, 1},
    [NAME] = {{"name", NULL, "x.name k.name"}, 2},
    [SIZE] = {{NULL, "name", NULL}, 3},
};

void unit_test(void)
{
	struct columns c = {.list = list, .n = FIELDS};

	CHECK_INT(columns_find(&c, 0, STR("start")), START);
	CHECK_INT(columns_find(&c, 0, STR("timestamp")), START);
	CHECK_INT(columns_find(&c, 1, STR("Timestamp")), START);
	CHECK_INT(columns_find(&c, 0, STR("name")), NAME);
	CHECK_INT(columns_find(&c, 1, STR("name")), SIZE);
	CHECK_INT(columns_find(&c, 2, STR("k.name")), NAME);
	CHECK_INT(columns_find(&c, 2, STR("name")), FIELDS);
	CHECK_INT(columns_find(&c, 1, STR("start")), FIELDS);
	CHECK_INT(columns_find(&c, 0, STR("start timestamp")), FIELDS);
	CHECK_INT(columns_find(&c, 0, STR("nam")), FIELDS);
	CHECK_INT(columns_find(&c, 0, STR("")), FIELDS);
}
