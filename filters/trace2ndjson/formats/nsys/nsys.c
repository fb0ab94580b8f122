/*
 * nsys: reads exports of Nsight Systems. These are the output of `nsys export -t json` of the versions from 2019 to
 * 2024, with or without separate strings:
 *
 *   {"type":"String","id":"37","value":"cudaLaunchKernel_v7000"}
 *   {"Type":48,"TraceProcessEvent":{"startNs":"100","endNs":"130","correlationId":7,"eventClass":0,"name":"37",...}}
 *   {"Type":79,"CudaEvent":{"startNs":"150","endNs":"190",...,"kernel":{"demangledName":"75","gridX":64,...}}}
 *
 * and the output of `nsys export -t jsonlines` of later versions, in which each line is a row of a table:
 *
 *   {"correlationId":7,"end":130,"eventClass":0,"globalTid":282054495340270,"nameId":37,"returnValue":0,"start":100,
 *    "table":"CUPTI_ACTIVITY_KIND_RUNTIME"}
 *
 * The strings form a table of names, and become records only with --strings. Every other line becomes one record. `cat`
 * is the name of the event object or of the table. args are all members except those that a standard field represents
 * completely. For a CudaEvent, they include the members of its inner object. Of the ids of names in args, only
 * shortName is replaced by its text. The others stay ids, so that groups by demangledName are the same as in the
 * vendor's tools.
 */
#include "nsys_record.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "io/spool.h"
#include "json/check.h"
#include "json/iter_inline.h"
#include "json/scan.h"
#include "json/string.h"

struct nsys {
	struct id_texts names; /* always escaped in the same way, however the source escapes them */
	struct spool waiting;  /* lines that wait for their strings: struct line, text */
	struct spool_window window;
	uint64_t waiting_at; /* offset of the next line that is read back */
	bool reading_back;
	bool ended, failed; /* ended: the source has ended; failed: the spool failed and cannot be used */
	struct iter list;   /* the elements of the {"data":[...]} line that is being read: rows, or texts */
	struct line list_line;
	uint64_t list_number; /* of elements that were read */
	struct nsys_record record;
	struct buf text, plain;
	char text_id[NUM_ROOM]; /* --strings: the id in the record of a text */
	char dev[NUM_ROOM];     /* the device of a counter */
	int64_t rank;           /* of the first row of MPI_RANKS; rank_text is its JSON */
	uint64_t ranks;         /* number of these rows */
	char rank_text[NUM_ROOM];
};

/* --- a line becomes a row --- */

enum walked { BROKEN = -1, SKIPPED, WALKED };

struct walking {
	struct nsys_row *row;
	uint32_t kinds;
	bool args, clean;
};

/* Adds ,"key":value to args. Returns false when the value is not JSON. */
static bool pass_member(struct walking *w, struct str key, struct str value)
{
	struct buf *to = &w->row->args;
	char *p;

	if (!w->args)
		return true;
	p = buf_room(to, key.n + value.n + 4 + SOURCE_PAD);
	*p++ = ',';
	p = str_copy(p, (struct str){key.p - 1, key.n + 2});
	*p++ = ':';
	if (value.p[0] == '{' || value.p[0] == '[') {
		if (w->clean && !json_check(value, NULL))
			return false;
		p += scan_squeeze(p, value).n;
	} else {
		p = str_copy(p, value);
	}
	to->n = (size_t)(p - to->p);
	return true;
}

/* Returns whether the members of the value are fields too. Sets *name to the key of the first such object. */
static bool opens_object(struct str *name, struct str key, struct str value)
{
	if (value.p[0] != '{' || name->p)
		return false;
	*name = (struct str){key.p - 1, key.n + 2};
	return true;
}

static enum walked walk_members(struct walking *w, struct str object, enum nsys_name_set set)
{
	struct nsys_row *row = w->row;
	enum nsys_field field;
	enum walked inner;
	struct str key, value;
	struct iter at;
	int r;

	iter_init(&at, object);
	if (at.close != '}')
		return BROKEN;
	while ((r = iter_quick(&at, &key, &value)) > 0) {
		if (set == NSYS_TOP && opens_object(&row->event, key, value)) {
			if (!(nsys_event_kinds(row->event) & w->kinds))
				return SKIPPED;
			inner = walk_members(w, value, NSYS_EVENT);
		} else if (set == NSYS_EVENT && str_eq(row->event, STR("\"CudaEvent\"")) &&
			   opens_object(&row->object, key, value)) {
			if (!(1u << nsys_object_kind(row->object) & w->kinds))
				return SKIPPED;
			inner = walk_members(w, value, NSYS_EVENT);
		} else {
			field = nsys_row_field(set, key);
			if ((field == NSYS_N || !nsys_row_take(row, field, value)) && !pass_member(w, key, value))
				return BROKEN;
			continue;
		}
		if (inner != WALKED)
			return inner;
	}
	return r < 0 ? BROKEN : WALKED;
}

