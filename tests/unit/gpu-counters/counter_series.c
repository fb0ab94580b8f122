/* Tests counter_series on records whose queues and bandwidths can be computed by hand. */
#include "gpu-counters/counter_series.h"
#include "samples.h"
#include "test.h"

static struct out out;

static struct str written(void)
{
	static char text[4096];
	size_t n = out.n < sizeof text ? out.n : sizeof text;

	memcpy(text, out.p, n);
	out.n = 0;
	return (struct str){text, n};
}

static void give(const char *json, struct counter_series *queue, struct counter_series *bandwidth)
{
	struct str record = padded_copy(str_of(json));
	struct event e;

	CHECK(event_parse(&e, record) == NULL);
	event_walk(&e);
	if (queue)
		CHECK_INT(counter_series_queue(queue, &e), COUNTER_SERIES_TAKEN);
	if (bandwidth)
		counter_series_bandwidth(bandwidth, &e);
	free((char *)record.p);
}

/* Launched at 80, 90 and 190. */
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

static void queue(void)
{
	struct counter_series *s = counter_series_new(DEVICES(3), STR("\"queue\""), 1000, &out);
	size_t i;

	for (i = 0; i < 3; i++)
		give(work[i], s, NULL);
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

	give(work[2], NULL, s);
	give("{\"ts\":300,\"dur\":2000,\"kind\":\"memcpy\",\"name\":\"Memcpy HtoD (b)\",\"dev\":0,\"bytes\":2,"
	     "\"args\":{\"memory bandwidth (GB/s)\":1.5}}",
	    NULL, s);
	give("{\"ts\":310,\"dur\":2000,\"kind\":\"memcpy\",\"name\":\"no bytes\",\"dev\":0}", NULL, s);
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
	out_open(&out);
	queue();
	bandwidth();
	free(out.p);
}
