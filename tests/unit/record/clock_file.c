/* clock_file: clocks are found by rank, and records without what they need are refused. */
#include "record/clock_file.h"
#include "samples.h"
#include "test.h"

#include <stdlib.h>

static const char *add(struct clock_file *file, const char *line)
{
	const struct str copy = padded_copy(str_of(line));
	const char *wrong;
	struct event e;

	CHECK(!event_parse(&e, copy));
	wrong = clock_file_add(file, &e);
	free((char *)(uintptr_t)copy.p);
	return wrong;
}

void unit_test(void)
{
	struct clock_file file = {.cap = 0};
	const struct rank_clock *c;

	CHECK(clock_file_is_empty(&file));
	CHECK(!add(&file, "{\"kind\":\"kernel\",\"rank\":5}"));
	CHECK(clock_file_is_empty(&file));
	CHECK(!add(&file,
	    "{\"kind\":\"clock\",\"rank\":3,\"base\":1000,\"offset\":-50,\"drift\":2000000,\"at\":7,\"ok\":true}"));
	CHECK(!add(&file, "{\"kind\":\"clock\",\"rank\":4,\"base\":9,\"count\":0,\"ok\":false}"));
	CHECK(!clock_file_is_empty(&file));
	c = clock_file_find(&file, 3);
	CHECK(c && c->ok);
	CHECK_INT(rank_clock_time(c, 10007), 10007 + 1000 - 50 + 20);
	c = clock_file_find(&file, 4);
	CHECK(c && !c->ok && c->base == 9);
	CHECK(!clock_file_find(&file, 5));
	CHECK(add(&file, "{\"kind\":\"clock\",\"rank\":3,\"base\":0,\"offset\":0,\"drift\":0,\"at\":0}") != NULL);
	CHECK(add(&file, "{\"kind\":\"clock\",\"base\":0,\"offset\":0,\"drift\":0,\"at\":0}") != NULL);
	CHECK(add(&file, "{\"kind\":\"clock\",\"rank\":6,\"base\":0,\"offset\":0.5,\"drift\":0,\"at\":0}") != NULL);
	clock_file_free(&file);
}
