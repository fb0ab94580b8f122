#include "table/column_kind.h"
#include "test.h"

int main(void)
{
	CHECK_INT(column_kind(STR("name")), COLUMN_NAME);
	CHECK_INT(column_kind(STR("short")), COLUMN_NAME);
	CHECK_INT(column_kind(STR("ts")), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("api.ts")), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("ts/10ms")), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("orig_ts")), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("args.orig_ts/1ms")), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("starts")), COLUMN_ANY);
	CHECK_INT(column_kind(STR("args.orig_dur")), COLUMN_TIME);
	CHECK_INT(column_kind(STR("orig_dur_sum")), COLUMN_TIME);
	CHECK_INT(column_kind(STR("dur_p99")), COLUMN_TIME);
	CHECK_INT(column_kind(STR("dur/10us")), COLUMN_TIME);
	CHECK_INT(column_kind(STR("ts_min")), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("api.ts_last")), COLUMN_STAMP);
	CHECK_INT(column_kind(STR("ts_std")), COLUMN_TIME);
	CHECK_INT(column_kind(STR("dur_min")), COLUMN_TIME);
	CHECK_INT(column_kind(STR("_min")), COLUMN_ANY);
	CHECK_INT(column_kind(STR("dur_share")), COLUMN_SHARE);
	CHECK_INT(column_kind(STR("bytes_sum")), COLUMN_SIZE);
	CHECK_INT(column_kind(STR("stream")), COLUMN_ANY);
	return test_end();
}