/*
 * Splits a line into *row, whose members are views of the line. Makes row->args only when `args` is set. Returns
 * SKIPPED, without reading most of the line, for an event whose kind cannot be one of `kinds`; BROKEN when the line is
 * not a JSON object.
 */
static enum walked walk_line(struct nsys_row *row, const struct line *line, uint32_t kinds, bool args)
{
	struct walking w = {row, kinds, args, line->clean};

	memset(row->v, 0, sizeof row->v);
	row->event = row->object = (struct str){NULL, 0};
	row->args.n = 0;
	return walk_members(&w, line->text, NSYS_TOP);
}

/* --- recognition --- */

/* The file may begin with damaged lines: it is of this format if one of its first 16 lines is a line of this format. */
enum { PROBE_LINES = 16 };

static bool is_of_table_name(char c)
{
	return is_upper(c) || is_digit(c) || c == '_';
}

/* Whether the line, which may be incomplete, begins like {"data":["string",... or {"data":[{"nameIdx":... */
static bool is_data_line(struct str line)
{
	static const struct str tokens[] = {{"{", 1}, {"\"data\"", 6}, {":", 1}, {"[", 1}};
	size_t i;

	for (i = 0; i < sizeof tokens / sizeof *tokens; i++) {
		line = str_trim(line);
		if (!str_starts(line, tokens[i]))
			return false;
		line = str_from(line, tokens[i].n);
	}
	line = str_trim(line);
	return line.n && (line.p[0] == '"' || line.p[0] == ']' || str_find(line, STR("\"nameId")) < line.n);
}

static bool is_line(struct str line)
{
	static const char *const types[] = {"\"String\"", "\"Stream\"", "\"ThreadName\"", NULL};
	static const char *const tables[] = {"\"StringIds\"", "\"ThreadNames\"", NULL};
	struct nsys_row row = {.shape = NULL};
	const struct str *table = &row.v[NSYS_TABLE];

	/* The end of the last line may be missing; an event record of this project has a kind. */
	walk_line(&row, &(struct line){.text = line}, UINT32_MAX, false);
	return !iter_find(line, STR("kind")).p &&
	       (str_ends(row.event, STR("Event\"")) || str_in(row.v[NSYS_LINE], types) || str_in(*table, tables) ||
		   (table->n >= 4 && str_all(json_inner(*table), is_of_table_name)));
}

/* Returns whether a file that begins with `head` is of this format: see `probe` in struct format. */
static bool nsys_probe(struct str head)
{
	struct str line;
	size_t lines = 0;

	while (lines < PROBE_LINES && head_line(&head, &line)) {
		line = str_trim(line);
		if (is_data_line(line) || is_line(line))
			return true;
		lines++;
	}
	return false;
}

/* --- the texts of ids: the rows and lists that define them --- */

/* Returns whether the strings become records. */
static bool writes_strings(const struct reader *r)
{
	const struct nsys_run *run = r->run;

	return run->strings && reader_wants(r, KIND_META);
}

/* Adds a string. Returns whether *e is set: with --strings, to the record of this string. */
static bool add_string(struct nsys *s, struct reader *r, struct str id, struct str text, struct event *e)
{
	id_texts_put(&s->names, id, nsys_plain(&s->plain, text));
	if (writes_strings(r))
		nsys_record_string(e, id, id_texts_get(&s->names, id));
	return writes_strings(r);
}

/* Adds the string of the row s->record.row, a line of type String or a row of the table StringIds. */
static bool take_string(struct nsys *s, struct reader *r, const struct line *line, struct event *e)
{
	const struct str id = nsys_whole(s->record.row.v[NSYS_ID]), value = s->record.row.v[NSYS_VALUE];

	if (!id.p || !value.p || value.p[0] != '"') {
		reader_lost(r, "string without an id or a text; skipped", line->line, line->offset);
		return false;
	}
	return add_string(s, r, id, value, e);
}

