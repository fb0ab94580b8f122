#include "table/column_meaning.h"
#include "samples.h"
#include "test.h"

#include <stdlib.h>

/* Shows the line to the source; returns the result of source_kind_look(). */
static bool look(struct source_kind *source, const char *line)
{
	struct str copy = padded_copy(str_of(line));
	struct event e;
	bool known;

	CHECK(!event_parse(&e, copy));
	known = source_kind_look(source, &e);
	free((char *)copy.p);
	return known;
}

/* Returns the source of a stream whose first record is this line. */
static struct source_kind source_of(const char *line)
{
	struct source_kind source = {0};

	look(&source, line);
	return source;
}

static enum column_kind kind(const char *name, const char *line)
{
	const struct source_kind source = source_of(line);

	return column_meaning_of(str_of(name), &source, NULL).kind;
}

/* Returns UNIT:NEW, where UNIT is the unit in the name, and NEW is the name with ms in place of its unit. */
static const char *renamed(const char *name, const char *line)
{
	const struct source_kind source = source_of(line);
	const struct column_meaning t = column_meaning_of(str_of(name), &source, NULL);
	static struct buf b;

	b.n = 0;
	if (t.unit)
		buf_add(&b, t.unit->name, strlen(t.unit->name));
	buf_char(&b, ':');
	column_meaning_rename(&b, str_of(name), &t, units_find(STR("ms")));
	buf_char(&b, '\0');
	return b.p;
}

#define KERNEL "{\"ts\":1,\"kind\":\"kernel\"}"
#define GROUPS "{\"kind\":\"groupby/event\"}"
#define FOREIGN "{\"a\":1}"

static void events(void)
{
	CHECK_INT(kind("name", KERNEL), COLUMN_NAME);
	CHECK_INT(kind("short", KERNEL), COLUMN_NAME);
	CHECK_INT(kind("ts", KERNEL), COLUMN_STAMP);
	CHECK_INT(kind("api.ts", KERNEL), COLUMN_STAMP);
	CHECK_INT(kind("ts/10ms", KERNEL), COLUMN_STAMP);
	CHECK_INT(kind("starts", KERNEL), COLUMN_ANY);
	CHECK_INT(kind("my_time", KERNEL), COLUMN_ANY);
	CHECK_INT(kind("orig_dur", KERNEL), COLUMN_ANY);
	CHECK_INT(kind("orig_ts", "{\"kind\":\"gpu_range\"}"), COLUMN_STAMP);
	CHECK_INT(kind("args.orig_ts/1ms", "{\"kind\":\"gpu_range\"}"), COLUMN_STAMP);
	CHECK_INT(kind("args.orig_dur", "{\"kind\":\"gpu_range\"}"), COLUMN_TIME);
	CHECK_INT(kind("total", "{\"kind\":\"row\"}"), COLUMN_TIME);
	CHECK_INT(kind("total", KERNEL), COLUMN_ANY);
	CHECK_INT(kind("self", KERNEL), COLUMN_TIME);
	CHECK_INT(kind("dur/10us", KERNEL), COLUMN_TIME);
	/* groupby -g kind */
	CHECK_INT(kind("dur_p99.5", KERNEL), COLUMN_TIME);
	CHECK_INT(kind("ts_min", KERNEL), COLUMN_STAMP);
	CHECK_INT(kind("api.ts_last", KERNEL), COLUMN_STAMP);
	CHECK_INT(kind("ts_std", KERNEL), COLUMN_TIME);
	CHECK_INT(kind("dur_share", KERNEL), COLUMN_SHARE);
	CHECK_INT(kind("my_share", KERNEL), COLUMN_ANY);
	CHECK_INT(kind("bytes_sum", KERNEL), COLUMN_SIZE);
	CHECK_INT(kind("dur_count", KERNEL), COLUMN_ANY);
	CHECK_INT(kind("_min", KERNEL), COLUMN_ANY);
	CHECK_INT(kind("time_ms", KERNEL), COLUMN_ANY);
	CHECK_STR(str_of(renamed("dur_us_sum", KERNEL)), "us:dur_ms_sum");
}

