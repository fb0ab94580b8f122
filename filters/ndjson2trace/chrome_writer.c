#include "chrome_writer_private.h"

#include "record/category.h"
#include "json/string.h"
#include "base/num_format.h"
#include "json/write.h"
#include "json/iter.h"

#include <stdlib.h>

static void put_member(struct buf *b, const char *key, struct event *e, enum event_member m)
{
	if (event_has(e, m))
		json_write_json(b, key, e->m[m]);
}

static bool reads_args(enum event_kind k)
{
	return event_kind_is_device(k) || k == KIND_API || k == KIND_PYTHON;
}

static char phase_of(const struct chrome_writer_record *i)
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
static enum event_kind read_kind(const struct chrome_writer_record *i)
{
	enum event_kind k = category_of_phase(i->ph);
	struct str pid = i->said.pid;

	if (k == KIND_N && i->cat.p)
		k = category_kind(i->cat);
	if (k != KIND_N)
		return k;
	if (!pid.p && !event_kind_is_device(i->kind))
		pid = event_get(i->e, EVENT_PID);
	return str_eq(pid, STR("\"CPU functions\""))    ? KIND_OP
	       : str_eq(pid, STR("\"CUDA functions\"")) ? KIND_KERNEL
							: KIND_RANGE;
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

/* Stores the process and the thread of a record (dev and stream of device work) if the reader gets others. */
static void keep_place(struct chrome_writer *w, const struct chrome_writer_record *i)
{
	const struct chrome_writer_row *p = &i->place;
	const struct str pid = event_get(i->e, EVENT_PID), tid = event_get(i->e, EVENT_TID);
	const bool legacy = i->said.pid.p; /* device work of the old autograd profiler: its tid is the device */
	struct str stream = {0};

	if (!p->device) {
		if (!is_same_id(p->pid, pid))
			keep(w, i->e, EVENT_PID);
		if (!is_same_id(p->tid, tid))
			keep(w, i->e, EVENT_TID);
		return;
	}
	if (!is_read(legacy ? p->tid : p->pid, event_get(i->e, EVENT_DEV), false))
		keep(w, i->e, EVENT_DEV);
	if (reads_args(i->kind) && i->said.stream.p)
		stream = i->said.stream;
	else if (!legacy)
		stream = p->tid;
	if (!is_read(stream, event_get(i->e, EVENT_STREAM), false))
		keep(w, i->e, EVENT_STREAM);
}

/* Finds the row of the event, and stores the members that the row does not imply. */
static void find_place(struct chrome_writer *w, struct chrome_writer_record *i)
{
	struct event *e = i->e;
	const bool device = event_kind_is_device(i->kind) || i->kind == KIND_GPU_RANGE;
	struct str pid = event_get(e, device ? EVENT_DEV : EVENT_PID);
	struct str tid = event_get(e, device ? EVENT_STREAM : EVENT_TID);
	struct chrome_writer_row *p = &i->place;
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
	keep_place(w, i);
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

/* Writes args without the closing bracket; a correlation id of another rank is replaced. */
static void put_args(struct chrome_writer *w, const struct chrome_writer_record *i, struct str args)
{
	const struct str old = i->said.correlation;

	if (!i->correlation.p || !old.p) {
		buf_add(&w->args, args.p, args.n - 1);
		return;
	}
	buf_add(&w->args, args.p, (size_t)(old.p - args.p));
	buf_add(&w->args, i->correlation.p, i->correlation.n);
	args = str_from(args, (size_t)(old.p + old.n - args.p));
	buf_add(&w->args, args.p, args.n - 1);
}

/* Adds to args the attachments and the members that viewers should show, unless args has them already. */
static void add_args(struct chrome_writer *w, const struct chrome_writer_record *i)
{
	struct event *e = i->e;
	struct str args = chrome_writer_is_object(e, EVENT_ARGS) ? e->m[EVENT_ARGS] : (struct str){NULL, 0}, key, value;
	enum event_member m = EVENT_N;
	struct iter walk;

	if (args.n > 2)
		put_args(w, i, args);
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
		if (!i->said.correlation.p && event_has(e, EVENT_CORR))
			json_write_json(&w->args, "correlation", i->correlation.p ? i->correlation : e->m[EVENT_CORR]);
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

/* Stores the members that the reader would get from args with another value: corr and bytes. */
static void keep_from_args(struct chrome_writer *w, const struct chrome_writer_record *i)
{
	struct str corr = event_get(i->e, EVENT_CORR), bytes = event_get(i->e, EVENT_BYTES), said = i->said.correlation;

	if (!reads_args(i->kind)) {
		if (!i->correlation.p)
			keep_some(w, i->e, EVENT_CORR);
		keep_some(w, i->e, EVENT_BYTES);
		return;
	}
	if (!i->correlation.p && !is_read(said.p ? said : corr, corr, true))
		keep(w, i->e, EVENT_CORR);
	said = i->said.bytes;
	if (!is_read(said.p ? said : bytes, bytes, false))
		keep(w, i->e, EVENT_BYTES);
}

static void keep_rest(struct chrome_writer *w, const struct chrome_writer_record *i)
{
	struct event *e = i->e;

	if (!str_eq(event_get(e, EVENT_RANK), w->rank))
		keep(w, e, EVENT_RANK);
	keep_from_args(w, i);
	if (!reads_args(i->kind) || !i->said.python_parent.p)
		keep_some(w, e, EVENT_PARENT);
	if (!i->said.ph.p && i->ph != 'X') /* the reader stores ph and s in src */
		json_write_json(
		    &w->record, "src", chrome_writer_is_object(e, EVENT_SRC) ? e->m[EVENT_SRC] : STR("null"));
	if (event_has(e, EVENT_DUR) && e->dur < 0)
		keep(w, e, EVENT_DUR);
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

static void write_event(struct chrome_writer *w, const struct chrome_writer_record *i)
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
		json_write_json(b, "id", i->id.p ? i->id : e->m[EVENT_ID]);
	chrome_writer_put_place(b, &i->place);
	if (event_has(e, EVENT_TS))
		chrome_writer_put_micros(b, "ts", e->ts);
	if (event_has(e, EVENT_DUR))
		chrome_writer_put_micros(b, "dur", event_duration(e));
	put_src(b, e);
	if (i->ph == 'i' && !i->said.ph.p)
		json_write_text(b, "s", STR("t"));
	if (event_has(e, EVENT_ARGS) || w->args.n > 2)
		json_write_json(b, "args", json_write_str(&w->args));
	json_write_end(b, '}');
	chrome_writer_put_line(w);
}

/*
 * Returns true if the record does not come from a Chrome trace. Records from a Chrome trace have a category of Chrome,
 * or ph, pid or tid in src; in records from other formats, src has other members.
 */
static bool is_foreign(const struct chrome_writer_record *i)
{
	return !i->said.ph.p && !i->said.pid.p && !i->said.tid.p && (!i->cat.p || category_kind(i->cat) == KIND_N);
}

void chrome_writer_add(struct chrome_writer *w, struct event *e)
{
	struct chrome_writer_record i = {.e = e, .said = w->said};
	enum event_kind implied;

	if (!w->home.n && event_has(e, EVENT_RANK))
		viewer_lanes_set(&w->home, e->m[EVENT_RANK]);
	i.kind = event_get_kind(e);
	if (i.kind == KIND_META && !i.said.ph.p && chrome_writer_take_member(w, e))
		return;
	i.ph = phase_of(&i);
	i.cat = event_get(e, EVENT_CAT);
	i.foreign = is_foreign(&i);
	w->args.n = w->record.n = 0;
	json_write_begin(&w->record, NULL, '{');
	implied = read_kind(&i);
	if (!i.cat.p && i.kind < KIND_OTHER && implied != i.kind) {
		i.cat = category_of(i.kind);
		if (i.cat.p)
			keep(w, e, EVENT_CAT);
		implied = read_kind(&i);
	}
	/* Without `record`, an event without a ts is read as kind other. A pid that is a text may get a new number. */
	if (implied != i.kind || (!event_has(e, EVENT_TS) && i.kind != KIND_META) ||
	    json_is_string(event_get(e, EVENT_PID)))
		keep(w, e, EVENT_KIND);
	if (i.kind == KIND_N)
		i.kind = implied;
	find_place(w, &i);
	chrome_writer_separate(w, &i);
	if (i.id.p)
		keep(w, e, EVENT_ID);
	if (i.correlation.p)
		keep(w, e, EVENT_CORR);
	if (i.correlation.p && i.said.correlation.p)
		keep(w, e, EVENT_ARGS);
	keep_rest(w, &i);
	add_args(w, &i);
	write_event(w, &i);
	if (i.ph == 'M')
		chrome_writer_take_name(
		    w, e, i.place.process, i.place.thread, i.foreign && str_starts(i.cat, STR("\"ThreadName")));
	chrome_writer_put_flow(w, &i);
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
	buf_free(&w->ids);
	buf_free(&w->home);
	map_free(&w->collectives);
	map_free(&w->calls[0]);
	map_free(&w->calls[1]);
	free(w->seen);
	free(w);
}

bool chrome_writer_any(const struct chrome_writer *w)
{
	return w->events || w->members;
}

struct chrome_writer_counts chrome_writer_counts(const struct chrome_writer *w)
{
	return (struct chrome_writer_counts){w->lanes.late, w->lanes.crowded, w->collectives.n};
}
