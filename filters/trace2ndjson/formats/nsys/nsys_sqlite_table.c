#include "nsys_sqlite_table.h"

#include "base/char_class.h"
#include "json/string.h"

#include <stdlib.h>

/* The columns with the start of a row; the first that a table has is used. The others belong in args. */
static const char *const starts[] = {"start", "timestamp", "rawTimestamp"};
enum { STARTS = sizeof starts / sizeof *starts };

bool nsys_table_is_wanted(const struct reader *r, struct str name)
{
	struct buf quoted = {0};
	bool wanted;

	json_quote(&quoted, name);
	wanted = nsys_event_kinds((struct str){quoted.p, quoted.n}) & r->kinds;
	buf_free(&quoted);
	return wanted;
}

static struct nsys_column *add_column(struct nsys_table *t, const struct database_column *column)
{
	struct nsys_column *c = &t->columns[t->n++];
	struct buf key = {0};

	*c = (struct nsys_column){0};
	if (!column)
		return c;
	buf_char(&key, ',');
	json_quote(&key, column->name);
	buf_char(&key, ':');
	c->key = (struct str){key.p, key.n};
	c->not_null = column->not_null;
	return c;
}

static const struct database_column *find_start(const struct database_table *table)
{
	const struct database_column *found = NULL;
	size_t i;

	for (i = 0; !found && i < STARTS; i++)
		found = database_column(table, str_of(starts[i]));
	return found;
}

/* Adds the two columns that every query begins with: the start and the end of a row. */
static void add_times(struct nsys_table *t, const struct database_column *start, const struct database_column *end)
{
	/* Events that are recorded on the device have the time 0 if it was not collected. */
	const bool zero = str_eq(t->cat, STR("\"CUPTI_ACTIVITY_KIND_CUDA_EVENT\""));
	struct buf *sql = &t->cursor.times;

	if (start && zero)
		buf_lit(sql, "nullif(");
	if (start)
		database_quote(sql, start->name);
	else
		buf_lit(sql, "NULL");
	if (start && zero)
		buf_lit(sql, ", 0)");
	add_column(t, start)->member = start ? nsys_row_column(STR("start")) : NULL;
	buf_lit(sql, ", ");
	if (end)
		database_quote(sql, end->name);
	else
		buf_lit(sql, "NULL");
	add_column(t, end)->member = end ? nsys_row_column(STR("end")) : NULL;
	t->cursor.timed = start;
	t->columns[0].not_null &= !zero;
}

/* Returns the member that a column other than the times sets. */
static const struct nsys_member *member_of(const struct database_column *column)
{
	const struct nsys_member *member = nsys_row_column(column->name);

	/* These fields are for lines of JSON. */
	if (!member || nsys_member_field(member) <= NSYS_START)
		return NULL;
	return member;
}

void nsys_table_init(
    struct nsys_table *t, const struct database_table *table, bool args, const char *const *extra, const char *place)
{
	const struct database_column *start = find_start(table), *end = database_column(table, STR("end")), *column;
	const struct nsys_member *member;
	struct buf cat = {0};
	size_t i;

	*t = (struct nsys_table){.cursor.table = table, .cursor.place = place};
	/* An enclosing range precedes the ranges in it, and the reports of nsys number ranges by their row. */
	t->cursor.keeps_ties = str_eq(table->name, STR("NVTX_EVENTS"));
	json_quote(&cat, table->name);
	t->cat = (struct str){cat.p, cat.n};
	t->shape = nsys_row_shape(&(struct nsys_row){.v[NSYS_TABLE] = t->cat});
	t->columns = mem_alloc((table->n + 2) * sizeof *t->columns);
	add_times(t, start, end);
	for (i = 0; i < table->n; i++) { /* a damaged table may have no columns */
		column = &table->columns[i];
		member = member_of(column);
		if (column == start || column == end || (!args && !member && !str_in(column->name, extra)))
			continue;
		buf_lit(&t->cursor.columns, ", ");
		database_quote(&t->cursor.columns, column->name);
		add_column(t, column)->member = member;
	}
}

void nsys_table_free(struct nsys_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		free((char *)t->columns[i].key.p);
		value_text_free(&t->columns[i].text);
	}
	free(t->columns);
	free((char *)t->cat.p);
	buf_free(&t->cursor.times);
	buf_free(&t->cursor.columns);
}

int nsys_table_find(const struct nsys_table *t, const char *name)
{
	struct buf key = {0};
	int found = NSYS_NO_COLUMN;
	size_t i;

	buf_lit(&key, ",\"");
	buf_add(&key, name, strlen(name));
	buf_lit(&key, "\":");
	for (i = 0; i < t->n; i++) {
		if (t->columns[i].key.p && str_eq(t->columns[i].key, (struct str){key.p, key.n}))
			found = (int)i;
	}
	buf_free(&key);
	return found;
}

/* Stores the start or the end of a row, the first two columns. An end without a start is like any other column. */
static bool take_time(const struct nsys_table *t, struct nsys_row *row, size_t column, int64_t time)
{
	if (column == 0 && t->cursor.timed) {
		row->start = time;
		row->has_start = true;
		return true;
	}
	if (column == 1 && row->has_start) {
		row->end = time;
		row->has_end = true;
		return true;
	}
	return false;
}

bool nsys_table_row(struct nsys_table *t, struct nsys_row *row, bool args)
{
	struct nsys_column *c;
	struct query_value v;
	struct str json;
	bool whole = true, taken;
	int64_t number;
	char *p;
	size_t i;

	memset(row->v, 0, sizeof row->v);
	row->shape = t->shape;
	row->v[NSYS_TABLE] = t->cat;
	row->has_start = row->has_end = false;
	row->args.n = 0;
	for (i = 0; i < t->n; i++) {
		c = &t->columns[i];
		switch (query_get_int(t->cursor.query, (int)i, &number)) {
		case QUERY_NULL:
			whole &= !c->not_null;
			continue;
		case QUERY_INT:
			if (take_time(t, row, i, number))
				continue;
			json = value_text_int(&c->text, number);
			taken = c->member && nsys_row_take_int(row, c->member, json);
			break;
		default:
			v = query_get(t->cursor.query, (int)i);
			json = value_text_other(&c->text, &v);
			taken = c->member && nsys_row_take(row, c->member, json);
		}
		if (taken || !args)
			continue;
		p = buf_room(&row->args, c->key.n + json.n);
		memcpy(p, c->key.p, c->key.n);
		memcpy(p + c->key.n, json.p, json.n);
		row->args.n += c->key.n + json.n;
	}
	return whole;
}
