#include "picture/page.h"
#include "test.h"

static void check_value(enum column_kind kind, double most, long double v, const char *brief, const char *exact)
{
	const struct display_unit m = display_unit_of(kind, NULL, most);
	struct buf text = {0};

	display_put(&text, "%v", &m, (double)v);
	buf_char(&text, '\0');
	CHECK_STR(str_of(text.p), brief);
	text.n = 0;
	display_put(&text, "%e", &m, v);
	buf_char(&text, '\0');
	CHECK_STR(str_of(text.p), exact);
	buf_free(&text);
}

static void check_step(double low, double high, double room, bool whole, double step)
{
	const struct display_unit m = display_unit_of(COLUMN_TIME, NULL, high);
	const struct axis a = axis_of(&m, low, high, 0, 100, room, whole);

	CHECK(fabs(a.step - step) <= step * 1e-9);
	CHECK(fabs(axis_at(&a, a.low)) < 1e-9 && fabs(axis_at(&a, a.high) - 100) < 1e-9);
}

void unit_test(void)
{
	check_value(COLUMN_TIME, 999, 999, "999 ns", "999 ns");
	check_value(COLUMN_TIME, 1e3, 1234567, "1235 us", "1234.567 us");
	CHECK_STR(str_of(display_unit_of(COLUMN_TIME, &(struct table_options){.utf8 = true}, 1e3).unit), "µs");
	check_value(COLUMN_TIME, 5e9, 1234567891, "1.23 s", "1.234567891 s");
	check_value(COLUMN_TIME, 5e9, 9007199254740993, "9007199 s", "9007199.254740993 s");
	check_value(COLUMN_SIZE, 1e7, 2500000, "2.50 MB", "2.5 MB");
	check_value(COLUMN_SHARE, 1, 0.125L, "12.5 %", "12.5 %");
	check_value(COLUMN_ANY, 99999, 12, "12", "12");
	check_value(COLUMN_ANY, 1e5, 12345, "12.3 k", "12345");
	check_value(COLUMN_ANY, 999999, 500000, "500 k", "500000");
	check_value(COLUMN_ANY, 3e6, 2500000, "2.50 M", "2500000");
	check_value(COLUMN_ANY, 1, -0.5L, "-0.500", "-0.5");
	check_step(0, 100, 10, false, 10);
	check_step(0, 100, 24, false, 50);
	check_step(0, 3e6, 10, false, 5e5);
	check_step(0, 2, 10, true, 1);
	check_step(5, 5, 10, false, 0.1);
}
