/*
 * plaidml: reads event logs of PlaidML and the Tile server (eventlog.gz): protobuf records, each preceded by its
 * length.
 *
 *   {"ts":1505427980,"dur":4788370,"kind":"kernel","name":"kernel_c4_sdk_2","cat":"tile::hal::opencl::Executing",
 *    "corr":7,"id":"2c..","parent":"a8..","args":{"kernel":"d1..","domain":"3f..","seq":412}}
 *
 * An activity's start, metadata and end are separate events; its record is made after the last of them. Devices have
 * their own clocks, whose offsets to the host's clock are known only when the whole log has been read. So a log is read
 * twice (io/spool).
 */
#include "plaidml_message.h"

#include "base/int_math.h"
#include "base/map.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/draft.h"
#include "io/spool.h"

#include <stdlib.h>

/* --- the activities, which refer to each other, and the alignment of their clocks --- */

enum plaidml_role { PLAIDML_HOST, PLAIDML_RUN, PLAIDML_QUEUE, PLAIDML_EXECUTING };

/* A member that refers to an object holds 1 + its index in its map; 0 means that there is no such object. */
struct plaidml_activity {
	int64_t start, end;
	/* the number of its first event, counted from 1; 0 if it has no events, but other activities refer to it */
	uint64_t seq;
	uint32_t parent, clock, domain, verb;
	uint32_t kernel, name; /* kernel: from a RunInfo; name: from a KernelInfo */
	uint32_t corr;
	bool has_start, has_end, has_run, has_name, written;
};

struct plaidml_clock {
	int64_t epoch; /* ns to add to the times of this clock */
	bool placed;   /* `epoch` is known, so times of this clock can be converted to the main clock */
};

struct plaidml_tree {
	struct map ids, clock_ids, verb_names, names; /* names: the names of kernels, as JSON */
	struct plaidml_activity *activities;          /* in the order of their ids in `ids` */
	struct plaidml_clock *clocks;
	struct plaidml_verb {
		struct buf json;
		enum plaidml_role role;
	} * verbs;
	size_t cap, clocks_cap, verbs_cap;
	uint64_t events;
	uint32_t runs;
};

enum {
	CLIMB = 64,  /* maximum number of steps up to a RunInfo (logs need 2), in case parents form a circle */
	SWEEPS = 64, /* maximum number of passes over the linked clocks; logs with two clocks need only one */
};

/* Returns the index of the activity with this id, whose n must be > 0. Adds the activity when it is new. */
static uint32_t activity_at(struct plaidml_tree *t, const struct plaidml_ref *ref)
{
	const size_t i = map_put(&t->ids, (struct str){ref->key, ref->n});

	t->activities = mem_grow_zero(t->activities, &t->cap, t->ids.n, sizeof *t->activities);
	return (uint32_t)i;
}

/* Returns 1 + the index of the activity with this id; 0 when there is no id. */
static uint32_t object_at(struct plaidml_tree *t, const struct plaidml_ref *ref)
{
	return ref->n ? activity_at(t, ref) + 1 : 0;
}

static uint32_t verb_at(struct plaidml_tree *t, struct str name)
{
	static const char *const queues[] = {"::HostQueue", "::DevQueue", NULL};
	const size_t known = t->verb_names.n, i = map_put(&t->verb_names, name);

	if (i == known) {
		t->verbs = mem_grow_zero(t->verbs, &t->verbs_cap, i + 1, sizeof *t->verbs);
		json_quote(&t->verbs[i].json, name);
		t->verbs[i].role = str_ends(name, STR("::Kernel::Run")) ? PLAIDML_RUN
				   : str_ends_in(name, queues)          ? PLAIDML_QUEUE
				   : str_ends(name, STR("::Executing")) ? PLAIDML_EXECUTING
									: PLAIDML_HOST;
	}
	return (uint32_t)i + 1;
}

