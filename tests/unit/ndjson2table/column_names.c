/* column_names: the columns for the members of records, and their order, with and without args. */
#include "ndjson2table/column_names.h"

#include "samples.h"
#include "test.h"

static const char *const records[] = {
    "{\"zeta\":1,\"name\":\"a\",\"args\":{\"x\":1},\"ts\":5}",
    "{\"alpha\":null,\"src\":{},\"\\u006bind\":\"op\",\"zeta\":2}",
    "{}",
};

static void see_all(struct column_names *m)
{
	struct str copy;
	size_t i;

	for (i = 0; i < sizeof records / sizeof *records; i++) {
		copy = padded_copy(str_of(records[i]));
		column_names_see(m, copy);
		free((char *)copy.p);
	}
	column_names_settle(m);
}

static void check_names(const struct column_names *m, const char *const *names)
{
	size_t i;

	for (i = 0; names[i]; i++)
		CHECK(i < column_names_n(m) && str_eq(column_names_get(m, i), str_of(names[i])));
	CHECK_INT(column_names_n(m), i);
}

int main(void)
{
	static const char *const all[] = {"ts", "kind", "name", "zeta", "alpha", "args", "src", NULL};
	static const char *const few[] = {"ts", "kind", "name", "zeta", "alpha", NULL};
	struct column_names *whole = column_names_new(false), *brief = column_names_new(true),
			    *none = column_names_new(false);

	see_all(whole);
	check_names(whole, all);
	see_all(brief);
	check_names(brief, few);
	column_names_settle(none);
	CHECK_INT(column_names_n(none), 0);

	CHECK(column_names_skips(brief, STR("args")) && column_names_skips(brief, STR("src")) &&
	      !column_names_skips(brief, STR("ts")));
	CHECK(!column_names_skips(whole, STR("args")));

	/* The argument `guess` is the right column, a wrong column, or beyond the last column; then an absent name. */
	CHECK_INT(column_names_find(whole, STR("name"), 2), 2);
	CHECK_INT(column_names_find(whole, STR("name"), 3), 2);
	CHECK_INT(column_names_find(whole, STR("name"), 99), 2);
	CHECK(column_names_find(whole, STR("names"), 2) == MAP_NONE);
	CHECK(str_eq(column_names_name(whole, STR("\\u0061\\n")), STR("a\n")));
	CHECK(str_eq(column_names_name(whole, STR("plain")), STR("plain")));

	column_names_free(whole);
	column_names_free(brief);
	column_names_free(none);
	return test_end();
}
