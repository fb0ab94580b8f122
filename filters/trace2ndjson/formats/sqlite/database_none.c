/* database_none: takes the place of database.c in a build without libsqlite3. No database is ever opened. */
#include "database_private.h"

#ifndef HAVE_SQLITE

const bool database_supported = false;

struct database *database_open(struct reader *r)
{
	database_fail(r, "this build cannot read SQLite; install libsqlite3-dev and run: make SQLITE=1", FAULT_REFUSED);
	return NULL;
}

void database_close(struct database *d)
{
	(void)d;
}

struct query *database_query(struct database *d, struct str sql)
{
	(void)d, (void)sql;
	return NULL;
}

void query_close(struct query *q)
{
	(void)q;
}

void query_bind(struct query *q, int n, int64_t value)
{
	(void)q, (void)n, (void)value;
}

enum query_step query_next(struct query *q)
{
	(void)q;
	return QUERY_END;
}

struct fault database_failure(const struct database *d)
{
	(void)d;
	return (struct fault){0};
}

enum query_type query_get_int(const struct query *q, int column, int64_t *i)
{
	(void)q, (void)column;
	*i = 0;
	return QUERY_NULL;
}

struct query_value query_get(const struct query *q, int column)
{
	(void)q, (void)column;
	return (struct query_value){0};
}

#endif