/* Adds the contents of an event, except its metadata, to its activity. Returns the activity's index. */
static uint32_t add_event(struct plaidml_tree *t, const struct plaidml_event *ev)
{
	/* Get all indices first: adding a new id may move the array. */
	const uint32_t id = activity_at(t, &ev->id), parent = object_at(t, &ev->parent),
		       domain = object_at(t, &ev->domain);
	struct plaidml_activity *a = &t->activities[id];

	t->events++;
	if (!a->seq)
		a->seq = t->events;
	if (parent)
		a->parent = parent;
	if (domain)
		a->domain = domain;
	if (ev->clock.n) {
		a->clock = (uint32_t)map_put(&t->clock_ids, (struct str){ev->clock.key, ev->clock.n}) + 1;
		t->clocks = mem_grow_zero(t->clocks, &t->clocks_cap, t->clock_ids.n, sizeof *t->clocks);
		t->clocks[0].placed = true;
	}
	if (ev->verb.p) {
		a->verb = verb_at(t, ev->verb);
		if (t->verbs[a->verb - 1].role == PLAIDML_RUN && !a->corr)
			a->corr = ++t->runs;
	}
	a->start = ev->has_start ? ev->start : a->start;
	a->end = ev->has_end ? ev->end : a->end;
	a->has_start |= ev->has_start;
	a->has_end |= ev->has_end;
	return id;
}

struct edge {
	uint32_t parent, child;
	int64_t delta;
};

struct edges {
	struct map pairs;
	struct edge *e;
	size_t cap;
};

static void add_edge(struct edges *edges, uint32_t parent, uint32_t child, int64_t delta)
{
	const uint32_t pair[2] = {parent, child};
	size_t known = edges->pairs.n, i = map_put(&edges->pairs, (struct str){(const char *)pair, sizeof pair});

	if (i == known) {
		edges->e = mem_grow(edges->e, &edges->cap, i + 1, sizeof *edges->e);
		edges->e[i] = (struct edge){parent, child, delta};
	} else if (delta > edges->e[i].delta) {
		edges->e[i].delta = delta;
	}
}

static void find_edges(const struct plaidml_tree *t, struct edges *edges)
{
	const struct plaidml_activity *a, *parent;
	int64_t delta;
	size_t i;

	for (i = 0; i < t->ids.n; i++) {
		a = &t->activities[i];
		if (!a->parent || !a->clock || !a->has_start)
			continue;
		parent = &t->activities[a->parent - 1];
		if (!parent->clock || !parent->has_start || parent->clock == a->clock)
			continue;
		delta = int_sub(parent->start, a->start);
		if (delta >= 0)
			add_edge(edges, parent->clock - 1, a->clock - 1, delta);
	}
}

/*
 * Aligns the clocks. If activities are on another clock than their parents, the epoch of their clock is the epoch of
 * the parents' clock plus the maximum of (parent's start - child's start). Negative differences are ignored. As a
 * result, no activity starts before its parent. The minimum epoch becomes 0. A clock that is not linked to the first
 * one stays unplaced.
 */
static void align_clocks(struct plaidml_tree *t)
{
	struct plaidml_clock *parent, *child;
	struct edges edges = {0};
	int64_t least = 0;
	bool moved = true;
	int sweep;
	size_t i;

	find_edges(t, &edges);
	for (sweep = 0; moved && sweep < SWEEPS; sweep++) {
		moved = false;
		for (i = 0; i < edges.pairs.n; i++) {
			parent = &t->clocks[edges.e[i].parent];
			child = &t->clocks[edges.e[i].child];
			if (parent->placed == child->placed)
				continue;
			/* One of the two clocks is placed; the other is placed relative to it. */
			if (parent->placed)
				child->epoch = int_add(parent->epoch, edges.e[i].delta);
			else
				parent->epoch = int_sub(child->epoch, edges.e[i].delta);
			parent->placed = child->placed = moved = true;
		}
	}
	for (i = 0; i < t->clock_ids.n; i++) {
		if (t->clocks[i].placed && t->clocks[i].epoch < least)
			least = t->clocks[i].epoch;
	}
	for (i = 0; i < t->clock_ids.n; i++) {
		if (t->clocks[i].placed)
			t->clocks[i].epoch = int_sub(t->clocks[i].epoch, least);
	}
	map_free(&edges.pairs);
	free(edges.e);
}

/* Returns the first of an activity and its ancestors that is a Kernel::Run or has a RunInfo, or NULL. */
static const struct plaidml_activity *find_run(const struct plaidml_tree *t, const struct plaidml_activity *a)
{
	int i;

	for (i = 0; i < CLIMB; i++) {
		if (a->has_run || a->corr)
			return a;
		if (!a->parent)
			return NULL;
		a = &t->activities[a->parent - 1];
	}
	return NULL;
}

