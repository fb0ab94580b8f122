#include "base/int_math.h"
#include "base/num_format.h"
#include "base/units.h"
#include "json/string.h"
#include "table/table.h"
#include "test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static struct table_options options;
static struct out out;
static FILE *file;
static int saved;

/* What is written to standard output from here on is caught, until caught() gives it. */
static struct table *begin(enum table_format format)
{
	fflush(stdout);
	file = tmpfile();
	saved = dup(STDOUT_FILENO);
	dup2(fileno(file), STDOUT_FILENO);
	out_open(&out);
	options.format = format;
	return table_open(&out, &options);
}

static struct str caught(struct table *t)
{
	static char text[65536];
	size_t n;

	table_close(t);
	CHECK(out_flush(&out));
	free(out.p);
	rewind(file);
	n = fread(text, 1, sizeof text, file);
	fclose(file);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	return (struct str){text, n};
}

static void set(struct table *t, size_t column, const char *json)
{
	struct value v;

	value_of(&v, str_of(json));
	table_set(t, column, &v);
}

/* Names and numbers as a report has them. */
static struct table *report(enum table_format format)
{
	struct table *t = begin(format);

	table_column(t, STR("name"), COLUMN_NAME);
	table_column(t, STR("count"), COLUMN_ANY);
	table_column(t, STR("dur_sum"), COLUMN_TIME);
	table_column(t, STR("dur_share"), COLUMN_SHARE);
	set(t, 0, "\"void at::k<int>(int, float)\"");
	table_set_int(t, 1, 12);
	table_set_int(t, 2, 43210987);
	table_set_real(t, 3, 0.9995);
	table_row(t);
	set(t, 0, "\"Memset (Device)\"");
	table_set_int(t, 1, 3);
	table_set_real(t, 2, 1500.5);
	table_set_real(t, 3, 0.0005);
	table_row(t);
	return t;
}

