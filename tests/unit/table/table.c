#include "table_output.h"
#include "base/num_format.h"
#include "base/units.h"
#include "base/int_math.h"

static void formats(void)
{
	options = (struct table_options){0};
	CHECK_STR(caught(report(TABLE_TABLE)), "name             count  dur_sum (ms)  dur_share (%)\n"
					       "at::k               12        43.211          100.0\n"
					       "Memset (Device)      3       0.00150            0.1\n");
	CHECK_STR(caught(report(TABLE_MD)), "| name            | count | dur_sum (ms) | dur_share (%) |\n"
					    "| --------------- | ----: | -----------: | ------------: |\n"
					    "| at::k           |    12 |       43.211 |         100.0 |\n"
					    "| Memset (Device) |     3 |      0.00150 |           0.1 |\n");
	CHECK_STR(caught(report(TABLE_LIST)), "name           at::k\n"
					      "count          12\n"
					      "dur_sum (ms)   43.211\n"
					      "dur_share (%)  100.0\n"
					      "\n"
					      "name           Memset (Device)\n"
					      "count          3\n"
					      "dur_sum (ms)   0.00150\n"
					      "dur_share (%)  0.1\n");
	CHECK_STR(caught(report(TABLE_CSV)), "name,count,dur_sum,dur_share\n"
					     "\"void at::k<int>(int, float)\",12,43210987,0.9995\n"
					     "Memset (Device),3,1500.5,0.0005\n");
	CHECK_STR(caught(report(TABLE_TSV)), "name\tcount\tdur_sum\tdur_share\n"
					     "void at::k<int>(int, float)\t12\t43210987\t0.9995\n"
					     "Memset (Device)\t3\t1500.5\t0.0005\n");
	CHECK_STR(caught(report(TABLE_NDJSON)),
	    "{\"name\":\"void at::k<int>(int, float)\",\"count\":12,\"dur_sum\":43210987,\"dur_share\":0.9995}\n"
	    "{\"name\":\"Memset (Device)\",\"count\":3,\"dur_sum\":1500.5,\"dur_share\":0.0005}\n");
	CHECK_STR(caught(report(TABLE_RAW)), "void at::k<int>(int, float)\n12\n43210987\n0.9995\n"
					     "Memset (Device)\n3\n1500.5\n0.0005\n");
	options.wide = true;
	options.time = units_find(STR("us"));
	CHECK_STR(caught(report(TABLE_TABLE)), "name                         count  dur_sum (us)  dur_share (%)\n"
					       "void at::k<int>(int, float)     12     43210.987          100.0\n"
					       "Memset (Device)                  3         1.501            0.1\n");
	CHECK_STR(caught(report(TABLE_CSV)), "name,count,dur_sum_us,dur_share\n"
					     "\"void at::k<int>(int, float)\",12,43210.987,0.9995\n"
					     "Memset (Device),3,1.5005,0.0005\n");
	options = (struct table_options){0};
}

/*
 * Returns the rows of a table with the columns x (its value is `json`) and y (its value is 1), without the header line.
 */
static struct str one(enum table_format format, const char *json)
{
	struct table *t = begin(format);
	struct str s;

	table_column(t, STR("x"), COLUMN_ANY);
	table_column(t, STR("y"), COLUMN_ANY);
	if (json)
		set(t, 0, json);
	set(t, 1, "1");
	table_row(t);
	s = caught(t);
	if (format != TABLE_NDJSON && format != TABLE_LIST)
		s = str_from(s, str_find(s, STR("\n")) + 1);
	return s;
}