/* Adds a text of a line {"data":["a","b",...]}; its id is its index. Returns whether *e is set. */
static bool take_text(struct nsys *s, struct reader *r, const struct line *line, struct event *e)
{
	const struct str id = num_str_u64(s->text_id, s->list_number - 1);

	if (!json_is_string(line->text)) {
		if (!str_eq(line->text, STR("null")))
			reader_lost(r, "not a JSON record; skipped", line->line, line->offset);
		return false;
	}
	return add_string(s, r, id, line->text, e);
}

/* The function text_of of struct nsys_record. */
static struct str text_of(void *arg, struct str id, struct buf *to)
{
	struct nsys *s = arg;

	(void)to;
	return id_texts_await(&s->names, id);
}

/*
 * --- data of a jsonlines export that are in the rows of other tables ---
 *
 * The names of metrics become the names of counters; MPI_RANKS has the rank of the process.
 */

/* Returns the id of the metric of a row in s->names, such as "metricId 257 2", or p == NULL. */
static struct str metric_id(struct nsys *s, const struct line *line, const struct nsys_metric *metric, int64_t ids[2])
{
	char digits[NUM_ROOM];
	struct str id;
	size_t k;

	s->text.n = 0;
	buf_add(&s->text, metric->ids[1], strlen(metric->ids[1]));
	for (k = 0; k < 2; k++) {
		if (num_int(iter_find(line->text, str_of(metric->ids[k])), &ids[k]) != NUM_OK)
			return (struct str){NULL, 0};
		id = num_str_i64(digits, ids[k]);
		buf_char(&s->text, ' ');
		buf_add(&s->text, id.p, id.n);
	}
	return buf_str(&s->text);
}

/* Takes the data that other rows need from a row of the table MPI_RANKS or TARGET_INFO_*_METRICS. */
static void take_metadata(struct nsys *s, struct reader *r, const struct line *line)
{
	const struct str table = json_inner(s->record.row.v[NSYS_TABLE]);
	const struct nsys_metric *metric = nsys_metric_of(table, true);
	struct str id, name;
	int64_t ids[2], rank;

	if (str_eq(table, STR("MPI_RANKS")) && num_int(iter_find(line->text, STR("rank")), &rank) == NUM_OK) {
		/* All rows have the same rank, or the records have none. */
		s->rank = s->ranks++ ? s->rank : rank;
		r->rank = rank == s->rank ? num_str_i64(s->rank_text, rank) : (struct str){NULL, 0};
	}
	if (!metric)
		return;
	id = metric_id(s, line, metric, ids);
	name = iter_find(line->text, str_of(metric->name));
	if (id.p && json_is_string(name))
		id_texts_put(&s->names, id, nsys_plain(&s->plain, name));
}

/* For a counter: sets the given name and the device. If the name is not known yet, the record is not named. */
static void name_metric(struct nsys *s, const struct line *line)
{
	struct nsys_record *record = &s->record;
	const struct str table = record->row.v[NSYS_TABLE];
	const struct nsys_metric *metric = table.p ? nsys_metric_of(json_inner(table), false) : NULL;
	struct str id = {NULL, 0};
	int64_t ids[2];

	if (metric)
		id = metric_id(s, line, metric, ids);
	if (!id.p)
		return;
	record->given_name = id_texts_await(&s->names, id);
	record->named &= record->given_name.p != NULL;
	if (metric->gpu)
		record->row.v[NSYS_DEV] = num_str_i64(s->dev, ids[0] & 0xff);
}

/* --- lines: from the source, from a list within a line, or from the spool --- */

static void open_nsys(void *state, struct reader *r)
{
	struct nsys *s = state;

	(void)r;
	spool_init(&s->waiting);
	s->record.text_of = text_of;
	s->record.arg = s;
}

/* Stops after a failure of the spool, and stores the failure where the caller looks for read errors. */
static bool stop_spool(struct nsys *s, struct reader *r, const struct fault *f)
{
	r->src->fault = *f;
	s->failed = true;
	return false;
}

static bool next_of_source(struct reader *r, struct line *line)
{
	while (lines_next(&r->lines, line) > 0) {
		/* A clean line is not passed to json_check(): scan_clean() and walk_line() check it. */
		if (!line->clean || !scan_clean(line->text))
			line->text = reader_sound(r, line, line->text);
		if (line->text.p)
			return true;
	}
	return false;
}

