/* database: opens databases and runs queries. This is the only file that includes sqlite3.h. */
#include "database.h"

#ifdef HAVE_SQLITE
#include "io/temp_file.h"

#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Sets r->src->fault. Returns false. */
static bool fail(struct reader *r, const char *what, int error)
{
	r->src->fault = (struct fault){.what = what, .error = error};
	return false;
}

/* --- tables --- */

const struct database_table *database_table(const struct database *d, struct str name)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		if (str_eq(d->tables[i].name, name))
			return &d->tables[i];
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

const bool database_supported = true;

static const char locked[] = "another program is writing the database; try again after that program has ended";

enum {
	WAIT_MS = 3000,      /* for a program that is writing the database */
	LEAST_LIMIT = 65536, /* the schema must be readable, even if --max-record is smaller */
	LEAST_ROW = 4,       /* a row of a table takes at least this number of bytes */
};

struct query {
	sqlite3_stmt *statement;
	uint64_t rows, most; /* more rows than `most` cannot be in the file: its pages form a loop */
};

/* --- a file of SQLite on a descriptor, because the source has opened the file, which may have no name --- */

static struct descriptor_file {
	sqlite3_file base;
	int fd; /* owned by the source or by struct database */
	/* Without a last page that is cut short: SQLite would read the missing part of this page as zeros. */
	int64_t size;
} next_file; /* the file of the next database, because SQLite passes only its name to open_file() */

static int read_at(sqlite3_file *file, void *p, int n, sqlite3_int64 at)
{
	const struct descriptor_file *f = (const struct descriptor_file *)file;
	const size_t want = (size_t)n;
	size_t left = at < f->size ? (size_t)(f->size - at) : 0;
	struct fault fault;

	left = left < want ? left : want;
	memset((char *)p + left, 0, want - left);
	if (!temp_file_read(f->fd, p, left, (uint64_t)at, &fault))
		return SQLITE_IOERR_READ;
	return left < want ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int close_file(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *n)
{
	*n = ((struct descriptor_file *)file)->size;
	return SQLITE_OK;
}

static int control(sqlite3_file *file, int op, void *arg)
{
	(void)file, (void)op, (void)arg;
	return SQLITE_NOTFOUND;
}

static int characteristics(sqlite3_file *file)
{
	(void)file;
	return SQLITE_IOCAP_IMMUTABLE; /* no locks, and no journal is looked for */
}

/* SQLite neither writes nor locks an immutable file, so it does not call the other methods. */
static const sqlite3_io_methods descriptor_methods = {.iVersion = 1,
    .xClose = close_file,
    .xRead = read_at,
    .xFileSize = file_size,
    .xFileControl = control,
    .xDeviceCharacteristics = characteristics};

/* Opens the database; temporary files are left to the system's functions. */
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	sqlite3_vfs *system = vfs->pAppData;

	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return system->xOpen(system, name, file, flags, out);
	*(struct descriptor_file *)file = next_file;
	if (out)
		*out = SQLITE_OPEN_READONLY;
	return SQLITE_OK;
}

/*
 * --- memory ---
 *
 * SQLite must end the program when memory is exhausted. It also reports SQLITE_NOMEM for some damaged databases, so
 * its result does not show whether memory was exhausted.
 */

static sqlite3_mem_methods usual;

static void *check_memory(void *p)
{
	if (!p)
		mem_exhausted("SQLite");
	return p;
}

static void *checked_malloc(int n)
{
	return check_memory(usual.xMalloc(n));
}

static void *checked_realloc(void *old, int n)
{
	return check_memory(usual.xRealloc(old, n));
}

static void init_library(void)
{
	static sqlite3_vfs vfs;
	sqlite3_mem_methods checked;
	sqlite3_vfs *system;

	if (vfs.zName)
		return;
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* faster */
	sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual);
	checked = usual;
	checked.xMalloc = checked_malloc;
	checked.xRealloc = checked_realloc;
	sqlite3_config(SQLITE_CONFIG_MALLOC, &checked);
	sqlite3_initialize();
	system = sqlite3_vfs_find(NULL);
	vfs = *system;
	vfs.zName = "descriptor";
	vfs.pAppData = system;
	vfs.xOpen = open_file;
	vfs.pNext = NULL;
	if (vfs.szOsFile < (int)sizeof(struct descriptor_file))
		vfs.szOsFile = (int)sizeof(struct descriptor_file);
	sqlite3_vfs_register(&vfs, 0);
}

