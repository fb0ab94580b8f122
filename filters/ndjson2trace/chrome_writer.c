#include "chrome_writer.h"

#include "base/char_class.h"
#include "base/map.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "io/out.h"
#include "json/iter_inline.h"
#include "json/string.h"
#include "json/tree.h"
#include "json/value.h"
#include "json/write.h"
#include "record/category.h"
#include "viewer_lanes.h"

#include <stdlib.h>

/* Members of an event that a record has in src or args instead of at its top level; p == NULL for absent members. */
struct chrome_writer_said {
	struct str ph, pid, tid;                                         /* src */
	struct str correlation, stream, bytes, python_id, python_parent; /* args */
};

struct chrome_writer {
	struct out *out;
	enum chrome_writer_flows flows;
	struct viewer_lanes lanes;
	bool events;                   /* the array of events was begun */
	uint64_t members;              /* number of members of the top-level object so far */
	struct map names;              /* the names of the members of the top-level object so far */
	struct buf later;              /* members of the top-level object that came after the first event */
	struct json_tree job;          /* the value of distributedInfo */
	struct str rank;               /* the rank in `job` */
	struct buf text, args, record; /* parts of the event being written */
	struct buf home;               /* the rank of the first record that has one; empty before */
	bool ranks;                    /* there are records of other ranks */
	struct buf ids;                /* the ids in struct chrome_writer_record */
	struct map calls[2];           /* ids of the latest calls, whose arrows can get a head: see add_call() */
	struct map collectives;        /* ids of collectives, for FLOWS_COLLECTIVES */
	uint32_t *seen;                /* by collective: the number of its members so far */
	size_t seen_cap;
	struct chrome_writer_said said;
};

/* The row in which an event is drawn: texts for pid and tid, p == NULL for a text that is written with src. */
struct chrome_writer_row {
	struct str pid, tid;
	size_t process, thread;
	bool device;
};

/* A record that is being written. */
struct chrome_writer_record {
	struct event *e;
	enum event_kind kind;
	char ph;
	struct str cat; /* the record's own category, or a category that implies its kind */
	bool foreign;   /* the record does not come from a Chrome trace */
	struct chrome_writer_said said;
	struct chrome_writer_row row;
	/* Ids that replace those of the record, because another rank may have the same ones; p == NULL to keep them. */
	struct str id, correlation;
};

static inline bool chrome_writer_is_object(const struct event *e, enum event_member m)
{
	return event_has(e, m) && e->m[m].p[0] == '{';
}

/* Returns true for a number from 0 to 999999999: most ids are. */
static inline bool chrome_writer_is_short(struct str json)
{
	size_t i;

	for (i = 0; i < json.n && is_digit(json.p[i]); i++)
		;
	return i == json.n && i - 1 < 9;
}

/*
 * Returns true if the reader gets a device, stream, correlation id or size from this text. It does not get the values
 * that profilers write for "none": -1, 2^32 - 1, and, if `corr`, 0.
 */
static inline bool chrome_writer_has_id(struct str json, bool corr)
{
	int64_t v;

	if (chrome_writer_is_short(json))
		return !corr || json.p[0] != '0';
	return value_integer(json, &v) && v != -1 && v != UINT32_MAX && (!corr || v);
}

/* --- the members of a Chrome event that a record has in src and args --- */

struct said_key {
	struct str key;
	size_t offset; /* in struct chrome_writer_said */
};

#define SAID(key, member)                                                                                              \
	{                                                                                                              \
		{key, sizeof key - 1}, offsetof(struct chrome_writer_said, member)                                     \
	}
static const struct said_key src_keys[] = {SAID("ph", ph), SAID("pid", pid), SAID("tid", tid)};
static const struct said_key args_keys[] = {SAID("correlation", correlation), SAID("stream", stream),
    SAID("bytes", bytes), SAID("Python id", python_id), SAID("Python parent id", python_parent)};

static void read_object(
    struct chrome_writer_said *said, struct event *e, enum event_member m, const struct said_key *keys, size_t n)
{
	struct str key, value;
	struct iter w;
	size_t i;
	int r;

	if (!chrome_writer_is_object(e, m)) {
		event_check(e, event_get(e, m));
		return;
	}
	iter_init(&w, e->m[m]);
	while ((r = iter_quick(&w, &key, &value)) > 0) {
		event_check(e, value);
		for (i = 0; i < n; i++) {
			if (str_eq(key, keys[i].key))
				*(struct str *)((char *)said + keys[i].offset) = value;
		}
	}
	event_broken_if(e, r < 0);
}

