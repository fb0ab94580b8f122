/*
 * snapshot: reads the memory snapshots of PyTorch, which torch.cuda.memory._dump_snapshot() and observers of
 * out-of-memory errors write: pickles with the state of the allocator and the history of its events.
 *
 *   {"kind":"meta","name":"memory_snapshot","args":{"file":"run.pickle"}}
 *   {"kind":"meta","name":"block","cat":"memory_snapshot","dev":0,"stream":0,"site":"/app/model.py:12:forward",
 *    "args":{"address":139637976727552,"size":512,"requested_size":4,"state":"active_allocated","frames":[...]}}
 *   {"kind":"meta","name":"segment","cat":"memory_snapshot","dev":0,"stream":0,"args":{"total_size":20971520,...}}
 *   {"ts":1700000000000001000,"kind":"mark","name":"alloc","cat":"memory_snapshot","dev":0,"stream":0,"bytes":4,
 *    "site":"/app/model.py:12:forward","args":{"addr":139637976727552,"frames":[...]}}
 *   {"ts":1700000000000000000,"dur":9000,"kind":"range","name":"ProfilerStep#0","cat":"memory_snapshot","dev":0}
 *
 * The records are in the order of the file. The first event of a device can be of any time: the history is a ring.
 */
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/draft.h"
#include "trace2ndjson/formats/pickle/pickle.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SEGMENTS, BLOCKS, EVENTS, ANNOTATIONS };
static const struct pickle_list lists[] = {
    [SEGMENTS] = {"segments", PICKLE_ROOT, false},
    [BLOCKS] = {"blocks", SEGMENTS, false},
    [EVENTS] = {"device_traces", PICKLE_ROOT, true},
    [ANNOTATIONS] = {"external_annotations", PICKLE_ROOT, false},
};

/* SNAPSHOT_SITES: how many call sites are stored; SNAPSHOT_OPEN: how many annotations may be open at once. */
enum { SNAPSHOT_STACK = 1 << 20, SNAPSHOT_DEPTH = 32, SNAPSHOT_SITES = 1024, SNAPSHOT_OPEN = 1 << 20 };

/* The call site of a list of frames to which several records refer. */
struct snapshot_site {
	uint32_t shared; /* 0: no other record refers to it */
	struct buf text; /* JSON */
};

/* The members of an annotation that are understood: JSON texts, and numbers. */
struct snapshot_annotation {
	struct str name, stage;
	int64_t ts, dev;
	bool has_ts, has_dev;
};

/* An annotation whose end is not known yet; its name is in `room`. */
struct snapshot_range {
	struct snapshot_annotation a;
	struct buf room;
};

struct snapshot {
	struct pickle *pickle;
	struct pickle_item item;
	size_t next; /* of the outermost dictionary: its next member that becomes a record */
	bool known;  /* a list of the table was there */
	bool begun, ended;
	struct snapshot_site sites[SNAPSHOT_SITES]; /* by `shared` modulo their number */
	struct snapshot_range *ranges;
	size_t n_ranges, ranges_cap;
};

#define CAT STR("\"memory_snapshot\"")

/* --- values --- */

static bool is_key(const struct pickle_member *m, const char *key)
{
	return str_eq(m->key, str_of(key));
}

/* Appends the member to the args of the record, unchanged. */
static void put_arg(const struct reader *r, const struct pickle_member *m)
{
	char room[NUM_ROOM];

	if (r->args)
		json_write_member(&r->draft->args, m->key, m->is_integer ? num_str_i64(room, m->integer) : m->value);
}

/* Returns time in ns; false if the value is not an integer of us, or too large. */
static bool time_of(const struct pickle_member *m, int64_t *ns)
{
	return m->is_integer && !__builtin_mul_overflow(m->integer, 1000, ns);
}

/*
 * Makes the text FILE:LINE:FUNCTION of the innermost frame of Python. With stacks of C++, the innermost frames are
 * those of the allocator, which are the same for all records. A thread of autograd has no frames of Python: then the
 * text is the name of the innermost operator, at::_ops::mm::call, or else that of the innermost frame.
 */
