/*
 * point_series: the points of a line. The x axis is divided into many narrow columns. If there are many points, only
 * the first, last, minimum and maximum of each column are stored: the line looks the same, and memory is bounded.
 */
#ifndef POINT_SERIES_H
#define POINT_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POINT_SERIES_MOST = 8192, POINT_SERIES_COLUMNS = 1024 };

struct point {
	double x, y;
};

/* Zero-initialise; free `list`. */
struct point_series {
	struct point *list; /* after point_series_thin(), in the order of x */
	size_t n;
	uint64_t all; /* number of points that were added */
	/* private */
	size_t cap;
	bool unordered;
};

void point_series_add(struct point_series *s, double x, double y);

/* Sorts the points by x, and keeps at most four in each of `columns` columns of the range from low to high. */
void point_series_thin(struct point_series *s, double low, double high, size_t columns);

#endif