void chrome_writer_read(struct chrome_writer *w, struct event *e)
{
	w->said = (struct chrome_writer_said){0};
	event_walk(e);
	read_object(&w->said, e, EVENT_SRC, src_keys, sizeof src_keys / sizeof *src_keys);
	read_object(&w->said, e, EVENT_ARGS, args_keys, sizeof args_keys / sizeof *args_keys);
}

/* --- the top-level object: its members, from meta records, and the array of events, one event on each line --- */

/*
 * Returns the value of the top-level member from which the reader made args. If that value was not an object, the
 * reader put it into an object as its only member, `value`.
 */
static struct str member_value(struct event *e)
{
	struct str args = event_get(e, EVENT_ARGS), key, value, more;
	struct iter w;

	if (!args.p)
		return STR("{}");
	iter_init(&w, args);
	if (iter_next(&w, &key, &value) > 0 && str_eq(key, STR("value")) && iter_next(&w, &more, &more) == 0)
		return value;
	return args;
}

/*
 * Writes a meta record as a member of the top-level object. Returns false, and does nothing, when the record has
 * information that such a member cannot express, or when the top-level object already has a member of that name.
 */
static bool write_top_member(struct chrome_writer *w, struct event *e)
{
	struct str name = event_get(e, EVENT_NAME), value = member_value(e);
	struct fault ignored;
	const size_t known = w->names.n;

	if (!json_is_string(name) || e->reading != EVENT_PLAIN ||
	    e->has & ~(1u << EVENT_KIND | 1u << EVENT_NAME | 1u << EVENT_RANK | 1u << EVENT_ARGS) ||
	    str_eq(name, STR("\"traceEvents\"")))
		return false;
	map_put(&w->names, name);
	if (w->names.n == known)
		return false;
	w->text.n = 0;
	buf_add(&w->text, w->events || w->members ? ",\n" : "{", w->events || w->members ? 2 : 1);
	buf_add(&w->text, name.p, name.n);
	buf_char(&w->text, ':');
	buf_add(&w->text, value.p, value.n);
	if (w->events) {
		buf_add(&w->later, w->text.p, w->text.n);
		return true;
	}
	w->members++;
	out_str(w->out, buf_str(&w->text));
	if (str_eq(name, STR("\"distributedInfo\"")) && json_tree_read(&w->job, value, &ignored))
		w->rank = json_tree_get(&w->job, "rank");
	return true;
}

/* Writes the event in w->text as the next element of the array. */
static void put_line(struct chrome_writer *w)
{
	if (!w->events)
		out_z(w->out, w->members ? ",\n\"traceEvents\":[\n" : "{\"traceEvents\":[\n");
	else
		out_lit(w->out, ",\n");
	w->events = true;
	out_str(w->out, buf_str(&w->text));
}

/* Writes nanoseconds as microseconds, with all digits. */
static void put_micros(struct buf *b, const char *key, int64_t ns)
{
	const uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	unsigned rest = (unsigned)(size % 1000), unit = 100;
	char *p;

	json_write_key(b, key);
	p = buf_room(b, NUM_ROOM);
	if (ns < 0)
		*p++ = '-';
	p = num_put_u64(p, size / 1000);
	if (rest)
		*p++ = '.';
	for (; rest; rest %= unit, unit /= 10)
		*p++ = (char)('0' + rest / unit);
	b->n = (size_t)(p - b->p);
}

/* Writes pid and tid, except those that are written with src. */
static void put_row(struct buf *b, const struct chrome_writer_row *p)
{
	if (p->pid.n)
		json_write_json(b, "pid", p->pid);
	if (p->tid.n)
		json_write_json(b, "tid", p->tid);
}

/* --- ids --- */

/* Appends the rank and an id of this rank as one text: "3:17". */
static void put_text_id(struct buf *b, struct str rank, struct str id)
{
	struct buf text = {0};

	buf_add(&text, rank.p, rank.n);
	buf_char(&text, ':');
	buf_add(&text, id.p, id.n);
	json_quote(b, buf_str(&text));
	buf_free(&text);
}

/*
 * Appends a correlation id: an integer that is exact in JavaScript, with the rank above the 32 bits of the id. The
 * first rank of the stream keeps its ids, so those of rank r begin at r + 1.
 */