/* --- records of the log --- */

struct plaidml_run {
	bool raw_clock; /* device times are not converted to the host's clock */
};

struct plaidml {
	struct spool bytes; /* the log: records, each preceded by its length */
	struct spool_window window;
	uint64_t next; /* offset of the next record's length */
	bool ended;    /* no record follows, or it cannot be found */
	bool reports;  /* the log is read for the second time: lost records are counted */
	struct plaidml_tree tree;
	struct plaidml_stream own;
	struct plaidml_event *events; /* the events of the record that is being converted */
	size_t n, at, cap;
	struct str record;
	uint64_t record_at;   /* the record's offset in the log */
	struct wire metadata; /* the part of the current event that has not been read */
	uint32_t activity;    /* the activity of the current event */
	bool telling, finished;
	size_t rest; /* after the end of the log: the next activity to check for a missing start or end */
	struct buf id, parent, clock; /* texts of members of the last record */
};

/* Counts the current record as lost; returns false. */
static bool lose_record(const struct plaidml *p, struct reader *r, const char *what, uint64_t at)
{
	return p->reports && reader_lost(r, what, 0, at);
}

/* Reads the next record into p->record; false at the end, and when the log cannot be read: r->src->fault. */
static bool read_record(struct plaidml *p, struct reader *r)
{
	enum { LENGTH_MAX = 10 };
	struct str head;
	uint64_t left, n;
	int took;

	while (!p->ended && p->next < p->bytes.size) {
		p->record_at = p->next;
		left = p->bytes.size - p->next;
		head.n = left < LENGTH_MAX ? (size_t)left : LENGTH_MAX;
		head.p = spool_read(&p->bytes, &p->window, p->next, head.n, &r->src->fault);
		if (!head.p)
			return false;
		took = wire_varint(head, &n);
		p->ended = took <= 0 || n > left - (uint64_t)took;
		if (p->ended)
			return lose_record(p, r,
			    took > 0    ? "record is longer than the rest of the log; skipped"
			    : took == 0 ? "log ends inside the length of a record"
					: "length of a record has more than 10 bytes or 64 bits; reading stopped",
			    p->record_at);
		p->next += (uint64_t)took + n;
		if (n > r->max_record) {
			lose_record(p, r, "record larger than --max-record; skipped", p->record_at);
			continue;
		}
		p->record_at += (uint64_t)took;
		p->record = STR("");
		if (n)
			p->record = (struct str){
			    spool_read(&p->bytes, &p->window, p->record_at, (size_t)n, &r->src->fault), (size_t)n};
		return p->record.p;
	}
	return false;
}

#define MAGIC 0x4C747645u

/* Reads all events of a record, before any of them is used. False if it has no events or is lost. */
static bool read_events(struct plaidml *p, struct reader *r)
{
	struct wire w = wire_of(p->record);
	struct wire_field field, value;
	bool magic = false;

	p->n = p->at = 0;
	while (wire_next(&w, &field) > 0) {
		if (field.no == 1 && field.type == WIRE_LEN) {
			magic = true;
			if (!wire_find(field.bytes, 1, WIRE_VARINT, &value) || value.v == MAGIC)
				continue;
			p->ended = true;
			p->n = 0;
			return lose_record(p, r,
			    "not a PlaidML event log: its magic number is not 0x4C747645 (\"EvtL\")", p->record_at);
		}
		if (field.no != 2 || field.type != WIRE_LEN)
			continue;
		p->events = mem_grow(p->events, &p->cap, p->n + 1, sizeof *p->events);
		if (!plaidml_event_read(&p->events[p->n], field.bytes, &p->own, &w))
			break;
		p->n++;
	}
	if (w.fault) {
		p->n = 0;
		return lose_record(p, r, w.fault, p->record_at + (uint64_t)(w.p - p->record.p));
	}
	if (!p->n && !magic)
		lose_record(p, r, "record without an event; skipped", p->record_at);
	return p->n;
}

