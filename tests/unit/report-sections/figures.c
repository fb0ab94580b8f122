/* figures: values, copies of them, conditions, and texts that name them. */
#include "report-sections/figures.h"

#include "test.h"

static void set(struct figures *f, const char *name, struct result value)
{
	figures_set(f, str_of(name), value);
}

/* Checks the expansion of a text in one form. */
static void check_expansion(struct figures *f, const char *text, enum figures_form form, const char *want)
{
	struct buf b = {0};

	figures_expand(f, &b, str_of(text), form, NULL);
	CHECK_STR(buf_str(&b), want);
	buf_free(&b);
}

/* Checks a text of a report, and the members that it needs. */
static void check_text(struct figures *f, const char *text, bool known, const char *want, const char *members)
{
	struct buf b = {0}, m = {0};

	CHECK(figures_expand(f, &b, str_of(text), FIGURES_TEXT, &m) == known);
	CHECK_STR(buf_str(&b), want);
	CHECK_STR(buf_str(&m), members);
	buf_free(&b);
	buf_free(&m);
}

void unit_test(void)
{
	struct figures f = {.place = "file"}, copy = {.place = "copy"};
	struct str expression;

	set(&f, "n", result_int(1));
	set(&f, "many", result_int(5));
	set(&f, "who", result_text(STR("it's {n}")));
	set(&f, "nested", result_text(STR("of {n:int} in {many}")));
	set(&f, "gone", result_int(3));
	set(&f, "gone", (struct result){.type = RESULT_ABSENT});
	set(&f, "failed", result_failed(FAILURE_ZERO));

	check_expansion(&f, "a {n} {who}{gone}{nosuch}!", FIGURES_PLAIN, "a 1 it's {n}!");
	check_expansion(&f, "echo {who} {who:words} {many}", FIGURES_SHELL, "echo 'it'\\''s {n}' it's {n} 5");
	check_expansion(&f, "x<{many} {gone} {who}", FIGURES_EXPRESSION, "x<5 if(0,0) 'it\\'s {n}'");
	check_expansion(&f, "awk {", FIGURES_PLAIN, "awk {");
	check_expansion(&f, "{{\"a\":{n}} {many}", FIGURES_PLAIN, "{\"a\":1} 5");

	check_text(&f, "{n:count row|rows} and {many:count row|rows}", true, "{n:count} row and {many:count} rows",
	    ",\"n\":1,\"many\":5");
	check_text(&f, "{n} {n:time}", true, "{n} {n:time}", ",\"n\":1");
	check_text(&f, "all {nested:words}.", true, "all of {n:int} in {many}.", ",\"n\":1,\"many\":5");
	check_text(&f, "{n} {gone}", false, "{n} ", ",\"n\":1");
	check_text(&f, "{{{n}", true, "{{{n}", ",\"n\":1");
	check_text(&f, "{failed}", false, "", "");

	CHECK(figures_get(&f, STR("many")).i == 5);
	CHECK_INT(figures_get(&f, STR("unset")).type, RESULT_ABSENT);
	CHECK(figures_hold(&f, STR("")));
	CHECK(figures_hold(&f, STR("n==1")));
	CHECK(!figures_hold(&f, STR("n>1")));
	CHECK(!figures_hold(&f, STR("gone")));
	CHECK(figures_hold(&f, STR("1/2")));

	figures_copy(&copy, &f);
	set(&f, "n", result_int(9));
	check_expansion(&copy, "{n}", FIGURES_PLAIN, "1");
	check_expansion(&f, "{n}", FIGURES_PLAIN, "9");

	CHECK_STR(figures_split(&f, STR("a b = c == d"), &expression), "a b");
	CHECK_STR(expression, " c == d");
	figures_free(&f);
	figures_free(&copy);
}