/* --- the file: its content as a plain file, its size, and the files beside it --- */

static uint32_t number_at(const char *text, bool big)
{
	const unsigned char *p = (const unsigned char *)text;

	return big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
		   : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* Copies the content of the source to a temporary file. */
static bool copy_source(struct database *d, struct reader *r)
{
	struct source *src = r->src;
	uint64_t at = 0;
	struct fault f;

	d->copy = temp_file_open(&f);
	if (d->copy < 0)
		return fail(r, "cannot create a temporary file (TMPDIR) for the database", f.error);
	do {
		if (!temp_file_write(d->copy, src->p, src->n, at, &f))
			return fail(r, "cannot write the temporary file (TMPDIR) for the database", f.error);
		at += src->n;
		source_skip(src, src->n);
	} while (source_more(src) > 0);
	return src->fault.error == 0;
}

/* Returns the path of the file PATH with the suffix; the caller frees it. */
static char *path_beside(const char *path, const char *suffix)
{
	struct buf name = {0};

	buf_add(&name, path, strlen(path));
	buf_add(&name, suffix, strlen(suffix) + 1);
	return name.p;
}

/* Returns the size of the file PATH with the suffix; 0 when there is no such file. */
static uint64_t size_beside(const char *path, const char *suffix)
{
	char *name = path_beside(path, suffix);
	struct stat st;
	const bool found = stat(name, &st) == 0;

	free(name);
	return found ? (uint64_t)st.st_size : 0;
}

/*
 * Sets d->size and d->cut from the size of the file and its header. Counts the missing bytes as
 * lost. The format is described in https://www.sqlite.org/fileformat.html, section 1.3: the size of
 * a page is at offset 16 (1 means 65536) and the number of pages at 28. That number is valid only
 * if the counter at 24 is equal to the one at 92, since old versions of SQLite do not set it.
 */
static void check_size(struct database *d, struct reader *r, int fd)
{
	char head[100];
	uint64_t page, whole;
	struct stat st;
	char text[160];

	if (fstat(fd, &st) != 0)
		return;
	d->size = (uint64_t)st.st_size;
	if (pread(fd, head, sizeof head, 0) != sizeof head || number_at(head + 24, true) != number_at(head + 92, true))
		return; /* the header has no valid number of pages */
	page = (uint64_t)(unsigned char)head[16] << 8 | (unsigned char)head[17];
	whole = (uint64_t)number_at(head + 28, true) * (page == 1 ? 65536 : page);
	if (d->size >= whole)
		return;
	d->cut = true;
	snprintf(text, sizeof text,
	    "database cut short: %" PRIu64 " of %" PRIu64 " bytes are missing; other rows are read", whole - d->size,
	    whole);
	reader_cut(r, diagnostics_text(r->diagnostics, str_of(text)), 0, d->size);
	d->size -= d->size % (whole / number_at(head + 28, true));
}

/*
 * --- the -wal file ---
 *
 * SQLite uses its frames, which contain pages, up to the first one that is not valid. This is no damage at the end of
 * the file, where older frames can follow, with another salt.
 */

enum { WAL_HEADER = 32, FRAME = 24, SALT = 8 };

static void add_to_sum(uint32_t sum[2], const char *p, size_t n, bool big)
{
	size_t i;

	for (i = 0; i < n; i += 8) {
		sum[0] += number_at(p + i, big) + sum[1];
		sum[1] += number_at(p + i + 4, big) + sum[0];
	}
}

static bool is_sum_at(const uint32_t sum[2], const char *p)
{
	return number_at(p, true) == sum[0] && number_at(p + 4, true) == sum[1];
}

static bool load_bytes(struct source *src, size_t n)
{
	while (src->n < n && source_more(src) > 0)
		;
	return src->n >= n;
}

/*
 * Returns whether a frame of the file is damaged. The format is described in section 4 of
 * https://www.sqlite.org/fileformat.html: the header has the size of a page at offset 8, the salt
 * at 16 and a checksum of the first 24 bytes at 24. A frame has the salt at 8 and a checksum at 16,
 * which goes on from that of the preceding frame over the first 8 bytes and the page. A frame with
 * the current salt after an invalid one belongs to the current content, so the invalid one is
 * damage.
 */
static bool is_damaged(struct source *src)
{
	uint32_t sum[2] = {0, 0}, magic;
	char salt[SALT];
	bool big, valid;
	size_t page;

	if (!load_bytes(src, WAL_HEADER + FRAME))
		return false;
	magic = number_at(src->p, true);
	big = magic & 1;
	page = number_at(src->p + 8, true);
	add_to_sum(sum, src->p, WAL_HEADER - SALT, big);
	if ((magic | 1) != 0x377f0683 || page < 512 || page > 65536 || page % 8 ||
	    !is_sum_at(sum, src->p + WAL_HEADER - SALT))
		return true;
	memcpy(salt, src->p + 16, SALT);
	source_skip(src, WAL_HEADER);
	for (valid = true; load_bytes(src, FRAME + page); source_skip(src, FRAME + page)) {
		const bool current = memcmp(src->p + 8, salt, SALT) == 0;

		if (!valid && current)
			return true;
		add_to_sum(sum, src->p, 8, big);
		add_to_sum(sum, src->p + FRAME, page, big);
		valid = valid && current && is_sum_at(sum, src->p + 16);
	}
	return false;
}

/* Counts as lost the changes in the -wal file that SQLite does not read because the file is damaged before them. */
static void check_wal(struct reader *r)
{
	char *name = path_beside(r->path, "-wal");
	struct fault fault;
	struct source *src = source_open(name, &fault);

	free(name);
	if (!src)
		return; /* missing, or SQLite cannot read it either: see open_database() */
	if (is_damaged(src))
		reader_lost(r, "the -wal file beside the database is damaged; later changes in it are missing", 0, 0);
	source_close(src);
}

/* --- queries --- */

void database_put(struct buf *sql, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = check_memory(sqlite3_vmprintf(format, ap));
	va_end(ap);
	buf_add(sql, text, strlen(text) + 1);
	sql->n--;
	sqlite3_free(text);
}

struct query *database_query(struct database *d, const char *format, ...)
{
	sqlite3_stmt *statement;
	struct query *q;
	va_list ap;
	char *sql;
	int code;

	va_start(ap, format);
	sql = check_memory(sqlite3_vmprintf(format, ap));
	va_end(ap);
	code = sqlite3_prepare_v2(d->db, sql, -1, &statement, NULL);
	sqlite3_free(sql);
	if (code != SQLITE_OK)
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

/*
 * A damaged file can have pages that lead back to each other, so that the rows never end. There
 * cannot be more rows than the file has bytes for.
 */
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

/* --- the list of the tables --- */

/*
 * Tables without a root page are virtual ones, whose modules may be missing here. Tables whose
 * names begin with sqlite_ belong to SQLite itself.
 */
static void list_tables(struct database *d)
{
	struct query *q = database_query(d,
	    "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND typeof(name) = 'text' AND "
	    "name NOT LIKE 'sqlite!_%%' ESCAPE '!'");
	struct database_table *table;
	struct str name;
	size_t i, cap;

	while (q && query_next(q) == QUERY_ROW) {
		name = query_get(q, 0).bytes;
		d->tables = mem_grow(d->tables, &d->cap, d->n + 1, sizeof *d->tables);
		d->tables[d->n++] = (struct database_table){.name = {str_dup(name), name.n}};
	}
	query_close(q);
	for (i = 0; i < d->n; i++) {
		table = &d->tables[i];
		q = database_query(d, "PRAGMA table_info(\"%w\")", table->name.p);
		for (cap = 0; q && query_next(q) == QUERY_ROW;) {
			name = query_get(q, 1).bytes;
			table->columns = mem_grow(table->columns, &cap, table->n + 1, sizeof *table->columns);
			table->columns[table->n++] = (struct database_column){.name = {str_dup(name), name.n},
			    .not_null = query_get(q, 3).i != 0,
			    .keyed = query_get(q, 5).i == 1};
		}
		query_close(q);
	}
}

void database_index(struct database *d, const struct database_table *table, const char *keys, const char *columns)
{
	const struct str key = str_head(str_of(keys), str_find(str_of(keys), STR(",")));
	const struct database_column *column = database_column(table, key);
	const char *name = table->name.p;
	struct buf sql = {0};

	if (!column || column->keyed)
		return;
	database_put(&sql,
	    "CREATE TEMP TABLE \"%w\"(%s, PRIMARY KEY(%s)) WITHOUT ROWID;"
	    "INSERT OR IGNORE INTO temp.\"%w\" SELECT %s FROM main.\"%w\"",
	    name, columns, keys, name, columns, name);
	sqlite3_exec(d->db, sql.p, NULL, NULL, NULL);
	buf_free(&sql);
}

/* --- opening --- */

/* Opens the database of fd, or of the path if fd is -1, and runs the first query. Returns the primary result code. */
static int open_connection(struct database *d, const struct reader *r, int fd)
{
	const size_t most = r->max_record > LEAST_LIMIT ? r->max_record : LEAST_LIMIT;
	struct buf name = {0};
	int code;

	init_library();
	next_file = (struct descriptor_file){{&descriptor_methods}, fd, (int64_t)d->size};
	if (r->path[0] != '/')
		buf_lit(&name, "./"); /* a path such as :memory: has no special meaning */
	buf_add(&name, r->path, strlen(r->path) + 1);
	code = sqlite3_open_v2(fd >= 0 ? "/descriptor" : name.p, &d->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
	    fd >= 0 ? "descriptor" : NULL);
	buf_free(&name);
	if (code != SQLITE_OK)
		return code & 0xff;
	sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, most < INT32_MAX ? (int)most : INT32_MAX);
	sqlite3_busy_timeout(d->db, WAIT_MS);
	/*
	 * The cache and sorting in files bound the memory. Without a memory map, a file that
	 * shrinks is an error and not a signal. Cells and the schema are not trusted, since the
	 * file may be made to harm its reader.
	 */
	code = sqlite3_exec(d->db,
	    "PRAGMA temp_store=file; PRAGMA cache_size=-2000; PRAGMA mmap_size=0; PRAGMA cell_size_check=on;"
	    "PRAGMA trusted_schema=off; SELECT 1 FROM sqlite_master LIMIT 1",
	    NULL, NULL, NULL);
	return code & 0xff;
}

/* Handles the result of the first query. Returns whether the database can be read. */
static bool accept_result(struct database *d, struct reader *r, int code)
{
	switch (code) {
	case SQLITE_OK:
		return true;
	case SQLITE_NOTADB:
		reader_lost(r, "not an SQLite database, or an encrypted one", 0, 0);
		return false;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return fail(r, locked, FAULT_REFUSED);
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
		return fail(r,
		    "a program that was writing the database was killed; open it once with sqlite3, which undoes the "
		    "unfinished change",
		    FAULT_REFUSED);
	case SQLITE_IOERR:
		return fail(r, "cannot read the database", sqlite3_system_errno(d->db));
	default:
		if (!d->cut)
			reader_lost(r, "the schema of the database is damaged; its readable tables are read", 0, 0);
		sqlite3_exec(d->db, "PRAGMA writable_schema=on", NULL, NULL, NULL);
		return true;
	}
}

static bool open_database(struct database *d, struct reader *r)
{
	int fd = source_descriptor(r->src), code;
	uint64_t wal = 0, journal = 0;

	if (fd >= 0) {
		wal = size_beside(r->path, "-wal");
		journal = size_beside(r->path, "-journal");
	} else if (copy_source(d, r)) { /* the source is not a plain file */
		fd = d->copy;
	} else {
		return false;
	}
	check_size(d, r, fd);
	if (wal || journal)
		check_wal(r);
	code = open_connection(d, r, wal || journal ? -1 : fd);
	if (wal && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY)) {
		reader_lost(r, "cannot read the -wal file beside the database; the changes in it are missing", 0, 0);
		sqlite3_close(d->db);
		code = open_connection(d, r, fd);
	}
	d->size += wal; /* the rows of a -wal count too */
	return accept_result(d, r, code);
}

struct database *database_open(struct reader *r)
{
	struct database *d = mem_zero(1, sizeof *d);

	d->copy = -1;
	if (!open_database(d, r)) {
		database_close(d);
		return NULL;
	}
	list_tables(d);
	return d;
}

void database_close(struct database *d)
{
	size_t i, k;

	sqlite3_close(d->db);
	if (d->copy >= 0)
		close(d->copy);
	for (i = 0; i < d->n; i++) {
		for (k = 0; k < d->tables[i].n; k++)
			free((char *)d->tables[i].columns[k].name.p);
		mem_free(d->tables[i].columns, (char *)d->tables[i].name.p);
	}
	mem_free(d->tables, d);
}
#else

const bool database_supported = false;

#endif
