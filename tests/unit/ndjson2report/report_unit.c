/* report_unit: numbers rounded and written in the units of a report. */
#include "test.h"

#include "ndjson2report/report_unit.h"

static struct report_number last;

/* Returns a JSON number as it is printed in a unit, with its unit after a space. */
static struct str in(const char *unit, const char *json)
{
	static char text[128];
	struct report_unit u;
	struct value v;
	int n;

	CHECK_SHOW(report_unit_read(&u, str_of(unit)), "%s", unit);
	value_of(&v, str_of(json));
	report_number_put(&last, &u, &v, NULL);
	n = snprintf(text, sizeof text, "%.*s%s%s", (int)last.n, last.text, *last.unit ? " " : "", last.unit);
	return (struct str){text, (size_t)n};
}

/* Returns a number in the unit of the number `before`, which is printed in the unit `unit`. */
static struct str same(const char *unit, const char *before, const char *json)
{
	static struct report_number number;
	struct report_unit u;
	struct value v;

	in(unit, before);
	CHECK(report_unit_read(&u, STR("same")));
	value_of(&v, str_of(json));
	report_number_put(&number, &u, &v, &last);
	CHECK_STR(str_of(number.unit), "");
	return report_number_text(&number);
}

static void check_times(void)
{
	CHECK_STR(in("time", "0"), "0 ns");
	CHECK_STR(in("time", "999"), "999 ns");
	CHECK_STR(in("time", "999.6"), "1.0 µs");
	CHECK_STR(in("time", "9949"), "9.9 µs");
	CHECK_STR(in("time", "9950"), "10 µs"); /* a half is rounded away from zero */
	CHECK_STR(in("time", "13499"), "13 µs");
	CHECK_STR(in("time", "592000"), "592 µs");
	CHECK_STR(in("time", "999499"), "999 µs");
	CHECK_STR(in("time", "999500"), "1.0 ms");
	CHECK_STR(in("time", "87921000"), "87.9 ms");
	CHECK_STR(in("time", "999949999"), "999.9 ms");
	CHECK_STR(in("time", "999950000"), "1.00 s");
	CHECK_STR(in("time", "1250000000"), "1.25 s");
	CHECK_STR(in("time", "9223372036854775807"), "9,223,372,037 s");
	CHECK_STR(in("time", "-3300000"), "-3.3 ms");
	CHECK_STR(in("+time", "8020000"), "+8.0 ms");
	CHECK_STR(in("+time", "0"), "0 ns");
	CHECK_STR(in("time.2", "87921000"), "87.92 ms");
	CHECK_STR(in("ms", "87921000"), "87.9 ms");
	CHECK_STR(in("ms", "16"), "0.0 ms");
	CHECK_STR(in("ms", "-16"), "0.0 ms"); /* no -0.0 */
	CHECK_STR(in("us", "3110833"), "3,110.8 µs");
	CHECK_STR(in("s.3", "1500000"), "0.002 s");
	CHECK_STR(in("time", "1e300"), "1e300 ns"); /* too many digits for a scaled number */
}

static void check_others(void)
{
	CHECK_STR(in("number", "1234.56789"), "1,234.568");
	CHECK_STR(in("number", "1009"), "1,009");
	CHECK_STR(in("int", "1009"), "1009");
	CHECK_STR(in("count", "999"), "999");
	CHECK_STR(in("count", "4463"), "4,463");
	CHECK_STR(in("count", "-109126"), "-109,126");
	CHECK_STR(in("count", "1234567890"), "1,234,567,890");
	CHECK_STR(in("count", "-9223372036854775808"), "-9,223,372,036,854,775,808");
	CHECK_STR(in("count.1", "1234.56"), "1,234.6");
	CHECK_STR(in("count", "2.5"), "3");
	CHECK_STR(in("share", "0.189006"), "19 %");
	CHECK_STR(in("share.1", "0.8353"), "83.5 %");
	CHECK_STR(in("share", "0.005"), "1 %");
	CHECK_STR(in("share", "1"), "100 %");
	CHECK_STR(in("percent", "32.4"), "32 %");
	CHECK_STR(in("bytes", "999"), "999 B");
	CHECK_STR(in("bytes", "100896"), "101 kB");
	CHECK_STR(in("bytes", "423923260"), "424 MB");
	CHECK_STR(in("bytes", "76353248"), "76.4 MB");
	CHECK_STR(in("bytes", "999950"), "1.0 MB");
	CHECK_STR(in("bytes", "1821299360"), "1.8 GB");
	CHECK_STR(in("MB", "100896"), "0.1 MB");
	CHECK_STR(in("rate", "8.3687"), "8.4 GB/s");
	CHECK_STR(in("rate", "665.923"), "666 GB/s");
	CHECK_STR(in("rate", "0.9431"), "943 MB/s");
	CHECK_STR(in("rate", "2.5e-9"), "3 B/s");
	CHECK_STR(in("GB/s.2", "8.3687"), "8.37 GB/s");
}

static void check_same(void)
{
	CHECK_STR(same("time", "87921000", "83443000"), "83.4");
	CHECK_STR(same("time", "87921000", "1000000000"), "1,000.0");
	CHECK_STR(same("time", "592000", "11031000"), "11,031");
	CHECK_STR(same("share.1", "0.5", "0.25"), "25.0");
	CHECK_STR(same("count", "4463", "8568"), "8,568");
	CHECK_STR(same("count", "4463", "0.25"), "0.3"); /* not 0 */
	CHECK_STR(same("time", "471000", "467"), "0.5"); /* not 0 */
	CHECK_STR(same("time", "471000", "4"), "0.004");
	CHECK_STR(same("time", "471000", "0"), "0");
	CHECK_STR(same("ms.2", "471000000", "-1200"), "-0.001");
	CHECK_STR(same("int", "1009", "1014"), "1014");
	CHECK_STR(in("same", "1014"), "1,014"); /* the first number of a text */
}

static void check_words(void)
{
	static const char *const bad[] = {
	    "", "+", "ms.", "ms.x", ".1", "time.10", "Time", "times", "kb", "++ms", "ms "};
	struct report_unit u;
	struct value v;
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK_SHOW(
		    !report_unit_read(&u, str_of(bad[i])) && u.kind == REPORT_VALUE_NONE && !u.sign && u.decimals == -1,
		    "'%s'", bad[i]);
	CHECK(report_unit_read(&u, STR("name")) && report_unit_is_text(&u));
	CHECK(!report_unit_read(&u, STR("path")));
	CHECK(report_unit_read(&u, STR("int")) && !report_unit_is_text(&u));
	/* a number without a unit */
	report_unit_read(&u, STR(""));
	value_of(&v, STR("1234.5000"));
	report_number_put(&last, &u, &v, NULL);
	CHECK_STR(report_number_text(&last), "1,234.5");
	value_of(&v, STR("120"));
	report_number_put(&last, &u, &v, NULL);
	CHECK_STR(report_number_text(&last), "120");
	value_of(&v, STR("1e300"));
	report_number_put(&last, &u, &v, NULL);
	CHECK_STR(report_number_text(&last), "1e300");
	value_of(&v, STR("0.00049"));
	report_number_put(&last, &u, &v, NULL);
	CHECK_STR(report_number_text(&last), "0");
}

void unit_test(void)
{
	check_times();
	check_others();
	check_same();
	check_words();
}
