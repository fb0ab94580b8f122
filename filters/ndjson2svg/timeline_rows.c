#include "timeline_rows.h"

#include "base/num_parse.h"
#include "base/order.h"

#include <stdlib.h>

enum { FIELDS = 3 };

static const struct row_fields {
	const char *fields;
	const char *words[FIELDS];
} rows_fields[] = {
    [CHART_ROWS_STREAM] = {"rank,dev,stream", {"rank ", "device ", "stream "}},
    [CHART_ROWS_THREAD] = {"rank,pid,tid", {"rank ", "process ", "thread "}},
    [CHART_ROWS_DEPTH] = {"pid,tid,depth", {"process ", "thread ", "depth "}},
    [CHART_ROWS_RANK] = {"rank", {"rank "}},
};

void timeline_rows_begin(struct timeline_rows *l, struct chart *c)
{
	l->words = rows_fields[c->options.rows].words;
	if (rows_fields[c->options.rows].fields)
		opt_fields_add(&l->fields, "--rows", rows_fields[c->options.rows].fields);
	chart_use_all(c, &l->fields);
}

size_t timeline_rows_find(struct timeline_rows *l, struct chart *c, struct event *e, uint64_t most)
{
	struct str key;
	size_t i;

	l->key.n = 0;
	if (!l->fields.n) /* each record has its own row */
		buf_add(&l->key, &l->keys.n, sizeof l->keys.n);
	for (i = 0; i < l->fields.n; i++) {
		if (i)
			buf_char(&l->key, RANKED_SUMS_BETWEEN);
		chart_name(c, &l->fields, i, i + 1, e, false, &l->key);
	}
	key = buf_str(&l->key);
	return l->keys.n < most ? map_put(&l->keys, key) : map_find(&l->keys, key);
}

/* --- order and names --- */

static struct str row_value(const struct timeline_rows *l, size_t row, size_t i)
{
	struct str rest = map_key(&l->keys, row), piece = {NULL, 0};

	for (i++; i > 0; i--)
		str_split(&rest, RANKED_SUMS_BETWEEN, &piece);
	return piece;
}

/* Returns whether the records of a row have none of the fields after the first one. */
static bool is_bare(const struct timeline_rows *l, size_t row)
{
	size_t i;

	for (i = l->fields.n > 1; i < l->fields.n; i++) {
		if (!str_eq(row_value(l, row, i), STR("(none)")))
			return false;
	}
	return true;
}

static bool is_hidden(const struct timeline_rows *l, size_t row)
{
	return l->n < l->keys.n && is_bare(l, row);
}

static int compare_row_values(const void *arg, size_t a, size_t b)
{
	const struct timeline_rows *l = arg;
	double x, y;
	size_t i;
	int by = is_hidden(l, a) - is_hidden(l, b);

	if (by)
		return by;
	for (i = 0; i < l->fields.n; i++) {
		const struct str p = row_value(l, a, i), q = row_value(l, b, i);

		by = num_double(p, &x) && num_double(q, &y) ? (x > y) - (x < y) : str_cmp(p, q);
		if (by)
			return by;
	}
	return a < b ? -1 : a > b;
}

/* Returns whether the rows to draw differ in a field. */
static bool rows_differ(const struct timeline_rows *l, size_t i)
{
	size_t k;

	for (k = 1; k < l->n; k++) {
		if (!str_eq(row_value(l, l->order[k], i), row_value(l, l->order[0], i)))
			return true;
	}
	return false;
}

void timeline_rows_sort(struct timeline_rows *l, bool hide)
{
	size_t i, k;
	bool shown[FIELDS] = {false};
	struct buf text = {0};

	for (i = 0; i < l->keys.n; i++)
		l->n += !hide || !is_bare(l, i);
	l->n = l->n ? l->n : l->keys.n;
	l->order = order_sort(l->keys.n, compare_row_values, l);
	l->position = mem_alloc((l->keys.n ? l->keys.n : 1) * sizeof *l->position);
	l->labels = mem_zero(l->keys.n ? l->keys.n : 1, sizeof *l->labels);
	for (k = 0; k < l->fields.n; k++)
		shown[k] = k + 1 == l->fields.n || rows_differ(l, k);
	for (i = 0; i < l->keys.n; i++) {
		l->position[l->order[i]] = i;
		for (k = 0; k < l->fields.n; k++) {
			const struct str value = row_value(l, l->order[i], k);

			if (!shown[k])
				continue;
			if (text.n)
				buf_char(&text, ' ');
			buf_add(&text, l->words[k], strlen(l->words[k]));
			buf_add(&text, value.p, value.n);
		}
		l->labels[i] = label_of(labels_store(&l->texts, &text));
	}
	buf_free(&text);
}

void timeline_rows_free(struct timeline_rows *l)
{
	mem_free(l->order, l->position, l->labels);
	maps_free(&l->keys, &l->texts);
	opt_fields_free(&l->fields);
	buf_free(&l->key);
}