static void put_correlation(struct buf *b, struct str rank, struct str corr)
{
	char number[NUM_ROOM];
	int64_t r, c;

	if (value_integer(rank, &r) && value_integer(corr, &c) && r >= 0 && r < (1 << 20) && c >= 0 && c <= UINT32_MAX)
		buf_add(b, number, num_str_i64(number, (r + 1) << 32 | c).n);
	else
		put_text_id(b, rank, corr);
}

/*
 * Sets r->id and r->correlation if the record is of another rank than the first one: correlation ids and the ids of
 * flows are unique only within a rank.
 */
static void separate_ids(struct chrome_writer *w, struct chrome_writer_record *r)
{
	const struct str rank = event_get(r->e, EVENT_RANK);
	size_t n;

	if (!rank.p || str_eq(rank, buf_str(&w->home)))
		return;
	w->ranks = true;
	w->ids.n = 0;
	buf_room(&w->ids, 2 * NUM_ROOM);
	if (event_has(r->e, EVENT_ID) && memchr("stfbneSTpF", r->ph, 10)) /* flows and asynchronous events */
		put_text_id(&w->ids, rank, r->e->m[EVENT_ID]);
	n = w->ids.n;
	if (event_has(r->e, EVENT_CORR))
		put_correlation(&w->ids, rank, r->e->m[EVENT_CORR]);
	if (n)
		r->id = (struct str){w->ids.p, n};
	if (w->ids.n > n)
		r->correlation = (struct str){w->ids.p + n, w->ids.n - n};
}

/* --- arrows --- */

/* Writes a point of an arrow: phase s is its tail, t a point in between, f its head. */
static void write_flow(struct chrome_writer *w, const struct chrome_writer_record *r, const char *category, char phase)
{
	struct buf *b = &w->text;

	b->n = 0;
	json_write_begin(b, NULL, '{');
	json_write_json(b, "record", STR("null"));
	json_write_text(b, "ph", (struct str){&phase, 1});
	json_write_text(b, "cat", str_of(category));
	json_write_text(b, "name", str_of(category));
	json_write_text(b, "id", buf_str(&w->args));
	put_row(b, &r->row);
	put_micros(b, "ts", r->e->ts);
	if (phase != 's')
		json_write_text(b, "bp", STR("e"));
	json_write_end(b, '}');
	put_line(w);
}

/* Stores the id of an arrow that begins. The latest LATEST calls are known; memory is limited to twice as many. */
static void add_call(struct chrome_writer *w, struct str id)
{
	enum { LATEST = 16384 };

	if (w->calls[0].n == LATEST) {
		map_free(&w->calls[1]);
		w->calls[1] = w->calls[0];
		w->calls[0] = (struct map){0};
	}
	map_put(&w->calls[0], id);
}

/* The tail is at a call, the head at its device work. Viewers reject a head without a tail, so it is left out. */
static void put_call_flow(struct chrome_writer *w, const struct chrome_writer_record *r)
{
	struct str rank = event_get(r->e, EVENT_RANK), id;

	w->args.n = 0;
	if (rank.p) { /* ids are unique only within a rank */
		buf_add(&w->args, rank.p, rank.n);
		buf_char(&w->args, ':');
	}
	buf_add(&w->args, r->e->m[EVENT_CORR].p, r->e->m[EVENT_CORR].n);
	id = buf_str(&w->args);
	if (!r->row.device)
		add_call(w, id);
	else if (map_find(&w->calls[0], id) == MAP_NONE && map_find(&w->calls[1], id) == MAP_NONE)
		return;
	write_flow(w, r, "ac2g", r->row.device ? 'f' : 's');
}

/*
 * An arrow leads from the first member of a collective, in the order of the input, through all others to the last one.
 */
static void put_collective_flow(struct chrome_writer *w, const struct chrome_writer_record *r)
{
	const struct str coll =
	    r->e->reading == EVENT_PLAIN ? (struct str){NULL, 0} : iter_find(r->e->raw, STR("coll"));
	int64_t id, n;
	uint32_t seen;
	char number[NUM_ROOM];
	size_t at;

	if (!coll.p || coll.p[0] != '{' || !value_integer(iter_find(coll, STR("id")), &id) ||
	    !value_integer(iter_find(coll, STR("n")), &n) || n < 2 || !event_has(r->e, EVENT_TS))
		return;
	at = map_put(&w->collectives, (struct str){(const char *)&id, sizeof id});
	w->seen = mem_grow_zero(w->seen, &w->seen_cap, at + 1, sizeof *w->seen);
	seen = ++w->seen[at];
	viewer_lanes_set(&w->args, STR("collective "));
	buf_add(&w->args, number, num_str_i64(number, id).n);
	write_flow(w, r, "collective", seen == 1 ? 's' : seen < n ? 't' : 'f');
}

