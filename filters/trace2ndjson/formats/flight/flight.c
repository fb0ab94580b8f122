/*
 * flight: reads the dumps of PyTorch's flight recorder, which has the last collectives of one process, as a pickle or
 * as JSON. A dump becomes a record of kind meta for itself and for each process group, and a mark for each collective:
 *
 *   {"kind":"meta","name":"flight_recorder","rank":9,"args":{"version":"2.9","entries":1,"open":1,...}}
 *   {"kind":"meta","name":"process_group","rank":9,"args":{"group":"72","desc":"EP","ranks":[8,9],"pg_id":12,
 *    "last_enqueued_collective":5,"last_started_collective":-1,"last_completed_collective":4}}
 *   {"ts":1758581237526848193,"kind":"mark","name":"all_to_all","cat":"nccl","rank":9,"tid":23456244340032,
 *    "args":{"record_id":7,"pg_id":12,"process_group":["72","EP"],"collective_seq_id":5,"state":"scheduled",...}}
 */
#include "base/char_class.h"
#include "base/map.h"
#include "base/num_parse.h"
#include "base/order.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/value.h"
#include "json/write.h"
#include "trace2ndjson/formats/document.h"
#include "trace2ndjson/formats/draft.h"
#include "trace2ndjson/formats/pickle/pickle.h"

#include <stdlib.h>

enum { FLIGHT_ENTRIES = 100000, FLIGHT_FILE = 256 << 20, FLIGHT_DEPTH = 32 };

/* A process group of the dump: its number in the process (pg_id), its name, and what pg_status says about it. */
struct flight_group {
	int64_t id;
	struct str name, status; /* JSON without quotes; JSON; p is NULL if unknown */
};

struct flight {
	struct buf text;                          /* the dump as JSON */
	struct str root, entries, config, status; /* views of it */
	struct flight_group *groups;              /* those with a number, in the order of the map `ids` */
	size_t cap;
	struct map ids;           /* the texts of their numbers */
	size_t *named, named_cap; /* the index in groups[], in the order of `names` */
	struct map names;
	uint64_t n_entries, n_open;
	struct buf decoded, backend;
	char rank[NUM_ROOM];
	bool good, begun;         /* the dump can be read; its first record was made */
	struct iter group, entry; /* the next ones that become records */
	size_t next;              /* the same for groups[] */
};

/* --- values --- */

/* Returns the first element of an array, as text without its quotes; p is NULL if it is not a text. */
static struct str first_text(struct str array)
{
	struct str value;
	struct iter at;

	if (!iter_array(&at, array) || !iter_element(&at, &value) || !json_is_string(value))
		return (struct str){NULL, 0};
	return json_inner(value);
}

/* --- which number is which group --- */

static struct flight_group *add_group(struct flight *f, int64_t id)
{
	char text[NUM_ROOM];
	const size_t i = map_put(&f->ids, num_str_i64(text, id));

	f->groups = mem_grow_zero(f->groups, &f->cap, f->ids.n, sizeof *f->groups);
	f->groups[i].id = id;
	return &f->groups[i];
}

static void name_group(struct flight *f, size_t group, struct str name)
{
	const size_t i = map_put(&f->names, name);

	f->named = mem_grow(f->named, &f->named_cap, i + 1, sizeof *f->named);
	f->named[i] = group;
	f->groups[group].name = name;
}

/* Counts the entries, and takes the names of groups from them. Returns false if there are too many. */
static bool read_entries(struct flight *f)
{
	struct flight_group *g;
	struct str entry, name;
	struct iter at;
	int64_t id;

	if (!iter_array(&at, f->entries))
		return true;
	while (iter_element(&at, &entry)) {
		if (++f->n_entries > FLIGHT_ENTRIES)
			return false;
		f->n_open += json_is_object(entry) && !str_eq(document_member(entry, "state"), STR("\"completed\""));
		name = first_text(document_member(entry, "process_group"));
		if (!name.p || num_int(document_member(entry, "pg_id"), &id) != NUM_OK)
			continue;
		g = add_group(f, id);
		if (!g->name.p)
			name_group(f, (size_t)(g - f->groups), name);
	}
	return true;
}

