#include "stats/value_list.h"

#include <stdlib.h>

/* Returns the index of the first segment whose part is at least `part`. */
static size_t find_segment(const struct value_list *l, uint64_t part)
{
	size_t low = 0, high = l->n, mid;

	if (l->n && l->segments[l->n - 1].part < part) /* the usual case: parts in their order */
		return l->n;
	while (low < high) {
		mid = low + (high - low) / 2;
		if (l->segments[mid].part < part)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void value_list_add(struct value_list *l, uint64_t part, struct str elements)
{
	const size_t i = find_segment(l, part);
	struct buf *text;

	if (i < l->n && l->segments[i].part == part) {
		text = &l->segments[i].text;
		text->p[text->n - 1] = ','; /* replaces the closing bracket */
	} else {
		l->segments = mem_grow(l->segments, &l->cap, l->n + 1, sizeof *l->segments);
		memmove(&l->segments[i + 1], &l->segments[i], (l->n++ - i) * sizeof *l->segments);
		l->segments[i] = (struct value_list_segment){.part = part};
		text = &l->segments[i].text;
		buf_char(text, '[');
	}
	buf_add(text, elements.p, elements.n);
	buf_char(text, ']');
}

struct str value_list_join(struct value_list *l)
{
	struct buf *all, *text;
	size_t i;

	if (!l->n)
		return STR("");
	all = &l->segments[0].text;
	for (i = 1; i < l->n; i++) {
		text = &l->segments[i].text;
		all->p[all->n - 1] = ',';
		buf_add(all, text->p + 1, text->n - 1);
		buf_free(text);
	}
	l->n = 1;
	return (struct str){all->p, all->n};
}

void value_list_merge(struct value_list *l, const struct value_list *from)
{
	const struct value_list_segment *segment;
	size_t i;

	for (i = 0; i < from->n; i++) {
		segment = &from->segments[i];
		value_list_add(l, segment->part, (struct str){segment->text.p + 1, segment->text.n - 2});
	}
}

void value_list_free(struct value_list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		buf_free(&l->segments[i].text);
	free(l->segments);
}
