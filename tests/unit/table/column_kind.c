#include "table/column_kind.h"
#include "test.h"

int main(void)
{
	CHECK_INT(column_kind(STR("name"), NULL), COLUMN_NAME);
	CHECK_INT(column_kind(STR("short"), NULL), COLUMN_NAME);
	CHECK_INT(column_kind(STR("ts"), NULL), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("api.ts"), NULL), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("ts/10ms"), NULL), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("orig_ts"), NULL), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("args.orig_ts/1ms"), NULL), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("starts"), NULL), COLUMN_ANY);
	CHECK_INT(column_kind(STR("args.orig_dur"), NULL), COLUMN_TIME);
	CHECK_INT(column_kind(STR("orig_dur_sum"), NULL), COLUMN_TIME);
	CHECK_INT(column_kind(STR("dur_p99"), NULL), COLUMN_TIME);
	CHECK_INT(column_kind(STR("dur/10us"), NULL), COLUMN_TIME);
	CHECK_INT(column_kind(STR("ts_min"), NULL), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("api.ts_last"), NULL), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("ts_std"), NULL), COLUMN_TIME);
	CHECK_INT(column_kind(STR("dur_min"), NULL), COLUMN_TIME);
	CHECK_INT(column_kind(STR("_min"), NULL), COLUMN_ANY);
	CHECK_INT(column_kind(STR("dur_share"), NULL), COLUMN_SHARE);
	CHECK_INT(column_kind(STR("bytes_sum"), NULL), COLUMN_SIZE);
	CHECK_INT(column_kind(STR("stream"), NULL), COLUMN_ANY);
	return test_end();
}
