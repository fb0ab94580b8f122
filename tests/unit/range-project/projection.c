/*
 * projection: the device work of ranges, by thread, process and rank; the union of its intervals; pending and finished
 * ranges.
 */
#include "range-project/projection.h"

#include "base/int_math.h"
#include "samples.h"
#include "test.h"
#include "json/iter.h"

/* Appends a finished range: "id:parent,depth ops/records busy/sum first-last;" */
static void give(void *arg, const struct projection_range *r)
{
	struct buf *b = arg;
	char text[200];
	int n = snprintf(text, sizeof text, "%d:%d,%d %d/%d %d/%d %d-%d;", (int)r->id, (int)r->parent, (int)r->depth,
	    (int)r->work->ops, (int)r->work->records, (int)r->work->busy, (int)r->work->sum, (int)r->work->first,
	    (int)r->work->last);

	buf_add(b, text, (size_t)n);
}

/* Adds records in ts order: ranges, numbered from 1, and device records with their call. */
static void run(struct projection *p, const char *const *lines)
{
	struct event e;
	struct str line;
	uint64_t id = 0;

	for (; *lines; lines++) {
		line = padded_copy(str_of(*lines));
		CHECK(!event_parse(&e, line));
		projection_advance(p, e.ts);
		if (event_get_kind(&e) == KIND_RANGE)
			projection_add_range(p, &e, int_add(e.ts, e.dur), ++id, (struct str){NULL, 0});
		else
			CHECK(projection_add_launch(p, &e));
		free((char *)line.p);
	}
	projection_end(p);
}

static void check_run(const char *const *lines, enum places_scope scope, int64_t horizon, const char *want,
    uint64_t late, uint64_t outside)
{
	struct buf got = {0};
	const struct projection_options o = {.scope = scope, .horizon = horizon, .give = give, .arg = &got};
	struct projection *p = projection_new(&o);
	const struct projection_counts *counts = projection_counts(p);

	run(p, lines);
	buf_char(&got, '\0');
	CHECK_STR(str_of(got.p), want);
	CHECK_INT(counts->late, late);
	CHECK_INT(counts->outside, outside);
	CHECK_INT(counts->inside + counts->outside, counts->launches);
	projection_free(p);
	buf_free(&got);
}

#define RANGE(ts, dur, tid)                                                                                            \
	"{\"ts\":" #ts ",\"dur\":" #dur ",\"kind\":\"range\",\"name\":\"r\",\"pid\":1,\"tid\":" #tid "}"
#define KERNEL(ts, dur, corr, at, tid)                                                                                 \
	"{\"ts\":" #ts ",\"dur\":" #dur ",\"kind\":\"kernel\",\"pid\":1,\"dev\":0,\"stream\":7,"                       \
	"\"corr\":" #corr ",\"api\":{\"name\":\"l\",\"ts\":" #at ",\"dur\":5,\"pid\":1,\"tid\":" #tid "}}"

void unit_test(void)
{
	/* Two ranges on one thread, one inside the other; a third on another thread at the same time. */
	static const char *const nested[] = {RANGE(0, 100, 1), RANGE(10, 50, 1), RANGE(20, 40, 2),
	    KERNEL(30, 10, 1, 25, 1), KERNEL(35, 10, 2, 28, 2), KERNEL(300, 10, 3, 80, 1), KERNEL(400, 7, 4, 200, 1),
	    NULL};
	/*
	 * A graph: one call with three device records that overlap, one of them inside another; then a record of
	 * another call.
	 */
	static const char *const graph[] = {RANGE(0, 100, 1), KERNEL(50, 100, 9, 10, 1), KERNEL(60, 20, 9, 10, 1),
	    KERNEL(140, 30, 9, 10, 1), KERNEL(500, 1, 10, 11, 1), NULL};
	/* A call that begins and ends with its range is inside it; a call that ends later is not. */
	static const char *const edges[] = {RANGE(10, 5, 1), KERNEL(20, 1, 1, 10, 1), KERNEL(22, 1, 2, 11, 1), NULL};
	/* If two ranges of one thread cross, work that is inside both belongs to both. */
	static const char *const crossing[] = {RANGE(0, 60, 1), RANGE(30, 60, 1), KERNEL(45, 10, 1, 40, 1), NULL};
	/* Work that arrives after its range was passed on. */
	static const char *const late[] = {
	    RANGE(0, 10, 1), KERNEL(5, 1, 1, 1, 1), RANGE(5000, 10, 1), KERNEL(9000, 1, 2, 2, 1), NULL};
	static const char *const none[] = {RANGE(0, 10, 1), NULL};

	check_run(nested, PLACES_THREAD, 1000000, "1:0,0 2/2 20/20 30-310;2:1,1 1/1 10/10 30-40;3:0,0 1/1 10/10 35-45;",
	    0, 1);
	check_run(nested, PLACES_PROCESS, 1000000,
	    "1:0,0 3/3 25/30 30-310;2:1,1 2/2 15/20 30-45;3:0,0 2/2 15/20 30-45;", 0, 1);
	check_run(
	    nested, PLACES_ANY, 1000000, "1:0,0 3/3 25/30 30-310;2:1,1 2/2 15/20 30-45;3:0,0 2/2 15/20 30-45;", 0, 1);
	check_run(graph, PLACES_THREAD, 1000000, "1:0,0 2/4 121/151 50-501;", 0, 0);
	check_run(edges, PLACES_THREAD, 1000000, "1:0,0 1/1 1/1 20-21;", 0, 1);
	check_run(crossing, PLACES_THREAD, 1000000, "1:0,0 1/1 10/10 45-55;2:0,0 1/1 10/10 45-55;", 0, 0);
	check_run(late, PLACES_THREAD, 1000000, "1:0,0 2/2 2/2 5-9001;", 0, 0);
	check_run(late, PLACES_THREAD, 100, "1:0,0 1/1 1/1 5-6;", 1, 1);
	check_run(none, PLACES_THREAD, 100, "", 0, 0);
}
