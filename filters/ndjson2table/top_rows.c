#include "top_rows.h"

#include "base/heap.h"
#include "json/string.h"
#include "json/scan.h"

#include <stdlib.h>

/* The value of a record in one of the fields. */
struct top_row_key {
	struct value value;
	bool ascending;
};

struct top_row {
	char *line; /* the keys, the line, SCAN_PAD bytes, and the texts of the keys */
	size_t n, n_keys;
	struct top_row_key *keys; /* the beginning of the memory of the row */
	uint64_t place;
};

static int compare_rows(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;
	int order = 0;
	size_t i;

	for (i = 0; i < x->n_keys && !order; i++) {
		const struct value *left = &x->keys[i].value, *right = &y->keys[i].value;

		order = value_rank(left) - value_rank(right);
		if (!order)
			order =
			    value_rank(left) ? str_cmp(right->text, left->text) : value_compare_numbers(right, left);
		if (x->keys[i].ascending)
			order = -order;
	}
	return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* Defines the order of the heap: its first row is the last one in sorted order, and is the first one to be replaced. */
static bool comes_after(const void *a, const void *b)
{
	return compare_rows(a, b) > 0;
}

/* Sets the keys of the record, as views of its line and of r->text. */
static void read_keys(struct top_rows *r, struct event *e, struct top_row_key *keys)
{
	size_t i;

	r->text.n = 0;
	for (i = 0; i < r->n_by; i++) {
		struct value *v = &keys[i].value;

		keys[i].ascending = r->by[i].ascending;
		if (!field_get(&r->by[i].field, e, 0, v)) {
			*v = (struct value){.type = VALUE_NONE};
		} else if (v->type == VALUE_STRING) {
			v->i = (int64_t)r->text.n;
			json_unescape(&r->text, json_inner(v->text));
			v->text.n = r->text.n - (size_t)v->i;
		}
	}
	for (i = 0; i < r->n_by; i++) {
		if (keys[i].value.type == VALUE_STRING)
			keys[i].value.text.p = r->text.p + keys[i].value.i;
	}
}

/* Copies the record's line and its keys to memory that the row owns. */
static void copy(struct top_row *row, const struct top_row_key *keys, struct str line)
{
	size_t need = row->n_keys * sizeof *keys + line.n + SCAN_PAD, i;
	char *p;

	for (i = 0; i < row->n_keys; i++)
		need += keys[i].value.text.n;
	row->keys = mem_alloc(need);
	row->line = (char *)(row->keys + row->n_keys);
	row->n = line.n;
	memcpy(row->line, line.p, line.n);
	memset(row->line + line.n, 0, SCAN_PAD);
	p = row->line + line.n + SCAN_PAD;
	for (i = 0; i < row->n_keys; i++) {
		struct str *text = &row->keys[i].value.text;

		row->keys[i] = keys[i];
		if (text->n)
			memcpy(p, text->p, text->n);
		text->p = p;
		p += text->n;
	}
}

void top_rows_add(struct top_rows *r, struct event *e)
{
	struct top_row row = {.n_keys = r->n_by, .place = r->seen++};
	size_t i;

	if (r->n_by && !r->keys)
		r->keys = mem_alloc(r->n_by * sizeof *r->keys);
	read_keys(r, e, r->keys);
	row.keys = r->keys;
	if (r->n < r->most) {
		r->list = mem_grow(r->list, &r->cap, r->n + 1, sizeof *r->list);
		copy(&row, r->keys, e->raw);
		r->list[r->n++] = row;
		for (i = 1; r->n == r->most && i <= r->n; i++)
			heap_sift_up(r->list, i, sizeof *r->list, comes_after);
	} else if (r->n && compare_rows(&row, &r->list[0]) < 0) {
		copy(&row, r->keys, e->raw);
		free(r->list[0].keys);
		r->list[0] = row;
		heap_sift_down(r->list, r->n, sizeof *r->list, comes_after);
	}
}

void top_rows_sort(struct top_rows *r)
{
	if (r->n)
		qsort(r->list, r->n, sizeof *r->list, compare_rows);
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
		free(r->list[i].keys);
	free(r->list);
	free(r->keys);
	buf_free(&r->text);
	*r = (struct top_rows){.by = r->by, .n_by = r->n_by, .most = r->most};
}