static void find_site(struct str frames, struct buf *site)
{
	struct str frame, key, value, file, line, name, op = STR("");
	struct iter list, members;

	site->n = 0;
	if (!iter_array(&list, frames))
		return;
	while (iter_element(&list, &frame)) {
		file = line = name = STR("\"\"");
		iter_init(&members, frame);
		while (iter_next(&members, &key, &value) > 0) {
			if (str_eq(key, STR("filename")) && json_is_string(value))
				file = value;
			else if (str_eq(key, STR("line")))
				line = value;
			else if (str_eq(key, STR("name")) && json_is_string(value))
				name = value;
		}
		if (!op.n && str_starts(name, STR("\"at::_ops::")))
			op = str_from(name, strlen("\"at::_ops::"));
		if ((file.n == 2 && name.n == 2) || (site->n && !str_ends(file, STR(".py\""))))
			continue;
		line = json_is_string(line) ? json_inner(line) : line;
		buf_set(site, str_head(file, file.n - 1));
		buf_char(site, ':');
		buf_add(site, line.p, line.n);
		buf_char(site, ':');
		buf_add(site, name.p + 1, name.n - 1);
		if (str_ends(file, STR(".py\"")))
			return;
	}
	if (op.n) {
		buf_set(site, STR("\"aten::"));
		buf_add(site, op.p, str_find(str_head(op, op.n - 1), STR("::")));
		buf_char(site, '"');
	}
}

/* Attaches the call site of a list of frames. Most lists belong to several records, so that their sites are stored. */
static void put_site(struct snapshot *s, const struct reader *r, const struct pickle_member *frames)
{
	struct snapshot_site *site = &s->sites[frames->shared % SNAPSHOT_SITES];

	if (!frames->shared || site->shared != frames->shared)
		find_site(frames->value, &site->text);
	site->shared = frames->shared;
	if (site->text.n)
		json_write_json(&r->draft->attachments, "site", buf_str(&site->text));
}

/* Sets members of the record that items of several lists have; false if this is another one. */
static bool put_common(const struct reader *r, struct event *e, const struct pickle_member *m)
{
	if (is_key(m, "stream") && m->is_integer)
		draft_int(r->draft, e, EVENT_STREAM, m->integer);
	else if (is_key(m, "device") && m->is_integer)
		draft_int(r->draft, e, EVENT_DEV, m->integer);
	else
		return false;
	return true;
}

/* --- records --- */

static void begin_draft(const struct reader *r, struct event *e, enum event_kind kind, struct str name)
{
	draft_begin(r, e, kind);
	event_set(e, EVENT_CAT, CAT);
	if (name.n)
		event_set(e, EVENT_NAME, name);
}

/* Makes the record of a segment, or of a block, whose segment is not complete yet. */
static bool put_state(struct snapshot *s, const struct reader *r, struct event *e)
{
	const struct pickle_item *item = &s->item;
	const struct pickle_member *m;
	int64_t v;

	begin_draft(r, e, KIND_META, item->list == BLOCKS ? STR("\"block\"") : STR("\"segment\""));
	if (item->list == BLOCKS && pickle_outer(s->pickle, "device", &v))
		draft_int(r->draft, e, EVENT_DEV, v);
	if (item->list == BLOCKS && pickle_outer(s->pickle, "stream", &v))
		draft_int(r->draft, e, EVENT_STREAM, v);
	for (m = item->members; m < item->members + item->n; m++) {
		if (is_key(m, "frames"))
			put_site(s, r, m);
		if (!put_common(r, e, m) && !(item->list == SEGMENTS && is_key(m, "blocks")))
			put_arg(r, m);
	}
	return draft_end(r, e);
}

/* Makes the record of an event. The sizes of alloc and free are those that the program requested. */
static bool put_event(struct snapshot *s, const struct reader *r, struct event *e)
{
	const struct pickle_item *item = &s->item;
	const struct pickle_member *m;
	int64_t ns;

	begin_draft(r, e, KIND_MARK, STR(""));
	draft_int(r->draft, e, EVENT_DEV, (int64_t)item->index);
	for (m = item->members; m < item->members + item->n; m++) {
		if (is_key(m, "action") && json_is_string(m->value)) {
			event_set(e, EVENT_NAME, m->value);
		} else if (is_key(m, "size") && m->is_integer) {
			draft_int(r->draft, e, EVENT_BYTES, m->integer);
		} else if (is_key(m, "time_us") && time_of(m, &ns)) {
			event_set_ts(e, ns);
		} else if (is_key(m, "frames")) {
			put_site(s, r, m);
			put_arg(r, m);
		} else if (is_key(m, "device") || !put_common(r, e, m)) {
			put_arg(r, m);
		}
	}
	return draft_end(r, e);
}

