/* database: opens databases and runs queries. This is the only file that includes sqlite3.h. */
#include "database_private.h"

#ifdef HAVE_SQLITE
#include "base/num_parse.h"

#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const bool database_supported = true;

static const char locked[] = "another program is writing the database; try again after that program has ended";

enum {
	CACHE_KB = 2000,
	WAIT_MS = 3000,      /* for a program that is writing the database */
	LEAST_LIMIT = 65536, /* the schema must be readable, even if --max-record is smaller */
	LEAST_ROW = 4,       /* a row of a table takes at least this number of bytes */
};

struct query {
	sqlite3_stmt *statement;
	uint64_t rows, most; /* more rows than `most` cannot be in the file: its pages form a loop */
};

/* --- a file of SQLite on a descriptor, because the source has opened the file, which may have no name --- */

struct descriptor_file {
	sqlite3_file base;
	int fd; /* owned by the source or by struct database */
	/* Without a last page that is cut short: SQLite would read the missing part of this page as zeros. */
	int64_t size;
};

static int read_at(sqlite3_file *file, void *p, int n, sqlite3_int64 at)
{
	const int fd = ((struct descriptor_file *)file)->fd;
	size_t want = (size_t)n, done = 0;
	ssize_t got;

	while (done < want) {
		got = pread(fd, (char *)p + done, want - done, (off_t)at + (off_t)done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return SQLITE_IOERR_READ;
		if (got == 0) {
			memset((char *)p + done, 0, want - done);
			return SQLITE_IOERR_SHORT_READ;
		}
		done += (size_t)got;
	}
	return SQLITE_OK;
}

static int close_file(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

static int refuse_write(sqlite3_file *file, const void *p, int n, sqlite3_int64 at)
{
	(void)file, (void)p, (void)n, (void)at;
	return SQLITE_READONLY;
}

static int refuse_truncate(sqlite3_file *file, sqlite3_int64 n)
{
	(void)file, (void)n;
	return SQLITE_READONLY;
}

static int do_nothing(sqlite3_file *file, int flags)
{
	(void)file, (void)flags;
	return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *n)
{
	*n = ((struct descriptor_file *)file)->size;
	return SQLITE_OK;
}

static int is_reserved(sqlite3_file *file, int *reserved)
{
	(void)file;
	*reserved = 0;
	return SQLITE_OK;
}

static int control(sqlite3_file *file, int op, void *arg)
{
	(void)file, (void)op, (void)arg;
	return SQLITE_NOTFOUND;
}

static int sector_size(sqlite3_file *file)
{
	(void)file;
	return 4096;
}

static int characteristics(sqlite3_file *file)
{
	(void)file;
	return SQLITE_IOCAP_IMMUTABLE; /* no locks, and no journal is looked for */
}

static const sqlite3_io_methods descriptor_methods = {.iVersion = 1,
    .xClose = close_file,
    .xRead = read_at,
    .xWrite = refuse_write,
    .xTruncate = refuse_truncate,
    .xSync = do_nothing,
    .xFileSize = file_size,
    .xLock = do_nothing,
    .xUnlock = do_nothing,
    .xCheckReservedLock = is_reserved,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics};

/* Opens the database, whose name is "DESCRIPTOR SIZE"; temporary files are left to the system's functions. */
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	sqlite3_vfs *system = vfs->pAppData;
	struct str rest, part;
	int64_t fd, size;

	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return system->xOpen(system, name, file, flags, out);
	rest = str_of(name);
	if (!str_split(&rest, ' ', &part) || num_int(part, &fd) != NUM_OK || num_int(rest, &size) != NUM_OK)
		return SQLITE_CANTOPEN;
	*(struct descriptor_file *)file = (struct descriptor_file){{&descriptor_methods}, (int)fd, size};
	if (out)
		*out = SQLITE_OPEN_READONLY;
	return SQLITE_OK;
}

static int full_name(sqlite3_vfs *vfs, const char *name, int n, char *to)
{
	(void)vfs;
	sqlite3_snprintf(n, to, "%s", name);
	return SQLITE_OK;
}

static const char *descriptor_vfs(void)
{
	static sqlite3_vfs vfs;
	sqlite3_mem_methods memory;
	sqlite3_vfs *system;

	if (!vfs.zName) {
		sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* faster */
		sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory);
		database_memory_check(&memory.xMalloc, &memory.xRealloc);
		sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
		sqlite3_initialize();
		system = sqlite3_vfs_find(NULL);
		vfs = *system;
		vfs.zName = "descriptor";
		vfs.pAppData = system;
		vfs.xOpen = open_file;
		vfs.xFullPathname = full_name;
		vfs.pNext = NULL;
		if (vfs.szOsFile < (int)sizeof(struct descriptor_file))
			vfs.szOsFile = (int)sizeof(struct descriptor_file);
		sqlite3_vfs_register(&vfs, 0);
	}
	return vfs.zName;
}

