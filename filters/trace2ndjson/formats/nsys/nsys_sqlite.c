/* nsys_sqlite: reads the SQLite databases that `nsys export -t sqlite` and `nsys stats` write. */
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/string.h"
#include "json/write.h"
#include "nsys_record.h"
#include "trace2ndjson/formats/sqlite/table_merge.h"

#include <math.h>
#include <stdlib.h>

enum { NO_COLUMN = -1 };

struct nsys_column {
	struct str name;       /* a view of the database's name */
	struct buf key;        /* ,"NAME": */
	enum nsys_field field; /* NSYS_N: the column is only in args */
	bool not_null;
	struct value_text text;
};

/* A table, and the queries for the data of its rows that are in other tables. */
struct nsys_table {
	struct table_cursor cursor; /* the first member, so that it can be converted to the table */
	struct str cat;             /* JSON: the name */
	bool strings;               /* the rows are strings, which are written as records */
	const struct nsys_shape *shape;
	struct nsys_column *columns; /* in the order of the query */
	size_t n;
	int chain;                        /* column with the id of a call stack, in the rows of `stack` */
	struct query *stack;              /* NULL when there are no stacks */
	const struct nsys_metric *metric; /* NULL: the rows are not metrics */
	struct text_lookup metrics;       /* their names */
	int metric_id[2], payload;        /* columns; the payload is that of an NVTX event */
};

/* --- the payloads of NVTX events, which nsys 2025 and later exports with --include-blobs=true --- */

enum { HEADER = 32 };

/* The types of fields. Types less than SIZE, except FLOAT, are integers, which are signed if their number is odd. */
enum { FLOAT = 19, DOUBLE = 20, SIZE = 22, ADDRESS = 23, TYPES };

/* The sizes of fields in bytes, indexed by type; 0 for a type that is not a plain number. */
static const unsigned char sizes[TYPES] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 8, 8};

/* Returns the number in the n bytes at p, n <= 8. */
static uint64_t little_endian(const char *p, size_t n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | (unsigned char)p[n];
	return v;
}

/* Appends a number, unless it is a float that is not finite. */
static void put_number(struct buf *args, struct str name, const char *p, size_t type)
{
	const uint64_t v = little_endian(p, sizes[type]);
	const unsigned unused = (unsigned)(64 - 8 * sizes[type]);
	const uint32_t low = (uint32_t)v;
	char digits[NUM_ROOM], *end;
	double real;
	float narrow;

	memcpy(&real, &v, sizeof real);
	if (type == FLOAT) {
		memcpy(&narrow, &low, sizeof narrow);
		real = (double)narrow;
	}
	if ((type == FLOAT || type == DOUBLE) && !isfinite(real))
		return;
	if (type == FLOAT || type == DOUBLE)
		end = num_put_double(digits, real);
	else if (type < SIZE && type % 2)
		end = num_put_i64(digits, (int64_t)(v << unused) >> unused);
	else
		end = num_put_u64(digits, v);
	json_write_name(args, name);
	buf_add(args, digits, (size_t)(end - digits));
}

/*
 * Appends the member "payload", an object with the fields of the blob that have a plain number type. Appends nothing
 * when the blob has no valid header. A header has 32 bytes, in little-endian order: domain (4 bytes), 4 unused bytes,
 * schema (4), 4 unused bytes, size of the payload (8), size of the blob (8). The types of the fields are those of
 * nvToolsExtPayload.h. Offsets count from the end of the header; a field without an offset is at 0. `q` selects the
 * type, name and offset of the fields.
 */
static void payload_put(struct buf *args, struct query *q, struct str blob)
{
	struct query_value type, name, offset;
	size_t t, at;

	if (blob.n < HEADER)
		return;
	query_bind(q, 1, (int64_t)little_endian(blob.p, 4));
	query_bind(q, 2, (int64_t)little_endian(blob.p + 8, 4));
	json_write_begin(args, "payload", '{');
	while (query_next(q) == QUERY_ROW) {
		type = query_get(q, 0);
		name = query_get(q, 1);
		offset = query_get(q, 2);
		if (type.type != QUERY_INT || type.i < 0 || type.i >= TYPES || name.type != QUERY_TEXT || offset.i < 0)
			continue;
		t = (size_t)type.i;
		at = (size_t)offset.i;
		if (sizes[t] && at <= blob.n - HEADER && sizes[t] <= blob.n - HEADER - at)
			put_number(args, name.bytes, blob.p + HEADER + at, t);
	}
	json_write_end(args, '}');
}

