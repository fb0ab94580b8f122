#include "alignment.h"

#include <stdlib.h>

/*
 * A path through the table of both lists that has length L leaves n - L items of a and m - L items of b unpaired. It
 * stays in the band of the cells (i, j), the first i items of a and the first j of b, with j - i from -down to up. A
 * row of the band has `width` cells.
 */
struct band {
	const uint32_t *a, *b;
	long n, m, down, width;
};

static struct band band_of(const uint32_t *a, size_t n, const uint32_t *b, size_t m, long down, long up)
{
	return (struct band){a, b, (long)n, (long)m, down, down + up + 1};
}

enum { OUTSIDE = INT32_MIN / 2 }; /* the length in a cell that is not in the table */

/* Sets `row` to the lengths of the LCS of a[0..i) and b[0..j), for the cells of row i; `above` is row i - 1. */
static void go_forward(const struct band *t, long i, const int32_t *above, int32_t *row)
{
	long k, j;
	int32_t best;

	for (k = 0; k < t->width; k++) {
		j = i + k - t->down;
		row[k] = OUTSIDE;
		if (j < 0 || j > t->m)
			continue;
		best = i == 0 ? 0 : OUTSIDE;
		if (i > 0 && k + 1 < t->width && above[k + 1] > best)
			best = above[k + 1];
		if (k > 0 && row[k - 1] > best)
			best = row[k - 1];
		if (i > 0 && j > 0 && t->a[i - 1] == t->b[j - 1] && above[k] + 1 > best)
			best = above[k] + 1;
		row[k] = best;
	}
}

/* Sets `row` to the lengths of the LCS of a[i..n) and b[j..m), for the cells of row i; `below` is row i + 1. */
static void go_back(const struct band *t, long i, const int32_t *below, int32_t *row)
{
	long k, j;
	int32_t best;

	for (k = t->width - 1; k >= 0; k--) {
		j = i + k - t->down;
		row[k] = OUTSIDE;
		if (j < 0 || j > t->m)
			continue;
		best = i == t->n ? 0 : OUTSIDE;
		if (i < t->n && k > 0 && below[k - 1] > best)
			best = below[k - 1];
		if (k + 1 < t->width && row[k + 1] > best)
			best = row[k + 1];
		if (i < t->n && j < t->m && t->a[i] == t->b[j] && below[k] + 1 > best)
			best = below[k] + 1;
		row[k] = best;
	}
}

/* Returns the length of the LCS among paths in the band. */
static long length_in(const struct band *t)
{
	int32_t *rows = mem_alloc(2 * (size_t)t->width * sizeof *rows), *above = rows, *row = rows + t->width, *swap;
	long i, length;

	for (i = 0; i <= t->n; i++) {
		go_forward(t, i, above, row);
		swap = above;
		above = row;
		row = swap;
	}
	length = above[t->m - t->n + t->down];
	free(rows);
	return length;
}

long alignment_length(const uint32_t *a, size_t n, const uint32_t *b, size_t m, size_t least)
{
	const size_t most = n + m - 2 * least; /* of items that are in one list only */
	size_t apart = n < m ? m - n : n - m, spare = 8;
	struct band t;
	long length;

	if (least > n || least > m)
		return -1;
	for (;; spare *= 2) {
		/* At most `spare` unpaired items in each list, besides the difference of the lengths. */
		if (apart + 2 * spare > most)
			spare = most > apart ? (most - apart + 1) / 2 : 0;
		t = band_of(a, n, b, m, (long)(spare + (n > m ? apart : 0)), (long)(spare + (m > n ? apart : 0)));
		length = length_in(&t);
		/* If all paths of this length stay in the band, no path outside is longer. */
		if (length >= 0 && (size_t)length + spare >= (n < m ? n : m))
			return (size_t)length >= least ? length : -1;
		if (apart + 2 * spare >= most)
			return -1;
	}
}

/* Adds the node of item i of a. `above`: row i of go_forward(); `below`: row i + 1 of go_back(). */
static void add_node(
    const struct band *t, long i, const int32_t *above, const int32_t *below, int32_t length, struct node_map *map)
{
	long k, j, pairs = 0, node = 0;
	bool skipped = false;

	for (k = 0; k < t->width; k++) {
		j = i + k - t->down;
		if (j < 0 || j > t->m)
			continue;
		if (k > 0 && above[k] + below[k - 1] == length)
			skipped = true;
		if (j < t->m && t->a[i] == t->b[j] && above[k] + 1 + below[k] == length) {
			pairs++;
			node = j;
		}
	}
	node_map_add(map, pairs == 1 && !skipped ? (int32_t)node : pairs ? NODE_MAP_AMBIGUOUS : NODE_MAP_NONE);
}

/*
 * The lengths of the ends are computed from the last row to the first one, but needed in the other order. Every
 * `step`-th row is stored; the rows between are computed again, one block at a time.
 */
void alignment_map(const uint32_t *a, size_t n, const uint32_t *b, size_t m, size_t length, struct node_map *map)
{
	const struct band t = band_of(a, n, b, m, (long)(n - length), (long)(m - length));
	const size_t width = (size_t)t.width;
	size_t step = 1, i, block, from, last;
	int32_t *kept, *rows, *above, *next, *swap;

	while (step * step < n + 1)
		step++;
	kept = mem_alloc((n / step + 2) * width * sizeof *kept);
	rows = mem_alloc((step + 4) * width * sizeof *rows);
	above = rows + (step + 2) * width;
	next = above + width;
	/* Row i of the ends is in kept[i / step] if i is a multiple of step; row n + 1 does not exist. */
	for (i = n + 1; i-- > 0;) {
		go_back(&t, (long)i, rows + ((i + 1) % 2) * width, rows + (i % 2) * width);
		if (i % step == 0)
			memcpy(kept + i / step * width, rows + (i % 2) * width, width * sizeof *kept);
	}
	go_forward(&t, 0, NULL, above);
	for (block = 0; block * step < n; block++) {
		from = block * step;
		last = from + step < n ? from + step : n;
		if (last % step == 0)
			memcpy(rows + (last - from) * width, kept + last / step * width, width * sizeof *rows);
		else
			go_back(&t, (long)last, NULL, rows + (last - from) * width);
		for (i = last; i-- > from;)
			go_back(&t, (long)i, rows + (i + 1 - from) * width, rows + (i - from) * width);
		for (i = from; i < last; i++) {
			add_node(&t, (long)i, above, rows + (i + 1 - from) * width, (int32_t)length, map);
			go_forward(&t, (long)i + 1, above, next);
			swap = above;
			above = next;
			next = swap;
		}
	}
	mem_free(kept, rows);
}
