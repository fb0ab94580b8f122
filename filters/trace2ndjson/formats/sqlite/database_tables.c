/* database_tables: the tables of a database and their columns. */
#include "database_private.h"

#include <stdlib.h>

static void list_columns(struct database *d, struct database_table *table)
{
	struct buf sql = {0};
	struct query *q;
	size_t cap = 0;
	struct str name;

	buf_lit(&sql, "PRAGMA table_info(");
	database_quote(&sql, table->name);
	buf_lit(&sql, ")");
	q = database_query(d, (struct str){sql.p, sql.n});
	while (q && query_next(q) == QUERY_ROW) {
		name = query_get(q, 1).bytes;
		table->columns = mem_grow(table->columns, &cap, table->n + 1, sizeof *table->columns);
		table->columns[table->n++] = (struct database_column){.name = {str_dup(name), name.n},
		    .not_null = query_get(q, 3).i != 0,
		    .keyed = query_get(q, 5).i == 1};
	}
	query_close(q);
	buf_free(&sql);
}

void database_list_tables(struct database *d)
{
	struct database_tables *tables = &d->tables;
	struct query *q;
	struct str name;
	size_t i;

	q = database_query(
	    d, STR("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND typeof(name) = 'text' AND "
		   "name NOT LIKE 'sqlite!_%' ESCAPE '!'"));
	while (q && query_next(q) == QUERY_ROW) {
		name = query_get(q, 0).bytes;
		tables->list = mem_grow(tables->list, &d->cap, tables->n + 1, sizeof *tables->list);
		tables->list[tables->n++] = (struct database_table){.name = {str_dup(name), name.n}};
	}
	query_close(q);
	for (i = 0; i < tables->n; i++)
		list_columns(d, &tables->list[i]);
}

void database_free_tables(struct database *d)
{
	size_t i, k;

	for (i = 0; i < d->tables.n; i++) {
		for (k = 0; k < d->tables.list[i].n; k++)
			free((char *)d->tables.list[i].columns[k].name.p);
		free(d->tables.list[i].columns);
		free((char *)d->tables.list[i].name.p);
	}
	free(d->tables.list);
}

const struct database_tables *database_tables(const struct database *d)
{
	return &d->tables;
}

const struct database_table *database_table(const struct database *d, struct str name)
{
	size_t i;

	for (i = 0; i < d->tables.n; i++) {
		if (str_eq(d->tables.list[i].name, name))
			return &d->tables.list[i];
	}
	return NULL;
}

const struct database_column *database_column(const struct database_table *table, struct str name)
{
	size_t i;

	for (i = 0; table && i < table->n; i++) {
		if (str_eq(table->columns[i].name, name))
			return &table->columns[i];
	}
	return NULL;
}

bool database_is_cut(const struct database *d)
{
	return d->cut;
}

uint64_t database_size(const struct database *d)
{
	return d->size;
}

void database_quote(struct buf *sql, struct str name)
{
	size_t i;

	buf_char(sql, '"');
	for (i = 0; i < name.n; i++) {
		if (name.p[i] == '"')
			buf_char(sql, '"');
		buf_char(sql, name.p[i]);
	}
	buf_char(sql, '"');
}

/* Runs a statement that returns no rows. */
static void run(struct database *d, const struct buf *sql)
{
	struct query *q = database_query(d, (struct str){sql->p, sql->n});

	if (q)
		query_next(q);
	query_close(q);
}

void database_index(struct database *d, const struct database_table *table, const char *keys, const char *columns)
{
	const struct str key = str_head(str_of(keys), str_find(str_of(keys), STR(",")));
	const struct database_column *column = database_column(table, key);
	struct buf sql = {0};

	if (!column || column->keyed)
		return;
	buf_lit(&sql, "CREATE TEMP TABLE ");
	database_quote(&sql, table->name);
	buf_lit(&sql, "(");
	buf_add(&sql, columns, strlen(columns));
	buf_lit(&sql, ", PRIMARY KEY(");
	buf_add(&sql, keys, strlen(keys));
	buf_lit(&sql, ")) WITHOUT ROWID");
	run(d, &sql);
	sql.n = 0;
	buf_lit(&sql, "INSERT OR IGNORE INTO temp.");
	database_quote(&sql, table->name);
	buf_lit(&sql, " SELECT ");
	buf_add(&sql, columns, strlen(columns));
	buf_lit(&sql, " FROM main.");
	database_quote(&sql, table->name);
	run(d, &sql);
	buf_free(&sql);
}
