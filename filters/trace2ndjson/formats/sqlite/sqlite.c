/*
 * sqlite: reads SQLite databases of profilers. The tables show which program wrote a database:
 *
 *   nsys export -t sqlite, nsys stats   StringIds, CUPTI_ACTIVITY_KIND_KERNEL, NVTX_EVENTS ...   see nsys/nsys_sqlite.c
 *   rocprofv3                            rocpd_region_UUID, rocpd_kernel_dispatch_UUID ...        see rocprof/rocpd.c
 *
 * All records are in ts order; those without a ts come first.
 */
#include "database.h"
#include "trace2ndjson/formats/nsys/nsys_record.h"

static bool is_database(struct str head)
{
	return str_starts(head, (struct str){"SQLite format 3", 16});
}

struct sqlite {
	struct database *db;
	const struct database_writer *writer; /* NULL: the database has no known tables */
	void *state;                          /* of the writer's functions */
};

#ifdef HAVE_SQLITE

/* Counts a database of another program as lost. The message has the names of its first tables. */
static void report_unknown(struct reader *r, const struct database *db)
{
	struct buf text = {0};
	size_t i;

	if (database_table(db, STR("rocpd_api")) && database_table(db, STR("rocpd_op"))) {
		reader_lost(
		    r, "a database of rocmProfileData (RPD); convert it with: rpd2tracing.py FILE.rpd FILE.json", 0, 0);
		return;
	}
	buf_lit(&text, "an SQLite database, but not of nsys or rocprofv3; its tables are");
	for (i = 0; i < db->n && i < 8; i++) {
		buf_lit(&text, " ");
		buf_add(&text, db->tables[i].name.p, db->tables[i].name.n);
	}
	if (!db->n)
		buf_lit(&text, " missing");
	else if (i < db->n)
		buf_lit(&text, " ...");
	reader_lost(r, diagnostics_text(r->diagnostics, buf_str(&text)), 0, 0);
	buf_free(&text);
}

static void open_sqlite(void *state, struct reader *r)
{
	struct sqlite *s = state;

	s->db = database_open(r);
	if (!s->db)
		return;
	s->writer = database_nsys.is(s->db) ? &database_nsys : database_rocprof.is(s->db) ? &database_rocprof : NULL;
	if (s->writer)
		s->state = s->writer->open(s->db, r);
	else if (!s->db->cut)
		report_unknown(r, s->db);
}

static void close_sqlite(void *state, struct reader *r)
{
	struct sqlite *s = state;

	(void)r;
	if (s->writer)
		s->writer->close(s->state);
	if (s->db)
		database_close(s->db);
}

#else

static void open_sqlite(void *state, struct reader *r)
{
	(void)state;
	r->src->fault =
	    (struct fault){.what = "this build cannot read SQLite; install libsqlite3-dev and run: make SQLITE=1",
		.error = FAULT_REFUSED};
}

static void close_sqlite(void *state, struct reader *r)
{
	(void)state, (void)r;
}

#endif

static int next(void *state, struct reader *r, struct event *e)
{
	struct sqlite *s = state;

	return s->writer ? s->writer->next(s->state, r, e) : 0;
}

const struct format format_sqlite = {
    .name = "sqlite",
    .help = "SQLite databases: Nsight Systems (run.sqlite), rocprofv3 (1234_results.db)",
    .example = "nsys export -t sqlite run.nsys-rep && trace2ndjson run.sqlite",
    .probe = is_database,
    .run_size = sizeof(struct nsys_run),
    .options = nsys_options,
    .binary = true,
    .state_size = sizeof(struct sqlite),
    .open = open_sqlite,
    .next = next,
    .close = close_sqlite,
};