/* --- a table: its columns, and the values of a row as fields --- */

/* Returns whether the records of the table have one of the selected kinds. */
static bool table_is_wanted(const struct reader *r, struct str name)
{
	struct buf quoted = {0};
	bool wanted;

	json_quote(&quoted, name);
	wanted = nsys_event_kinds(buf_str(&quoted)) & r->kinds;
	buf_free(&quoted);
	return wanted;
}

static struct nsys_column *add_column(struct nsys_table *t, const struct database_column *column)
{
	struct nsys_column *c = &t->columns[t->n++];

	*c = (struct nsys_column){.field = NSYS_N};
	if (!column)
		return c;
	c->name = column->name;
	c->not_null = column->not_null;
	json_write_name(&c->key, c->name);
	return c;
}

/* Returns the column with the value of a time; the first one that the table has is used, the others belong in args. */
static const struct database_column *find_time(const struct database_table *table, enum nsys_field field)
{
	struct str rest = str_of(nsys_columns[field].names[NSYS_DATABASE]), name;
	const struct database_column *found = NULL;

	while (!found && str_split(&rest, ' ', &name))
		found = database_column(table, name);
	return found;
}

/* Adds one of the two columns that every query begins with. `zero`: the time 0 means that the time is unknown. */
static void add_time(struct nsys_table *t, const struct database_column *column, enum nsys_field field, bool zero)
{
	struct nsys_column *added = add_column(t, column);
	struct buf *sql = &t->cursor.times;

	database_put(sql, sql->n ? ", " : "");
	database_put(sql, !column ? "NULL" : zero ? "nullif(\"%w\", 0)" : "\"%w\"", added->name.p);
	added->field = column ? field : NSYS_N;
	added->not_null &= !zero;
}

/* Plans the query of a table. Without `args`, reads only the columns that are used otherwise. */
static void table_init(struct nsys_table *t, const struct database_table *table, bool args)
{
	/* The columns that join_table() uses are read even without args, like those that have a field. */
	static const char *const joined[] = {
	    "id", "callchainId", "typeId", "metricId", "metricsListId", "metricsIdx", NULL};
	const struct database_column *start = find_time(table, NSYS_START), *end = find_time(table, NSYS_END);
	struct nsys_column *added;
	struct buf cat = {0};
	size_t i;

	*t = (struct nsys_table){.cursor.table = table};
	/* An enclosing range precedes the ranges in it, and the reports of nsys number ranges by their row. */
	t->cursor.keeps_ties = str_eq(table->name, STR("NVTX_EVENTS"));
	t->cursor.timed = start;
	json_quote(&cat, table->name);
	t->cat = buf_str(&cat);
	t->shape = nsys_row_shape(&(struct nsys_row){.v[NSYS_TABLE] = t->cat});
	t->columns = mem_alloc((table->n + 2) * sizeof *t->columns);
	/* Events that are recorded on the device have the time 0 if it was not collected. */
	add_time(t, start, NSYS_START, str_eq(table->name, STR("CUPTI_ACTIVITY_KIND_CUDA_EVENT")));
	add_time(t, end, NSYS_END, false);
	for (i = 0; i < table->n; i++) { /* a damaged table may have no columns */
		if (&table->columns[i] == start || &table->columns[i] == end)
			continue;
		added = add_column(t, &table->columns[i]);
		added->field = nsys_row_field(NSYS_TOP, added->name);
		if (added->field <= NSYS_START) /* these fields are for lines of JSON */
			added->field = NSYS_N;
		if (args || added->field < NSYS_N || str_in(added->name, joined)) {
			database_put(&t->cursor.columns, ", \"%w\"", added->name.p);
		} else {
			buf_free(&added->key);
			t->n--;
		}
	}
}

static void table_free(struct nsys_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		buf_free(&t->columns[i].key);
		value_text_free(&t->columns[i].text);
	}
	mem_free(t->columns, (char *)t->cat.p);
	table_cursor_free(&t->cursor);
	query_close(t->stack);
	text_lookup_close(&t->metrics);
}

/* Returns the index of a column in the query, or NO_COLUMN. */
static int find_column(const struct nsys_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (str_eq(t->columns[i].name, str_of(name)))
			return (int)i;
	}
	return NO_COLUMN;
}

