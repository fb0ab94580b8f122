#include "ndjson2trace/viewer_lanes.h"

#include "test.h"

static const struct str none;

static size_t put(struct viewer_lanes *t, struct str rank, struct str pid, struct str tid, bool device)
{
	return viewer_lanes_put(t, (struct str[]){rank, pid, tid}, device);
}

static struct str number(const struct viewer_lanes *t, size_t process)
{
	return (struct str){t->processes[process].number.p, t->processes[process].number.n};
}

static void processes(void)
{
	struct viewer_lanes t = {0};

	/* Threads with the same pid and tid in two ranks are different threads, in different processes. */
	CHECK_INT(put(&t, STR("0"), STR("7"), STR("9"), false), 0);
	CHECK_INT(put(&t, STR("1"), STR("7"), STR("9"), false), 1);
	CHECK_INT(put(&t, STR("0"), STR("7"), STR("9"), false), 0);
	CHECK_INT(put(&t, STR("0"), STR("7"), STR("8"), false), 2);
	CHECK_INT(t.threads[0].process, 0);
	CHECK_INT(t.threads[1].process, 1);
	CHECK_INT(t.threads[2].process, 0);
	CHECK_STR(viewer_lanes_tid(&t.threads[1], 0), "9");
	CHECK_INT(t.threads[put(&t, none, STR("\"7\""), none, true)].process, 2);
	CHECK_INT(t.threads[put(&t, none, none, none, false)].process, 3);
	CHECK_STR(viewer_lanes_rank(&t, 1), "1");
	CHECK_STR(viewer_lanes_pid(&t, 2), "\"7\"");
	/* The first process with a pid keeps it as its number; a string is different from a number. */
	CHECK_STR(number(&t, 0), "7");
	CHECK_STR(number(&t, 1), "1000000000");
	CHECK_STR(number(&t, 2), "\"7\"");
	CHECK(!t.processes[0].device);
	CHECK(t.processes[2].device);
	viewer_lanes_free(&t);
}

static void lanes(void)
{
	struct viewer_lanes t = {0};
	size_t at = put(&t, none, STR("1"), STR("2"), false);

	CHECK_INT(viewer_lanes_lane(&t, at, 0, 100), 0);
	CHECK_INT(viewer_lanes_lane(&t, at, 0, 100), 0); /* an equal interval nests */
	CHECK_INT(viewer_lanes_lane(&t, at, 50, 50), 0); /* an interval with the same end nests too */
	CHECK_INT(viewer_lanes_lane(&t, at, 50, 51), 1); /* crosses */
	CHECK_INT(viewer_lanes_lane(&t, at, 60, 60), 2); /* crosses both */
	CHECK_INT(viewer_lanes_lane(&t, at, 60, -5), 0); /* negative: no length */
	CHECK_INT(viewer_lanes_lane(&t, at, 100, 1), 0); /* begins where the first interval ends */
	CHECK_INT(viewer_lanes_lane(&t, at, 101, 500), 0);
	CHECK_INT(viewer_lanes_lane(&t, at, 102, INT64_MAX), 1); /* ends at the maximum time; crosses lane 0 */
	CHECK_INT(t.late, 0);
	CHECK_INT(viewer_lanes_lane(&t, at, 90, 1), 0);
	CHECK_INT(t.late, 1);
	CHECK_STR(viewer_lanes_tid(&t.threads[at], 1), "1000000000");
	CHECK_STR(viewer_lanes_tid(&t.threads[at], 2), "1000000001");
	viewer_lanes_free(&t);
}

/*
 * Adds more crossing intervals than there can be lanes. An interval that gets no lane of its own stays in the last lane
 * and is counted.
 */
static void crowd(void)
{
	struct viewer_lanes t = {0};
	size_t at = put(&t, none, STR("1"), STR("2"), false), i;

	for (i = 0; i < VIEWER_LANES_MOST; i++)
		CHECK_INT(viewer_lanes_lane(&t, at, (int64_t)i, 100000), i);
	CHECK_INT(t.crowded, 0);
	CHECK_INT(viewer_lanes_lane(&t, at, VIEWER_LANES_MOST, 100000), VIEWER_LANES_MOST - 1);
	CHECK_INT(t.crowded, 1);
	CHECK_INT(t.threads[at].n, VIEWER_LANES_MOST);
	viewer_lanes_free(&t);
}

void unit_test(void)
{
	processes();
	lanes();
	crowd();
}