/* Writes one end of an arrow, if the record has one: between a call and its device work, or between collectives. */
static void write_flow_end(struct chrome_writer *w, const struct chrome_writer_record *r)
{
	if (w->flows == FLOWS_COLLECTIVES)
		put_collective_flow(w, r);
	else if ((w->flows == FLOWS_ALWAYS || (w->flows == FLOWS_AUTO && r->foreign)) &&
		 chrome_writer_has_id(event_get(r->e, EVENT_CORR), true) && event_has(r->e, EVENT_TS) &&
		 (r->kind == KIND_API || event_kind_is_device(r->kind)))
		put_call_flow(w, r);
}

/* --- the names of rows in a viewer, from the input or made --- */

/*
 * Stores the name or sort index that a meta event gives to a process or a thread. `thread_name`: the name of the record
 * is the name of the thread, as in records of Nsight Systems.
 */
static void store_row_name(struct chrome_writer *w, struct event *e, size_t process, size_t thread, bool thread_name)
{
	struct viewer_lanes_thread *t = &w->lanes.threads[thread];
	struct str name = event_get(e, EVENT_NAME), args = event_get(e, EVENT_ARGS);

	if (thread_name) {
		viewer_lanes_set(&t->name, name);
	} else if (str_eq(name, STR("\"process_name\""))) {
		w->lanes.processes[process].named = true;
		if (args.p)
			viewer_lanes_set(&w->lanes.processes[process].name, iter_find(args, STR("name")));
	} else if (str_eq(name, STR("\"thread_name\"")) && args.p) {
		t->named = true;
		viewer_lanes_set(&t->name, iter_find(args, STR("name")));
	} else if (str_eq(name, STR("\"thread_sort_index\"")) && args.p) {
		viewer_lanes_set(&t->sort, iter_find(args, STR("sort_index")));
	}
}

/* Writes metadata for viewers: the name of a row or its sort index. `value` is JSON. */
static void write_meta(
    struct chrome_writer *w, const char *what, struct str pid, struct str tid, const char *key, struct str value)
{
	struct buf *b = &w->text;

	b->n = 0;
	json_write_begin(b, NULL, '{');
	json_write_json(b, "record", STR("null"));
	json_write_text(b, "ph", STR("M"));
	json_write_text(b, "name", str_of(what));
	json_write_json(b, "pid", pid);
	if (tid.n)
		json_write_json(b, "tid", tid);
	json_write_begin(b, "args", '{');
	json_write_json(b, key, value);
	json_write_end(b, '}');
	json_write_end(b, '}');
	put_line(w);
}

/*
 * Names a process that has no name in the input: "GPU 0", "process 7003". If there are several ranks, names each
 * process after its rank, with the name in the input: "rank 3: python 7003"; and sorts by rank, host before device.
 */
static void name_process(struct chrome_writer *w, size_t process)
{
	const struct viewer_lanes_process *p = &w->lanes.processes[process];
	const struct str rank = viewer_lanes_rank(&w->lanes, process), pid = viewer_lanes_pid(&w->lanes, process);
	const bool ranked = w->ranks && rank.n, text = json_is_string(pid);
	struct buf *b = &w->args, *name = &w->record;
	const struct str known = buf_str(&p->name);
	char digits[NUM_ROOM];
	int64_t number;

	if (!pid.n || (!ranked && (p->named || text)))
		return;
	b->n = name->n = 0;
	if (rank.n && !json_is_string(rank)) {
		buf_lit(b, "rank ");
		buf_add(b, rank.p, rank.n);
		buf_lit(b, ": ");
	}
	if (p->device)
		buf_lit(b, "GPU ");
	else if (ranked && json_is_string(known) && known.n > 2)
		json_unescape(b, json_inner(known));
	else if (!text)
		buf_lit(b, "process");
	if (!p->device && b->n && b->p[b->n - 1] != ' ')
		buf_char(b, ' ');
	if (text)
		json_unescape(b, json_inner(pid));
	else
		buf_add(b, pid.p, pid.n);
	json_quote(name, buf_str(b)); /* a pid or a rank can be any JSON value */
	write_meta(w, "process_name", buf_str(&p->number), (struct str){0}, "name", buf_str(name));
	if (!ranked || !value_integer(rank, &number) || number < 0 || number > INT32_MAX)
		return;
	viewer_lanes_set(b, num_str_i64(digits, 2 * number + p->device));
	write_meta(w, "process_sort_index", buf_str(&p->number), (struct str){0}, "sort_index", buf_str(b));
}

