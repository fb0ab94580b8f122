/* table_fit: tables in a terminal: their columns fit its width, and different texts look different. */
#include "base/map.h"
#include "json/string.h"
#include "table_output.h"
#include "table/text_width.h"

#define HAN "\xe4\xb8\x80\xe4\xba\x8c\xe4\xb8\x89\xe5\x9b\x9b\xe4\xba\x94\xe5\x85\xad\xe4\xb8\x83" /* 1 to 7 */

/* Returns a table with the cells a, 123456789 and b, in a terminal of `width` columns. */
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
	/*
	 * Text is not cut below 20 columns, or, if lines do not fit with 20, below 12. If lines do not fit with 12
	 * either, each cell has its own line. Numbers are never cut.
	 */
	CHECK_STR(fitted(35, "\"0123456789abcdefghijklmnop\"", "\"xyz\""),
	    "a                            n  b\n012345678\xe2\x80\xa6hijklmnop  123456789  xyz\n");
	CHECK_STR(fitted(10, "\"0123456789abcdefghijklmnopqrstuvwxyz\"", "\"xyz\""),
	    "a  0123456789\xe2\x80\xa6rstuvwxyz\nn  123456789\nb  xyz\n");
	/* Wide characters take two columns each: here one column stays empty. */
	CHECK_STR(fitted(38, "\"" HAN HAN "\"", "\"xyz\""),
	    "a                               n  b\n"
	    "\xe4\xb8\x80\xe4\xba\x8c\xe4\xb8\x89\xe5\x9b\x9b\xe4\xba\x94\xe2\x80\xa6"
	    "\xe4\xb8\x89\xe5\x9b\x9b\xe4\xba\x94\xe5\x85\xad\xe4\xb8\x83   123456789  xyz\n");
}

/*
 * Before texts are cut, units move below the names of their columns. This applies only to the table format, in a
 * terminal.
 */
static void stacked(void)
{
	const char *flat = "name             count  dur_sum (ms)  dur_share (%)\n"
			   "at::k               12        43.211          100.0\n"
			   "Memset (Device)      3       0.00150            0.1\n";

	options.width = 51;
	CHECK_STR(caught(report(TABLE_TABLE)), flat);
	options.width = 50;
	CHECK_STR(caught(report(TABLE_TABLE)), "name             count  dur_sum  dur_share\n"
					       "                           (ms)        (%)\n"
					       "at::k               12   43.211      100.0\n"
					       "Memset (Device)      3  0.00150        0.1\n");
	CHECK(str_starts(caught(report(TABLE_MD)), STR("| name            | count | dur_sum (ms) |")));
	CHECK(str_starts(caught(report(TABLE_LIST)), STR("name           at::k\ncount          12\ndur_sum (ms) ")));
	options.wide = true;
	CHECK(str_starts(caught(report(TABLE_TABLE)), STR("name                         count  dur_sum (ms)")));
	options = (struct table_options){0};
	/* Units are not moved when this would save no width. */
	options.width = 5;
	CHECK_STR(
	    column(COLUMN_STAMP, "ts", "1668000000000000001", NULL), "            ts (ns)\n1668000000000000001\n");
	CHECK_STR(column(COLUMN_TIME, "t", "5", NULL), "   t\n(ns)\n   5\n");
	options.width = 0;
}

/* Returns a table with one column of names, in a terminal of `width` columns. */
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

/* Names that differ must look different. */
static void distinct(void)
{
	static const char *const middle[] = {"split_embedding_forward_kernel_per_row_1",
	    "split_embedding_backward_kernel_per_row_1", "split_embedding_forward_kernel_per_row_1", "other", NULL};
	static const char *const two[] = {"gemm_with_fp16_inputs_and_rather_nn_layout_here",
	    "gemm_with_fp16_inputs_and_rather_nt_layout_here", "gemm_with_fp32_inputs_and_rather_nn_layout_here",
	    "gemm_with_fp32_inputs_and_rather_nt_layout_here", NULL};
	static const char *const shorts[] = {
	    "void at::k<int>(int, float)", "void at::k<float>(int, float)", "void at::j<float>(int, float)", NULL};
	static const char *const both[] = {"void split_adagrad_unweighted_kernel_cta_per_row_1<long, 2ul>(int)",
	    "void split_adagrad_unweighted_kernel_warp_per_row_1<long, 2ul>(int)",
	    "void split_adagrad_unweighted_kernel_cta_per_row_1<long, 5ul>(int)",
	    "void split_adagrad_unweighted_kernel_warp_per_row_1<long, 5ul>(int)", NULL};
	static const char *const begins[] = {"the beginning of a name", "the beginning of a name of a name", NULL};

	CHECK_STR(named(20, middle), "name\n"
				     "split_\xe2\x80\xa6g_forwar\xe2\x80\xa6ow_1\n"
				     "split_\xe2\x80\xa6g_backwa\xe2\x80\xa6ow_1\n"
				     "split_\xe2\x80\xa6g_forwar\xe2\x80\xa6ow_1\nother\n");
	/*
	 * If names differ in their short forms (cta, warp) and also in the text after these (2ul, 5ul), both
	 * differences are shown.
	 */
	CHECK_STR(named(32, both), "name\n"
				   "split_\xe2\x80\xa6"
				   "el_cta_per_r\xe2\x80\xa6g, 2ul>(int)\n"
				   "split_\xe2\x80\xa6"
				   "el_warp_per_\xe2\x80\xa6g, 2ul>(int)\n"
				   "split_\xe2\x80\xa6"
				   "el_cta_per_r\xe2\x80\xa6g, 5ul>(int)\n"
				   "split_\xe2\x80\xa6"
				   "el_warp_per_\xe2\x80\xa6g, 5ul>(int)\n");
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
	/* Also where nothing is cut, without a terminal. */
	CHECK_STR(named(0, shorts), "name\nat::k<int>(int, float)\nat::k<float>(int, float)\nat::j\n");
}

/* Counts the different lines, without the header; SIZE_MAX when a line is wider than `width`. */
static size_t different_lines(struct str table, size_t width)
{
	struct map lines = {0};
	struct str line;
	bool fits = true;
	size_t n;

	str_split(&table, '\n', &line);
	while (str_split(&table, '\n', &line) && (line.n || table.n)) {
		map_put(&lines, line);
		fits &= text_width(line) <= width;
	}
	n = fits ? lines.n : SIZE_MAX;
	map_free(&lines);
	return n;
}

/* Names that differ in five wide characters: 20 columns have room for these, but not for text next to them. */
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

/*
 * Names made of random parts, in columns of different widths: different names have different lines, and no line is too
 * wide.
 */
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

void unit_test(void)
{
	fitting();
	stacked();
	distinct();
	wide_names();
	random_names();
}
