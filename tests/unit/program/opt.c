/* opt: the values that options of each type produce, and the tables that receive them. */
#include "test.h"

#include "program/opt.h"
#include "record/event_kind.h"

#include <getopt.h>

static const char *const words[] = {"auto", "always", "never", NULL};

enum { WHEN = 256, TIME, SIZE, FROM, SINCE, STACK };

static const struct opt own[] = {
    {'v', "verbose", OPT_FLAG, OPT_TAKE, ""},
    {'n', NULL, OPT_COUNT("N", -5), OPT_TAKE, ""},
    {'k', "kind", OPT_SET("KIND,...", event_kind_names), OPT_TAKE, ""},
    {WHEN, "when", OPT_CHOICE("WHEN", words), OPT_TAKE, ""},
    {TIME, "time", OPT_TIME("T", 0), OPT_TAKE, ""},
    {SIZE, "size", OPT_SIZE("SIZE", 0), OPT_TAKE, ""},
    {FROM, "from", OPT_STAMP("T"), OPT_TAKE, ""},
    {SINCE, "since", OPT_STAMP_OPTIONAL("T"), OPT_TAKE, ""},
    {STACK, "stack", OPT_TEXT_OPTIONAL("FIELD"), OPT_TAKE, ""},
    {0},
};

/* The options of `shared` have the same letters as options of `own`, but other names; --when is in both tables. */
static const struct opt shared[] = {
    {WHEN, "name", OPT_TEXT("NAME"), OPT_TAKE, ""},
    {TIME, "when", OPT_CHOICE("WHEN", words), OPT_TAKE, ""},
    {0},
};

/* The options that a table received. */
struct given {
	struct opt_value list[8];
	size_t n;
};

static void take(void *arg, const struct opt_value *v)
{
	struct given *g = arg;

	g->list[g->n++] = *v;
}

/*
 * Reads the command line `line`, which is split in place into "prog" and its arguments; returns the number of operands.
 */
static size_t read_line(struct given *a, struct given *b, char *line)
{
	static const struct opt_program program = {.synopsis = ""};
	const struct opt_table tables[] = {{own, a, take}, {shared, b, take}, {0}};
	char *argv[16] = {line}, **operands;
	int argc = 1;

	a->n = b->n = 0;
	for (; (line = strchr(line, ' ')); argv[argc++] = line)
		*line++ = '\0';
	optind = 0;
	operands = opt_read(&program, argc, argv, tables);
	return (size_t)(argv + argc - operands);
}

static void test_values(void)
{
	char line[] = "prog -v -n -5 file --kind=kernel,op --time 1.5us --size=2KiB --from -3 --from=+4ms";
	struct given a, b;

	CHECK_INT(read_line(&a, &b, line), 1);
	CHECK_INT(a.n, 7);
	CHECK(a.list[0].opt == &own[0] && !a.list[0].text);
	CHECK_STR(str_of(a.list[0].option), "-v");
	CHECK_INT(a.list[1].number, -5);
	CHECK_INT(a.list[2].number, 1 << KIND_KERNEL | 1 << KIND_OP);
	CHECK_STR(str_of(a.list[2].option), "-k");
	CHECK_STR(str_of(a.list[2].text), "kernel,op");
	CHECK_INT(a.list[3].number, 1500);
	CHECK_STR(str_of(a.list[3].option), "--time");
	CHECK_INT(a.list[4].number, 2048);
	CHECK_INT(a.list[5].number, -3);
	CHECK_INT(a.list[6].number, 4000000);
	CHECK(a.list[6].text[0] == '+');
	CHECK_INT(b.n, 0);
}

static void test_optional(void)
{
	char line[] = "prog --since 5 --since=-2us";
	struct given a, b;

	CHECK_INT(read_line(&a, &b, line), 1);
	CHECK_INT(a.n, 2);
	CHECK(!a.list[0].text);
	CHECK_INT(a.list[0].number, 0);
	CHECK_STR(str_of(a.list[1].text), "-2us");
	CHECK_INT(a.list[1].number, -2000);
}