/* Reads the next record that has events; false at the end. */
static bool next_record(struct plaidml *p, struct reader *r)
{
	while (read_record(p, r)) {
		if (read_events(p, r))
			return true;
	}
	return false;
}

#define TO(member) OPT_TO(struct plaidml_run, member)
static const struct opt options[] = {
    {0, "raw-clock", OPT_FLAG, TO(raw_clock), "plaidml: do not convert device times to the host's clock"},
    {0},
};

/* Reads the log for the first time: its ids, times and clocks. Removes the activities, but keeps the clocks. */
static void find_clocks(struct plaidml *p, struct reader *r)
{
	struct plaidml_tree *t = &p->tree;
	size_t i;

	while (next_record(p, r)) {
		for (i = 0; i < p->n; i++)
			add_event(t, &p->events[i]);
	}
	align_clocks(t);
	map_free(&t->ids);
	if (t->cap)
		memset(t->activities, 0, t->cap * sizeof *t->activities);
	t->events = t->runs = 0;
	p->own.known = p->ended = false;
	p->next = p->n = p->at = 0;
}

static void open_plaidml(void *state, struct reader *r)
{
	const struct plaidml_run *run = r->run;
	struct plaidml *p = state;

	if (!spool_source(&p->bytes, r->src, &r->src->fault))
		p->finished = true;
	else if (!run->raw_clock && (reader_wants(r, KIND_ACTIVITY) || reader_wants(r, KIND_KERNEL)))
		find_clocks(p, r);
	p->reports = true;
}

/* --- activities --- */

static struct str json_id(const struct plaidml *p, struct buf *b, uint32_t number)
{
	b->n = 0;
	plaidml_put_id(b, map_key(&p->tree.ids, number));
	return buf_str(b);
}

/* Writes the id of an object, 1 + its index; nothing if it is 0. */
static void put_id(const struct plaidml *p, struct buf *b, const char *key, uint32_t object)
{
	if (!object)
		return;
	json_write_key(b, key);
	plaidml_put_id(b, map_key(&p->tree.ids, object - 1));
}

/* Sets the fields of all records of an activity; cat is its verb. */
static void set_id_parent_cat(struct plaidml *p, struct event *e, uint32_t number)
{
	const struct plaidml_activity *a = &p->tree.activities[number];

	event_set(e, EVENT_ID, json_id(p, &p->id, number));
	if (a->parent)
		event_set(e, EVENT_PARENT, json_id(p, &p->parent, a->parent - 1));
	if (a->verb)
		event_set(e, EVENT_CAT, buf_str(&p->tree.verbs[a->verb - 1].json));
}

/* False when a time does not fit in int64. */
static bool set_activity_times(struct plaidml *p, struct event *e, const struct plaidml_activity *a)
{
	const struct plaidml_clock *clock = a->clock ? &p->tree.clocks[a->clock - 1] : NULL;
	struct buf *b = &p->clock;
	int64_t ts, dur;

	if (!a->has_start)
		return true;
	if (__builtin_add_overflow(a->start, clock ? clock->epoch : 0, &ts))
		return false;
	event_set_ts(e, ts);
	if (a->has_end) {
		if (__builtin_sub_overflow(a->end, a->start, &dur))
			return false;
		event_set_dur(e, dur);
	}
	if (clock && !clock->placed) { /* the clock's id is a text, even when it is a number */
		b->n = 0;
		buf_char(b, '"');
		plaidml_put_id(b, map_key(&p->tree.clock_ids, a->clock - 1));
		buf_char(b, '"');
		event_set(e, EVENT_CLOCK, b->p[1] == '"' ? json_inner(buf_str(b)) : buf_str(b));
	}
	return true;
}

