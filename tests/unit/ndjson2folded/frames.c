#include "ndjson2folded/frames.h"

#include "samples.h"
#include "test.h"

static struct str stack(struct frames *f, const char *json, bool own)
{
	struct str record = padded_copy(str_of(json));
	struct event e;

	CHECK(event_parse(&e, record) == NULL);
	event_walk(&e);
	frames_begin(f, &e);
	CHECK_INT(frames_add_own(f, &e), own);
	free((char *)record.p);
	return frames_line(f);
}

int main(void)
{
	struct frames f = {.mark['k'] = true};

	fields_option(&f.root, "--root", "comm,pid");
	frames_open(&f);
	CHECK_STR(stack(&f, "{\"comm\":\"a b\",\"pid\":7,\"stack\":[\"m;n\",\"sys\"],\"marks\":\"-k\"}", true), "a b;pid 7;m:n;sys_[k]");
	CHECK_STR(stack(&f, "{\"name\":\"x\",\"ranges\":[\"r\",\"\"]}", true), "?;pid ?;r;[unknown];x");
	CHECK_STR(stack(&f, "{\"name\":\"x\",\"pid\":1,\"stack\":\"no array\"}", false), "?;pid 1");
	frames_add(&f, STR("\"y\""));
	CHECK_STR(frames_line(&f), "?;pid 1;y");
	frames_begin_at(&f, STR("root"));
	frames_add(&f, STR("\"leaf\""));
	CHECK_STR(frames_line(&f), "root;leaf");
	frames_free(&f);

	f = (struct frames){.perf = true};
	fields_option(&f.root, "--root", "rank,tid");
	fields_option(&f.path, "-g", "ranges[],name");
	frames_open(&f);
	CHECK_STR(stack(&f, "{\"comm\":\"a b\",\"rank\":2,\"pid\":7,\"tid\":9,\"name\":\"f(int)\",\"ranges\":[\"p\",\"(q)\"]}", true),
	    "rank 2;a_b-7/9;p;f");
	frames_free(&f);
	return test_end();
}