/* Sets list[] to the names of an object's members, in ascending order; false if they are not different integers. */
static bool list_ids(struct str object, int64_t **list, size_t *n)
{
	struct str key, value;
	size_t cap = 0;
	struct iter at;

	*list = NULL;
	*n = 0;
	iter_init(&at, object);
	while (iter_next(&at, &key, &value) > 0) {
		*list = mem_grow(*list, &cap, *n + 1, sizeof **list);
		if (num_int(key, &(*list)[(*n)++]) != NUM_OK)
			return false;
	}
	return order_distinct(*list, *n, sizeof **list, order_int64s) == *n;
}

/* Returns the number that a text is, or INT64_MIN. */
static int64_t number_in(struct str text)
{
	int64_t v;

	return num_int(text, &v) == NUM_OK ? v : INT64_MIN;
}

/*
 * Names the groups without entries: the dump has both pg_config and pg_status in the order of creation, if both have
 * equally many members, all names are integers, and no entry contradicts it.
 */
static void name_by_order(struct flight *f)
{
	int64_t *names, *ids;
	size_t n, n_ids, i;
	struct flight_group *g;
	struct str key, value;
	struct iter at;
	bool ok;

	ok = list_ids(f->config, &names, &n);
	ok &= list_ids(f->status, &ids, &n_ids);
	ok = ok && n == n_ids;
	for (i = 0; ok && i < n; i++) {
		g = add_group(f, ids[i]);
		ok = !g->name.p || number_in(g->name) == names[i];
	}
	for (iter_init(&at, f->config); ok && iter_next(&at, &key, &value) > 0;) {
		const int64_t name = number_in(key);
		const int64_t *place = bsearch(&name, names, n, sizeof *names, order_int64s);

		g = add_group(f, ids[place - names]);
		if (!g->name.p)
			name_group(f, (size_t)(g - f->groups), key);
	}
	mem_free(names, ids);
}

static void read_status(struct flight *f)
{
	struct str key, value;
	struct iter at;
	int64_t id;

	iter_init(&at, f->status);
	while (iter_next(&at, &key, &value) > 0) {
		if (num_int(key, &id) == NUM_OK && json_is_object(value))
			add_group(f, id)->status = value;
	}
}

/* --- opening --- */

/* Reads the text of the dump. Returns false after a message if the file is refused. */
static bool load_pickle(struct flight *f, struct reader *r)
{
	const struct pickle_limits limits = {
	    .file = FLIGHT_FILE, .text = r->max_record, .stack = 10 * FLIGHT_ENTRIES, .depth = FLIGHT_DEPTH};
	struct fault fault;

	return pickle_read(r->src, &limits, &f->text, &fault) || pickle_report(r, &fault, "file refused");
}

static bool load_json(struct flight *f, struct reader *r)
{
	bool cut;
	const size_t n = document_value(r, &cut);
	struct str text = {r->src->p, n};

	if (cut)
		return reader_cut(r, "cut short: the JSON does not end; file refused", 0, 0);
	if (!n || !json_check(text, NULL))
		return reader_lost(
		    r, n ? "not valid JSON; file refused" : "dump larger than --max-record; file refused", 0, 0);
	buf_set(&f->text, reader_names(r, text));
	source_skip(r->src, n);
	if (document_peek(r) >= 0)
		return reader_lost(r, "text follows the end of the dump; file refused", 0, r->src->offset);
	return true;
}

/* Refuses versions whose fields have another meaning, and lists, which have no version. */
static bool check_version(struct flight *f, struct reader *r)
{
	const struct str version = document_member(f->root, "version");

	if (json_is_string(version) && str_starts(version, STR("\"2.")))
		return true;
	return reader_lost(r,
	    json_is_string(version) ? reader_text(r, "flight recorder of version %.*s: only 2.x is read; file refused",
					  (int)(version.n > 18 ? 16 : version.n - 2), version.p + 1)
				    : "flight recorder without a version: only 2.x is read; file refused",
	    0, 0);
}

