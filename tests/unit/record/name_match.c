/* record/name_match: the first rule that a name in JSON text matches; results that are cached and removed again. */
#include "record/name_match.h"
#include "test.h"

#include <stdio.h>

static int first(struct name_match *m, const char *json)
{
	size_t rule = name_match_first(m, str_of(json));

	return rule == NAME_MATCH_NONE ? -1 : (int)rule;
}

static bool compiles(const char *regex)
{
	struct name_match m = {0};
	struct fault f = {0};
	bool good = name_match_regex(&m, regex, &f);

	if (!good)
		CHECK(f.what && f.what[0] && !(f.what[0] >= 'A' && f.what[0] <= 'Z'));
	CHECK_INT(m.n, good);
	name_match_free(&m);
	return good;
}

static void test_rules(void)
{
	struct name_match m = {0};
	struct fault f;

	name_match_name(&m, STR("gemm"));
	CHECK(name_match_regex(&m, "^ge", &f));
	CHECK(name_match_regex(&m, "a\\.b|\\(int\\)$", &f));
	name_match_name(&m, STR("say \"hi\""));
	CHECK(name_match_regex(&m, "^\xc3\xa9t\xc3\xa9$", &f));
	CHECK_INT(first(&m, "\"gemm\""), 0);
	CHECK_INT(first(&m, "\"gemm\""), 0);
	CHECK_INT(first(&m, "\"gemms\""), 1);
	CHECK_INT(first(&m, "\"gem\""), 1);
	CHECK_INT(first(&m, "\"a.b\""), 2);
	CHECK_INT(first(&m, "\"axb\""), -1);
	CHECK_INT(first(&m, "\"f(int)\""), 2);
	CHECK_INT(first(&m, "\"say \\\"hi\\\"\""), 3);
	CHECK_INT(first(&m, "\"\\u00e9t\\u00e9\""), 4);
	CHECK_INT(first(&m, "\"\xc3\xa9t\xc3\xa9\""), 4);
	CHECK_INT(first(&m, "\"\\u0067emm\""), 0);
	CHECK_INT(first(&m, "\"Gemm\""), -1);
	CHECK_INT(first(&m, "\"\""), -1);
	CHECK_INT((int)m.seen.n, 12);
	name_match_free(&m);
}

static void test_values_that_are_no_strings(void)
{
	struct name_match m = {0};
	struct fault f;

	CHECK(name_match_regex(&m, "^12", &f));
	name_match_name(&m, STR("true"));
	CHECK_INT(first(&m, "123"), 0);
	CHECK_INT(first(&m, "312"), -1);
	CHECK_INT(first(&m, "true"), 1);
	CHECK_INT((int)name_match_first(&m, (struct str){NULL, 0}), (int)NAME_MATCH_NONE);
	CHECK_INT((int)m.seen.n, 0);
	name_match_free(&m);
}

static void test_fold(void)
{
	struct name_match m = {.fold = true};
	struct fault f;

	name_match_name(&m, STR("GeMM"));
	CHECK(name_match_regex(&m, "^relu", &f));
	CHECK_INT(first(&m, "\"gEmm\""), 0);
	CHECK_INT(first(&m, "\"gemmx\""), -1);
	CHECK_INT(first(&m, "\"ReLU_2\""), 1);
	name_match_free(&m);
}

/* A regular expression searches the whole name, also after a NUL; an exact name must be equal to the whole name. */
static void test_nul(void)
{
	struct name_match m = {0};
	struct fault f;

	name_match_name(&m, STR("a"));
	CHECK(name_match_regex(&m, "b$", &f));
	CHECK_INT(first(&m, "\"a\\u0000b\""), 1);
	CHECK_INT(first(&m, "\"a\\u0000\""), -1);
	name_match_free(&m);
}