/* Makes the record of an activity, and marks it as written. False when it is not selected, or was lost. */
static bool activity_record(struct plaidml *p, struct reader *r, uint32_t number, struct event *e)
{
	struct plaidml_activity *a = &p->tree.activities[number];
	const enum plaidml_role role = a->verb ? p->tree.verbs[a->verb - 1].role : PLAIDML_HOST;
	const enum event_kind kind = role == PLAIDML_EXECUTING ? KIND_KERNEL : KIND_ACTIVITY;
	const struct plaidml_activity *run;
	struct buf *args = &r->draft->args;
	uint32_t name;

	a->written = true;
	if (!reader_wants(r, kind))
		return false;
	run = role == PLAIDML_HOST || role == PLAIDML_RUN ? a : find_run(&p->tree, a);
	name = kind == KIND_KERNEL && run && run->kernel ? p->tree.activities[run->kernel - 1].name : 0;
	draft_begin(r, e, kind);
	set_id_parent_cat(p, e, number);
	if (name)
		event_set(e, EVENT_NAME, map_key(&p->tree.names, name - 1));
	else if (a->verb)
		event_set(e, EVENT_NAME, e->m[EVENT_CAT]);
	if (!set_activity_times(p, e, a))
		return reader_lost(r, "time does not fit in 64 bits of nanoseconds; activity skipped", 0, p->record_at);
	if (run && run->corr)
		draft_int(r->draft, e, EVENT_CORR, run->corr);
	if (!r->args)
		return draft_end(r, e);
	put_id(p, args, "kernel", run ? run->kernel : 0);
	put_id(p, args, "domain", a->domain);
	/* An activity without a start gets no dur, so write the end to args. */
	if (!a->has_start && a->has_end)
		json_write_int(args, "end", a->end);
	json_write_int(args, "seq", (int64_t)a->seq);
	return draft_end(r, e);
}

/* --- metadata --- */

/* Stores the kernel that a Kernel::Run executed. */
static void read_run(struct plaidml *p, struct str message, struct wire *w)
{
	struct plaidml_ref ref = {.n = 0};
	struct wire_field f;
	uint32_t kernel = 0;

	if (p->tree.activities[p->activity].has_run) /* if there are several RunInfos, the first one is used */
		return;
	if (wire_find(message, 1, WIRE_LEN, &f) && !plaidml_ref_read(&ref, f.bytes, &p->own, false, w))
		return;
	if (ref.n)
		kernel = activity_at(&p->tree, &ref) + 1; /* this may move the array of activities */
	p->tree.activities[p->activity].has_run = true;
	p->tree.activities[p->activity].kernel = kernel;
}

/* Writes the args of a metadata record. When the message is damaged, returns false: w->fault. */
static bool put_meta(struct plaidml *p, struct reader *r, const struct plaidml_type *type, struct str url,
    struct str message, struct wire *w)
{
	const uint32_t build = p->tree.activities[p->activity].parent;
	struct buf *b = &r->draft->args;

	if (type && type->kind == KIND_KERNELINFO) { /* its parents have the metadata of its build and its program */
		put_id(p, b, "build", build);
		put_id(p, b, "program", build ? p->tree.activities[build - 1].parent : 0);
	}
	if (!type || type->kind == KIND_OTHER)
		json_write_text(b, "type_url", url);
	if (type)
		return plaidml_type_put(b, type, message, &p->own, w);
	json_write_key(b, "value");
	buf_char(b, '"');
	buf_hex(b, message.p, message.n);
	buf_char(b, '"');
	return true;
}

/*
 * Reads one metadata message of p->activity, an Any {1 type_url, 2 value}, and stores the parts that other records
 * need. True when *e is a record.
 */
static bool metadata_record(struct plaidml *p, struct reader *r, struct str any, struct event *e)
{
	const uint64_t at = p->record_at + (uint64_t)(any.p - p->record.p);
	const struct str url = wire_find_bytes(any, 1), message = wire_find_bytes(any, 2);
	struct str name = {NULL, 0};
	const struct plaidml_type *type = plaidml_type_of(url);
	const enum event_kind kind = type ? type->kind : KIND_OTHER;
	const bool is_run = type && !type->fields;
	struct plaidml_activity *a;
	struct wire w = {0};

	if (type && wire_sound(message, &w)) {
		name = plaidml_type_title(type, message);
		if (is_run)
			read_run(p, message, &w);
		a = &p->tree.activities[p->activity];
		if (kind == KIND_KERNELINFO && name.p && !a->has_name) {
			draft_name(r->draft, name);
			a->has_name = true;
			a->name = (uint32_t)map_put(&p->tree.names, buf_str(&r->draft->name)) + 1;
		}
	}
	if (!type)
		reader_note(r, "metadata of an unknown type; written in hexadecimal (kind other)", 0, at);
	if (!w.fault && (is_run || !reader_wants(r, kind)))
		return false;
	draft_begin(r, e, kind);
	if (w.fault || !put_meta(p, r, type, url, message, &w))
		return reader_lost(r, "metadata does not match its message type; skipped", 0, at);
	set_id_parent_cat(p, e, p->activity);
	if (kind == KIND_OTHER)
		name = str_from(url, str_after_last(url, '/'));
	if (name.p)
		draft_name(r->draft, name);
	return draft_end(r, e);
}