/* Removes the white space, and finds the parts of the dump. */
static bool read_dump(struct flight *f, struct reader *r)
{
	struct buf raw = f->text;

	scan_pad(&raw);
	f->text = (struct buf){0};
	scan_append(&f->text, buf_str(&raw));
	buf_free(&raw);
	f->root = buf_str(&f->text);
	if (!check_version(f, r))
		return false;
	f->entries = document_member(f->root, "entries");
	f->config = document_member(f->root, "pg_config");
	f->status = document_member(f->root, "pg_status");
	if (!read_entries(f))
		return reader_lost(r, "dump with more than 100000 entries; file refused", 0, 0);
	name_by_order(f);
	read_status(f);
	iter_init(&f->group, json_is_object(f->config) ? f->config : STR(""));
	if (!iter_array(&f->entry, f->entries))
		f->entry.close = 0;
	return true;
}

/* Sets the rank from the name of the file: the digits at its end. */
static void find_rank(struct flight *f, struct reader *r)
{
	static const char *const ends[] = {".gz", ".zst", ".json", ".pickle", ".pkl"};
	struct str path = str_of(r->path), digits;
	size_t i;

	for (i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (str_ends(path, str_of(ends[i])))
			path.n -= strlen(ends[i]);
	}
	digits = str_last(path, is_digit);
	while (digits.n > 1 && digits.p[0] == '0')
		digits = str_from(digits, 1);
	if (digits.n && digits.n < 10)
		r->rank = (struct str){f->rank, (size_t)(str_copy(f->rank, digits) - f->rank)};
}

static void open_flight(void *state, struct reader *r)
{
	struct flight *f = state;
	const bool pickle = r->src->n && r->src->p[0] == '\x80';

	find_rank(f, r);
	f->good = (pickle ? load_pickle : load_json)(f, r) && read_dump(f, r);
}

/* --- records: a function that makes one returns whether it is selected --- */

static bool put_header(struct flight *f, struct reader *r, struct event *e)
{
	struct buf *const args = &r->draft->args;
	struct str entry = {NULL, 0};
	struct iter at;

	f->begun = true;
	draft_begin(r, e, KIND_META);
	event_set(e, EVENT_NAME, STR("\"flight_recorder\""));
	if (!str_eq(str_of(r->path), STR("-")))
		json_write_text(args, "file", str_of(r->path));
	json_write_json(args, "version", document_member(f->root, "version"));
	json_write_json(args, "nccl_version", document_member(f->root, "nccl_version"));
	json_write_json(args, "comm_lib_version", document_member(f->root, "comm_lib_version"));
	json_write_int(args, "entries", (int64_t)f->n_entries);
	json_write_int(args, "open", (int64_t)f->n_open);
	if (iter_array(&at, f->entries) && iter_element(&at, &entry))
		json_write_json(args, "first_record_id", document_member(entry, "record_id"));
	json_write_json(args, "nccl_comm_state", document_member(f->root, "nccl_comm_state"));
	return draft_end(r, e);
}

/* Appends the numbers of pg_status: JSON dumps have them as texts. */
static void put_status(struct buf *args, const struct flight_group *g)
{
	struct str key, value;
	struct iter at;
	int64_t v;

	json_write_int(args, "pg_id", g->id);
	iter_init(&at, g->status);
	while (iter_next(&at, &key, &value) > 0) {
		json_write_member(args, key, value);
		if (value_integer(value, &v)) {
			args->n -= value.n;
			num_add_i64(args, v);
		}
	}
}

/* Appends the ranks of a group: a text "[0, 1]" becomes an array. */
static void put_ranks(struct buf *args, struct str ranks)
{
	const struct str text = json_is_string(ranks) ? json_inner(ranks) : ranks;

	if (!text.p)
		return;
	json_write_key(args, "ranks");
	scan_append(args, json_check(text, NULL) ? text : ranks);
}

/* Makes the record of a group in pg_config. */
static bool put_group(struct flight *f, struct reader *r, struct str name, struct str config, struct event *e)
{
	struct buf *const args = &r->draft->args;
	const size_t named = map_find(&f->names, name);

	draft_begin(r, e, KIND_META);
	event_set(e, EVENT_NAME, STR("\"process_group\""));
	json_write_json(args, "group", json_outer(name));
	json_write_json(args, "desc", document_member(config, "desc"));
	put_ranks(args, document_member(config, "ranks"));
	if (named != MAP_NONE)
		put_status(args, &f->groups[f->named[named]]);
	return draft_end(r, e);
}

