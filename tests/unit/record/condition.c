/*
 * condition: tests valid conditions of -w and their results for a record, and the positions of faults in
 * invalid conditions.
 */
#include "record/condition.h"
#include "test.h"

/* Returns a record with the padding that record/event needs. */
static struct str padded(const char *json)
{
	static char room[4096];
	size_t n = strlen(json);

	memset(room, 0, sizeof room);
	memcpy(room, json, n);
	return (struct str){room, n};
}

static const char record[] =
    "{\"ts\":-5,\"dur\":12000,\"kind\":\"kernel\",\"name\":\"f<int>\",\"dev\":0,\"bytes\":2097152,"
    "\"corr\":9007199254740993,\"ranges\":[\"outer\",\"in \\\"q\\\"\"],\"sizes\":[1,20,300],\"empty\":\"\","
    "\"args\":{\"External id\":7,\"ratio\":0.25,\"n\":\"100\",\"text\":\"abc\",\"on\":true,\"none\":null,"
    "\"a\":{\"b\":-3},\"esc\":\"tab\\there\",\"unit\":\"10us\",\"big\":123456789012345678901234567890}}";

/* Returns 1 for true, 0 for false; -1 when the text is not a condition. */
static int holds(const char *text)
{
	struct fault f;
	struct conditions c = {.n = 0};
	struct event e;
	int r;

	if (!conditions_add(&c, text, &f))
		return -1;
	CHECK(!event_parse(&e, padded(record)));
	r = conditions_hold(&c, &e);
	CHECK_INT(conditions_hold(&c, &e), r);
	conditions_free(&c);
	return r;
}

/* Returns the byte position of the fault, counted from 1; 0 when there is no fault. */
static int fault_at(const char *text)
{
	struct fault f = {0};
	struct conditions c = {.n = 0};

	if (conditions_add(&c, text, &f)) {
		conditions_free(&c);
		return 0;
	}
	CHECK(f.what && f.what[0]);
	return (int)f.at.byte + 1;
}

struct sample {
	const char *text;
	int want;
};

static void test_numbers(void)
{
	/* clang-format off */
	static const struct sample table[] = {
	    {"dur==12000", 1}, {"dur==12us", 1}, {"dur!=12us", 0}, {"dur>12us", 0}, {"dur>=12us", 1},
	    {"dur<12001", 1}, {"dur<=0.012ms", 1}, {"dur<0.000012s", 0}, {"dur > 11.9us", 1}, {"dur>1e4", 1},
	    {"dur>12000.5", 0}, {"dur<12000.5", 1}, {"ts==-5", 1}, {"ts<-4.5", 1}, {"ts>-5", 0}, {"ts>=-5ns", 1},
	    {"bytes>=2MiB", 1}, {"bytes>2MB", 1}, {"bytes==2MiB", 1}, {"bytes<2.5MB", 1},
	    {"corr==9007199254740993", 1}, {"corr==9007199254740992", 0}, {"corr>9007199254740992", 1},
	    {"ratio==0.25", 1}, {"ratio>0.2", 1}, {"ratio<1", 1}, {"ratio==0.250", 1}, {"ratio==.25", 0},
	    {"External id==7", 1}, {"External id>5", 1}, {"External id > 7", 0}, {"a.b==-3", 1}, {"args.a.b<0", 1},
	    {"dev==0", 1}, {"dev==-0", 1}, {"dev==0.0", 1}, {"dev=='0'", 1}, {"dev=='0.0'", 0},
	    {"big>1", 1}, {"big>1e29", 1}, {"big<1e30", 1}, {"dur<9e99", 1}, {"end==11995", 1}, {"dur/10us==10000", 1},
	    {"ts<9223372036854775807", 1}, {"ts>-9223372036854775808", 1}, {"ts<18446744073709551616", 1},
	};
	/* clang-format on */
	size_t i;

	for (i = 0; i < sizeof table / sizeof *table; i++) {
		CHECK_SHOW(holds(table[i].text) == table[i].want, "%s", table[i].text);
	}
}

static void test_texts(void)
{
	/* clang-format off */
	static const struct sample table[] = {
	    {"kind==kernel", 1}, {"kind==\"kernel\"", 1}, {"kind=='kernel'", 1}, {"kind == kernel", 1},
	    {"  kind==kernel  ", 1}, {"kind==' kernel'", 0}, {"kind!=kernel", 0}, {"kind!=api", 1}, {"kind<l", 1},
	    {"kind<kernel", 0}, {"kind<=kernel", 1}, {"kind>kerne", 1}, {"name==f<int>", 1}, {"name!='f<int>'", 0},
	    {"short==f", 1}, {"empty==''", 1}, {"empty==\"\"", 1}, {"empty!=''", 0}, {"empty<a", 1},
	    {"esc=='tab\there'", 1}, {"esc>'tab'", 1}, {"on==true", 1}, {"on!=false", 1}, {"on==1", 0},
	    /* the value in the condition is a number; the field is a string */
	    {"n==100", 1}, {"n==1e2", 0}, {"n!=1e2", 1}, {"n>99", 1}, {"n<99", 0}, {"n<=1e2", 1}, {"n>'99'", 0},
	    {"text>5", 0}, {"text<5", 0}, {"text!=5", 1}, {"text==5", 0}, {"unit==10us", 1}, {"unit>5us", 0},
	    /* the value in the condition is a text; the field is a number */
	    {"External id==x", 0}, {"External id!=x", 1}, {"External id<x", 1},
	};
	/* clang-format on */
	size_t i;

	for (i = 0; i < sizeof table / sizeof *table; i++) {
		CHECK_SHOW(holds(table[i].text) == table[i].want, "%s", table[i].text);
	}
}