/* Names a lane: "stream 7", "thread 31415 (lane 2)", or the name from the input followed by the lane. */
static void name_lane(struct chrome_writer *w, const struct viewer_lanes_thread *t, size_t lane)
{
	const struct str pid = buf_str(&w->lanes.processes[t->process].number), tid = viewer_lanes_tid(t, lane);
	struct str own = viewer_lanes_tid(t, 0), name = buf_str(&t->name), sort = t->sort.n ? buf_str(&t->sort) : own;
	struct buf *b = &w->args;
	char number[NUM_ROOM];
	int64_t v;

	if (!pid.n || (!lane && (t->named || !own.n || (!t->device && !name.n))))
		return;
	b->n = 0;
	buf_char(b, '"');
	if (json_is_string(name)) {
		buf_add(b, json_inner(name).p, json_inner(name).n);
	} else {
		buf_add(b, t->device ? "stream " : "thread ", 7);
		own = json_is_string(own) ? json_inner(own) : own;
		buf_add(b, own.p, own.n);
	}
	if (lane) {
		buf_lit(b, " (lane ");
		buf_add(b, number, num_str_u64(number, lane + 1).n);
		buf_char(b, ')');
	}
	buf_char(b, '"');
	write_meta(w, "thread_name", pid, tid, "name", buf_str(b));
	if (lane && num_int(sort, &v) == NUM_OK)
		write_meta(w, "thread_sort_index", pid, tid, "sort_index", sort);
}

struct chrome_writer_counts chrome_writer_end(struct chrome_writer *w)
{
	size_t i, lane;

	for (i = 0; i < w->lanes.n_processes; i++)
		name_process(w, i);
	for (i = 0; i < w->lanes.n_threads; i++) {
		for (lane = 0; lane < w->lanes.threads[i].n; lane++)
			name_lane(w, &w->lanes.threads[i], lane);
	}
	if (!w->events)
		out_z(w->out, w->members ? ",\n\"traceEvents\":[" : "{\"traceEvents\":[");
	out_lit(w->out, "\n]");
	out_str(w->out, buf_str(&w->later));
	out_lit(w->out, "}\n");
	return (struct chrome_writer_counts){w->lanes.late, w->lanes.crowded, w->collectives.n};
}

/* --- events --- */

static void put_member(struct buf *b, const char *key, struct event *e, enum event_member m)
{
	if (event_has(e, m))
		json_write_json(b, key, e->m[m]);
}

static char event_phase(const struct chrome_writer_record *r)
{
	if (r->said.ph.n == 3 && json_is_string(r->said.ph))
		return r->said.ph.p[1];
	if (r->kind == KIND_COUNTER)
		return 'C';
	if (r->kind == KIND_META)
		return 'M';
	return event_has(r->e, EVENT_DUR) ? 'X' : 'i';
}

/* Returns the kind that trace2ndjson will infer from the event if args does not state a kind. */
static enum event_kind read_kind(const struct chrome_writer_record *r)
{
	struct str pid = r->said.pid;

	if (!pid.p && !event_kind_is_device(r->kind))
		pid = event_get(r->e, EVENT_PID);
	return category_event_kind(r->ph, r->cat, pid);
}

/* Returns true if the reader gets `own`, a member of the record or p == NULL, from the text `said` of an event. */
static bool is_read(struct str said, struct str own, bool corr)
{
	if (!own.p)
		return !chrome_writer_has_id(said, corr);
	return str_eq(said, own) && !json_is_string(own) && chrome_writer_has_id(said, corr);
}

/* Returns true if the reader gets `own`, a pid or tid of the host, from `said`. Quoted digits become numbers. */
static inline bool is_same_id(struct str said, struct str own)
{
	int64_t v;

	return str_eq(said, own) && !(json_is_string(own) && value_integer(own, &v));
}

