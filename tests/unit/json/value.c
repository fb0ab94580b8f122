/* value: the types of JSON values, and the numbers parsed from their text. */
#include "json/value.h"
#include "test.h"

static void values(void)
{
	struct value v;

	value_of(&v, STR("-12"));
	CHECK_INT(v.type, VALUE_INT);
	CHECK_INT(v.i, -12);
	CHECK_DOUBLE(v.d, -12);
	value_of(&v, STR("1.5"));
	CHECK_INT(v.type, VALUE_REAL);
	CHECK_DOUBLE(v.d, 1.5);
	value_of(&v, STR("9223372036854775808"));
	CHECK_INT(v.type, VALUE_REAL);
	value_of(&v, STR("\"a\""));
	CHECK_INT(v.type, VALUE_STRING);
	value_of(&v, STR("[1]"));
	CHECK_INT(v.type, VALUE_OTHER);
	value_of(&v, STR("true"));
	CHECK_INT(v.type, VALUE_OTHER);
	value_of(&v, (struct str){NULL, 0});
	CHECK_INT(v.type, VALUE_NONE);
}

static void integers(void)
{
	int64_t v = 7;

	CHECK(value_integer(STR("-12"), &v));
	CHECK_INT(v, -12);
	CHECK(value_integer(STR("\"3\""), &v));
	CHECK_INT(v, 3);
	CHECK(value_integer(STR("1e3"), &v));
	CHECK_INT(v, 1000);
	CHECK(!value_integer(STR("1.5"), &v));
	CHECK(!value_integer(STR("\"3 \""), &v));
	CHECK(!value_integer(STR("\"\""), &v));
	CHECK(!value_integer(STR("null"), &v));
	CHECK(!value_integer((struct str){NULL, 0}, &v));
}

void unit_test(void)
{
	values();
	integers();
}
