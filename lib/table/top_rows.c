#include "table/top_rows.h"

#include "base/heap.h"
#include "json/string.h"
#include "json/scan.h"

#include <stdlib.h>

/* A record: its line, and the value of the sort field. */
struct top_row {
	char *line; /* the line, SCAN_PAD bytes, and the text of the key */
	size_t n;
	struct value key;
	uint64_t place;
};

static int compare(const void *a, const void *b)
{
	static const int rank[] = {
	    [VALUE_INT] = 0, [VALUE_REAL] = 0, [VALUE_STRING] = 1, [VALUE_OTHER] = 2, [VALUE_NONE] = 3};
	const struct top_row *x = a, *y = b;
	int c = rank[x->key.type] - rank[y->key.type];

	if (!c && rank[x->key.type] == 0)
		c = (x->key.d < y->key.d) - (x->key.d > y->key.d);
	else if (!c)
		c = str_cmp(y->key.text, x->key.text);
	/* Different integers may be equal as doubles. */
	if (!c && x->key.type == VALUE_INT && y->key.type == VALUE_INT)
		c = (x->key.i < y->key.i) - (x->key.i > y->key.i);
	return c ? c : (x->place > y->place) - (x->place < y->place);
}

/* Defines the order of the heap: its first row is the last one in sorted order, and is the first one to be replaced. */
static bool comes_after(const void *a, const void *b)
{
	return compare(a, b) > 0;
}

/* Copies the record's line and the key's text, which are in the input's window, to memory that the row owns. */
static void copy(struct top_row *row, struct str line)
{
	struct str key = row->key.text;

	row->n = line.n;
	row->line = mem_alloc(line.n + SCAN_PAD + key.n);
	memcpy(row->line, line.p, line.n);
	memset(row->line + line.n, 0, SCAN_PAD);
	row->key.text.p = row->line + line.n + SCAN_PAD;
	if (key.n)
		memcpy(row->line + line.n + SCAN_PAD, key.p, key.n);
}

void top_rows_add(struct top_rows *r, struct event *e)
{
	struct top_row row = {.key = {.type = VALUE_NONE}, .place = r->seen++};
	struct value *key = &row.key;
	size_t i;

	if (r->by && field_get(r->by, e, 0, key) && key->type == VALUE_STRING) {
		r->text.n = 0;
		json_unescape(&r->text, json_inner(key->text));
		key->text = (struct str){r->text.p, r->text.n};
	}
	if (r->n < r->most) {
		r->list = mem_grow(r->list, &r->cap, r->n + 1, sizeof *r->list);
		copy(&row, e->raw);
		r->list[r->n++] = row;
		for (i = 1; r->n == r->most && i <= r->n; i++)
			heap_sift_up(r->list, i, sizeof *r->list, comes_after);
	} else if (r->n && compare(&row, &r->list[0]) < 0) {
		copy(&row, e->raw);
		free(r->list[0].line);
		r->list[0] = row;
		heap_sift_down(r->list, r->n, sizeof *r->list, comes_after);
	}
}

void top_rows_sort(struct top_rows *r)
{
	if (r->n)
		qsort(r->list, r->n, sizeof *r->list, compare);
}

struct str top_rows_line(const struct top_rows *r, size_t i)
{
	return (struct str){r->list[i].line, r->list[i].n};
}

void top_rows_get(const struct top_rows *r, size_t i, struct event *e)
{
	event_parse(e, top_rows_line(r, i)); /* cannot fail: the line was parsed before */
}

void top_rows_free(struct top_rows *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		free(r->list[i].line);
	free(r->list);
	buf_free(&r->text);
	*r = (struct top_rows){.by = r->by, .most = r->most};
}
