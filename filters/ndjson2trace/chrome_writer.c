#include "chrome_writer_private.h"

#include "record/category.h"
#include "json/string.h"
#include "base/num_format.h"
#include "json/write.h"
#include "json/iter.h"

#include <stdlib.h>

/* The row in which an event is drawn: texts for pid and tid, p == NULL for a text that is written with src. */
struct viewer_row {
	struct str pid, tid;
	size_t process, thread;
	bool device;
};

/* A record that is being written. */
struct outgoing_record {
	struct event *e;
	enum event_kind kind;
	char ph;
	struct str cat; /* the record's own category, or a category that implies its kind */
	bool foreign;   /* the record does not come from a Chrome trace */
	struct chrome_writer_said said;
	struct viewer_row place;
};

static void put_member(struct buf *b, const char *key, struct event *e, enum event_member m)
{
	if (event_has(e, m))
		json_write_json(b, key, e->m[m]);
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

static bool reads_args(enum event_kind k)
{
	return event_kind_is_device(k) || k == KIND_API || k == KIND_PYTHON;
}

static char phase_of(const struct outgoing_record *i)
{
	if (i->said.ph.n == 3 && json_is_string(i->said.ph))
		return i->said.ph.p[1];
	if (i->kind == KIND_COUNTER)
		return 'C';
	if (i->kind == KIND_META)
		return 'M';
	return event_has(i->e, EVENT_DUR) ? 'X' : 'i';
}

/* Returns the kind that trace2ndjson (chrome_kind.c) will infer from the event if args does not state a kind. */
static enum event_kind read_kind(const struct outgoing_record *i)
{
	enum event_kind k = category_of_phase(i->ph);

	if (k == KIND_N && i->cat.p)
		k = category_kind(i->cat);
	if (k == KIND_N && str_eq(i->said.pid, STR("\"CPU functions\"")))
		k = KIND_OP;
	if (k == KIND_N && str_eq(i->said.pid, STR("\"CUDA functions\"")))
		k = KIND_KERNEL;
	if (k == KIND_N)
		k = KIND_RANGE;
	return event_has(i->e, EVENT_TS) || k == KIND_META ? k : KIND_OTHER;
}

/*
 * Stores the value of a member in w->record, since the event implies a different value. Stores null if the record has
 * no such member.
 */
static void keep(struct chrome_writer *w, struct event *e, enum event_member m)
{
	json_write_json(&w->record, event_member_name(m), event_has(e, m) ? e->m[m] : STR("null"));
}

/* Stores a member in w->record if the record has it; used for members for which events imply no value. */
static void keep_some(struct chrome_writer *w, struct event *e, enum event_member m)
{
	if (event_has(e, m))
		keep(w, e, m);
}

/* Finds the row of the event, and stores the members that the row does not imply. */
static void find_place(struct chrome_writer *w, struct outgoing_record *i)
{
	struct event *e = i->e;
	const bool device = event_kind_is_device(i->kind) || i->kind == KIND_GPU_RANGE;
	const enum event_member process = device ? EVENT_DEV : EVENT_PID, thread = device ? EVENT_STREAM : EVENT_TID;
	struct str pid = event_get(e, process), tid = event_get(e, thread);
	struct viewer_row *p = &i->place;
	size_t lane = 0;

	if (device && i->said.pid.p) { /* an event of the old autograd profiler: its tid is the device */
		tid = pid;
		pid = i->said.pid;
	} else if (device && !tid.p) {
		tid = i->said.tid.p ? i->said.tid : i->said.stream;
	}
	p->device = device;
	p->thread = viewer_lanes_put(&w->lanes, (struct str[]){event_get(e, EVENT_RANK), pid, tid}, device);
	p->process = w->lanes.threads[p->thread].process;
	if (i->ph == 'X' && event_has(e, EVENT_TS) && event_has(e, EVENT_DUR))
		lane = viewer_lanes_lane(&w->lanes, p->thread, e->ts, e->dur);
	p->tid = viewer_lanes_tid(&w->lanes.threads[p->thread], lane);
	p->pid = json_write_str(&w->lanes.processes[p->process].number);
	if (!str_eq(p->pid, pid))
		keep(w, e, process);
	if (!str_eq(p->tid, tid) && !(device && i->said.stream.p))
		keep(w, e, thread);
	if (i->said.pid.p && str_eq(p->pid, i->said.pid))
		p->pid = (struct str){0};
	if (i->said.tid.p && str_eq(p->tid, i->said.tid))
		p->tid = (struct str){0};
	/*
	 * The row shows only one pair of members, so the other pair is stored: pid and tid of device work, dev and
	 * stream of host work.
	 */
	keep_some(w, e, device ? EVENT_PID : EVENT_DEV);
	keep_some(w, e, device ? EVENT_TID : EVENT_STREAM);
}

/* Adds to args the attachments and the members that viewers should show, unless args has them already. */
static void add_args(struct chrome_writer *w, const struct outgoing_record *i)
{
	struct event *e = i->e;
	struct str args = chrome_writer_is_object(e, EVENT_ARGS) ? e->m[EVENT_ARGS] : (struct str){NULL, 0}, key, value;
	enum event_member m = EVENT_N;
	struct iter walk;

	if (args.n > 2)
		buf_add(&w->args, args.p, args.n - 1);
	else
		buf_char(&w->args, '{');
	if (!args.p)
		put_member(&w->args, "args", e, EVENT_ARGS);
	if (!chrome_writer_is_object(e, EVENT_SRC))
		put_member(&w->args, "src", e, EVENT_SRC);
	if (i->foreign && event_kind_is_device(i->kind)) {
		if (!i->said.stream.p)
			put_member(&w->args, "stream", e, EVENT_STREAM);
		if (!args.p || !iter_find(args, STR("device")).p)
			put_member(&w->args, "device", e, EVENT_DEV);
	}
	if (reads_args(i->kind)) {
		if (!i->said.correlation.p)
			put_member(&w->args, "correlation", e, EVENT_CORR);
		if (!i->said.bytes.p)
			put_member(&w->args, "bytes", e, EVENT_BYTES);
	}
	if (!e->plain)
		iter_init(&walk, e->raw);
	while (!e->plain && event_next(&walk, &m, &key, &value) > 0) {
		if (m < EVENT_N || (args.p && iter_find(args, key).p))
			continue;
		json_write_member(&w->args, key, value);
	}
	buf_char(&w->args, '}');
}

static void keep_rest(struct chrome_writer *w, const struct outgoing_record *i)
{
	struct event *e = i->e;

	if (!str_eq(event_get(e, EVENT_RANK), w->rank))
		keep(w, e, EVENT_RANK);
	if (!reads_args(i->kind)) {
		keep_some(w, e, EVENT_CORR);
		keep_some(w, e, EVENT_BYTES);
	}
	if (!reads_args(i->kind) || !i->said.python_parent.p)
		keep_some(w, e, EVENT_PARENT);
	keep_some(w, e, EVENT_CLOCK);
	keep_some(w, e, EVENT_ERR);
	if (i->kind != KIND_MEMCPY || !str_starts(event_get(e, EVENT_NAME), STR("\"Memcpy ")))
		keep_some(w, e, EVENT_COPY);
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

static void put_place(struct buf *b, const struct viewer_row *p)
{
	if (p->pid.n)
		json_write_json(b, "pid", p->pid);
	if (p->tid.n)
		json_write_json(b, "tid", p->tid);
}

static void write_event(struct chrome_writer *w, const struct outgoing_record *i)
{
	struct event *e = i->e;
	struct buf *b = &w->text;

	b->n = 0;
	json_write_begin(b, NULL, '{');
	if (w->record.n > 1) { /* `record` comes first, since a reader needs the kind when it reads the phase */
		json_write_end(&w->record, '}');
		json_write_json(b, "record", json_write_str(&w->record));
	}
	json_write_text(b, "ph", (struct str){&i->ph, 1});
	if (i->cat.p)
		json_write_json(b, "cat", i->cat);
	put_member(b, "name", e, EVENT_NAME);
	if (event_has(e, EVENT_ID) && !(i->kind == KIND_PYTHON && i->said.python_id.p))
		put_member(b, "id", e, EVENT_ID);
	put_place(b, &i->place);
	if (event_has(e, EVENT_TS))
		put_micros(b, "ts", e->ts);
	if (event_has(e, EVENT_DUR))
		put_micros(b, "dur", e->dur);
	put_src(b, e);
	if (i->ph == 'i' && !i->said.ph.p)
		json_write_text(b, "s", STR("t"));
	if (event_has(e, EVENT_ARGS) || w->args.n > 2)
		json_write_json(b, "args", json_write_str(&w->args));
	json_write_end(b, '}');
	chrome_writer_put_line(w);
}

/* Writes one end of an arrow: the tail at a call, the head at the device work. */
static void write_flow(struct chrome_writer *w, const struct outgoing_record *i)
{
	struct buf *b = &w->text, *id = &w->args;
	struct str rank = event_get(i->e, EVENT_RANK);

	id->n = 0;
	if (rank.p) { /* ids are unique only within a rank */
		buf_add(id, rank.p, rank.n);
		buf_char(id, ':');
	}
	buf_add(id, i->e->m[EVENT_CORR].p, i->e->m[EVENT_CORR].n);
	b->n = 0;
	json_write_begin(b, NULL, '{');
	json_write_json(b, "record", STR("null"));
	json_write_text(b, "ph", i->place.device ? STR("f") : STR("s"));
	json_write_text(b, "cat", STR("ac2g"));
	json_write_text(b, "name", STR("ac2g"));
	json_write_text(b, "id", json_write_str(id));
	put_place(b, &i->place);
	put_micros(b, "ts", i->e->ts);
	if (i->place.device)
		json_write_text(b, "bp", STR("e"));
	json_write_end(b, '}');
	chrome_writer_put_line(w);
}

/* Returns true for the kinds of records that should have a ts. */
static bool is_timed(enum event_kind k)
{
	return k != KIND_META && k != KIND_OTHER && (k < KIND_PROGRAMINFO || k > KIND_PLATFORMINFO);
}

static bool wants_flow(const struct chrome_writer *w, const struct outgoing_record *i)
{
	if (w->flows == FLOWS_NEVER || (w->flows == FLOWS_AUTO && !i->foreign))
		return false;
	return event_has(i->e, EVENT_CORR) && event_has(i->e, EVENT_TS) &&
	       (i->kind == KIND_API || event_kind_is_device(i->kind));
}

/*
 * Returns true if the record does not come from a Chrome trace. Records from a Chrome trace have a category of Chrome,
 * or ph, pid or tid in src; in records from other formats, src has other members.
 */
static bool is_foreign(const struct outgoing_record *i)
{
	return !i->said.ph.p && !i->said.pid.p && !i->said.tid.p && (!i->cat.p || category_kind(i->cat) == KIND_N);
}

void chrome_writer_add(struct chrome_writer *w, struct event *e)
{
	struct outgoing_record i = {.e = e, .said = w->said};

	i.kind = event_get_kind(e);
	if (i.kind == KIND_META && !i.said.ph.p && chrome_writer_take_member(w, e))
		return;
	w->timeless += !event_has(e, EVENT_TS) && is_timed(i.kind);
	i.ph = phase_of(&i);
	i.cat = event_get(e, EVENT_CAT);
	i.foreign = is_foreign(&i);
	if (i.kind < KIND_N && !i.cat.p && read_kind(&i) != i.kind)
		i.cat = category_of(i.kind);
	w->args.n = w->record.n = 0;
	json_write_begin(&w->record, NULL, '{');
	if (i.kind < KIND_N && read_kind(&i) != i.kind)
		keep(w, e, EVENT_KIND);
	find_place(w, &i);
	keep_rest(w, &i);
	add_args(w, &i);
	write_event(w, &i);
	if (i.ph == 'M')
		chrome_writer_take_name(
		    w, e, i.place.process, i.place.thread, i.foreign && str_starts(i.cat, STR("\"ThreadName")));
	if (wants_flow(w, &i))
		write_flow(w, &i);
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
	map_free(&w->names);
	buf_free(&w->later);
	json_tree_free(&w->job);
	buf_free(&w->text);
	buf_free(&w->args);
	buf_free(&w->record);
	free(w);
}

bool chrome_writer_any(const struct chrome_writer *w)
{
	return w->events || w->members;
}

struct chrome_writer_counts chrome_writer_counts(const struct chrome_writer *w)
{
	return (struct chrome_writer_counts){w->timeless, w->lanes.late, w->lanes.crowded};
}