static void quoting(void)
{
	CHECK_STR(one(TABLE_CSV, "\"plain text\""), "plain text,1\n");
	CHECK_STR(one(TABLE_CSV, "\"a,b\""), "\"a,b\",1\n");
	CHECK_STR(one(TABLE_CSV, "\"a\\\"b\""), "\"a\"\"b\",1\n");
	CHECK_STR(one(TABLE_CSV, "\"a\\nb\""), "\"a\nb\",1\n");
	CHECK_STR(one(TABLE_CSV, "\"a\\rb\""), "\"a\rb\",1\n");
	CHECK_STR(one(TABLE_CSV, "\"a\\tb\\u00e9\\\\\""), "a\tb\xc3\xa9\\,1\n");
	CHECK_STR(one(TABLE_CSV, "\"\""), "\"\",1\n");
	CHECK_STR(one(TABLE_CSV, NULL), ",1\n");
	CHECK_STR(one(TABLE_CSV, "[1,{\"a\":\"b\\\"\"}]"), "\"[1,{\"\"a\"\":\"\"b\\\"\"\"\"}]\",1\n");
	CHECK_STR(one(TABLE_CSV, "[]"), "[],1\n");
	CHECK_STR(one(TABLE_CSV, "true"), "true,1\n");
	CHECK_STR(one(TABLE_CSV, "1.50e3"), "1.50e3,1\n");
	CHECK_STR(one(TABLE_TSV, "\"a,\\\"b\""), "a,\"b\t1\n");
	CHECK_STR(one(TABLE_TSV, "\"a\\tb\\nc\\rd\\\\e\""), "a\\tb\\nc\\rd\\\\e\t1\n");
	CHECK_STR(one(TABLE_TSV, "[\"\\n\"]"), "[\"\\\\n\"]\t1\n");
	CHECK_STR(one(TABLE_NDJSON, "\"\\u00e9\""), "{\"x\":\"\\u00e9\",\"y\":1}\n");
	CHECK_STR(one(TABLE_NDJSON, NULL), "{\"y\":1}\n");
	CHECK_STR(one(TABLE_TABLE, "\"a\\nb\\tc\\u001b[1m\\u0085\""), "a\\nb\\tc\\x1b[1m\\x85  1\n");
	CHECK_STR(str_from(one(TABLE_MD, "\"a|b\\nc<d>\""), 24), "| a\\|b<br>c\\<d> |   1 |\n");
	CHECK_STR(one(TABLE_LIST, "{\"a\":1}"), "x  {\"a\":1}\ny  1\n");
	CHECK_STR(one(TABLE_LIST, NULL), "y  1\n");
}

/* Returns the text that num_put_scaled() makes from a number; cells show such texts. */
static struct str scaled_text(const char *number, int shift, int decimals)
{
	static char text[NUM_ROOM];
	char *end = num_put_scaled(text, str_of(number), shift, decimals);

	return end ? (struct str){text, (size_t)(end - text)} : STR("none");
}

static void scaled_numbers(void)
{
	CHECK_STR(scaled_text("1234500", 6, -1), "1.2345");
	CHECK_STR(scaled_text("-5", 3, -1), "-0.005");
	CHECK_STR(scaled_text("5", -2, -1), "500");
	CHECK_STR(scaled_text("-0", 3, 2), "0.00");
	CHECK_STR(scaled_text("-0.0004", 0, 3), "0.000");
	CHECK_STR(scaled_text("0.0005", 0, 3), "0.001");
	CHECK_STR(scaled_text("9.9995", 0, 3), "10.000");
	CHECK_STR(scaled_text("4944.25", 0, 1), "4944.3");
	CHECK_STR(scaled_text("12.5e-09", -9, -1), "12.5");
	CHECK_STR(scaled_text("1E+3", 1, 0), "100");
	CHECK_STR(scaled_text("9223372036854775807001", 6, -1), "9223372036854775.807001");
	CHECK_STR(scaled_text("1e300", 0, -1), "none");
	CHECK_STR(scaled_text("1e-300", 0, 2), "0.00");
}

