#include "table_merge.h"

#include "base/heap.h"
#include "json/string.h"

#include <math.h>
#include <stdlib.h>

/* --- the values of a column as JSON --- */

struct str value_text_other(struct value_text *t, const struct query_value *v)
{
	if (v->type == QUERY_REAL && isfinite(v->real))
		return (struct str){t->real, (size_t)(num_put_double(t->real, v->real) - t->real)};
	t->text.n = 0;
	if (v->type == QUERY_TEXT) {
		json_quote(&t->text, v->bytes);
	} else if (v->type == QUERY_BLOB) {
		buf_char(&t->text, '"');
		if (v->bytes.n)
			buf_hex(&t->text, v->bytes.p, v->bytes.n);
		buf_char(&t->text, '"');
	} else {
		json_quote(&t->text, v->real > 0 ? STR("Infinity") : STR("-Infinity"));
	}
	return buf_str(&t->text);
}

struct str value_text_get(struct value_text *t, const struct query *q, int column)
{
	struct query_value v;
	int64_t number;

	switch (query_get_int(q, column, &number)) {
	case QUERY_NULL:
		return (struct str){NULL, 0};
	case QUERY_INT:
		return value_text_int(t, number);
	default:
		v = query_get(q, column);
		return value_text_other(t, &v);
	}
}

void value_text_free(struct value_text *t)
{
	buf_free(&t->text);
}

/* --- texts by one or two numbers --- */

enum {
	SLOTS = 4096,
	BYTES_MAX = 8 << 20 /* maximum size of the texts stored since the slots were emptied */
};

void text_lookup_open(struct text_lookup *t, struct reader *r, struct query *query)
{
	t->reader = r;
	t->query = query;
	t->slots = mem_zero(SLOTS, sizeof *t->slots);
}

static void forget_all(struct text_lookup *t)
{
	size_t i;

	for (i = 0; t->slots && i < SLOTS; i++) {
		buf_free(&t->slots[i].text);
		t->slots[i].text = (struct buf){0};
	}
	t->bytes = 0;
}

struct str text_lookup_get(struct text_lookup *t, int64_t a, int64_t b)
{
	struct text_lookup_slot *slot = &t->slots[((uint64_t)a + (uint64_t)b * 31) % SLOTS];
	enum query_step got;
	struct query_value v;

	if (slot->text.n && slot->a == a && slot->b == b)
		return buf_str(&slot->text);
	if (!t->query)
		return (struct str){NULL, 0};
	query_bind(t->query, 1, a);
	query_bind(t->query, 2, b);
	got = query_next(t->query);
	if (got != QUERY_ROW && got != QUERY_END)
		reader_lost(t->reader, "damaged table of texts; the text for an id is lost", t->reader->line, 0);
	if (got != QUERY_ROW)
		return (struct str){NULL, 0};
	v = query_get(t->query, 0);
	if (v.type != QUERY_TEXT)
		return (struct str){NULL, 0};
	if (t->bytes > BYTES_MAX)
		forget_all(t);
	slot->a = a;
	slot->b = b;
	slot->text.n = 0;
	json_quote(&slot->text, v.bytes);
	t->bytes += slot->text.n;
	return buf_str(&slot->text);
}

void text_lookup_close(struct text_lookup *t)
{
	forget_all(t);
	free(t->slots);
	query_close(t->query);
}

/* --- the rows of several tables in one order, by time --- */

enum { PROGRESS = 4096 };

static bool precedes(const void *a, const void *b)
{
	const struct table_merge_head *x = a, *y = b;

	if (x->has_ts != y->has_ts)
		return !x->has_ts;
	if (x->ts != y->ts)
		return x->ts < y->ts;
	if (x->cursor == y->cursor && x->cursor->keeps_ties)
		return false;
	if (x->dur != y->dur)
		return x->dur > y->dur;
	return x->cursor->order < y->cursor->order;
}

/* Sets the times of a head from the current row. A row without an end follows the rows that have one. */
static void set_merged_times(struct table_merge_head *head, const struct query *q)
{
	int64_t start, end;

	head->has_ts = query_get_int(q, 0, &start) == QUERY_INT;
	head->ts = head->has_ts ? start : 0;
	if (!head->has_ts || query_get_int(q, 1, &end) != QUERY_INT)
		head->dur = INT64_MIN;
	else if (__builtin_sub_overflow(end, start, &head->dur))
		head->dur = end > start ? INT64_MAX : INT64_MIN + 1;
}

/* Prepares the query of a table, with ORDER BY if `sorts`. */
static struct query *select_rows(struct table_merge *m, const struct table_cursor *c, bool columns, bool sorts)
{
	/* Without the rowid, the order of rows with equal times is not defined; a table may have no rowid. */
	const char *const by = !sorts ? "" : c->keeps_ties ? " ORDER BY 1" : " ORDER BY 1, 2 DESC";
	const char *const rowids[] = {sorts ? ", x.rowid" : "", ""};
	struct query *q = NULL;
	size_t i;

