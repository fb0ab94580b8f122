#include "json/put.h"
#include "test.h"

#define TEXT(b) ((struct str){(b)->p, (b)->n})

static void members(void)
{
	struct buf b = {0};

	put_open(&b, NULL, '{');
	put_text(&b, "a", STR("x\"y\n\xff"));
	put_int(&b, "b", INT64_MIN);
	put_open(&b, "c", '[');
	put_int(&b, NULL, 1);
	put_text(&b, NULL, STR(""));
	put_open(&b, NULL, '{');
	put_close(&b, '}');
	put_close(&b, ']');
	put_bool(&b, "d", true);
	put_json(&b, "e", STR("[2]"));
	put_close(&b, '}');
	CHECK_STR(TEXT(&b),
	    "{\"a\":\"x\\\"y\\n\xef\xbf\xbd\",\"b\":-9223372036854775808,\"c\":[1,\"\",{}],\"d\":true,\"e\":[2]}");
	buf_free(&b);
}

static void attachments(void)
{
	struct buf b = {0};

	put_bool(&b, "x", false);
	put_int(&b, "y", 2);
	put_double(&b, "z", 0.25);
	CHECK_STR(TEXT(&b), ",\"x\":false,\"y\":2,\"z\":0.25");
	buf_free(&b);
}

/* What JSON has no number for stays text. */
static void numbers(void)
{
	static const char *const texts[] = {"1.50", "-0", "1e3", "NaN", "inf", "1.", "+1", "0x1", "", "1e999"};
	struct buf b = {0};
	size_t i;

	put_open(&b, NULL, '[');
	for (i = 0; i < sizeof texts / sizeof *texts; i++)
		put_number(&b, NULL, str_of(texts[i]));
	put_close(&b, ']');
	CHECK_STR(TEXT(&b), "[1.50,-0,1e3,\"NaN\",\"inf\",\"1.\",\"+1\",\"0x1\",\"\",\"1e999\"]");
	buf_free(&b);
}

int main(void)
{
	members();
	attachments();
	numbers();
	return test_end();
}
