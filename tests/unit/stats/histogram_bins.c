#include "stats/histogram_bins.h"
#include "test.h"
#include "base/num_format.h"

static void check_edges(double min, double max, bool whole, const char *want)
{
	char text[1024], *p = text;
	struct histogram_bins b;
	size_t i;

	histogram_bins_edges(&b, min, max, whole);
	for (i = 0; i <= b.n; i++) {
		p = num_put_double(p, b.edges[i]);
		*p++ = i < b.n ? ' ' : '\0';
	}
	CHECK_STR(str_of(text), want);
	histogram_bins_free(&b);
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
	size_t spare = 0, i;
	struct histogram_bins b;

	for (i = 0; i < 100; i++)
		quantile_add_real(&q, (double)(i % 5), &spare);
	histogram_bins_of(&b, &q);
	CHECK_INT(b.n, 5);
	for (i = 0; i < b.n; i++)
		CHECK_INT(b.counts[i], 20);
	histogram_bins_free(&b);
	quantile_free(&q);
}

int main(void)
{
	test_edges();
	test_counts();
	return test_end();
}
