#include "ndjson2folded/folded_stacks.h"

#include "test.h"

static struct buf tidied;

static struct str tidy(const char *name, bool java)
{
	return folded_stacks_tidy(&tidied, str_of(name), java);
}

static void add(struct folded_stacks *f, const char *stack, const char *number)
{
	struct value v;

	value_of(&v, str_of(number));
	folded_stacks_add(f, str_of(stack), &v);
}

/* Returns the output of folded_stacks_write(). */
static struct str written(const struct folded_stacks *f)
{
	static char text[4096];
	static struct out o;

	out_open(&o);
	folded_stacks_write(f, &o);
	memcpy(text, o.p, o.n);
	text[o.n] = '\0';
	return str_of(text);
}

void unit_test(void)
{
	struct buf stack = {0};
	struct folded_stacks *f = folded_stacks_new();

	folded_stacks_frame(&stack, STR("a;b"));
	folded_stacks_frame(&stack, STR("two\nlines\tand \x7f"));
	folded_stacks_frame(&stack, STR(""));
	folded_stacks_frame(&stack, STR("\xc3\xa9(int)"));
	CHECK_STR(((struct str){stack.p, stack.n}), "a:b;two lines and  ;[unknown];\xc3\xa9(int)");

	CHECK_STR(tidy("void f<int>(char const*, int)", false), "void f<int>");
	CHECK_STR(tidy("(anonymous namespace)::g(int)", false), "(anonymous namespace)::g");
	CHECK_STR(tidy("net/http.(*Client).Do", false), "net/http.(*Client).Do");
	CHECK_STR(tidy("f.(x", false), "f.");
	CHECK_STR(tidy("RegExp:[&<>\\\"'] 'x'", false), "RegExp:[&<>\\] x");
	CHECK_STR(tidy("Lorg/x/Y;.run", true), "org/x/Y;.run");
	CHECK_STR(tidy("Lorg/x/Y;.run", false), "Lorg/x/Y;.run");
	CHECK_STR(tidy("Load", true), "Load");
	CHECK_STR(tidy("\"Lx/y", true), "x/y");

	/* "a b" is before "a;x" and after "a": the order is by bytes, not by frames. */
	add(f, "a;x", "1");
	add(f, "a b", "2");
	add(f, "a", "3");
	add(f, "a;x", "9223372036854775807");
	add(f, "b", "0.25");
	add(f, "b", "0.25");
	add(f, "c", "-1.5");
	add(f, "c", "1");
	add(f, "d", "5");
	add(f, "d", "-0.5");
	add(f, "e", "1e20");
	add(f, "e", "0.75");
	CHECK_STR(written(f), "a 3\na b 2\na;x 9223372036854775808\nb 1\nc -1\nd 5\ne 100000000000000000001\n");

	folded_stacks_free(f);
	buf_free(&stack);
	buf_free(&tidied);
}
