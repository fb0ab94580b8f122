/*
 * sqlite: reads SQLite databases of profilers. The tables show which program wrote a database:
 *
 *   nsys export -t sqlite, nsys stats   StringIds, CUPTI_ACTIVITY_KIND_KERNEL, NVTX_EVENTS ...   see nsys/nsys_sqlite.h
 *
 * All records are in ts order; those without a ts come first.
 */
#include "database.h"
#include "trace2ndjson/formats/nsys/nsys.h"
#include "trace2ndjson/formats/nsys/nsys_sqlite.h"

struct sqlite {
	struct database *db;
	void *nsys; /* the state of nsys_sqlite, or NULL */
};

static bool probe(struct str head)
{
	return str_starts(head, (struct str){"SQLite format 3", 16});
}

/* Counts a database of another program as lost. The message has the names of its first tables. */
static void report_unknown(struct reader *r, const struct database *db)
{
	const struct database_tables *tables = database_tables(db);
	struct buf text = {0};
	size_t i;

	buf_lit(&text, "an SQLite database, but not of nsys; its tables are");
	for (i = 0; i < tables->n && i < 8; i++) {
		buf_lit(&text, " ");
		buf_add(&text, tables->list[i].name.p, tables->list[i].name.n);
	}
	if (!tables->n)
		buf_lit(&text, " missing");
	else if (i < tables->n)
		buf_lit(&text, " ...");
	reader_lost(r, diagnostics_text(r->diagnostics, (struct str){text.p, text.n}), 0, 0);
	buf_free(&text);
}

static void open_sqlite(void *state, struct reader *r)
{
	struct sqlite *s = state;
	const struct nsys_run *run = r->run;

	s->db = database_open(r);
	if (!s->db)
		return;
	if (nsys_sqlite_is(s->db))
		s->nsys = nsys_sqlite_open(s->db, r, run->strings);
	else if (!database_is_cut(s->db))
		report_unknown(r, s->db);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct sqlite *s = state;

	return s->nsys ? nsys_sqlite_next(s->nsys, r, e) : 0;
}

static void close_sqlite(void *state, struct reader *r)
{
	struct sqlite *s = state;

	(void)r;
	if (s->nsys)
		nsys_sqlite_close(s->nsys);
	if (s->db)
		database_close(s->db);
}

const struct format format_sqlite = {
    .name = "sqlite",
    .help = "SQLite databases: Nsight Systems (nsys export -t sqlite, nsys stats)",
    .probe = probe,
    .run_size = sizeof(struct nsys_run),
    .options = nsys_options,
    .binary = true,
    .state_size = sizeof(struct sqlite),
    .open = open_sqlite,
    .next = next,
    .close = close_sqlite,
};