/* --- annotations --- */

static struct snapshot_annotation read_annotation(const struct pickle_item *item)
{
	struct snapshot_annotation a = {.name = STR("\"\""), .stage = STR("")};
	const struct pickle_member *m;

	for (m = item->members; m < item->members + item->n; m++) {
		if (is_key(m, "name") && json_is_string(m->value))
			a.name = m->value;
		else if (is_key(m, "stage"))
			a.stage = m->value;
		else if (is_key(m, "time_us"))
			a.has_ts = time_of(m, &a.ts);
		else if (is_key(m, "device") && m->is_integer)
			a.has_dev = true, a.dev = m->integer;
	}
	return a;
}

static void put_range(
    const struct reader *r, struct event *e, enum event_kind kind, const struct snapshot_annotation *a)
{
	begin_draft(r, e, kind, a->name);
	if (a->has_ts)
		event_set_ts(e, a->ts);
	if (a->has_dev)
		draft_int(r->draft, e, EVENT_DEV, a->dev);
}

/* Takes the innermost open range with the same name and device. Returns its start. */
static bool take_open_range(struct snapshot *s, const struct snapshot_annotation *a, int64_t *start)
{
	struct snapshot_range taken;
	size_t i;

	for (i = s->n_ranges; i-- > 0;) {
		taken = s->ranges[i];
		if (taken.a.dev != a->dev || taken.a.has_dev != a->has_dev || !str_eq(taken.a.name, a->name))
			continue;
		*start = taken.a.ts;
		memmove(&s->ranges[i], &s->ranges[i + 1], (--s->n_ranges - i) * sizeof taken);
		s->ranges[s->n_ranges] = taken; /* its memory is used again */
		return true;
	}
	return false;
}

/* Stores the start of a range, or makes the record of a range or of an annotation without the other end. */
static bool put_annotation(struct snapshot *s, const struct reader *r, struct event *e)
{
	struct snapshot_annotation a = read_annotation(&s->item);
	struct snapshot_range *range;
	int64_t start;
	size_t i;

	if (str_eq(a.stage, STR("\"START\"")) && a.has_ts && s->n_ranges < SNAPSHOT_OPEN) {
		s->ranges = mem_grow_zero(s->ranges, &s->ranges_cap, s->n_ranges + 1, sizeof *s->ranges);
		range = &s->ranges[s->n_ranges++];
		buf_set(&range->room, a.name);
		range->a = a;
		range->a.name = buf_str(&range->room);
		return false;
	}
	if (str_eq(a.stage, STR("\"END\"")) && a.has_ts && take_open_range(s, &a, &start) && start <= a.ts) {
		put_range(r, e, KIND_RANGE, &a);
		event_set_ts(e, start);
		event_set_dur(e, a.ts - start);
	} else {
		put_range(r, e, KIND_MARK, &a);
		for (i = 0; i < s->item.n; i++) {
			if (is_key(&s->item.members[i], "stage"))
				put_arg(r, &s->item.members[i]);
		}
	}
	return draft_end(r, e);
}

/* Makes the record of an annotation that did not end. */
static bool put_open_range(struct snapshot *s, const struct reader *r, struct event *e)
{
	put_range(r, e, KIND_MARK, &s->ranges[s->next++].a);
	json_write_json(&r->draft->args, "stage", STR("\"START\""));
	return draft_end(r, e);
}

/* --- the file --- */

/* Makes the record of a member of the outermost dictionary, such as the settings of the allocator. */
static bool put_other_part(struct snapshot *s, const struct reader *r, struct event *e)
{
	const struct pickle_member *m = &s->item.members[s->next++];
	size_t i;

	for (i = 0; i < sizeof lists / sizeof *lists; i++) {
		if (lists[i].of == PICKLE_ROOT && is_key(m, lists[i].key)) {
			s->known = true;
			return false;
		}
	}
	begin_draft(r, e, KIND_META, json_outer(m->key));
	if (r->args && json_is_object(m->value))
		event_set(e, EVENT_ARGS, m->value);
	else
		put_arg(r, m);
	return draft_end(r, e);
}