static void numbers(void)
{
	const char *no = NULL;

	CHECK_STR(column(COLUMN_TIME, "t", "5", "-3", no), "t (ns)\n     5\n    -3\n");
	CHECK_STR(column(COLUMN_TIME, "t", "1.5", "10", no), "t (ns)\n   1.5\n  10.0\n");
	CHECK_STR(column(COLUMN_TIME, "t", "10000", "500", no), "t (us)\n  10.0\n   0.5\n");
	CHECK_STR(column(COLUMN_TIME, "t", "9999999", "1", no), "  t (us)\n9999.999\n   0.001\n");
	CHECK_STR(column(COLUMN_TIME, "t", "-12000000000", no), "t (s)\n  -12\n");
	CHECK_STR(column(COLUMN_TIME, "t", "\"x\"", no), "t\nx\n");
	CHECK_STR(column(COLUMN_TIME, "t", "12000", "", no), "t (us)\n    12\n\n");
	CHECK_STR(column(COLUMN_STAMP, "ts", "1668000000000000001", no), "            ts (ns)\n1668000000000000001\n");
	CHECK_STR(column(COLUMN_SIZE, "b", "1234567890", "1000", no), "  b (MB)\n1234.568\n   0.001\n");
	CHECK_STR(column(COLUMN_ANY, "x", "1", "2.25", "-10.5", no), "     x\n  1.00\n  2.25\n-10.50\n");
	CHECK_STR(column(COLUMN_ANY, "x", "0.123456789", no), "     x\n0.1235\n");
	CHECK_STR(column(COLUMN_ANY, "x", "0.000123456", no), "        x\n0.0001235\n");
	CHECK_STR(column(COLUMN_ANY, "x", "1234.56789", "1e300", no), "       x\n1234.568\n   1e300\n");
	CHECK_STR(column(COLUMN_ANY, "x", "7", "\"text\"", no), "x\n7\ntext\n");
	CHECK_STR(column(COLUMN_SHARE, "s", "1", "0.12345", no), "s (%)\n100.0\n 12.3\n");
	options.time = units_find(STR("us"));
	options.size = units_find(STR("KiB"));
	CHECK_STR(
	    column(COLUMN_STAMP, "ts", "1668000000000000001", no), "             ts (us)\n1668000000000000.001\n");
	CHECK_STR(column(COLUMN_SIZE, "b", "1536", "1024", no), "b (KiB)\n    1.5\n    1.0\n");
	options = (struct table_options){0};
}

static void scaled(void)
{
	struct table *t;

	options.time = units_find(STR("ms"));
	options.size = units_find(STR("KiB"));
	t = begin(TABLE_RAW);
	table_column(t, STR("dur"), COLUMN_TIME);
	table_column(t, STR("ts"), COLUMN_STAMP);
	table_column(t, STR("bytes"), COLUMN_SIZE);
	table_column(t, STR("n"), COLUMN_ANY);
	table_set_int(t, 0, (int128)INT64_MAX * 1000 + 1);
	table_set_int(t, 1, -1);
	table_set_int(t, 2, 1536);
	table_set_int(t, 3, (int128)INT64_MAX * 4);
	table_row(t);
	set(t, 0, "\"text\"");
	set(t, 1, "0");
	table_set_real(t, 2, NAN);
	table_row(t);
	CHECK_STR(caught(t), "9223372036854775.807001\n-0.000001\n1.5\n36893488147419103228\ntext\n0\n");
	options = (struct table_options){0};
}

static void one_column(void)
{
	struct table *t = begin(TABLE_CSV);

	table_column(t, STR("a,\"b\""), COLUMN_ANY);
	table_row(t);
	set(t, 0, "1");
	table_row(t);
	CHECK_STR(caught(t), "\"a,\"\"b\"\"\"\n\"\"\n1\n");
	CHECK_STR(caught(begin(TABLE_CSV)), "");
	CHECK_STR(caught(begin(TABLE_TABLE)), "");
	t = begin(TABLE_TABLE);
	table_column(t, STR("a"), COLUMN_ANY);
	CHECK_STR(caught(t), "a\n");
	t = begin(TABLE_TSV);
	table_column(t, STR("a\tb"), COLUMN_ANY);
	CHECK_STR(caught(t), "a\\tb\n");
	t = begin(TABLE_TABLE);
	table_column(t, STR("a"), COLUMN_ANY);
	table_none(t, 0, "(none)");
	table_row(t);
	set(t, 0, "12");
	table_row(t);
	CHECK_STR(caught(t), "     a\n(none)\n    12\n");
}

static void streaming(void)
{
	struct table *t;

	options.look = 2;
	t = begin(TABLE_TABLE);
	table_column(t, STR("name"), COLUMN_ANY);
	table_column(t, STR("x"), COLUMN_ANY);
	set(t, 0, "\"a\"");
	set(t, 1, "1");
	table_row(t);
	set(t, 1, "20");
	table_row(t);
	set(t, 0, "\"longer\"");
	set(t, 1, "2.5");
	table_row(t);
	set(t, 0, "\"longest of all\"");
	set(t, 1, "12345.5");
	table_row(t);
	CHECK_STR(caught(t), "name       x\na        1.0\n        20.0\nlonger   2.5\nlongest of all  12345.500\n");
	options.look = 0;
}

void unit_test(void)
{
	formats();
	quoting();
	scaled_numbers();
	numbers();
	scaled();
	one_column();
	streaming();
}