/* --- the second pass --- */

/* Makes the next record from the current event; false when no more are left. */
static bool next_of_event(struct plaidml *p, struct reader *r, struct event *e)
{
	const struct plaidml_activity *a;
	struct str any;

	while (wire_next_message(&p->metadata, 7, &any)) {
		if (metadata_record(p, r, any, e))
			return true;
	}
	p->telling = false;
	p->at++;
	a = &p->tree.activities[p->activity]; /* set only here, because reading metadata may move the array */
	return a->has_start && a->has_end && a->verb && !a->written && activity_record(p, r, p->activity, e);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct plaidml *p = state;
	const struct plaidml_activity *a;
	const struct plaidml_event *ev;

	while (!p->finished) {
		if (p->telling) {
			if (next_of_event(p, r, e))
				return 1;
			continue;
		}
		if (p->at == p->n) {
			p->finished = !next_record(p, r);
			continue;
		}
		ev = &p->events[p->at];
		p->activity = add_event(&p->tree, ev);
		p->metadata = wire_of(ev->has_metadata ? ev->whole : (struct str){ev->whole.p, 0});
		p->telling = true;
		if (p->tree.activities[p->activity].written && (ev->has_start || ev->has_end))
			reader_lost(r, "event of an activity that has already ended; ignored", 0,
			    p->record_at + (uint64_t)(ev->whole.p - p->record.p));
	}
	/* Then the activities whose start or end is missing in the log, in the order of their first events. */
	while (p->rest < p->tree.ids.n) {
		a = &p->tree.activities[p->rest++];
		if (a->seq && !a->written && activity_record(p, r, (uint32_t)(p->rest - 1), e))
			return 1;
	}
	return 0;
}

static void close_plaidml(void *state, struct reader *r)
{
	struct plaidml *p = state;
	struct plaidml_tree *t = &p->tree;
	size_t i;

	(void)r;
	spool_free(&p->bytes);
	spool_window_free(&p->window);
	for (i = 0; i < t->verb_names.n; i++)
		buf_free(&t->verbs[i].json);
	maps_free(&t->ids, &t->clock_ids, &t->verb_names, &t->names);
	mem_free(t->activities, t->clocks, t->verbs, p->events);
	bufs_free(&p->id, &p->parent, &p->clock);
}

/* --- recognition --- */

/*
 * Whether the first record has the magic number (correct or not), or begins with an event whose first field is its own
 * id or its parent's id.
 */
static bool is_event_log(struct str head)
{
	uint64_t n, event, id;
	int took = wire_varint(head, &n), more;

	if (took <= 0)
		return false;
	head = str_head(str_from(head, (size_t)took), (size_t)(n < head.n ? n : head.n));
	if (str_starts(head, STR("\x0a\x06\x08")) && n == 8)
		return true;
	if (!str_starts(head, STR("\x12")) || (more = wire_varint(str_from(head, 1), &event)) <= 0 ||
	    event + 1 + (uint64_t)more > n)
		return false;
	head = str_from(head, 1 + (size_t)more);
	return head.n > 1 && (head.p[0] == 0x0a || head.p[0] == 0x12) && wire_varint(str_from(head, 1), &id) == 1 &&
	       id + 2 <= event && id <= 29 && (event > id + 2 || head.p[0] == 0x12);
}

const struct format format_plaidml = {
    .name = "plaidml",
    .help = "event logs of PlaidML and the Tile server (eventlog.gz)",
    .example = "trace2ndjson eventlog.gz",
    .probe = is_event_log,
    .binary = true,
    .run_size = sizeof(struct plaidml_run),
    .options = options,
    .state_size = sizeof(struct plaidml),
    .open = open_plaidml,
    .next = next,
    .close = close_plaidml,
};