static void open_snapshot(void *state, struct reader *r)
{
	struct snapshot *s = state;
	const struct pickle_limits limits = {
	    .file = UINT64_MAX, .text = r->max_record, .stack = SNAPSHOT_STACK, .depth = SNAPSHOT_DEPTH};

	s->pickle = pickle_open(r->src, &limits, lists, sizeof lists / sizeof *lists);
	s->item.list = EVENTS;
}

static bool put_header(struct snapshot *s, const struct reader *r, struct event *e)
{
	draft_begin(r, e, KIND_META);
	event_set(e, EVENT_NAME, CAT);
	if (!str_eq(str_of(r->path), STR("-")))
		json_write_text(&r->draft->args, "file", str_of(r->path));
	s->begun = true;
	return draft_end(r, e);
}

/* Reports why the reading ended early, or what was not read. */
static void report_end(struct snapshot *s, struct reader *r, int got, const struct fault *fault)
{
	s->ended = true;
	s->next = 0;
	if (got < 0 && fault->error > 0) {
		r->src->fault = *fault;
	} else if (got < 0) {
		pickle_report(r, fault, "the rest of the file is not read");
	} else if (!s->known) {
		reader_lost(r, "pickle without segments and device_traces: not a memory snapshot", 0, 0);
	}
	if (pickle_skipped(s->pickle))
		reader_lost(r,
		    reader_text(r, "%" PRIu64 " values that are no dictionaries with members, or follow one; skipped",
			pickle_skipped(s->pickle)),
		    0, FAULT_WHOLE_FILE);
	if (s->n_ranges)
		reader_note(r, "annotation without its end", 0, FAULT_WHOLE_FILE);
}

/* Makes the record of the item; false if it has none, or if its kind is not selected. */
static bool put_item(struct snapshot *s, const struct reader *r, struct event *e)
{
	if (s->item.list == PICKLE_ROOT)
		s->next = 0;
	return s->item.list == EVENTS        ? put_event(s, r, e)
	       : s->item.list == ANNOTATIONS ? put_annotation(s, r, e)
					     : s->item.list != PICKLE_ROOT && put_state(s, r, e);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct snapshot *s = state;
	struct fault fault = {0};
	int got;

	if (!s->begun && put_header(s, r, e))
		return 1;
	while (!s->ended) {
		while (s->item.list == PICKLE_ROOT && s->next < s->item.n) {
			if (put_other_part(s, r, e))
				return 1;
		}
		got = pickle_next(s->pickle, &s->item, &fault);
		if (got <= 0)
			report_end(s, r, got, &fault);
		else if (put_item(s, r, e))
			return 1;
	}
	while (s->next < s->n_ranges) {
		if (put_open_range(s, r, e))
			return 1;
	}
	return 0;
}

static void close_snapshot(void *state, struct reader *r)
{
	struct snapshot *s = state;
	size_t i;

	(void)r;
	pickle_close(s->pickle);
	for (i = 0; i < SNAPSHOT_SITES; i++)
		buf_free(&s->sites[i].text);
	for (i = 0; i < s->ranges_cap; i++)
		buf_free(&s->ranges[i].room);
	free(s->ranges);
}

/* Whether it is a pickle with keys of a snapshot: the segments come first, and the keys of a segment follow. */
static bool is_snapshot(struct str head)
{
	const size_t n = head.n;

	return pickle_begins(head) &&
	       (str_find(head, STR("device_traces")) < n ||
		   (str_find(head, STR("segments")) < n && str_find(head, STR("total_size")) < n));
}

const struct format format_snapshot = {
    .name = "snapshot",
    .help = "memory snapshots of PyTorch: torch.cuda.memory._dump_snapshot(\"x.pickle\")",
    .example = "trace2ndjson x.pickle",
    .probe = is_snapshot,
    .binary = true,
    .state_size = sizeof(struct snapshot),
    .open = open_snapshot,
    .next = next,
    .close = close_snapshot,
};