/*
 * Sets *row to the current row of the cursor; row->args only if `args` is set. Views in *row are valid until the next
 * call. Returns false when a column has NULL although it is declared NOT NULL.
 */
static bool nsys_table_row(struct nsys_table *t, struct nsys_row *row, bool args)
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
			if (i == 0 && t->cursor.timed) {
				row->start = number;
				row->has_start = true;
				continue;
			}
			if (i == 1 && row->has_start) { /* an end without a start is like any other column */
				row->end = number;
				row->has_end = true;
				continue;
			}
			json = value_text_int(&c->text, number);
			taken = c->field < NSYS_N && nsys_row_take_int(row, c->field, json);
			break;
		default:
			v = query_get(t->cursor.query, (int)i);
			json = value_text_other(&c->text, &v);
			taken = c->field < NSYS_N && nsys_row_take(row, c->field, json);
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

struct nsys_sqlite {
	struct database *db;
	struct table_merge merge;
	struct nsys_table *tables;
	size_t n;
	struct text_lookup strings;
	struct query *payloads;
	struct nsys_record record;
	struct buf stack, text;
	char rank[NUM_ROOM], id[NUM_ROOM];
};

/* At equal times, rows of these tables are in this order, and precede those of other tables. */
static const char *const order[] = {
    "MPI_RANKS",
    "NVTX_EVENTS",
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUDNN_EVENTS",
    "CUBLAS_EVENTS",
    "OSRT_API",
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    NULL,
};

enum { ORDER = sizeof order / sizeof *order - 1 };

/* The tables whose rows have a stack, the column with its id, and the table with the frames. */
static const struct {
	const char *table, *column, *frames;
} chains[] = {
    {"COMPOSITE_EVENTS", "id", "SAMPLING_CALLCHAINS"},
    {"OSRT_API", "callchainId", "OSRT_CALLCHAINS"},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", "callchainId", "CUDA_CALLCHAINS"},
};

/* --- opening --- */

static bool is_of_nsys(const struct database *db)
{
	static const char *const begins[] = {
	    "CUPTI_ACTIVITY_KIND_", "NVTX_", "TARGET_INFO_", "OSRT_", "META_DATA_", NULL};
	size_t i;

	for (i = 0; i < db->n && !str_starts_in(db->tables[i].name, begins); i++)
		;
	return i < db->n || database_table(db, STR("StringIds"));
}

/* Prepares the queries for the data of a table's rows that are in other tables. */
static void join_table(struct nsys_sqlite *s, struct nsys_table *t, struct reader *r)
{
	const struct nsys_metric *metric = nsys_metric_of(t->cursor.table->name, false);
	const struct database_table *frames;
	size_t i;

	for (i = 0; i < sizeof chains / sizeof *chains; i++) {
		if (!str_eq(t->cursor.table->name, str_of(chains[i].table)))
			continue;
		frames = database_table(s->db, str_of(chains[i].frames));
		t->chain = find_column(t, chains[i].column);
		if (!frames || t->chain == NO_COLUMN)
			continue;
		database_index(s->db, frames, "id, stackDepth", "id, stackDepth, symbol");
		t->stack = database_query(
		    s->db, "SELECT symbol FROM \"%w\" WHERE id = ?1 ORDER BY stackDepth DESC", frames->name.p);
	}
	if (metric) {
		t->metric_id[0] = find_column(t, metric->ids[0]);
		t->metric_id[1] = find_column(t, metric->ids[1]);
	}
	if (metric && t->metric_id[0] != NO_COLUMN && t->metric_id[1] != NO_COLUMN) {
		t->metric = metric;
		text_lookup_open(&t->metrics, r,
		    database_query(s->db, "SELECT %s FROM %s WHERE %s = ?1 AND %s = ?2", metric->name, metric->names,
			metric->ids[0], metric->ids[1]));
	}
	t->payload = r->args && s->payloads ? find_column(t, "binaryData") : NO_COLUMN;
}

/* Counts the tables of `order` as lost that are not ordinary tables: views, virtual tables, tables without pages. */
static void report_strange_tables(struct nsys_sqlite *s, struct reader *r)
{
	struct query *q = database_query(s->db, "SELECT DISTINCT name FROM sqlite_master");
	struct str name;

	while (q && query_next(q) == QUERY_ROW) {
		name = query_get(q, 0).bytes;
		if (str_in(name, order) && !database_table(s->db, name) && table_is_wanted(r, name))
			table_merge_lost(&s->merge, name, "not an ordinary table; its rows are lost");
	}
	query_close(q);
}