static void reports(void)
{
	CHECK_INT(kind("dur_mean", GROUPS), COLUMN_TIME);
	CHECK_INT(kind("dur_max_min", GROUPS), COLUMN_TIME);
	CHECK_INT(kind("busy_sum", GROUPS), COLUMN_ANY);
	CHECK_INT(kind("busy_sum", "{\"kind\":\"groupby/gpu-busy\"}"), COLUMN_TIME);
	CHECK_INT(kind("busy", "{\"kind\":\"gpu-busy\"}"), COLUMN_TIME);
	CHECK_INT(kind("busy_share", "{\"kind\":\"gpu-busy\"}"), COLUMN_SHARE);
	CHECK_INT(kind("pauses", "{\"kind\":\"gpu-busy\"}"), COLUMN_TIME);
	CHECK_INT(kind("ts", "{\"ts\":5,\"kind\":\"gpu-busy\"}"), COLUMN_STAMP);
	CHECK_INT(kind("dur_sum", "{\"kind\":\"groupby\"}"), COLUMN_TIME);
	CHECK_INT(kind("delay_sum", "{\"kind\":\"groupby\"}"), COLUMN_ANY);
	CHECK_STR(str_of(renamed("dur_sum", GROUPS)), ":dur_ms_sum");
	CHECK_STR(str_of(renamed("dur_s_sum", GROUPS)), "s:dur_ms_sum");
	CHECK_STR(str_of(renamed("ts/10us", GROUPS)), ":ts_ms/10us");
	CHECK_STR(str_of(renamed("ts_us/10us", GROUPS)), "us:ts_ms/10us");
	CHECK_STR(str_of(renamed("time_fw_us_mean", GROUPS)), "us:time_fw_ms_mean");
	CHECK_STR(str_of(renamed("room_KiB_max_mean", GROUPS)), "KiB:room_ms_max_mean");
	/* _s is a unit only where the field is known to be a time. */
	CHECK_INT(kind("words_s_sum", GROUPS), COLUMN_ANY);
	CHECK_INT(kind("mean_us", "{\"kind\":\"stats\"}"), COLUMN_TIME);
	CHECK_INT(kind("mean", "{\"kind\":\"stats\"}"), COLUMN_ANY);
}

static void foreign(void)
{
	struct source_kind source = {0};
	struct field_units given = {0};

	CHECK_INT(kind("created_time", FOREIGN), COLUMN_ANY);
	CHECK_INT(kind("idle", FOREIGN), COLUMN_ANY);
	CHECK_INT(kind("idle", "{\"kind\":\"mine\"}"), COLUMN_ANY);
	CHECK_INT(kind("dur_us", FOREIGN), COLUMN_ANY);
	CHECK_INT(kind("dur_sum", FOREIGN), COLUMN_ANY);
	CHECK_INT(kind("end", FOREIGN), COLUMN_ANY);
	CHECK_INT(kind("end", "{\"ts\":1}"), COLUMN_STAMP);
	CHECK_INT(kind("dur", FOREIGN), COLUMN_TIME);
	CHECK_INT(kind("bytes", FOREIGN), COLUMN_SIZE);
	map_put(&given.times, STR("p3_p2"));
	map_put(&given.sizes, STR("args.room"));
	CHECK_INT(column_meaning_of(STR("p3_p2"), &source, &given).kind, COLUMN_TIME);
	CHECK_INT(column_meaning_of(STR("p3_p2_sum"), &source, &given).kind, COLUMN_TIME);
	CHECK_INT(column_meaning_of(STR("p3_p2_us_sum"), &source, &given).kind, COLUMN_TIME);
	CHECK_INT(column_meaning_of(STR("p3_p2_share"), &source, &given).kind, COLUMN_SHARE);
	CHECK_INT(column_meaning_of(STR("args.p3_p2"), &source, &given).kind, COLUMN_ANY);
	CHECK_INT(column_meaning_of(STR("args.room_p99"), &source, &given).kind, COLUMN_SIZE);
	field_units_free(&given);
}

static void kinds_of_streams(void)
{
	const char *const lines[] = {"{\"kind\":\"meta\"}", "{\"a\":1}", "{\"kind\":\"groupby/gpu-busy\"}"};
	struct source_kind source = {0};
	struct buf summary = {0};
	size_t i;

	for (i = 0; i < 3; i++)
		CHECK_INT(look(&source, lines[i]), i == 2);
	source_kind_summary(&source, &summary);
	CHECK_STR(((struct str){summary.p, summary.n}), "\"groupby/gpu-busy\"");
	buf_free(&summary);
}

void unit_test(void)
{
	events();
	reports();
	foreign();
	kinds_of_streams();
}
