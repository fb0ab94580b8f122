/* expression: random texts do not crash the compiler, and random records do not crash the evaluation. */
#include "derive/assignments.h"

#include "json/check.h"
#include "samples.h"
#include "test.h"

static struct event event_of(struct str line)
{
	struct event e = {0};

	CHECK(!event_parse(&e, line));
	return e;
}

/* Evaluates the expression for each sample; returns false when it is invalid. */
static bool try_expression(struct str text)
{
	static const char object[SCAN_PAD + 64] = "{\"a\":[1],\"ts\":{\"b\":2}}";
	struct expression_scope scope = {0};
	struct fault fault = {.what = NULL};
	const size_t name = expression_scope_name(&scope, STR("x"));
	struct expression *x;
	size_t i;

	scope.names[name].visible = true;
	scope.names[name].value = result_json(str_of(object));
	x = expression_new(&scope, text, 0, &fault);
	CHECK(x || (fault.what && fault.at.byte <= text.n));
	for (i = 0; x && i < SAMPLES; i++) {
		struct str line = padded_copy(str_of(samples[i]));
		struct event e = event_of(line);
		struct buf json = {0};
		struct result r;

		scope.record++;
		scope.names[name].record = scope.record;
		r = expression_value(x, &scope, &e);
		if (r.type != RESULT_ABSENT && r.type != RESULT_FAILED) {
			result_write(&json, &r);
			CHECK_SHOW(json_check((struct str){json.p, json.n}, &fault), "%.*s: %.*s", STR_FMT(text),
			    (int)json.n, json.p);
		}
		buf_free(&json);
		free((char *)(uintptr_t)line.p);
	}
	expression_free(x);
	expression_scope_free(&scope);
	return x != NULL;
}

/* Joins random tokens; about one text in ten is a valid expression. */
static void random_tokens(void)
{
	static const char *const tokens[] = {"1", "0", "2.5", "10us", "1e308",
	    "170141183460469231731687303715884105727", "dur", "ts", "end", "short", "name", "args", "args.grid", "x",
	    "x.a", "x.ts.b", "v", "a.b.c", "\"est. achieved occupancy %\"", "'a'", "'7'", "''", "-", "+", "*", "/",
	    "//", "%", "==", "!=", "<", "<=", ">", ">=", "(", ")", ",", "min(", "max(", "abs(", "round(", "floor(",
	    "if(", "default(", "len(", "str(", "num(", "join(", "repeat(", "sub(", "compact(", "'a|(b)'", " ", "'",
	    "\"", "[", "=", ".", "\\"};
	struct buf text = {0};
	int i, valid = 0;

	for (i = 0; i < 60000; i++) {
		size_t n = 1 + random_below(9);

		for (text.n = 0; n--;) {
			const char *token = tokens[random_below(sizeof tokens / sizeof *tokens)];

			buf_add(&text, token, strlen(token));
		}
		while (random_below(3))
			buf_char(&text, ')');
		valid += try_expression((struct str){text.p, text.n});
	}
	CHECK(valid > 1000);
	buf_free(&text);
}

/* Tests random changes of valid expressions. */
static void mutations(void)
{
	static const char *const good[] = {"dur*2+1", "if(dur>10us,'long',default(args.x,\"a b\".c))",
	    "-(ts%7)//3==end-1", "len(name)+num('1.5')*min(1,2,max(3,x.a))", "str(v)+'\\u00e9\\''",
	    "sub(name,'^(a)|b','\\\\1')+join(x.a,repeat(',',2))", "compact(default(x,v))"};
	struct buf text = {0};
	int i;

	for (i = 0; i < 60000; i++) {
		mutate(&text, str_of(good[random_below(sizeof good / sizeof *good)]), 3);
		struct str copy = exact_copy((struct str){text.p, text.n});

		try_expression(copy);
		free((char *)(uintptr_t)copy.p);
	}
	buf_free(&text);
}

void unit_test(void)
{
	random_tokens();
	mutations();
	CHECK(try_expression(STR("((1))")));
	CHECK(!try_expression(STR("")));
}