/*
 * Stores the value of a member in w->record, since the event implies a different value. Stores null if the record has
 * no such member.
 */
static void store_member(struct chrome_writer *w, struct event *e, enum event_member m)
{
	json_write_json(&w->record, event_member_name(m), event_has(e, m) ? e->m[m] : STR("null"));
}

/* Stores a member in w->record if the record has it; used for members for which events imply no value. */
static void store_present(struct chrome_writer *w, struct event *e, enum event_member m)
{
	if (event_has(e, m))
		store_member(w, e, m);
}

/* Stores the process and the thread of a record (dev and stream of device work) if the reader gets others. */
static void store_row(struct chrome_writer *w, const struct chrome_writer_record *r)
{
	const struct chrome_writer_row *p = &r->row;
	const struct str pid = event_get(r->e, EVENT_PID), tid = event_get(r->e, EVENT_TID);
	const bool legacy = r->said.pid.p; /* device work of the old autograd profiler: its tid is the device */
	struct str stream = {0};

	if (!p->device) {
		if (!is_same_id(p->pid, pid))
			store_member(w, r->e, EVENT_PID);
		if (!is_same_id(p->tid, tid))
			store_member(w, r->e, EVENT_TID);
		return;
	}
	if (!is_read(legacy ? p->tid : p->pid, event_get(r->e, EVENT_DEV), false))
		store_member(w, r->e, EVENT_DEV);
	if (category_has_args(r->kind) && r->said.stream.p)
		stream = r->said.stream;
	else if (!legacy)
		stream = p->tid;
	if (!is_read(stream, event_get(r->e, EVENT_STREAM), false))
		store_member(w, r->e, EVENT_STREAM);
}

/* Finds the row of the event, and stores the members that the row does not imply. */
static void find_row(struct chrome_writer *w, struct chrome_writer_record *r)
{
	struct event *e = r->e;
	const bool device = event_kind_is_device(r->kind) || r->kind == KIND_GPU_RANGE;
	struct str pid = event_get(e, device ? EVENT_DEV : EVENT_PID);
	struct str tid = event_get(e, device ? EVENT_STREAM : EVENT_TID);
	struct chrome_writer_row *p = &r->row;
	size_t lane = 0;

	if (device && r->said.pid.p) { /* an event of the old autograd profiler: its tid is the device */
		tid = pid;
		pid = r->said.pid;
	} else if (device && !tid.p) {
		tid = r->said.tid.p ? r->said.tid : r->said.stream;
	}
	p->device = device;
	p->thread = viewer_lanes_put(&w->lanes, (struct str[]){event_get(e, EVENT_RANK), pid, tid}, device);
	p->process = w->lanes.threads[p->thread].process;
	if (r->ph == 'X' && event_has(e, EVENT_TS) && event_has(e, EVENT_DUR))
		lane = viewer_lanes_lane(&w->lanes, p->thread, e->ts, e->dur);
	p->tid = viewer_lanes_tid(&w->lanes.threads[p->thread], lane);
	p->pid = buf_str(&w->lanes.processes[p->process].number);
	store_row(w, r);
	if (r->said.pid.p && str_eq(p->pid, r->said.pid))
		p->pid = (struct str){0};
	if (r->said.tid.p && str_eq(p->tid, r->said.tid))
		p->tid = (struct str){0};
	/*
	 * The row shows only one pair of members, so the other pair is stored: pid and tid of device work, dev and
	 * stream of host work.
	 */
	store_present(w, e, device ? EVENT_PID : EVENT_DEV);
	store_present(w, e, device ? EVENT_TID : EVENT_STREAM);
}

/* Writes args without the closing bracket; a correlation id of another rank is replaced. */
static void put_args(struct chrome_writer *w, const struct chrome_writer_record *r, struct str args)
{
	const struct str old = r->said.correlation;

	if (!r->correlation.p || !old.p) {
		buf_add(&w->args, args.p, args.n - 1);
		return;
	}
	buf_add(&w->args, args.p, (size_t)(old.p - args.p));
	buf_add(&w->args, r->correlation.p, r->correlation.n);
	args = str_from(args, (size_t)(old.p + old.n - args.p));
	buf_add(&w->args, args.p, args.n - 1);
}

