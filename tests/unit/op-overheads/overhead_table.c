#include "op-overheads/overhead_table.h"

#include "test.h"

#include <stdlib.h>
#include <unistd.h>

/* Captures standard output in a file while `print` writes; returns the text. */
static struct str captured(struct overhead_table *s, void (*print)(struct overhead_table *s, struct out *out))
{
	static char text[4096];
	FILE *f = tmpfile();
	int kept = dup(STDOUT_FILENO);
	struct out out = {0};
	size_t n;

	fflush(stdout);
	dup2(fileno(f), STDOUT_FILENO);
	out_open(&out);
	print(s, &out);
	out_flush(&out);
	free(out.p);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	rewind(f);
	n = fread(text, 1, sizeof text, f);
	fclose(f);
	return (struct str){text, n};
}

static void print_rows(struct overhead_table *s, struct out *out)
{
	struct table_options to = {.format = TABLE_NDJSON};

	overhead_table_table(s, out, &to);
}

static void add(struct overhead_table *s, const struct overheads *o, enum overhead type, struct str name, int64_t ns)
{
	struct overheads_value v = {.type = type, .ns = ns, .name = name};

	overhead_table_add(s, o, &v);
}

/* The names of calls are numbered from 0. */
static void add_call(struct overheads *o, const char *text)
{
	char line[200] = {0};
	struct event e;

	memcpy(line, text, strlen(text));
	event_parse(&e, (struct str){line, strlen(text)});
	overheads_add(o, &e);
}

void unit_test(void)
{
	struct overheads_options options = {0};
	struct overheads *o = overheads_new(&options);
	struct overhead_table *s = overhead_table_new(false, false);
	static const size_t launches[] = {0, 1};
	struct overheads_value op = {.type = OVERHEAD_OP, .ns = 9, .name = STR("\"a\""), .n_launches = 1};

	op.launches = launches;
	add_call(o, "{\"ts\":0,\"dur\":1,\"kind\":\"api\",\"name\":\"launch\"}");
	add_call(o, "{\"ts\":1,\"dur\":1,\"kind\":\"api\",\"name\":\"copy\"}");
	/*
	 * Equal sums are ordered by name, also if a name contains an escape; all times between operators are in one
	 * row.
	 */
	add(s, o, OVERHEAD_T2, STR("\"b\""), 1000);
	add(s, o, OVERHEAD_T2, STR("\"\\\"\""), 3000);
	add(s, o, OVERHEAD_T2, STR("\"a\""), 400);
	add(s, o, OVERHEAD_T2, STR("\"a\""), 600);
	add(s, o, OVERHEAD_T1, STR("\"a\""), 1);
	add(s, o, OVERHEAD_T1, STR("\"b\""), -INT64_C(4000000000000000001));
	/*
	 * The output lists the launches of one operator: the first that has launches, in the order of root and seq. The
	 * order in which operators are added makes no difference.
	 */
	op.root = 5, op.seq = 5;
	overhead_table_add(s, o, &op);
	op.root = 4, op.seq = 8, op.n_launches = 2;
	overhead_table_add(s, o, &op);
	op.root = 4, op.seq = 9, op.n_launches = 1;
	overhead_table_add(s, o, &op);
	op.root = 1, op.seq = 1, op.n_launches = 0;
	overhead_table_add(s, o, &op);
	CHECK_STR(captured(s, print_rows),
	    "{\"kind\":\"op-overheads\",\"type\":\"op\",\"name\":\"a\",\"count\":4,\"mean\":9,\"std\":0,\"launches\":["
	    "\"launch\",\"copy\"]}\n"
	    "{\"kind\":\"op-overheads\",\"type\":\"t1\",\"count\":2,\"mean\":-2e18,\"std\":2e18}\n"
	    "{\"kind\":\"op-overheads\",\"type\":\"t2\",\"name\":\"\\\"\",\"count\":1,\"mean\":3000,\"std\":0}\n"
	    "{\"kind\":\"op-overheads\",\"type\":\"t2\",\"name\":\"a\",\"count\":2,\"mean\":500,\"std\":100}\n"
	    "{\"kind\":\"op-overheads\",\"type\":\"t2\",\"name\":\"b\",\"count\":1,\"mean\":1000,\"std\":0}\n");
	CHECK_STR(captured(s, overhead_table_json),
	    "{\"t1\":[-2000000000000000,2000000000000000],"
	    "\"t2\":{\"\\\"\":[3,0],\"a\":[0.5,0.1],\"b\":[1,0]},\"t3\":{},\"t4\":{},"
	    "\"t5\":{},\"launches\":{\"a\":[\"launch\",\"copy\"]}}\n");
	overhead_table_free(s);
	overheads_free(o);
	name_match_free(&options.launches);
	name_match_free(&options.bounds);

	s = overhead_table_new(false, false);
	CHECK_STR(captured(s, overhead_table_json), "{\"t2\":{},\"t3\":{},\"t4\":{},\"t5\":{},\"launches\":{}}\n");
	overhead_table_free(s);
}