/* Makes the record of an entry. */
static bool put_entry(struct flight *f, struct reader *r, struct str entry, struct event *e)
{
	const struct str name = document_member(entry, "profiling_name");
	struct str key, value, text, backend = STR("");
	struct iter at;
	int64_t v;

	if (!json_is_object(entry))
		return reader_lost(r, "entry that is not an object; skipped", 0, 0);
	draft_begin(r, e, KIND_MARK);
	iter_init(&at, entry);
	while (iter_next(&at, &key, &value) > 0) {
		if (str_eq(key, STR("time_created_ns")) && num_int(value, &v) == NUM_OK)
			event_set_ts(e, v);
		else if (str_eq(key, STR("thread_id")) && value_integer(value, &v))
			draft_int(r->draft, e, EVENT_TID, v);
		else if (!str_eq(key, STR("profiling_name")))
			json_write_member(&r->draft->args, key, value);
	}
	if (!json_is_string(name))
		return draft_end(r, e);
	f->decoded.n = 0;
	json_unescape(&f->decoded, json_inner(name));
	text = buf_str(&f->decoded);
	str_split(&text, ':', &backend);
	if (text.p) {
		f->backend.n = 0;
		json_quote(&f->backend, backend);
		event_set(e, EVENT_CAT, buf_str(&f->backend));
	}
	draft_name(r->draft, text.p ? text : backend);
	return draft_end(r, e);
}

/* Makes the record of the next number without a group. */
static bool next_unnamed(struct flight *f, struct reader *r, struct event *e)
{
	const struct flight_group *g;

	while (f->next < f->ids.n) {
		g = &f->groups[f->next++];
		if (g->name.p || !g->status.p)
			continue;
		reader_note(r, "pg_id whose group is unknown: its numbers are not used", 0, 0);
		draft_begin(r, e, KIND_META);
		event_set(e, EVENT_NAME, STR("\"process_group\""));
		put_status(&r->draft->args, g);
		if (draft_end(r, e))
			return true;
	}
	return false;
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct flight *f = state;
	struct str key, value;

	if (f->good && !f->begun && put_header(f, r, e))
		return 1;
	while (iter_next(&f->group, &key, &value) > 0) {
		if (put_group(f, r, key, value, e))
			return 1;
	}
	if (next_unnamed(f, r, e))
		return 1;
	while (iter_element(&f->entry, &value)) {
		if (put_entry(f, r, value, e))
			return 1;
	}
	return 0;
}

static void close_flight(void *state, struct reader *r)
{
	struct flight *f = state;

	(void)r;
	bufs_free(&f->text, &f->decoded, &f->backend);
	maps_free(&f->ids, &f->names);
	mem_free(f->groups, f->named);
}

/* Whether the text has one of the keys that only a flight recorder has. */
static bool has_keys(struct str head)
{
	static const char *const keys[] = {"pg_config", "pg_status", "profiling_name", "nccl_comm_state", NULL};
	const char *const *key = keys;

	while (*key && str_find(head, str_of(*key)) == head.n)
		key++;
	return *key;
}

/* Whether the file is a pickle with such keys, or JSON whose first key is one of a dump. */
static bool is_dump(struct str head)
{
	static const char *const first[] = {"comm_lib_version", "entries", "nccl_comm_state", "nccl_version",
	    "pg_config", "pg_status", "version", NULL};
	struct iter at;
	struct str key;

	if (pickle_begins(head))
		return has_keys(head);
	iter_init(&at, head);
	return at.close == '}' && iter_key(&at, &key) > 0 && str_in(key, first) && has_keys(head);
}

const struct format format_flight = {
    .name = "flight",
    .help = "dumps of PyTorch's flight recorder: nccl_trace_rank_9, _dump_9, _dump_9.json",
    .example = "trace2ndjson nccl_trace_rank_9",
    .probe = is_dump,
    .binary = true,
    .state_size = sizeof(struct flight),
    .open = open_flight,
    .next = next,
    .close = close_flight,
};