static void test_optional_text(void)
{
	char line[] = "prog --stack name --stack=args.x --stack=";
	struct given a, b;

	CHECK_INT(read_line(&a, &b, line), 1);
	CHECK_INT(a.n, 3);
	CHECK(!a.list[0].text);
	CHECK_STR(str_of(a.list[1].text), "args.x");
	CHECK_STR(str_of(a.list[2].text), "");
}

static void test_tables(void)
{
	char line[] = "prog --name x --whe never -- -v y";
	struct given a, b;

	CHECK_INT(read_line(&a, &b, line), 2);
	CHECK_INT(a.n, 1);
	CHECK(a.list[0].opt == &own[3]);
	CHECK_INT(a.list[0].number, 2);
	CHECK_INT(b.n, 2);
	CHECK(b.list[0].opt == &shared[0]);
	CHECK_STR(str_of(b.list[0].text), "x");
	CHECK(b.list[1].opt == &shared[1]);
	CHECK_INT(b.list[1].number, 2);
}

static void test_items(void)
{
	const char *list = "a\\,b,,c";
	struct buf text = {0};
	struct str item;

	CHECK(opt_item(&list, &text, &item));
	CHECK_STR(item, "a,b");
	CHECK(opt_item(&list, &text, &item));
	CHECK_STR(item, "");
	CHECK(opt_item(&list, &text, &item));
	CHECK_STR(item, "c");
	CHECK(!opt_item(&list, &text, &item));
	buf_free(&text);
}

/* The values that OPT_TO sets. */
struct values {
	bool flag, second;
	const char *text;
	int32_t small;
	uint32_t set;
	uint64_t large;
	int64_t after;
};

#define TO(member) OPT_TO(struct values, member)
static const struct opt stored[] = {
    {'a', NULL, OPT_FLAG, TO(flag), ""},
    {'b', NULL, OPT_CHOICE("WHEN", words), TO(second), ""},
    {'c', NULL, OPT_TEXT("TEXT"), TO(text), ""},
    {'d', NULL, OPT_COUNT("N", INT64_MIN), TO(small), ""},
    {'e', NULL, OPT_SET("KIND", event_kind_names), TO(set), ""},
    {0, "large", OPT_SIZE("SIZE", 0), TO(large), ""},
    {0},
};

static void test_members(void)
{
	struct values v = {.second = true, .after = 7};
	const struct opt_table tables[] = {{stored, &v, NULL}, {0}};
	const struct opt_program program = {.synopsis = ""};
	char words_of[][16] = {"prog", "-abauto", "-cx", "-d-3", "-ekernel", "-eop,api", "--large=8GiB", "y"};
	char *argv[9] = {NULL};
	int i;

	for (i = 0; i < 8; i++)
		argv[i] = words_of[i];
	optind = 0;
	CHECK_STR(str_of(opt_read(&program, 8, argv, tables)[0]), "y");
	CHECK(v.flag && !v.second);
	CHECK_STR(str_of(v.text), "x");
	CHECK_INT(v.small, -3);
	CHECK_INT(v.set, 1u << KIND_KERNEL | 1u << KIND_OP | 1u << KIND_API);
	CHECK_INT(v.large, INT64_C(8) << 30);
	CHECK_INT(v.after, 7);
}

static void test_given(void)
{
	char line[] = "prog -v --time 2us -n 1 --time=3us -k api";
	struct given a, b;

	read_line(&a, &b, line);
	CHECK_STR(str_of(opt_given("verbose")), "-v");
	CHECK_STR(str_of(opt_given("when time kind")), "--time");
	CHECK_STR(str_of(opt_given("kind time")), "-k");
	CHECK(!opt_given("when size from") && !opt_given(""));
	read_line(&a, &b, strcpy(line, "prog -v"));
	CHECK(!opt_given("time kind") && opt_given("verbose"));
}

void unit_test(void)
{
	test_members();
	test_values();
	test_optional();
	test_optional_text();
	test_tables();
	test_given();
	test_items();
}