static void formats(void)
{
	options = (struct table_options){0};
	CHECK_STR(caught(report(TABLE_TABLE)), "name             count  dur_sum (ms)  dur_share (%)\n"
					       "at::k               12        43.211          100.0\n"
					       "Memset (Device)      3         0.002            0.1\n");
	CHECK_STR(caught(report(TABLE_MD)), "| name            | count | dur_sum (ms) | dur_share (%) |\n"
					    "| --------------- | ----: | -----------: | ------------: |\n"
					    "| at::k           |    12 |       43.211 |         100.0 |\n"
					    "| Memset (Device) |     3 |        0.002 |           0.1 |\n");
	CHECK_STR(caught(report(TABLE_LIST)), "name           at::k\n"
					      "count          12\n"
					      "dur_sum (ms)   43.211\n"
					      "dur_share (%)  100.0\n"
					      "\n"
					      "name           Memset (Device)\n"
					      "count          3\n"
					      "dur_sum (ms)   0.002\n"
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
	options.time = num_unit(STR("us"));
	CHECK_STR(caught(report(TABLE_TABLE)), "name                         count  dur_sum (us)  dur_share (%)\n"
					       "void at::k<int>(int, float)     12     43210.987          100.0\n"
					       "Memset (Device)                  3         1.501            0.1\n");
	CHECK_STR(caught(report(TABLE_CSV)), "name,count,dur_sum,dur_share\n"
					     "\"void at::k<int>(int, float)\",12,43210987,0.9995\n"
					     "Memset (Device),3,1500.5,0.0005\n");
	options = (struct table_options){0};
}

/* One cell of a column, alone or before another, in a format. */
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

/* num_put_scaled(), which the cells come from. */
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

/* A column of numbers, as a table shows them after its header. */
static struct str column(enum column_kind kind, const char *name, ...)
{
	struct table *t = begin(TABLE_TABLE);
	const char *json;
	va_list ap;

	table_column(t, str_of(name), kind);
	va_start(ap, name);
	while ((json = va_arg(ap, const char *))) {
		if (*json)
			set(t, 0, json);
		table_row(t);
	}
	va_end(ap);
	return caught(t);
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
	options.time = num_unit(STR("us"));
	options.size = num_unit(STR("KiB"));
	CHECK_STR(column(COLUMN_STAMP, "ts", "1668000000000000001", no), "             ts (us)\n1668000000000000.001\n");
	CHECK_STR(column(COLUMN_SIZE, "b", "1536", "1024", no), "b (KiB)\n    1.5\n    1.0\n");
	options = (struct table_options){0};
}

static void scaled(void)
{
	struct table *t;

	options.time = num_unit(STR("ms"));
	options.size = num_unit(STR("KiB"));
	t = begin(TABLE_RAW);
	table_column(t, STR("dur"), COLUMN_TIME);
	table_column(t, STR("ts"), COLUMN_STAMP);
	table_column(t, STR("bytes"), COLUMN_SIZE);
	table_column(t, STR("n"), COLUMN_ANY);
	table_set_int(t, 0, (num_i128)INT64_MAX * 1000 + 1);
	table_set_int(t, 1, -1);
	table_set_int(t, 2, 1536);
	table_set_int(t, 3, (num_i128)INT64_MAX * 4);
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

#define HAN "\xe4\xb8\x80\xe4\xba\x8c\xe4\xb8\x89\xe5\x9b\x9b\xe4\xba\x94\xe5\x85\xad\xe4\xb8\x83" /* 1 to 7 */

/* Rows in a terminal of `width` columns. */
static struct str fitted(int width, const char *a, const char *b)
{
	struct table *t;

	options.width = width;
	t = begin(TABLE_TABLE);
	table_column(t, STR("a"), COLUMN_ANY);
	table_column(t, STR("n"), COLUMN_ANY);
	table_column(t, STR("b"), COLUMN_ANY);
	set(t, 0, a);
	set(t, 1, "123456789");
	set(t, 2, b);
	table_row(t);
	options.width = 0;
	return caught(t);
}

static void fitting(void)
{
	CHECK_STR(fitted(60, "\"0123456789abcdefghijklmnop\"", "\"xyz\""),
	    "a                                   n  b\n0123456789abcdefghijklmnop  123456789  xyz\n");
	CHECK_STR(fitted(36, "\"0123456789abcdefghijklmnop\"", "\"xyz\""),
	    "a                             n  b\n0123456789\xe2\x80\xa6hijklmnop  123456789  xyz\n");
	CHECK_STR(fitted(57, "\"0123456789abcdefghijklmnop\"", "\"0123456789abcdefghijklmnop\""),
	    "a                               n  b\n"
	    "0123456789a\xe2\x80\xa6ghijklmnop  123456789  0123456789a\xe2\x80\xa6ghijklmnop\n");
	/* Not below what can be read, nor, where that is not enough, below much more. Never numbers. */
	CHECK_STR(fitted(35, "\"0123456789abcdefghijklmnop\"", "\"xyz\""),
	    "a                                   n  b\n0123456789abcdefghijklmnop  123456789  xyz\n");
	CHECK_STR(fitted(10, "\"0123456789abcdefghijklmnopqrstuvwxyz\"", "\"xyz\""),
	    "a                                         n  b\n"
	    "0123456789abcdef\xe2\x80\xa6lmnopqrstuvwxyz  123456789  xyz\n");
	/* Wide characters are two columns: here one stays empty. */
	CHECK_STR(fitted(38, "\"" HAN HAN "\"", "\"xyz\""),
	    "a                               n  b\n"
	    "\xe4\xb8\x80\xe4\xba\x8c\xe4\xb8\x89\xe5\x9b\x9b\xe4\xba\x94\xe2\x80\xa6"
	    "\xe4\xb8\x89\xe5\x9b\x9b\xe4\xba\x94\xe5\x85\xad\xe4\xb8\x83   123456789  xyz\n");
}

/* Before texts are cut, units go under the names of their columns; only in a table, in a terminal. */
static void stacked(void)
{
	const char *flat = "name             count  dur_sum (ms)  dur_share (%)\n"
			   "at::k               12        43.211          100.0\n"
			   "Memset (Device)      3         0.002            0.1\n";

	options.width = 51;
	CHECK_STR(caught(report(TABLE_TABLE)), flat);
	options.width = 50;
	CHECK_STR(caught(report(TABLE_TABLE)), "name             count  dur_sum  dur_share\n"
					       "                           (ms)        (%)\n"
					       "at::k               12   43.211      100.0\n"
					       "Memset (Device)      3    0.002        0.1\n");
	CHECK(str_starts(caught(report(TABLE_MD)), STR("| name            | count | dur_sum (ms) |")));
	CHECK(str_starts(caught(report(TABLE_LIST)), STR("name           at::k\ncount          12\ndur_sum (ms) ")));
	options.wide = true;
	CHECK(str_starts(caught(report(TABLE_TABLE)), STR("name                         count  dur_sum (ms)")));
	options = (struct table_options){0};
	/* Not where it would save nothing. */
	options.width = 5;
	CHECK_STR(column(COLUMN_STAMP, "ts", "1668000000000000001", NULL), "            ts (ns)\n1668000000000000001\n");
	CHECK_STR(column(COLUMN_TIME, "t", "5", NULL), "   t\n(ns)\n   5\n");
	options.width = 0;
}

/* A column of names in a terminal. */
static struct str named(int width, const char *const *names)
{
	struct table *t;

	options.width = width;
	t = begin(TABLE_TABLE);
	table_column(t, STR("name"), COLUMN_NAME);
	for (; *names; names++) {
		struct buf json = {0};

		json_quote(&json, str_of(*names));
		buf_char(&json, '\0');
		set(t, 0, json.p);
		buf_free(&json);
		table_row(t);
	}
	options.width = 0;
	return caught(t);
}

/* Names that are not the same do not look the same. */
static void distinct(void)
{
	static const char *const middle[] = {"split_embedding_forward_kernel_per_row_1",
	    "split_embedding_backward_kernel_per_row_1", "split_embedding_forward_kernel_per_row_1", "other", NULL};
	static const char *const two[] = {"gemm_with_fp16_inputs_and_rather_nn_layout_here",
	    "gemm_with_fp16_inputs_and_rather_nt_layout_here", "gemm_with_fp32_inputs_and_rather_nn_layout_here",
	    "gemm_with_fp32_inputs_and_rather_nt_layout_here", NULL};
	static const char *const shorts[] = {"void at::k<int>(int, float)", "void at::k<float>(int, float)",
	    "void at::j<float>(int, float)", NULL};
	static const char *const both[] = {"void split_adagrad_unweighted_kernel_cta_per_row_1<long, 2ul>(int)",
	    "void split_adagrad_unweighted_kernel_warp_per_row_1<long, 2ul>(int)",
	    "void split_adagrad_unweighted_kernel_cta_per_row_1<long, 5ul>(int)",
	    "void split_adagrad_unweighted_kernel_warp_per_row_1<long, 5ul>(int)", NULL};
	static const char *const begins[] = {"the beginning of a name", "the beginning of a name of a name", NULL};

	CHECK_STR(named(20, middle), "name\n"
				     "split_\xe2\x80\xa6g_forwar\xe2\x80\xa6ow_1\n"
				     "split_\xe2\x80\xa6g_backwa\xe2\x80\xa6ow_1\n"
				     "split_\xe2\x80\xa6g_forwar\xe2\x80\xa6ow_1\nother\n");
	/* What differs behind a short form is not all: cta and warp would be seen without it. */
	CHECK_STR(named(32, both), "name\n"
				   "split_\xe2\x80\xa6" "el_cta_per_r\xe2\x80\xa6g, 2ul>(int)\n"
				   "split_\xe2\x80\xa6" "el_warp_per_\xe2\x80\xa6g, 2ul>(int)\n"
				   "split_\xe2\x80\xa6" "el_cta_per_r\xe2\x80\xa6g, 5ul>(int)\n"
				   "split_\xe2\x80\xa6" "el_warp_per_\xe2\x80\xa6g, 5ul>(int)\n");
	CHECK_STR(named(80, middle), "name\nsplit_embedding_forward_kernel_per_row_1\n"
				     "split_embedding_backward_kernel_per_row_1\n"
				     "split_embedding_forward_kernel_per_row_1\nother\n");
	CHECK_STR(named(20, two), "name\n"
				  "gemm_\xe2\x80\xa6p16_i\xe2\x80\xa6nn_la\xe2\x80\xa6re\n"
				  "gemm_\xe2\x80\xa6p16_i\xe2\x80\xa6nt_la\xe2\x80\xa6re\n"
				  "gemm_\xe2\x80\xa6p32_i\xe2\x80\xa6nn_la\xe2\x80\xa6re\n"
				  "gemm_\xe2\x80\xa6p32_i\xe2\x80\xa6nt_la\xe2\x80\xa6re\n");
	CHECK_STR(named(80, shorts), "name\nat::k<int>(int, float)\nat::k<float>(int, float)\nat::j\n");
	CHECK_STR(named(20, begins), "name\nthe beginning \xe2\x80\xa6 name\nthe be\xe2\x80\xa6\x61me of a name\n");
	/* Without a terminal the table does not depend on what else is in it. */
	CHECK_STR(named(0, shorts), "name\nat::k\nat::k\nat::j\n");
}

/* Lines that differ, without the header; SIZE_MAX when one is wider. */
static size_t different_lines(struct str table, size_t width)
{
	struct map lines = {0};
	struct str line;
	bool fits = true;
	size_t n;

	str_split(&table, '\n', &line);
	while (str_split(&table, '\n', &line) && (line.n || table.n)) {
		map_put(&lines, line);
		fits &= utf8_width(line) <= width;
	}
	n = fits ? lines.n : SIZE_MAX;
	map_free(&lines);
	return n;
}

/* Five wide characters that differ have room in 20 columns, but nothing beside them. */
static void wide_names(void)
{
	enum { NAMES = 32 };
	static char text[NAMES][128];
	const char *names[NAMES + 1] = {NULL};
	int i, bit;

	for (i = 0; i < NAMES; i++) {
		char *p = text[i];

		for (bit = 1; bit < NAMES; bit *= 2) {
			memcpy(p, "abcdefgh", 8);
			memcpy(p + 8, i & bit ? "\xe4\xb8\x80" : "\xe4\xba\x8c", 3);
			p += 11;
		}
		memcpy(p, "abcdefgh", 9);
		names[i] = text[i];
	}
	CHECK_INT(different_lines(named(20, names), 20), NAMES);
}

/* Names of random parts, in all widths that there may be: as many lines that differ as there are names, none too wide. */
static void random_names(void)
{
	static const char *const parts[] = {"gemm", "fp16", "fp32", "_", "::", "x", "64", "128", "\xe4\xb8\x80",
	    "e\xcc\x81", "kernel", "<int>", "<float>", "(anonymous namespace)", "elementwise", "\xe4\xba\x8c"};
	enum { NAMES = 60, TABLES = 300, PARTS = sizeof parts / sizeof *parts };
	static char text[NAMES][512];
	const char *names[NAMES + 1];
	uint32_t seed = 1;
	int i, k, parts_left, width, wrong = 0;

	for (i = 0; i < TABLES; i++) {
		struct map whole = {0};

		width = 20 + i % 60;
		for (k = 0; k < NAMES; k++) {
			char *p = text[k];

			for (parts_left = 1 + i % 12; parts_left; parts_left--) {
				const char *part = parts[(seed = seed * 1664525 + 1013904223) >> 16 & (PARTS - 1)];

				memcpy(p, part, strlen(part));
				p += strlen(part);
			}
			*p = '\0';
			names[k] = text[k];
			map_put(&whole, str_of(names[k]));
		}
		names[NAMES] = NULL;
		wrong += different_lines(named(width, names), (size_t)width) != whole.n;
		map_free(&whole);
	}
	CHECK_INT(wrong, 0);
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

int main(void)
{
	formats();
	quoting();
	scaled_numbers();
	numbers();
	scaled();
	one_column();
	fitting();
	stacked();
	distinct();
	wide_names();
	random_names();
	streaming();
	return test_end();
}