	for (i = 0; !q && i < 2; i++)
		q = database_query(m->db, "SELECT %s%s FROM main.\"%w\" AS x%s%s%s", c->times.p,
		    columns ? c->columns.p : "", c->table->name.p, c->joins.p, by, rowids[i]);
	return q;
}

/* Reads the times of a table, counts its rows, and finds out whether they must be sorted. */
static void scan_times(struct table_merge *m, struct table_cursor *c)
{
	struct table_merge_head last = {.has_ts = false}, row = {.has_ts = false};
	struct query *q = select_rows(m, c, false, false);
	enum query_step got = QUERY_END;

	last.cursor = row.cursor = c;
	while (q && (got = query_next(q)) == QUERY_ROW) {
		set_merged_times(&row, q);
		c->sorts |= precedes(&row, &last);
		last = row;
		m->all++;
	}
	/* Sorting gives no row at all when a page is missing. */
	if (got != QUERY_END || m->db->cut)
		c->sorts = false;
	query_close(q);
}

void table_cursor_free(struct table_cursor *c)
{
	bufs_free(&c->times, &c->columns, &c->joins);
	query_close(c->query);
}

/* Moves to the next row of a cursor. Returns false at its end. */
static bool advance_head(struct table_merge *m, struct table_merge_head *head)
{
	struct table_cursor *c = head->cursor;
	enum query_step got = query_next(c->query);

	if (got == QUERY_DAMAGED && c->sorts && !c->row) {
		/* The table could not be sorted: read its rows up to the damage. */
		c->sorts = false;
		query_close(c->query);
		c->query = select_rows(m, c, true, false);
		got = c->query ? query_next(c->query) : QUERY_DAMAGED;
	}
	if (got == QUERY_FAILED) {
		m->reader->src->fault = database_failure(m->db);
		m->failed = true;
	} else if (got != QUERY_ROW && got != QUERY_END) {
		m->reader->file = c->file_and_table;
		reader_lost(m->reader,
		    got == QUERY_LARGE ? "row larger than --max-record; this row and the rest of the table skipped"
				       : "table is damaged from this row on; the rest of it is lost",
		    c->row + 1, 0);
	}
	if (got != QUERY_ROW) {
		query_close(c->query);
		c->query = NULL;
		return false;
	}
	c->row++;
	if (c->timed && ++m->done % PROGRESS == 0 && m->all)
		m->reader->src->read = (uint64_t)((double)m->db->size * (double)m->done / (double)m->all);
	set_merged_times(head, c->query);
	return true;
}

/* Returns "FILE: TABLE", valid as long as the diagnostics. */
static const char *file_and_table(struct table_merge *m, struct str table)
{
	struct buf name = {0};
	const char *text;

	database_put(&name, "%s: %.*s", m->file, (int)table.n, table.p);
	text = diagnostics_text(m->reader->diagnostics, buf_str(&name));
	buf_free(&name);
	return text;
}

void table_merge_lost(struct table_merge *m, struct str table, const char *what)
{
	m->reader->file = file_and_table(m, table);
	reader_lost(m->reader, what, 1, 0);
	m->reader->file = m->file;
}

void table_merge_add(struct table_merge *m, struct table_cursor *c)
{
	struct table_merge_head head = {.cursor = c};

	c->file_and_table = file_and_table(m, c->table->name);
	if (c->timed)
		scan_times(m, c);
	c->query = select_rows(m, c, true, c->sorts);
	if (!c->query) {
		table_merge_lost(m, c->table->name, "table is damaged; its rows are lost");
	} else if (advance_head(m, &head)) {
		m->heads = mem_grow(m->heads, &m->cap, m->n + 1, sizeof *m->heads);
		m->heads[m->n++] = head;
		heap_sift_up(m->heads, m->n, sizeof *m->heads, precedes);
	}
	m->reader->file = m->file;
}

struct table_cursor *table_merge_next(struct table_merge *m)
{
	if (m->advance) {
		m->advance = false;
		if (!advance_head(m, &m->heads[0]))
			m->heads[0] = m->heads[--m->n];
		heap_sift_down(m->heads, m->n, sizeof *m->heads, precedes);
	}
	m->advance = m->n && !m->failed;
	m->reader->file = m->advance ? m->heads[0].cursor->file_and_table : m->file;
	if (!m->advance)
		return NULL;
	m->reader->line = m->heads[0].cursor->row;
	return m->heads[0].cursor;
}

void table_merge_free(struct table_merge *m)
{
	free(m->heads);
}
