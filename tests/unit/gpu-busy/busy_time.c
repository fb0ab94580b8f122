/* Tests busy_time and counter_series, for different places, on records whose sums can be computed by hand. */
#include "gpu-busy/busy_time.h"
#include "samples.h"
#include "gpu-busy/counter_series.h"
#include "test.h"

static struct out out;
static struct work_types *types;

static struct str written(void)
{
	static char text[4096];
	size_t n = out.n < sizeof text ? out.n : sizeof text;

	memcpy(text, out.p, n);
	out.n = 0;
	return (struct str){text, n};
}

static bool sliced; /* busy_time writes slices */

/* Adds a record to each of b, queue and bandwidth, except if it is NULL. */
static void give(const char *json, struct busy_time *b, struct counter_series *queue, struct counter_series *bandwidth)
{
	struct str record = padded_copy(str_of(json));
	struct event e;

	CHECK(event_parse(&e, record) == NULL);
	event_walk(&e);
	if (b && sliced)
		CHECK(busy_time_pass(b, e.ts));
	if (b)
		busy_time_add(b, &e, event_get_kind(&e));
	if (queue)
		CHECK_INT(counter_series_queue(queue, &e), COUNTER_SERIES_TAKEN);
	if (bandwidth)
		counter_series_bandwidth(bandwidth, &e);
	free((char *)record.p);
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

static struct busy_time *run(const struct busy_time_options *o, const struct places *devices)
{
	struct busy_time *b = busy_time_new(o, devices, types, &out);
	size_t i;

	sliced = o->slice;
	for (i = 0; i < 3; i++)
		give(work[i], b, NULL, NULL);
	CHECK(busy_time_end(b));
	return b;
}

static void sums(void)
{
	struct busy_time *b = run(&(struct busy_time_options){.wait = 100}, DEVICES(2));

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

static void gaps(void)
{
	struct busy_time *b = run(&(struct busy_time_options){.wait = 100, .gaps = true, .min = 1}, DEVICES(3));

	CHECK_STR(written(),
	    "{\"ts\":150,\"dur\":50,\"kind\":\"gap\",\"dev\":0,\"stream\":7,\"cause\":\"host_wait\",\"prev\":\"gemm\","
	    "\"next\":\"Memcpy HtoD (a)\"}\n");
	busy_time_free(b);
}

/* Returns the cause of an idle time from 10 to 20. `launched`: the member api of the work that starts at 20, or "". */
static struct str cause(int64_t wait, const char *launched)
{
	const struct busy_time_options o = {.wait = wait, .gaps = true};
	struct busy_time *b = busy_time_new(&o, DEVICES(1), types, &out);
	char next[128];
	struct str got;

	snprintf(next, sizeof next, "{\"ts\":20,\"dur\":1,\"kind\":\"kernel\",\"name\":\"b\"%s}", launched);
	sliced = false;
	give("{\"ts\":0,\"dur\":10,\"kind\":\"kernel\",\"name\":\"a\"}", b, NULL, NULL);
	give(next, b, NULL, NULL);
	CHECK_INT(busy_time_counts(b)->causeless, !*launched);
	busy_time_free(b);
	got = written();
	got = str_from(got, str_find(got, STR("cause\":\"")) + 8);
	return str_head(got, str_find(got, STR("\"")));
}

/*
 * Tests idle times at the limits that separate two causes. If the launch is exactly at the end of the preceding work,
 * the host is not the cause.
 */
static void causes(void)
{
	CHECK_STR(cause(100, ",\"api\":{\"ts\":11}"), "host_wait");
	CHECK_STR(cause(100, ",\"api\":{\"ts\":10}"), "kernel_wait");
	CHECK_STR(cause(11, ",\"api\":{\"ts\":5}"), "kernel_wait");
	CHECK_STR(cause(10, ",\"api\":{\"ts\":5}"), "other_wait");
	CHECK_STR(cause(11, ""), "kernel_wait");
	CHECK_STR(cause(10, ""), "other_wait");
}

/* Slices begin at multiples of their length; the work ends in the last slice. */
static void slices(void)
{
	struct busy_time *b = run(&(struct busy_time_options){.slice = 80}, DEVICES(1));

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

static void queue(void)
{
	struct counter_series *s = counter_series_new(DEVICES(3), STR("\"queue\""), 1000, &out);
	size_t i;

	for (i = 0; i < 3; i++)
		give(work[i], NULL, s, NULL);
	counter_series_end(s);
	CHECK_STR(written(),
	    "{\"ts\":80,\"kind\":\"counter\",\"name\":\"queue\",\"dev\":0,\"stream\":7,\"value\":1}\n"
	    "{\"ts\":90,\"kind\":\"counter\",\"name\":\"queue\",\"dev\":0,\"stream\":9,\"value\":1}\n"
	    "{\"ts\":100,\"kind\":\"counter\",\"name\":\"queue\",\"dev\":0,\"stream\":7,\"value\":0}\n"
	    "{\"ts\":120,\"kind\":\"counter\",\"name\":\"queue\",\"dev\":0,\"stream\":9,\"value\":0}\n"
	    "{\"ts\":190,\"kind\":\"counter\",\"name\":\"queue\",\"dev\":0,\"stream\":7,\"value\":1}\n"
	    "{\"ts\":200,\"kind\":\"counter\",\"name\":\"queue\",\"dev\":0,\"stream\":7,\"value\":0}\n");
	CHECK_INT(counter_series_without(s), 0);
	counter_series_free(s);
}

/*
 * 50 bytes in 10 ns are 5 GB/s; the counter keeps this value for a microsecond, the minimum duration. A bandwidth in
 * args is preferred. The name of the counter is the part of the record's name before " (".
 */
static void bandwidth(void)
{
	const struct places by_name = {.members = {EVENT_RANK, EVENT_DEV, EVENT_NAME}, .n_members = 3};
	struct counter_series *s = counter_series_new(&by_name, (struct str){NULL, 0}, 0, &out);

	give(work[2], NULL, NULL, s);
	give("{\"ts\":300,\"dur\":2000,\"kind\":\"memcpy\",\"name\":\"Memcpy HtoD (b)\",\"dev\":0,\"bytes\":2,"
	     "\"args\":{\"memory bandwidth (GB/s)\":1.5}}",
	    NULL, NULL, s);
	give("{\"ts\":310,\"dur\":2000,\"kind\":\"memcpy\",\"name\":\"no bytes\",\"dev\":0}", NULL, NULL, s);
	counter_series_end(s);
	CHECK_STR(written(), "{\"ts\":200,\"kind\":\"counter\",\"name\":\"Memcpy HtoD\",\"dev\":0,\"value\":5}\n"
			     "{\"ts\":300,\"kind\":\"counter\",\"name\":\"Memcpy HtoD\",\"dev\":0,\"value\":6.5}\n"
			     "{\"ts\":1200,\"kind\":\"counter\",\"name\":\"Memcpy HtoD\",\"dev\":0,\"value\":1.5}\n"
			     "{\"ts\":2300,\"kind\":\"counter\",\"name\":\"Memcpy HtoD\",\"dev\":0,\"value\":0}\n");
	CHECK_INT(counter_series_without(s), 1);
	counter_series_free(s);
}

void unit_test(void)
{
	const char *regex[WORK_N] = {NULL};

	out_open(&out);
	types = work_types_new(regex);
	sums();
	gaps();
	causes();
	slices();
	queue();
	bandwidth();
	work_types_free(types);
	free(out.p);
}