static void test_syntax(void)
{
	struct name_match m = {0};
	struct fault f;

	CHECK(compiles(""));
	CHECK(compiles("a{2,3}(b|c)*[[:digit:]]"));
	CHECK(!compiles("("));
	CHECK(!name_match_regex(&m, "(a", &f));
	CHECK_STR(str_of(f.what), "unmatched ( or \\(");
	CHECK(!name_match_regex(&m, "\\d", &f));
	CHECK_STR(str_of(f.what), "\\d is not supported; write [0-9]");
	CHECK(!compiles("a["));
	CHECK(!compiles("a{2,1}"));
	CHECK(!compiles("a\\"));
	CHECK(!compiles("[[:nonsense:]]"));
	CHECK(!compiles("a{99999999}"));
	name_match_free(&m);
}

/* A point matches a NUL, and does not change the meaning of other characters. */
static void test_points(void)
{
	static const struct {
		const char *regex;
		bool matches; /* the text "a", NUL, "]." */
	} nul[] = {{"^....$", true}, {"^.*$", true}, {"^a.]", true}, {"a[^b][]].", true}, {"^a[^]].[.]$", true},
	    {"a.\\.", false}, {"a[.]", false}, {"^...$", false}, {"[[:cntrl:]]]", true}, {"a[^[:cntrl:]]", false}};
	static const char *const regexes[] = {".", "^.$", "[.]", "[^.]", "\\.", "[].]", "[^].]", "[[.].].]",
	    "[[:alpha:].]", "[[=a=].]", "[a[].", "[a\\].", "\\[.", "(.)\\1", "a.{2}", "[z-a].", "[.", "[[.",
	    "[[:alpha:]", "[[.].]", "a\\"};
	static const char *const texts[] = {
	    "", "a", ".", "]", "[", "\\", "\xff", "\n", "aa", "a.]", "[.", "]b", "aXX", "[[x"};
	struct fault f;
	regex_t plain, own;
	regmatch_t at[2], plain_at[2];
	size_t i, k;

	for (i = 0; i < sizeof nul / sizeof *nul; i++) {
		CHECK(name_match_compile(&own, nul[i].regex, 0, &f));
		CHECK_SHOW(
		    name_match_search(&own, (struct str){"a\0].", 4}, at, 2) == nul[i].matches, "%s", nul[i].regex);
		regfree(&own);
	}
	for (i = 0; i < sizeof regexes / sizeof *regexes; i++) {
		const bool valid = regcomp(&plain, regexes[i], REG_EXTENDED) == 0;

		CHECK_SHOW(name_match_compile(&own, regexes[i], 0, &f) == valid, "%s", regexes[i]);
		for (k = 0; valid && k < sizeof texts / sizeof *texts; k++) {
			const bool matches = regexec(&plain, texts[k], 2, plain_at, 0) == 0;

			CHECK_SHOW(name_match_search(&own, str_of(texts[k]), at, 2) == matches &&
				       (!matches || memcmp(at, plain_at, sizeof at) == 0),
			    "%s %s", regexes[i], texts[k]);
		}
		if (valid) {
			regfree(&plain);
			regfree(&own);
		}
	}
}

/* With more names than the cache stores, results stay correct and memory stays small. */
static void test_many(void)
{
	struct name_match m = {0};
	struct fault f;
	char json[64];
	unsigned i, wrong = 0;
	size_t most = 0;
	int n;

	CHECK(name_match_regex(&m, "7$", &f));
	for (i = 0; i < 200000; i++) {
		n = snprintf(json, sizeof json, "\"name number %u\"", i);
		wrong += (name_match_first(&m, (struct str){json, (size_t)n}) == 0) != (i % 10 == 7);
		wrong += name_match_first(&m, STR("\"name number 7\"")) != 0;
		most = m.seen.n > most ? m.seen.n : most;
	}
	CHECK_INT(wrong, 0);
	CHECK(most < 100000);
	name_match_free(&m);
}

void unit_test(void)
{
	test_rules();
	test_values_that_are_no_strings();
	test_fold();
	test_nul();
	test_syntax();
	test_points();
	test_many();
}
