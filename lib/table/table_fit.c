/* table_fit: narrows columns to fit a terminal. */
#include "table/table_private.h"

#include "table/text_width.h"

enum {
	NARROW = 20, /* minimum width of text columns if the line then fits in the terminal */
	LONG = 32,   /* minimum width of text columns if the line is too long even with NARROW */
};

static size_t total_width(const struct table *t)
{
	size_t total = t->n ? GAP * (t->n - 1) : 0, i;

	for (i = 0; i < t->n; i++)
		total += t->columns[i].width;
	return total;
}

/* Moves units below the names of their columns where this makes the line shorter. */
static void stack_heads(struct table *t)
{
	size_t i, name, unit;

	for (i = 0; i < t->n; i++) {
		struct table_column *c = &t->columns[i];

		if (c->head_name == c->head.n)
			continue;
		name = text_width((struct str){c->head.p, c->head_name});
		unit = c->head.n - c->head_name - 1; /* the unit is ASCII; the space before it is left out */
		name = name > unit ? name : unit;
		name = name > c->cells ? name : c->cells;
		t->stacked |= name < c->width;
		c->width = name;
	}
}

/* Returns the minimum width of text columns in a terminal of width `room`. */
static size_t least_width(const struct table *t, size_t room)
{
	size_t total = total_width(t), i;

	for (i = 0; i < t->n; i++) {
		const struct table_column *c = &t->columns[i];

		if (!table_at_right(c) && c->width > NARROW)
			total -= c->width - NARROW;
	}
	return total <= room ? NARROW : LONG;
}

/* Narrows the widest text columns until the line fits, or until no column can be narrowed further. */
static void narrow(struct table *t, size_t room)
{
	size_t least = least_width(t, room), total, i, next, step;
	struct table_column *widest;

	for (total = total_width(t); total > room; total -= step) {
		widest = NULL;
		next = least;
		for (i = 0; i < t->n; i++) {
			struct table_column *c = &t->columns[i];

			if (table_at_right(c) || c->width <= least)
				continue;
			if (!widest || c->width > widest->width) {
				next = widest ? widest->width : next;
				widest = c;
			} else if (c->width > next) {
				next = c->width;
			}
		}
		if (!widest)
			return;
		step = widest->width > next ? widest->width - next : 1;
		step = step < total - room ? step : total - room;
		widest->width -= step;
	}
}

void table_fit(struct table *t)
{
	size_t width = (size_t)t->options.width, i;

	if (total_width(t) > width)
		stack_heads(t);
	table_measure_each(t, table_distinct_gather);
	for (i = 0; i < t->n; i++) {
		if (t->columns[i].texts.n)
			t->columns[i].width = table_distinct_width(t, &t->columns[i]);
	}
	narrow(t, width);
	for (i = 0; i < t->n; i++) {
		if (t->columns[i].texts.n)
			table_distinct_show(t, &t->columns[i]);
	}
}
