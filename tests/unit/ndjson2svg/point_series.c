#include "ndjson2svg/point_series.h"
#include "test.h"

#include <stdlib.h>

enum { POINTS = 100000, COLUMNS = 50 };

/* Thinning keeps real points, the order, and the first, last, minimum and maximum of each column. */
static void test_thin(unsigned step)
{
	static double y[POINTS];
	struct point_series s = {0};
	double low[COLUMNS], high[COLUMNS];
	unsigned i, seed = 1;
	size_t column, k;

	for (i = 0; i < COLUMNS; i++) {
		low[i] = 1e9;
		high[i] = -1e9;
	}
	for (i = 0; i < POINTS; i++) {
		const unsigned x = i * step % POINTS; /* in another order if step > 1 */

		seed = seed * 1103515245 + 12345;
		y[x] = seed >> 8;
		point_series_add(&s, x, y[x]);
		column = (size_t)x * COLUMNS / POINTS;
		low[column] = fmin(low[column], y[x]);
		high[column] = fmax(high[column], y[x]);
	}
	CHECK_INT(s.all, POINTS);
	CHECK(s.n <= POINT_SERIES_MOST);
	point_series_thin(&s, 0, POINTS, COLUMNS);
	CHECK(s.n <= 4 * COLUMNS);
	CHECK(s.list[0].x <= 0 && s.list[s.n - 1].x >= POINTS - 1);
	for (k = 0; k < s.n; k++) {
		CHECK(fabs(y[(size_t)s.list[k].x] - s.list[k].y) <= 0);
		CHECK(k == 0 || s.list[k].x >= s.list[k - 1].x);
		column = (size_t)s.list[k].x * COLUMNS / POINTS;
		low[column] = s.list[k].y <= low[column] ? -1 : low[column];
		high[column] = s.list[k].y >= high[column] ? -1 : high[column];
	}
	/* Columns of the last pass and of earlier passes differ, so an extreme can be in the next column. */
	for (i = 0, k = 0; i < COLUMNS; i++)
		k += low[i] < 0 && high[i] < 0;
	CHECK(k >= COLUMNS - 2);
	free(s.list);
}

void unit_test(void)
{
	test_thin(1);
	test_thin(7919);
}