/* --- opening --- */

static void set_limits(struct database *d, const struct reader *r)
{
	const size_t most = r->max_record > LEAST_LIMIT ? r->max_record : LEAST_LIMIT;
	char pragmas[160];

	sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, most < INT32_MAX ? (int)most : INT32_MAX);
	sqlite3_busy_timeout(d->db, WAIT_MS);
	snprintf(pragmas, sizeof pragmas,
	    "PRAGMA temp_store=file; PRAGMA cache_size=-%d; PRAGMA mmap_size=0; PRAGMA cell_size_check=on;"
	    "PRAGMA trusted_schema=off;",
	    CACHE_KB);
	sqlite3_exec(d->db, pragmas, NULL, NULL, NULL);
}

/* Opens a database and runs the first query. Returns the primary result code. */
static int open_name(struct database *d, const struct reader *r, const char *name, const char *vfs)
{
	int code = sqlite3_open_v2(name, &d->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, vfs);

	if (code == SQLITE_OK) {
		set_limits(d, r);
		code = sqlite3_exec(d->db, "SELECT 1 FROM sqlite_master LIMIT 1", NULL, NULL, NULL);
	}
	return code & 0xff;
}

static int open_by_descriptor(struct database *d, const struct reader *r, int fd)
{
	const char *vfs = descriptor_vfs();
	char name[48];

	snprintf(name, sizeof name, "%d %" PRIu64, fd, d->size);
	return open_name(d, r, name, vfs);
}

static int open_by_path(struct database *d, const struct reader *r)
{
	struct buf name = {0};
	int code;

	if (r->path[0] != '/')
		buf_lit(&name, "./"); /* a path such as :memory: has no special meaning */
	buf_add(&name, r->path, strlen(r->path) + 1);
	descriptor_vfs();
	code = open_name(d, r, name.p, NULL);
	buf_free(&name);
	return code;
}

/* Handles the result of the first query. Returns whether the database can be read. */
static bool judge(struct database *d, struct reader *r, int code)
{
	switch (code) {
	case SQLITE_OK:
		return true;
	case SQLITE_NOTADB:
		reader_lost(r, "not an SQLite database, or an encrypted one", 0, 0);
		return false;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return database_fail(r, locked, FAULT_REFUSED);
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
		return database_fail(r,
		    "a program that was writing the database was killed; open it once with sqlite3, which undoes the "
		    "unfinished change",
		    FAULT_REFUSED);
	case SQLITE_IOERR:
		return database_fail(r, "cannot read the database", sqlite3_system_errno(d->db));
	default:
		if (!d->cut)
			reader_lost(r, "the schema of the database is damaged; its readable tables are read", 0, 0);
		sqlite3_exec(d->db, "PRAGMA writable_schema=on", NULL, NULL, NULL);
		return true;
	}
}

