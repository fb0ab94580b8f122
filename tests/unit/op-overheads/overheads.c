#include "op-overheads/overheads.h"

#include "json/scan.h"
#include "test.h"

/* The values passed on so far, each in the form "t2 aten::mm 5;", in ns. */
static char said[4096];

static void say(void *arg, const struct overheads_value *v)
{
	static const char *const types[OVERHEAD_N] = {"op", "t1", "t2", "t3", "t4", "t5"};
	size_t n = strlen(said);

	(void)arg;
	snprintf(
	    said + n, sizeof said - n, "%s %.*s %ld;", types[v->type], (int)v->name.n - 2, v->name.p + 1, (long)v->ns);
}

static void add(struct overheads *o, const char *text)
{
	char line[400] = {0}; /* overwritten at the end, to test that values were copied */
	struct event e;

	memcpy(line, text, strlen(text));
	event_parse(&e, (struct str){line, strlen(text)});
	overheads_add(o, &e);
	memset(line, 'x', sizeof line);
}

static struct overheads_options options = {.per_event = 1, .launch = 3, .gap = 50, .give = say};

static struct overheads *begin(void)
{
	said[0] = '\0';
	return overheads_new(&options);
}

static const char *const stream[] = {
    "{\"ts\":0,\"dur\":40,\"kind\":\"op\",\"name\":\"a\",\"tid\":1,\"node\":1,\"depth\":0}",
    "{\"ts\":5,\"dur\":30,\"kind\":\"python\",\"name\":\"p\",\"tid\":1,\"node\":2,\"depth\":1}",
    "{\"ts\":10,\"dur\":5,\"kind\":\"api\",\"name\":\"launch\",\"tid\":1,\"node\":3,\"depth\":2}",
    "{\"ts\":12,\"dur\":50,\"kind\":\"kernel\",\"name\":\"k\",\"node\":9,\"depth\":0,\"tid\":1}",
    "{\"ts\":20,\"dur\":5,\"kind\":\"api\",\"name\":\"wait\",\"tid\":1,\"node\":4,\"depth\":2}",
    "{\"ts\":45,\"dur\":5,\"kind\":\"op\",\"name\":\"b\",\"tid\":1,\"node\":5,\"depth\":0}",
    "{\"ts\":46,\"dur\":2,\"kind\":\"api\",\"name\":\"free\",\"tid\":1,\"node\":6,\"depth\":1}",
};
enum { N = sizeof stream / sizeof *stream };

/* Operator a: T2 is 10, without a subtraction; T3 is 15 - 1, because recording operator a takes 1; T5 is 5. */
static const char *const want = "op a 40;t2 a 10;t3 a 14;t5 a 5;t4 launch 3;op b 5;t5 b 3;t1 b 4;";

static void check_order(const int *order)
{
	struct overheads *o = begin();
	size_t i;

	for (i = 0; i < N; i++)
		add(o, stream[order[i]]);
	overheads_end(o);
	CHECK_STR(str_of(said), want);
	CHECK(overheads_counts(o)->placed);
	CHECK_INT(overheads_counts(o)->ops, 2);
	CHECK_INT(overheads_counts(o)->outside, 0);
	overheads_free(o);
}

void unit_test(void)
{
	static const int by_ts[] = {0, 1, 2, 3, 4, 5, 6}, by_end[] = {2, 3, 4, 1, 0, 6, 5};
	struct overheads *o;

	name_match_name(&options.launches, STR("launch"));
	name_match_name(&options.bounds, STR("wait"));
	check_order(by_ts);
	check_order(by_end);

	/*
	 * Records without tree positions, in ts order: a call that begins when all preceding calls have ended begins a
	 * new tree.
	 */
	o = begin();
	add(o, "{\"ts\":0,\"dur\":9,\"kind\":\"op\",\"name\":\"a\"}");
	add(o, "{\"ts\":9,\"dur\":0,\"kind\":\"api\",\"name\":\"launch\"}");
	CHECK_STR(str_of(said), "op a 9;t5 a 8;");
	add(o, "{\"ts\":70,\"dur\":9,\"kind\":\"op\",\"name\":\"far\"}");
	add(o, "{\"ts\":80,\"dur\":9,\"kind\":\"op\",\"name\":\"n\",\"node\":1,\"depth\":0}");
	add(o, "{\"ts\":90,\"kind\":\"op\",\"name\":\"without dur\"}");
	overheads_end(o);
	CHECK_STR(str_of(said), "op a 9;t5 a 8;op far 9;t5 far 8;op n 9;t5 n 8;t1 n 0;");
	CHECK(!overheads_counts(o)->placed);
	CHECK_INT(overheads_counts(o)->outside, 1);
	overheads_free(o);

	/* Computing with times at the limits of int64_t does not overflow. */
	o = begin();
	add(o, "{\"ts\":-9223372036854775808,\"dur\":1,\"kind\":\"op\",\"name\":\"a\"}");
	add(o, "{\"ts\":9223372036854775807,\"dur\":9,\"kind\":\"op\",\"name\":\"b\"}");
	overheads_end(o);
	CHECK_STR(str_of(said), "op a 1;t5 a 0;op b 0;t5 b -1;");
	overheads_free(o);
	name_match_free(&options.launches);
	name_match_free(&options.bounds);
}
