#include "ndjson2trace/chrome_writer.h"

#include "samples.h"
#include "test.h"

static struct chrome_writer *w;
static struct out out;

/* Returns the text that a record adds to the trace. */
static struct str added(const char *json)
{
	struct str record = padded_copy(str_of(json));
	static char text[4096];
	struct event e;
	size_t n;

	out.n = 0;
	CHECK(event_parse(&e, record) == NULL);
	chrome_writer_read(w, &e);
	chrome_writer_add(w, &e);
	n = out.n < sizeof text ? out.n : sizeof text;
	memcpy(text, out.p, n);
	free((char *)record.p);
	return (struct str){text, n};
}

void unit_test(void)
{
	out_open(&out);
	w = chrome_writer_new(&out, FLOWS_NEVER);
	CHECK_STR(added("{\"kind\":\"meta\",\"name\":\"schema\",\"args\":{\"value\":1}}"), "{\"schema\":1");
	CHECK_STR(added("{\"ts\":-1,\"dur\":1001,\"kind\":\"op\",\"name\":\"a\\n\\\"\",\"pid\":1,\"tid\":2}"),
	    ",\n\"traceEvents\":[\n{\"record\":{\"cat\":null},\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\\n\\\"\","
	    "\"pid\":1,\"tid\":2,"
	    "\"ts\":-0.001,\"dur\":1.001}");
	/* An attachment is added to args; existing members of args stay. */
	CHECK_STR(added("{\"ts\":5,\"kind\":\"mark\",\"name\":\"m\",\"pid\":1,\"tid\":2,\"self\":3,\"x\":4,\"args\":{"
			"\"x\":1}}"),
	    ",\n{\"record\":{\"src\":null},\"ph\":\"i\",\"name\":\"m\",\"pid\":1,\"tid\":2,\"ts\":0.005,\"s\":\"t\","
	    "\"args\":{\"x\":1,\"self\":3}"
	    "}");
	/* Fields that an event cannot represent are in its "record". */
	CHECK_STR(added("{\"ts\":6,\"kind\":\"sample\",\"name\":\"s\",\"rank\":3,\"pid\":1,\"tid\":2,\"err\":-5}"),
	    ",\n{\"record\":{\"kind\":\"sample\",\"pid\":1,\"rank\":3,\"src\":null,\"err\":-5},\"ph\":\"i\",\"name\":"
	    "\"s\",\"pid\":"
	    "1000000000,"
	    "\"tid\":2,\"ts\":0.006,\"s\":\"t\"}");
	CHECK_STR(added("{\"kind\":\"op\",\"name\":\"o\",\"pid\":1,\"tid\":2}"),
	    ",\n{\"record\":{\"cat\":null,\"kind\":\"op\",\"src\":null},\"ph\":\"i\",\"cat\":\"cpu_op\",\"name\":\"o\","
	    "\"pid\":1,\"tid\":2,\"s\":"
	    "\"t\"}");
	/* A meta record after the first event is written at the end. */
	CHECK_STR(added("{\"kind\":\"meta\",\"name\":\"late\"}"), "");
	out.n = 0;
	chrome_writer_end(w);
	CHECK_STR(((struct str){out.p, out.n}),
	    ",\n{\"record\":null,\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"process 1\"}}"
	    ",\n{\"record\":null,\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1000000000,"
	    "\"args\":{\"name\":\"rank 3: process 1\"}}\n],\n\"late\":{}}\n");
	chrome_writer_free(w);
	free(out.p);
}
