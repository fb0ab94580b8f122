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
	column_names_order(m);
}

static void check_names(const struct column_names *m, const char *const *names)
{
	size_t i;

	for (i = 0; names[i]; i++)
		CHECK(i < m->names.n && str_eq(map_key(&m->names, i), str_of(names[i])));
	CHECK_INT(m->names.n, i);
}

/* Appends the name and the value of a visited member to a text. */
static void append(void *arg, struct str name, struct str value)
{
	struct buf *b = arg;

	buf_add(b, name.p, name.n);
	buf_char(b, '=');
	buf_add(b, value.p, value.n);
	buf_char(b, ' ');
}

static void check_visit(bool without_args, bool nested, const char *record, const char *want)
{
	struct column_names m = {.without_args = without_args, .nested = nested};
	struct str copy = padded_copy(str_of(record));
	struct buf got = {0};

	column_names_visit(&m, copy, append, &got);
	CHECK_STR(((struct str){got.p, got.n}), want);
	buf_free(&got);
	free((char *)copy.p);
	column_names_free(&m);
}

static void visits(void)
{
	static const char record[] =
	    "{\"\\u0061\\n\":1,\"args\":{\"x y\":{\"z\":[{}],\"e\":{}},\"n\":null},\"a.b\":{\"c\":2}}";

	check_visit(false, false, record, "a\n=1 args={\"x y\":{\"z\":[{}],\"e\":{}},\"n\":null} a.b={\"c\":2} ");
	check_visit(false, true, record, "a\n=1 args.x y.z=[{}] args.x y.e={} args.n=null \"a.b\".c=2 ");
	check_visit(true, true, record, "a\n=1 \"a.b\".c=2 ");
	check_visit(true, true, "{\"src\":1,\"api\":{\"ts\":5}}", "api.ts=5 ");
}

/* The members of args and src stay together at the end, whatever the order of the records. */
static void nested_order(void)
{
	static const char *const names[] = {"ts", "api.ts", "argsx", "args.a", "args.b", "src.t", NULL};
	struct column_names m = {.nested = true};
	struct str one = padded_copy(STR("{\"src\":{\"t\":1},\"args\":{\"a\":1},\"api\":{\"ts\":3},\"argsx\":1}")),
		   two = padded_copy(STR("{\"args\":{\"b\":1},\"ts\":1}"));

	column_names_see(&m, one);
	column_names_see(&m, two);
	column_names_order(&m);
	check_names(&m, names);
	free((char *)one.p);
	free((char *)two.p);
	column_names_free(&m);
}

void unit_test(void)
{
	static const char *const all[] = {"ts", "kind", "name", "zeta", "alpha", "args", "src", NULL};
	static const char *const few[] = {"ts", "kind", "name", "zeta", "alpha", NULL};
	struct column_names whole = {.nested = false}, brief = {.without_args = true}, none = {.nested = false};

	see_all(&whole);
	check_names(&whole, all);
	see_all(&brief);
	check_names(&brief, few);
	column_names_order(&none);
	CHECK_INT(none.names.n, 0);

	/* The argument `guess` is the right column, a wrong column, or beyond the last column; then an absent name. */
	CHECK_INT(column_names_find(&whole, STR("name"), 2), 2);
	CHECK_INT(column_names_find(&whole, STR("name"), 3), 2);
	CHECK_INT(column_names_find(&whole, STR("name"), 99), 2);
	CHECK(column_names_find(&whole, STR("names"), 2) == MAP_NONE);
	visits();
	nested_order();

	column_names_free(&whole);
	column_names_free(&brief);
	column_names_free(&none);
}
