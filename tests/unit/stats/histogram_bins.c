#include "stats/histogram_bins.h"
#include "test.h"
#include "program/histogram_options.h"
#include "base/num_format.h"

#include <math.h>
#include <string.h>

static void check_options(const struct histogram_options *o, double min, double max, bool whole, const char *want)
{
	char text[1024], *p = text;
	struct histogram_bins b;
	size_t i;

	histogram_bins_edges(&b, o, min, max, whole);
	for (i = 0; i <= b.n; i++) {
		p = isfinite(b.edges[i]) ? num_put_double(p, b.edges[i]) : stpcpy(p, b.edges[i] < 0 ? "-inf" : "inf");
		*p++ = i < b.n ? ' ' : '\0';
	}
	CHECK_STR(str_of(text), want);
	histogram_bins_free(&b);
}

static void check_edges(double min, double max, bool whole, const char *want)
{
	check_options(&(struct histogram_options){0}, min, max, whole, want);
}

static void test_options(void)
{
	struct histogram_options o = {0}, log = {.log = true}, five = {.bins = 5}, four_log = {.bins = 4, .log = true};

	check_options(&five, 0, 10, true, "0 2 4 6 8 10");
	check_options(&five, -1, 0.5, false, "-1 -0.7 -0.4 -0.1 0.2 0.5");
	check_options(&five, 3, 3, true, "3 4");
	check_options(&five, -1.5e308, 1.5e308, false, "-1.5e308 -9e307 -3e307 3e307 9e307 1.5e308");
	check_options(&log, 3, 15, true, "2 5 10 20");
	check_options(&log, 0, 3, true, "0 1 2 5");
	check_options(&log, -8, 3, true, "-inf 1 2 5");
	check_options(&four_log, 1, 10000, true, "1 10 100 1000 10000");
	check_options(&four_log, 1e-300, 1e300, false, "1e-300 1e-150 1 1e150 1e300"); /* max / min is too large */
	check_options(&four_log, -5, 1000, true, "-inf 1 10 100 1000");
	check_options(&four_log, -5, -3, true, "-inf 1");
	check_options(&(struct histogram_options){.bins = 1, .log = true}, 0, 9, true, "0 9");
	histogram_options_read(&o, "--bins", "0,10us,1.5ms");
	check_options(&o, 0, 1499999, true, "0 10000 1500000");
	check_options(&o, -1, 1500000, true, "-inf 0 10000 1500000 inf");
	histogram_options_read(&o, "--bins", "0.25,0.5");
	check_options(&o, 0.3, 0.4, false, "0.25 0.5");
	histogram_options_read(&o, "--bins", "7");
	CHECK_INT(o.bins, 7);
	CHECK(!o.edges);
	histogram_options_free(&o);
}

static void test_edges(void)
{
	check_edges(7, 7, true, "7 8");
	check_edges(0.25, 0.25, false, "0 1");
	check_edges(1, 4, true, "1 2 3 4 5");
	check_edges(-0.1, 0.3, false, "-0.1 -0.05 0 0.05 0.1 0.15 0.2 0.25 0.3 0.35");
	check_edges(30, 4000, true, "20 50 100 200 500 1000 2000 5000");
	check_edges(0, 101, true, "0 1 2 5 10 20 50 100 200");
	check_edges(0.003, 0.4, false, "0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5");
	check_edges(1e300, 1e300, false, "1e300 1.0000000000000005e300");
}

static void test_counts(void)
{
	struct quantile q = {0};
	size_t i;
	struct histogram_bins b;

	for (i = 0; i < 100; i++)
		quantile_add_real(&q, (double)(i % 5), QUANTILE_KEEP);
	histogram_bins_of(&b, &(struct histogram_options){0}, &q);
	CHECK_INT(b.n, 5);
	for (i = 0; i < b.n; i++)
		CHECK_INT(b.counts[i], 20);
	histogram_bins_free(&b);
	quantile_free(&q);
}

void unit_test(void)
{
	test_edges();
	test_options();
	test_counts();
}
