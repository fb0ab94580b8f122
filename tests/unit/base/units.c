/* units: tests quantities with and without a unit, including those at the limits of int64. */
#include "test.h"

#include "base/units.h"
#include "base/num_parse.h"

static void check_quantity(const char *text, enum num_result want, int64_t value, const char *unit_name)
{
	const struct unit *unit;
	int64_t v = 0;

	CHECK_INT(units_parse(str_of(text), &v, &unit), want);
	if (want != NUM_OK)
		return;
	CHECK_INT(v, value);
	CHECK_STR(unit ? str_of(unit->name) : STR(""), unit_name);
}

static void test_quantities(void)
{
	const struct unit *unit;
	size_t i;

	check_quantity("1.5ms", NUM_OK, 1500000, "ms");
	check_quantity("64MiB", NUM_OK, 67108864, "MiB");
	check_quantity("7", NUM_OK, 7, "");
	check_quantity("2.5µs", NUM_OK, 2500, "us");
	check_quantity("10s", NUM_OK, 10000000000, "s");
	check_quantity("0.5GiB", NUM_OK, 1 << 29, "GiB");
	check_quantity("1.5KiB", NUM_OK, 1536, "KiB");
	check_quantity("0.7KiB", NUM_OK, 717, "KiB");
	check_quantity("0.7777kB", NUM_OK, 778, "kB");
	check_quantity("1e3us", NUM_OK, 1000000, "us");
	check_quantity("1e-3s", NUM_OK, 1000000, "s");
	check_quantity("-2us", NUM_OK, -2000, "us");
	check_quantity("9223372036854775807ns", NUM_OK, INT64_MAX, "ns");
	check_quantity("9223372036.854775807s", NUM_OK, INT64_MAX, "s");
	check_quantity("9223372036.854775808s", NUM_RANGE, 0, "");
	check_quantity("8589934591GiB", NUM_OK, (int64_t)8589934591 << 30, "GiB");
	check_quantity("8589934592GiB", NUM_RANGE, 0, "");
	check_quantity("9007199254740991KiB", NUM_OK, (int64_t)9007199254740991 << 10, "KiB");
	check_quantity("9007199254740992KiB", NUM_RANGE, 0, "");
	check_quantity("-9007199254740992KiB", NUM_OK, INT64_MIN, "KiB");
	check_quantity("", NUM_BAD, 0, "");
	check_quantity("ms", NUM_BAD, 0, "");
	check_quantity("1 ms", NUM_BAD, 0, "");
	check_quantity("1MS", NUM_BAD, 0, "");
	check_quantity("1m", NUM_BAD, 0, "");
	check_quantity("1msx", NUM_BAD, 0, "");
	check_quantity("1.ms", NUM_BAD, 0, "");
	check_quantity("01ms", NUM_BAD, 0, "");
	check_quantity(".5ms", NUM_BAD, 0, "");
	check_quantity("1e", NUM_BAD, 0, "");
	for (i = 0; (unit = units_at(i)); i++)
		CHECK(units_find(str_of(unit->name)) == unit);
	CHECK_INT(i, 11);
	CHECK(!units_find(STR("")));
	CHECK(!units_find(STR("n")));
}

static void test_names(void)
{
	CHECK(units_same_name(STR("dur_sum"), STR("dur_us_sum")));
	CHECK(units_same_name(STR("dur_ms_sum"), STR("dur_us_sum")));
	CHECK(units_same_name(STR("ts/10ms"), STR("ts_us/10ms")));
	CHECK(units_same_name(STR("bytes"), STR("bytes_KiB")));
	CHECK(!units_same_name(STR("dur_sum"), STR("dur_us_max")));
	CHECK(!units_same_name(STR("dur"), STR("dur_user")));
	CHECK(!units_same_name(STR("dur"), STR("dur_")));
	CHECK(!units_same_name(STR("us_sum"), STR("sum")));
}

void unit_test(void)
{
	test_quantities();
	test_names();
}