/* `strings`: the table of strings, if its rows become records; they precede all others. */
static void add_tables(struct nsys_sqlite *s, struct reader *r, const struct database_table *strings)
{
	const struct database_table *table;
	struct nsys_table *t;
	size_t i, k;

	s->tables = mem_alloc((s->db->n + 1) * sizeof *s->tables);
	if (strings) {
		s->tables[s->n] = (struct nsys_table){.cursor.table = strings, .strings = true};
		database_put(&s->tables[s->n].cursor.times, "NULL, NULL");
		database_put(&s->tables[s->n].cursor.columns, ", id, value");
		table_merge_add(&s->merge, &s->tables[s->n++].cursor);
	}
	for (i = 0; i < s->db->n && !s->merge.failed; i++) {
		table = &s->db->tables[i];
		if (str_eq(table->name, STR("StringIds")) || str_ends(table->name, STR("_CALLCHAINS")) ||
		    !table_is_wanted(r, table->name))
			continue;
		t = &s->tables[s->n++];
		table_init(t, table, r->args);
		join_table(s, t, r);
		for (k = 0; k < ORDER && !str_eq(table->name, str_of(order[k])); k++)
			;
		t->cursor.order = (unsigned)(1 + k + (k < ORDER ? 0 : i)); /* 0: the table of strings */
		table_merge_add(&s->merge, &t->cursor);
	}
}

/* Stores the names of the NVTX domains, whose ranges may precede the creation of the domain. */
static void find_domains(struct nsys_sqlite *s)
{
	struct query *q = database_query(s->db, "SELECT globalTid, domainId, coalesce(text, (SELECT value FROM "
						"StringIds WHERE id = textId)) FROM NVTX_EVENTS WHERE eventType = 75");
	struct query_value thread, domain, name;
	char digits[2][NUM_ROOM];
	struct str *v = s->record.row.v;
	struct buf text = {0};

	while (q && query_next(q) == QUERY_ROW) {
		thread = query_get(q, 0);
		domain = query_get(q, 1);
		name = query_get(q, 2);
		if (name.type != QUERY_TEXT)
			continue;
		v[NSYS_THREAD] = num_str_i64(digits[0], thread.i);
		v[NSYS_DOMAIN] = num_str_i64(digits[1], domain.i);
		text.n = 0;
		json_quote(&text, name.bytes);
		nsys_record_domain(&s->record, buf_str(&text));
	}
	query_close(q);
	buf_free(&text);
}

/* Sets the rank of all records, if the database has exactly one. */
static void find_rank(struct nsys_sqlite *s, struct reader *r)
{
	struct query *q = database_query(s->db, "SELECT min(rank), max(rank) FROM MPI_RANKS");
	int64_t least, most;

	if (q && query_next(q) == QUERY_ROW && query_get_int(q, 0, &least) == QUERY_INT &&
	    query_get_int(q, 1, &most) == QUERY_INT && least == most)
		r->rank = num_str_i64(s->rank, least);
	query_close(q);
}

/* The function text_of of struct nsys_record. */
static struct str text_of(void *arg, struct str id, struct buf *to)
{
	struct nsys_sqlite *s = arg;
	struct str text = {NULL, 0};
	int64_t number;

	if (num_int(id, &number) == NUM_OK)
		text = text_lookup_get(&s->strings, number, 0);
	buf_add(to, text.p, text.n); /* the next lookup may overwrite it */
	return text.p ? buf_str(to) : text;
}

/* Sets r->rank if the database has one MPI rank. Memory does not grow with the number of rows or strings. */
static void *open_tables(struct database *db, struct reader *r)
{
	const struct nsys_run *run = r->run;
	struct nsys_sqlite *s = mem_zero(1, sizeof *s);
	const struct database_table *ids = database_table(db, STR("StringIds"));

	s->db = db;
	s->merge = (struct table_merge){.db = db, .reader = r, .file = r->file};
	s->record.text_of = text_of;
	s->record.arg = s;
	if (ids)
		database_index(db, ids, "id", "id, value");
	text_lookup_open(&s->strings, r, database_query(db, "SELECT value FROM StringIds WHERE id = ?1"));
	s->payloads = database_query(db, "SELECT type, name, \"offset\" FROM NVTX_PAYLOAD_SCHEMA_ENTRIES "
					 "WHERE domainId = ?1 AND schemaId = ?2 ORDER BY idx");
	find_domains(s);
	find_rank(s, r);
	report_strange_tables(s, r);
	add_tables(s, r, run->strings && reader_wants(r, KIND_META) ? ids : NULL);
	return s;
}