static bool next_of_list(struct nsys *s, struct reader *r, struct line *line)
{
	struct str key;
	int got;

	*line = s->list_line;
	got = iter_next(&s->list, &key, &line->text);
	s->list_number++;
	if (got > 0)
		return true;
	if (got < 0)
		reader_lost(r, "not a valid JSON array; rest of the array skipped", line->line, line->offset);
	s->list.close = 0;
	return false;
}

/* Reads back the next line that waited for its strings; its text is valid until the next call. */
static bool next_waiting(struct nsys *s, struct reader *r, struct line *line)
{
	const char *bytes;
	struct fault f;

	if (s->waiting_at == s->waiting.size) {
		s->reading_back = false;
		spool_clear(&s->waiting, &s->window);
		s->waiting_at = 0;
		return false;
	}
	bytes = spool_read(&s->waiting, &s->window, s->waiting_at, sizeof *line, &f);
	if (!bytes)
		return stop_spool(s, r, &f);
	memcpy(line, bytes, sizeof *line);
	line->text.p = spool_read(&s->waiting, &s->window, s->waiting_at + sizeof *line, line->text.n, &f);
	s->waiting_at += sizeof *line + line->text.n;
	return line->text.p || stop_spool(s, r, &f);
}

static bool next_line(struct nsys *s, struct reader *r, struct line *line)
{
	while (!s->failed) {
		if (s->list.close && next_of_list(s, r, line))
			return true;
		if (s->reading_back && next_waiting(s, r, line))
			return true;
		if (s->waiting.size && (s->ended || !s->names.awaited)) {
			s->reading_back = true;
			continue;
		}
		if (s->ended)
			return false;
		if (next_of_source(r, line))
			return true;
		s->ended = true;
	}
	return false;
}

/* --- records --- */

/* Makes the record of the row; false when it is not selected, was lost, or was stored in the spool. */
static bool make_record(struct nsys *s, struct reader *r, const struct line *line, struct event *e)
{
	struct nsys_record *record = &s->record;
	struct fault f;

	record->row.shape = nsys_row_shape(&record->row);
	record->given_name = (struct str){NULL, 0};
	if (!s->reading_back && record->row.v[NSYS_TABLE].p)
		take_metadata(s, r, line);
	if (!nsys_record_begin(record, r))
		return false;
	name_metric(s, line);
	if (!s->reading_back && (s->waiting.size || (!record->named && !s->ended))) {
		if (!spool_add(&s->waiting, line, sizeof *line, &f) ||
		    !spool_add(&s->waiting, line->text.p, line->text.n, &f))
			stop_spool(s, r, &f);
		return false;
	}
	return nsys_record_make(record, r, line, e);
}

/* Converts a line. Returns whether *e is set. */
static bool convert_line(struct nsys *s, struct reader *r, const struct line *line, struct event *e)
{
	const struct str *v = s->record.row.v;
	enum walked walked;

	if (s->list.close && line->text.p[0] != '{')
		return take_text(s, r, line, e);
	walked = walk_line(&s->record.row, line, r->kinds, r->args);
	if (walked == BROKEN)
		reader_lost(r, "not a JSON record; skipped", line->line, line->offset);
	if (walked != WALKED)
		return false;
	if (v[NSYS_DATA].p) {
		iter_init(&s->list, v[NSYS_DATA]);
		s->list_line = *line;
		s->list_number = 0;
		return false;
	}
	if (str_eq(v[NSYS_LINE], STR("\"String\"")) || str_eq(v[NSYS_TABLE], STR("\"StringIds\"")))
		return take_string(s, r, line, e);
	return make_record(s, r, line, e);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct nsys *s = state;
	struct line line;

	while (next_line(s, r, &line)) {
		if (convert_line(s, r, &line, e))
			return 1;
	}
	return 0;
}

static void close_nsys(void *state, struct reader *r)
{
	struct nsys *s = state;

	(void)r;
	id_texts_free(&s->names);
	nsys_record_free(&s->record);
	spool_free(&s->waiting);
	spool_window_free(&s->window);
	bufs_free(&s->text, &s->plain);
}

const struct format format_nsys = {
    .name = "nsys",
    .help = "Nsight Systems: nsys export -t json, with or without separate strings, or -t jsonlines",
    .example = "nsys export -t json run.nsys-rep && trace2ndjson run.json",
    .probe = nsys_probe,
    .run_size = sizeof(struct nsys_run),
    .options = nsys_options,
    .state_size = sizeof(struct nsys),
    .lines = true,
    .open = open_nsys,
    .next = next,
    .close = close_nsys,
};
