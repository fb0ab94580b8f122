/* Tests busy_time, for different places, on records whose sums can be computed by hand. */
#include "gpu-busy/busy_time.h"
#include "samples.h"
#include "test.h"

static struct out out;
static struct work_types types;

static struct str written(void)
{
	static char text[4096];
	size_t n = out.n < sizeof text ? out.n : sizeof text;

	memcpy(text, out.p, n);
	out.n = 0;
	return (struct str){text, n};
}

/* Computation on [100,150), communication on [120,170), idle for 30, memory on [200,210), launched at 190. */
static const char *const work[] = {
    "{\"ts\":100,\"dur\":50,\"kind\":\"kernel\",\"name\":\"gemm\",\"dev\":0,\"stream\":7,\"api\":{\"ts\":80,\"dur\":10}"
    "}",
    "{\"ts\":120,\"dur\":50,\"kind\":\"kernel\",\"name\":\"ncclX\",\"dev\":0,\"stream\":9,\"api\":{\"ts\":90,\"dur\":"
    "10}}",
    "{\"ts\":200,\"dur\":10,\"kind\":\"memcpy\",\"name\":\"Memcpy HtoD "
    "(a)\",\"bytes\":50,\"dev\":0,\"stream\":7,\"api\":{\"ts\":190}}",
};

/* Places that are defined by the first n of the members rank, dev and stream. */
#define DEVICES(n) (&(struct places){.members = {EVENT_RANK, EVENT_DEV, EVENT_STREAM}, .n_members = (n)})

static struct busy_time *run(const struct busy_time_slices *slices, const struct places *devices)
{
	struct busy_time *b = busy_time_new(slices, devices, &types, &out);
	struct str record;
	struct event e;
	size_t i;

	for (i = 0; i < 3; i++) {
		record = padded_copy(str_of(work[i]));
		CHECK(event_parse(&e, record) == NULL);
		event_walk(&e);
		if (slices->length)
			CHECK(busy_time_pass(b, e.ts));
		busy_time_add(b, &e, event_get_kind(&e));
		free((char *)record.p);
	}
	CHECK(busy_time_end(b));
	return b;
}

static void sums(void)
{
	struct busy_time *b = run(&(struct busy_time_slices){0}, DEVICES(2));

	busy_time_write_sums(b);
	CHECK_STR(written(),
	    "{\"kind\":\"gpu-busy\",\"dev\":0,\"count\":3,\"span\":110,\"busy\":80,\"idle\":30,\"compute_time\":50,"
	    "\"comm_time\":50,"
	    "\"memory_time\":10,\"other_time\":0,\"overlap_time\":30,\"concurrent\":30,\"busy_share\":0."
	    "7272727272727273,"
	    "\"overlap_share\":0.6,\"host_wait\":30,\"kernel_wait\":0,\"other_wait\":0}\n");
	busy_time_write_types(b);
	CHECK_STR(written(), "{\"dur\":20,\"kind\":\"gpu-busy\",\"dev\":0,\"types\":\"COMPUTATION\",\"share\":0.25}\n"
			     "{\"dur\":20,\"kind\":\"gpu-busy\",\"dev\":0,\"types\":\"COMMUNICATION\",\"share\":0.25}\n"
			     "{\"dur\":30,\"kind\":\"gpu-busy\",\"dev\":0,\"types\":\"COMPUTATION overlapping "
			     "COMMUNICATION\",\"share\":0.375}\n"
			     "{\"dur\":10,\"kind\":\"gpu-busy\",\"dev\":0,\"types\":\"MEMORY\",\"share\":0.125}\n");
	busy_time_write_streams(b);
	CHECK_STR(written(), "{\"dur\":50,\"kind\":\"gpu-busy\",\"dev\":0,\"streams\":1,\"share\":0.625}\n"
			     "{\"dur\":30,\"kind\":\"gpu-busy\",\"dev\":0,\"streams\":2,\"share\":0.375}\n");
	busy_time_free(b);
}

/* Slices begin at multiples of their length; the work ends in the last slice. */
static void slices(void)
{
	struct busy_time *b = run(&(struct busy_time_slices){.length = 80}, DEVICES(1));

	CHECK_STR(written(),
	    "{\"ts\":80,\"dur\":80,\"kind\":\"counter\",\"name\":\"busy\",\"busy\":60,\"idle\":20,\"compute_time\":50,"
	    "\"comm_time\":40,\"memory_time\":0,\"other_time\":0,\"overlap_time\":30,\"concurrent\":30,\"busy_share\":"
	    "0.75,\"overlap_"
	    "share\":0.75}\n"
	    "{\"ts\":160,\"dur\":80,\"kind\":\"counter\",\"name\":\"busy\",\"busy\":20,\"idle\":60,\"compute_time\":0,"
	    "\"comm_time\":10,\"memory_time\":10,\"other_time\":0,\"overlap_time\":0,\"concurrent\":0,\"busy_share\":0."
	    "25,\"overlap_"
	    "share\":0}\n");
	busy_time_free(b);
}

void unit_test(void)
{
	const char *regex[WORK_N] = {NULL};
	struct fault fault;

	out_open(&out);
	CHECK_INT(work_types_init(&types, regex, &fault), WORK_N);
	sums();
	slices();
	work_types_free(&types);
	free(out.p);
}