/* Adds to args the attachments and the members that viewers should show, unless args has them already. */
static void add_args(struct chrome_writer *w, const struct chrome_writer_record *r)
{
	struct event *e = r->e;
	struct str args = chrome_writer_is_object(e, EVENT_ARGS) ? e->m[EVENT_ARGS] : (struct str){NULL, 0}, key, value;
	enum event_member m = EVENT_N;
	struct iter walk;

	if (args.n > 2)
		put_args(w, r, args);
	else
		buf_char(&w->args, '{');
	if (!args.p)
		put_member(&w->args, "args", e, EVENT_ARGS);
	if (!chrome_writer_is_object(e, EVENT_SRC))
		put_member(&w->args, "src", e, EVENT_SRC);
	if (r->foreign && event_kind_is_device(r->kind)) {
		if (!r->said.stream.p)
			put_member(&w->args, "stream", e, EVENT_STREAM);
		if (!args.p || !iter_find(args, STR("device")).p)
			put_member(&w->args, "device", e, EVENT_DEV);
	}
	if (category_has_args(r->kind)) {
		if (!r->said.correlation.p && event_has(e, EVENT_CORR))
			json_write_json(&w->args, "correlation", r->correlation.p ? r->correlation : e->m[EVENT_CORR]);
		if (!r->said.bytes.p)
			put_member(&w->args, "bytes", e, EVENT_BYTES);
	}
	if (e->reading != EVENT_PLAIN)
		iter_init(&walk, e->raw);
	while (e->reading != EVENT_PLAIN && event_next(&walk, &m, &key, &value) > 0) {
		if (m < EVENT_N || (args.p && iter_find(args, key).p))
			continue;
		json_write_member(&w->args, key, value);
	}
	buf_char(&w->args, '}');
}

/* Stores the members that the reader would get from args with another value: corr and bytes. */
static void store_from_args(struct chrome_writer *w, const struct chrome_writer_record *r)
{
	struct str corr = event_get(r->e, EVENT_CORR), bytes = event_get(r->e, EVENT_BYTES), said = r->said.correlation;

	if (!category_has_args(r->kind)) {
		if (!r->correlation.p)
			store_present(w, r->e, EVENT_CORR);
		store_present(w, r->e, EVENT_BYTES);
		return;
	}
	if (!r->correlation.p && !is_read(said.p ? said : corr, corr, true))
		store_member(w, r->e, EVENT_CORR);
	said = r->said.bytes;
	if (!is_read(said.p ? said : bytes, bytes, false))
		store_member(w, r->e, EVENT_BYTES);
}

/* The members that events imply, or that other functions store; a record's further standard members are all stored. */
#define BIT(member) (1u << EVENT_##member)
static const uint32_t implied_members = BIT(TS) | BIT(DUR) | BIT(KIND) | BIT(NAME) | BIT(CAT) | BIT(RANK) | BIT(PID) |
					BIT(TID) | BIT(DEV) | BIT(STREAM) | BIT(CORR) | BIT(ID) | BIT(PARENT) |
					BIT(BYTES) | BIT(COPY) | BIT(ARGS) | BIT(SRC);

static void store_rest(struct chrome_writer *w, const struct chrome_writer_record *r)
{
	struct event *e = r->e;
	unsigned m;

	if (!str_eq(event_get(e, EVENT_RANK), w->rank))
		store_member(w, e, EVENT_RANK);
	store_from_args(w, r);
	if (!category_has_args(r->kind) || !r->said.python_parent.p)
		store_present(w, e, EVENT_PARENT);
	if (!r->said.ph.p && r->ph != 'X') /* the reader stores ph and s in src */
		json_write_json(
		    &w->record, "src", chrome_writer_is_object(e, EVENT_SRC) ? e->m[EVENT_SRC] : STR("null"));
	if (event_has(e, EVENT_DUR) && e->dur < 0)
		store_member(w, e, EVENT_DUR);
	for (m = 0; m < EVENT_N; m++) {
		if (!(implied_members >> m & 1))
			store_present(w, e, m);
	}
	if (r->kind != KIND_MEMCPY || !str_starts(event_get(e, EVENT_NAME), STR("\"Memcpy ")))
		store_present(w, e, EVENT_COPY);
}

/* Writes the members of src, except the phase. */
static void put_src(struct buf *b, struct event *e)
{
	struct str key, value;
	struct iter w;

	if (!chrome_writer_is_object(e, EVENT_SRC))
		return;
	iter_init(&w, e->m[EVENT_SRC]);
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(key, STR("ph")))
			continue;
		json_write_member(b, key, value);
	}
}

