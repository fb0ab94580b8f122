#include "json/write.h"
#include "test.h"

#define TEXT(b) ((struct str){(b)->p, (b)->n})

static void members(void)
{
	struct buf b = {0};

	json_write_begin(&b, NULL, '{');
	json_write_text(&b, "a", STR("x\"y\n\xff"));
	json_write_int(&b, "b", INT64_MIN);
	json_write_begin(&b, "c", '[');
	json_write_int(&b, NULL, 1);
	json_write_text(&b, NULL, STR(""));
	json_write_begin(&b, NULL, '{');
	json_write_end(&b, '}');
	json_write_end(&b, ']');
	json_write_bool(&b, "d", true);
	json_write_json(&b, "e", STR("[2]"));
	json_write_end(&b, '}');
	CHECK_STR(TEXT(&b),
	    "{\"a\":\"x\\\"y\\n\xef\xbf\xbd\",\"b\":-9223372036854775808,\"c\":[1,\"\",{}],\"d\":true,\"e\":[2]}");
	buf_free(&b);
}

static void attachments(void)
{
	struct buf b = {0};

	json_write_bool(&b, "x", false);
	json_write_int(&b, "y", 2);
	json_write_double(&b, "z", 0.25);
	CHECK_STR(TEXT(&b), ",\"x\":false,\"y\":2,\"z\":0.25");
	b.n = 0;
	json_write_member(&b, (struct str){"key", 2}, (struct str){"[1]", 3});
	json_write_member(&b, STR(""), STR("2"));
	json_write_member(&b, (struct str){NULL, 0}, STR("3"));
	json_write_name(&b, STR("a\"\n"));
	json_write_begin(&b, NULL, '{');
	CHECK_STR(TEXT(&b), ",\"ke\":[1],\"\":2,3,\"a\\\"\\n\":,{");
	buf_free(&b);
}

/* A value that is not a JSON number becomes a string. */
static void numbers(void)
{
	static const char *const texts[] = {"1.50", "-0", "1e3", "NaN", "inf", "1.", "+1", "0x1", "", "1e999"};
	struct buf b = {0};
	size_t i;

	json_write_begin(&b, NULL, '[');
	for (i = 0; i < sizeof texts / sizeof *texts; i++)
		json_write_number(&b, NULL, str_of(texts[i]));
	json_write_end(&b, ']');
	CHECK_STR(TEXT(&b), "[1.50,-0,1e3,\"NaN\",\"inf\",\"1.\",\"+1\",\"0x1\",\"\",\"1e999\"]");
	buf_free(&b);
}

void unit_test(void)
{
	members();
	attachments();
	numbers();
}