/* --- records --- */

/* Makes the record of a string; returns false when the row has none. */
static bool make_string(struct nsys_sqlite *s, const struct table_cursor *cursor, struct reader *r, struct event *e)
{
	const struct query_value id = query_get(cursor->query, 2), value = query_get(cursor->query, 3);

	if (id.type != QUERY_INT || value.type != QUERY_TEXT) {
		reader_lost(r, "string without an id or a text; skipped", cursor->row, 0);
		return false;
	}
	s->text.n = 0;
	json_quote(&s->text, value.bytes);
	nsys_record_string(e, num_str_i64(s->id, id.i), buf_str(&s->text));
	return true;
}

/* Sets the attachment "stack" to the names of the frames with this id. */
static void put_stack(struct nsys_sqlite *s, struct query *frames, int64_t id, size_t most)
{
	enum query_step got = QUERY_ROW;
	struct query_value symbol;
	struct str text;
	char number[NUM_ROOM + 1] = "#";

	query_bind(frames, 1, id);
	s->stack.n = 0;
	while (s->stack.n < most && (got = query_next(frames)) == QUERY_ROW) {
		symbol = query_get(frames, 0);
		text = text_lookup_get(&s->strings, symbol.i, 0);
		if (!s->stack.n)
			json_write_begin(&s->stack, "stack", '[');
		if (symbol.type != QUERY_INT)
			json_write_text(&s->stack, NULL, STR("[unknown]"));
		else if (text.p)
			json_write_json(&s->stack, NULL, text);
		else
			json_write_text(&s->stack, NULL,
			    (struct str){number, (size_t)(num_put_i64(number + 1, symbol.i) - number)});
	}
	if (s->stack.n)
		json_write_end(&s->stack, ']');
	if (got != QUERY_ROW && got != QUERY_END)
		reader_lost(s->merge.reader, "damaged call stack; its other frames are lost", s->merge.reader->line, 0);
	s->record.attachments = buf_str(&s->stack);
}

/* Sets the parts of the record that are in other tables: stack, name of a metric, payload. */
static void join_row(struct nsys_sqlite *s, struct nsys_table *t, struct reader *r)
{
	const struct query *row = t->cursor.query;
	struct query_value v, type;

	s->record.given_name = s->record.attachments = (struct str){NULL, 0};
	if (t->stack && (v = query_get(row, t->chain)).type == QUERY_INT && v.i)
		put_stack(s, t->stack, v.i, r->max_record);
	if (t->metric) {
		type = query_get(row, t->metric_id[0]);
		v = query_get(row, t->metric_id[1]);
		s->record.given_name = text_lookup_get(&t->metrics, type.i, v.i);
		if (t->metric->gpu)
			s->record.row.v[NSYS_DEV] = num_str_i64(s->id, type.i & 0xff);
	}
	if (t->payload != NO_COLUMN && (v = query_get(row, t->payload)).type == QUERY_BLOB)
		payload_put(&s->record.row.args, s->payloads, v.bytes);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct nsys_sqlite *s = state;
	struct table_cursor *cursor;
	struct nsys_table *t;
	struct line row;

	while ((cursor = table_merge_next(&s->merge))) {
		t = (struct nsys_table *)cursor;
		row = (struct line){.line = cursor->row};
		if (t->strings) {
			if (make_string(s, cursor, r, e))
				return 1;
			continue;
		}
		if (!nsys_table_row(t, &s->record.row, r->args)) {
			reader_lost(r, "row without a required value; skipped", row.line, 0);
			continue;
		}
		join_row(s, t, r);
		if (nsys_record_begin(&s->record, r) && nsys_record_make(&s->record, r, &row, e))
			return 1;
	}
	return 0;
}

static void close_tables(void *state)
{
	struct nsys_sqlite *s = state;
	size_t i;

	table_merge_free(&s->merge);
	for (i = 0; i < s->n; i++)
		table_free(&s->tables[i]);
	free(s->tables);
	text_lookup_close(&s->strings);
	query_close(s->payloads);
	nsys_record_free(&s->record);
	bufs_free(&s->stack, &s->text);
	free(s);
}

const struct database_writer database_nsys = {is_of_nsys, open_tables, next, close_tables};