static void write_event(struct chrome_writer *w, const struct chrome_writer_record *r)
{
	struct event *e = r->e;
	struct buf *b = &w->text;

	b->n = 0;
	json_write_begin(b, NULL, '{');
	if (w->record.n > 1) { /* `record` comes first, since a reader needs the kind when it reads the phase */
		json_write_end(&w->record, '}');
		json_write_json(b, "record", buf_str(&w->record));
	}
	json_write_json(b, "ph", (struct str){(char[]){'"', r->ph, '"'}, 3});
	json_write_json(b, "cat", r->cat);
	put_member(b, "name", e, EVENT_NAME);
	if (event_has(e, EVENT_ID) && !(r->kind == KIND_PYTHON && r->said.python_id.p))
		json_write_json(b, "id", r->id.p ? r->id : e->m[EVENT_ID]);
	put_row(b, &r->row);
	if (event_has(e, EVENT_TS))
		put_micros(b, "ts", e->ts);
	if (event_has(e, EVENT_DUR))
		put_micros(b, "dur", event_duration(e));
	put_src(b, e);
	if (r->ph == 'i' && !r->said.ph.p)
		json_write_text(b, "s", STR("t"));
	if (event_has(e, EVENT_ARGS) || w->args.n > 2)
		json_write_json(b, "args", buf_str(&w->args));
	json_write_end(b, '}');
	put_line(w);
}

void chrome_writer_add(struct chrome_writer *w, struct event *e)
{
	struct chrome_writer_record r = {.e = e, .said = w->said};
	enum event_kind implied;

	if (!w->home.n && event_has(e, EVENT_RANK))
		viewer_lanes_set(&w->home, e->m[EVENT_RANK]);
	r.kind = event_get_kind(e);
	if (r.kind == KIND_META && !r.said.ph.p && write_top_member(w, e))
		return;
	r.ph = event_phase(&r);
	r.cat = event_get(e, EVENT_CAT);
	/* Records of a Chrome trace have a category of Chrome, or ph, pid or tid in src. */
	r.foreign = !r.said.ph.p && !r.said.pid.p && !r.said.tid.p && (!r.cat.p || category_kind(r.cat) == KIND_N);
	w->args.n = w->record.n = 0;
	json_write_begin(&w->record, NULL, '{');
	implied = read_kind(&r);
	if (!r.cat.p && r.kind < KIND_OTHER && implied != r.kind) {
		r.cat = category_of(r.kind);
		if (r.cat.p)
			store_member(w, e, EVENT_CAT);
		implied = read_kind(&r);
	}
	/* Without `record`, an event without a ts is read as kind other. A pid that is a text may get a new number. */
	if (implied != r.kind || (!event_has(e, EVENT_TS) && r.kind != KIND_META) ||
	    json_is_string(event_get(e, EVENT_PID)))
		store_member(w, e, EVENT_KIND);
	if (r.kind == KIND_N)
		r.kind = implied;
	find_row(w, &r);
	separate_ids(w, &r);
	if (r.id.p)
		store_member(w, e, EVENT_ID);
	if (r.correlation.p)
		store_member(w, e, EVENT_CORR);
	if (r.correlation.p && r.said.correlation.p)
		store_member(w, e, EVENT_ARGS);
	store_rest(w, &r);
	add_args(w, &r);
	write_event(w, &r);
	if (r.ph == 'M')
		store_row_name(w, e, r.row.process, r.row.thread, r.foreign && str_starts(r.cat, STR("\"ThreadName")));
	write_flow_end(w, &r);
}

struct chrome_writer *chrome_writer_new(struct out *out, enum chrome_writer_flows flows)
{
	struct chrome_writer *w = mem_zero(1, sizeof *w);

	w->out = out;
	w->flows = flows;
	return w;
}

void chrome_writer_free(struct chrome_writer *w)
{
	viewer_lanes_free(&w->lanes);
	json_tree_free(&w->job);
	bufs_free(&w->later, &w->text, &w->args, &w->record, &w->ids, &w->home);
	maps_free(&w->names, &w->collectives, &w->calls[0], &w->calls[1]);
	mem_free(w->seen, w);
}

bool chrome_writer_any(const struct chrome_writer *w)
{
	return w->events || w->members;
}
