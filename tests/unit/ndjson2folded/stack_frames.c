#include "ndjson2folded/stack_frames.h"

#include "samples.h"
#include "test.h"

static struct str stack(struct stack_frames *f, const char *json, bool own)
{
	struct str record = padded_copy(str_of(json));
	struct event e;

	CHECK(event_parse(&e, record) == NULL);
	event_walk(&e);
	stack_frames_begin(f, &e);
	CHECK_INT(stack_frames_add_own(f, &e), own);
	free((char *)record.p);
	return stack_frames_line(f);
}

void unit_test(void)
{
	struct stack_frames_options o = {.mark['k'] = true}, perf = {.perf = true};
	struct stack_frames *f = stack_frames_new(&o);

	opt_fields_add(&o.root, "--root", "comm,pid");
	CHECK_STR(stack(f, "{\"comm\":\"a b\",\"pid\":7,\"stack\":[\"m;n\",\"sys\"],\"marks\":\"-k\"}", true),
	    "a b;pid 7;m:n;sys_[k]");
	CHECK_STR(stack(f, "{\"name\":\"x\",\"ranges\":[\"r\",\"\"]}", true), "?;pid ?;r;[unknown];x");
	CHECK_STR(stack(f, "{\"name\":\"x\",\"pid\":1,\"stack\":\"no array\"}", false), "?;pid 1");
	stack_frames_add(f, STR("\"y\""));
	CHECK_STR(stack_frames_line(f), "?;pid 1;y");
	stack_frames_begin_at(f, STR("root"));
	stack_frames_add(f, STR("\"leaf\""));
	CHECK_STR(stack_frames_line(f), "root;leaf");
	stack_frames_free(f);

	f = stack_frames_new(&perf);
	opt_fields_add(&perf.root, "--root", "rank,tid");
	opt_fields_add(&perf.path, "-g", "ranges[],name");
	CHECK_STR(
	    stack(f, "{\"comm\":\"a b\",\"rank\":2,\"pid\":7,\"tid\":9,\"name\":\"f(int)\",\"ranges\":[\"p\",\"(q)\"]}",
		true),
	    "rank 2;a_b-7/9;p;f");
	stack_frames_free(f);
	opt_fields_free(&o.root);
	opt_fields_free(&perf.root);
	opt_fields_free(&perf.path);
}
