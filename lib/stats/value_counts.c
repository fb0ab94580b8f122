#include "stats/value_counts.h"

#include "base/mem.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct value_count *left = a, *right = b;

	return (left->value > right->value) - (left->value < right->value);
}

void value_counts_sort(struct value_counts *c)
{
	size_t i, n = 0;

	if (c->sorted == c->n)
		return;
	qsort(c->list, c->n, sizeof *c->list, compare);
	for (i = 1; i < c->n; i++) {
		if (c->list[i].value == c->list[n].value)
			c->list[n].count += c->list[i].count;
		else
			c->list[++n] = c->list[i];
	}
	c->n = c->sorted = n + 1;
}

/* Makes room for another item, first by joining equal values. If few are equal, the room doubles. */
static void make_room(struct value_counts *c)
{
	value_counts_sort(c);
	if (c->n >= c->cap / 2)
		c->list = mem_grow(c->list, &c->cap, c->cap + 1, sizeof *c->list);
}

void value_counts_add(struct value_counts *c, int64_t value, uint64_t count)
{
	if (c->n == c->cap)
		make_room(c);
	if (c->sorted == c->n && (!c->n || value > c->list[c->n - 1].value))
		c->sorted++;
	c->list[c->n++] = (struct value_count){value, count};
}

void value_counts_free(struct value_counts *c)
{
	free(c->list);
	*c = (struct value_counts){0};
}