static void test_presence(void)
{
	CHECK_INT(holds("dur"), 1);
	CHECK_INT(holds(" dur "), 1);
	CHECK_INT(holds("!dur"), 0);
	CHECK_INT(holds("! dur"), 0);
	CHECK_INT(holds("stream"), 0);
	CHECK_INT(holds("!stream"), 1);
	CHECK_INT(holds("External id"), 1);
	CHECK_INT(holds("a.b"), 1);
	CHECK_INT(holds("!a.c"), 1);
	CHECK_INT(holds("ranges[]"), 1);
	CHECK_INT(holds("stream==7"), 0);
	CHECK_INT(holds("stream!=7"), 0);
	CHECK_INT(holds("stream!~7"), 0);
	CHECK_INT(holds("stream=~7"), 0);
	CHECK_INT(holds("stream<7"), 0);
}

static void test_elements(void)
{
	CHECK_INT(holds("sizes[]==20"), 1);
	CHECK_INT(holds("sizes[]>300"), 0);
	CHECK_INT(holds("sizes[]>=300"), 1);
	CHECK_INT(holds("sizes[]!=1"), 1);
	CHECK_INT(holds("ranges[]==outer"), 1);
	CHECK_INT(holds("ranges[]=='in \"q\"'"), 1);
	CHECK_INT(holds("ranges[]=~^in"), 1);
	CHECK_INT(holds("ranges[]!~^(in|outer)"), 0);
	CHECK_INT(holds("ranges[]==inner"), 0);
}

static void test_regex(void)
{
	CHECK_INT(holds("name=~^f<"), 1);
	CHECK_INT(holds("name=~'int>$'"), 1);
	CHECK_INT(holds("name!~int"), 0);
	CHECK_INT(holds("name!~^int"), 1);
	CHECK_INT(holds("kind =~ kern|api"), 1);
	CHECK_INT(holds("corr=~^9007"), 1);
	CHECK_INT(holds("dur=~000$"), 1);
	CHECK_INT(holds("esc=~'b\th'"), 1);
	CHECK_INT(holds("name=~=x"), 0);
	CHECK_INT(holds("name=~''"), 1);
}

static void test_refused(void)
{
	CHECK_INT(fault_at("dur>1"), 0);
	CHECK_INT(fault_at(""), 1);
	CHECK_INT(fault_at("!"), 2);
	CHECK_INT(fault_at("dur=5"), 4);
	CHECK_INT(fault_at("dur=>5"), 4);
	CHECK_INT(fault_at("a=b==c"), 2);
	CHECK_INT(fault_at("dur<>5"), 5);
	CHECK_INT(fault_at("kind===api"), 7);
	CHECK_INT(fault_at("dur> =5"), 6);
	CHECK_INT(fault_at("name==<lambda>"), 0);
	CHECK_INT(fault_at("==5"), 1);
	CHECK_INT(fault_at("  <5"), 3);
	CHECK_INT(fault_at("!dur>5"), 1);
	CHECK_INT(fault_at("dur>"), 5);
	CHECK_INT(fault_at("name== "), 7);
	CHECK_INT(fault_at("name=='x"), 7);
	CHECK_INT(fault_at("name=='"), 7);
	CHECK_INT(fault_at("name==it's"), 0);
	CHECK_INT(fault_at("name=~("), 7);
	CHECK_INT(fault_at("name =~ ("), 9);
	CHECK_INT(fault_at("dur>5usec"), 5);
	CHECK_INT(fault_at("dur>long"), 5);
	CHECK_INT(fault_at("dur>1MiB"), 5);
	CHECK_INT(fault_at("bytes>1ms"), 7);
	CHECK_INT(fault_at("bytes>many"), 7);
	CHECK_INT(fault_at("dur>9e30s"), 5);
	CHECK_INT(fault_at("grid>9e30s"), 6);
	CHECK_INT(fault_at("grid>5usec"), 0);
	CHECK_INT(fault_at("a..b>5"), 3);
	CHECK_INT(fault_at(" a..b"), 4);
	CHECK_INT(fault_at("ts/0ms>5"), 4);
}

/* All conditions of a list must hold; an invalid condition is not added. */
static void test_several(void)
{
	struct conditions c = {0};
	struct event e;
	struct fault f = {0};

	CHECK(!event_parse(&e, padded(record)));
	CHECK(conditions_hold(&c, &e));
	CHECK(conditions_add(&c, "dur>1us", &f));
	CHECK(conditions_add(&c, "!stream", &f));
	CHECK(!conditions_add(&c, "dur=5", &f));
	CHECK_INT(f.at.byte, 3);
	CHECK_INT(c.n, 2);
	CHECK(conditions_hold(&c, &e));
	CHECK_STR(conditions_field(&c, 0)->name, "dur");
	CHECK(!conditions_field(&c, 1));
	CHECK(conditions_add(&c, "dev==1", &f));
	CHECK(!conditions_hold(&c, &e));
	conditions_free(&c);
	CHECK_INT(c.n, 0);
}

void unit_test(void)
{
	test_numbers();
	test_texts();
	test_presence();
	test_elements();
	test_regex();
	test_refused();
	test_several();
}