static bool open_database(struct database *d, struct reader *r)
{
	const int fd = database_descriptor(d, r);
	uint64_t wal, journal;
	int code;

	if (fd < 0)
		return false;
	wal = d->copy < 0 ? database_size_beside(r->path, "-wal") : 0;
	journal = d->copy < 0 ? database_size_beside(r->path, "-journal") : 0;
	database_check_size(d, r, fd);
	if (!wal && !journal)
		return judge(d, r, open_by_descriptor(d, r, fd));
	database_check_wal(r);
	code = open_by_path(d, r);
	if (wal && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY)) {
		reader_lost(r, "cannot read the -wal file beside the database; the changes in it are missing", 0, 0);
		sqlite3_close(d->db);
		code = open_by_descriptor(d, r, fd);
	}
	d->size += wal; /* the rows of a -wal count too */
	return judge(d, r, code);
}

struct database *database_open(struct reader *r)
{
	struct database *d = mem_zero(1, sizeof *d);

	d->copy = -1;
	if (!open_database(d, r)) {
		database_close(d);
		return NULL;
	}
	database_list_tables(d);
	return d;
}

void database_close(struct database *d)
{
	sqlite3_close(d->db);
	if (d->copy >= 0)
		close(d->copy);
	database_free_tables(d);
	free(d);
}

/* --- queries --- */

struct query *database_query(struct database *d, struct str sql)
{
	struct query *q;
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(d->db, sql.p, (int)sql.n, &statement, NULL) != SQLITE_OK)
		return NULL;
	q = mem_zero(1, sizeof *q);
	q->statement = statement;
	q->most = d->size / LEAST_ROW;
	return q;
}

void query_close(struct query *q)
{
	if (q)
		sqlite3_finalize(q->statement);
	free(q);
}

void query_bind(struct query *q, int n, int64_t value)
{
	sqlite3_reset(q->statement);
	sqlite3_bind_int64(q->statement, n, value);
	q->rows = 0;
}

enum query_step query_next(struct query *q)
{
	switch (sqlite3_step(q->statement) & 0xff) {
	case SQLITE_ROW:
		return q->rows++ > q->most ? QUERY_DAMAGED : QUERY_ROW;
	case SQLITE_DONE:
		return QUERY_END;
	case SQLITE_TOOBIG:
		return QUERY_LARGE;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_FULL:
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		return QUERY_FAILED;
	default:
		return QUERY_DAMAGED;
	}
}

struct fault database_failure(const struct database *d)
{
	const int error = sqlite3_system_errno(d->db);

	switch (sqlite3_errcode(d->db) & 0xff) {
	case SQLITE_FULL:
		return (struct fault){.what = "cannot write a temporary file (TMPDIR) for sorting", .error = ENOSPC};
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return (struct fault){.what = locked, .error = FAULT_REFUSED};
	default:
		return (struct fault){.what = "cannot read the database", .error = error ? error : EIO};
	}
}

enum query_type query_get_int(const struct query *q, int column, int64_t *i)
{
	static const enum query_type types[] = {[SQLITE_INTEGER] = QUERY_INT,
	    [SQLITE_FLOAT] = QUERY_REAL,
	    [SQLITE_TEXT] = QUERY_TEXT,
	    [SQLITE_BLOB] = QUERY_BLOB,
	    [SQLITE_NULL] = QUERY_NULL};
	/* The value is not protected by a mutex, and need not be, as there are no threads. */
	sqlite3_value *value = sqlite3_column_value(q->statement, column);
	const enum query_type type = types[sqlite3_value_type(value)];

	if (type == QUERY_INT)
		*i = sqlite3_value_int64(value);
	return type;
}

struct query_value query_get(const struct query *q, int column)
{
	struct query_value v = {QUERY_NULL, 0, 0, {NULL, 0}};
	sqlite3_value *value = sqlite3_column_value(q->statement, column);

	v.type = query_get_int(q, column, &v.i);
	if (v.type == QUERY_REAL)
		v.real = sqlite3_value_double(value);
	if (v.type == QUERY_TEXT || v.type == QUERY_BLOB) {
		v.bytes.p = v.type == QUERY_TEXT ? (const char *)sqlite3_value_text(value) : sqlite3_value_blob(value);
		v.bytes.n = (size_t)sqlite3_value_bytes(value);
	}
	return v;
}

#endif
