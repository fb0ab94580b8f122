/* plaidml_record: stores the activities of a log, aligns their clocks, and makes their records. */
#include "plaidml.h"

#include "base/int_math.h"
#include "base/num_format.h"
#include "json/string.h"
#include "json/write.h"

#include <stdlib.h>

/* --- the activities, and the alignment of their clocks --- */

enum {
	CLIMB = 64,  /* maximum number of steps up to a RunInfo (logs need 2), in case parents form a circle */
	SWEEPS = 64, /* maximum number of passes over the linked clocks; logs with two clocks need only one */
};

/*
 * Returns the index in plaidml_tree.activities of the activity with this id, whose n must be > 0. Adds the activity
 * when it is new.
 */
static uint32_t tree_at(struct plaidml_tree *t, const struct plaidml_ref *ref)
{
	size_t known = t->ids.n, i = map_put(&t->ids, (struct str){ref->key, ref->n});

	if (i < known)
		return (uint32_t)i;
	t->activities = mem_grow(t->activities, &t->cap, i + 1, sizeof *t->activities);
	t->activities[i] = (struct plaidml_activity){0};
	return (uint32_t)i;
}

/* Returns 1 + the index of the activity with this id; 0 when there is no id. */
static uint32_t object_at(struct plaidml_tree *t, const struct plaidml_ref *ref)
{
	return ref->n ? tree_at(t, ref) + 1 : 0;
}

static uint32_t clock_at(struct plaidml_tree *t, const struct plaidml_ref *ref)
{
	size_t known = t->clock_ids.n, i = map_put(&t->clock_ids, (struct str){ref->key, ref->n});

	if (i == known) {
		t->clocks = mem_grow(t->clocks, &t->clocks_cap, i + 1, sizeof *t->clocks);
		t->clocks[i] = (struct plaidml_clock){0, i == 0};
	}
	return (uint32_t)i + 1;
}

static uint32_t verb_at(struct plaidml_tree *t, struct str name)
{
	size_t known = t->verb_names.n, i = map_put(&t->verb_names, name);
	struct plaidml_verb *verb;

	if (i < known)
		return (uint32_t)i + 1;
	t->verbs = mem_grow(t->verbs, &t->verbs_cap, i + 1, sizeof *t->verbs);
	verb = &t->verbs[i];
	*verb = (struct plaidml_verb){0};
	json_quote(&verb->json, name);
	if (str_ends(name, STR("::Kernel::Run")))
		verb->role = PLAIDML_RUN;
	else if (str_ends(name, STR("::HostQueue")) || str_ends(name, STR("::DevQueue")))
		verb->role = PLAIDML_QUEUE;
	else if (str_ends(name, STR("::Executing")))
		verb->role = PLAIDML_EXECUTING;
	return (uint32_t)i + 1;
}

uint32_t plaidml_tree_add(struct plaidml_tree *t, const struct plaidml_event *ev)
{
	/* Get all indices first: adding a new id may move the array. */
	const uint32_t id = tree_at(t, &ev->id), parent = object_at(t, &ev->parent), domain = object_at(t, &ev->domain);
	struct plaidml_activity *a = &t->activities[id];

	t->events++;
	if (!a->seq)
		a->seq = t->events;
	if (parent)
		a->parent = parent;
	if (domain)
		a->domain = domain;
	if (ev->clock.n)
		a->clock = clock_at(t, &ev->clock);
	if (ev->verb.p) {
		a->verb = verb_at(t, ev->verb);
		if (t->verbs[a->verb - 1].role == PLAIDML_RUN && !a->corr)
			a->corr = ++t->runs;
	}
	if (ev->has_start) {
		a->has_start = true;
		a->start = ev->start;
	}
	if (ev->has_end) {
		a->has_end = true;
		a->end = ev->end;
	}
	return id;
}

/* --- clocks --- */

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

/* If exactly one of two clocks is placed, places the other relative to it. Returns true if it placed a clock. */
static bool place_clock(struct plaidml_tree *t, const struct edge *e)
{
	struct plaidml_clock *parent = &t->clocks[e->parent], *child = &t->clocks[e->child];

	if (parent->placed == child->placed)
		return false;
	if (parent->placed)
		child->epoch = int_add(parent->epoch, e->delta);
	else
		parent->epoch = int_sub(child->epoch, e->delta);
	parent->placed = child->placed = true;
	return true;
}

void plaidml_tree_align(struct plaidml_tree *t)
{
	struct edges edges = {0};
	int64_t least = 0;
	bool moved = true;
	int sweep;
	size_t i;

	find_edges(t, &edges);
	for (sweep = 0; moved && sweep < SWEEPS; sweep++) {
		moved = false;
		for (i = 0; i < edges.pairs.n; i++)
			moved |= place_clock(t, &edges.e[i]);
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

/*
 * For an activity of a device: searches the activity itself, then its ancestors. Returns the first activity that is a
 * Kernel::Run or has a RunInfo, or NULL.
 */
static const struct plaidml_activity *tree_run(const struct plaidml_tree *t, const struct plaidml_activity *a)
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

void plaidml_tree_reset(struct plaidml_tree *t)
{
	map_free(&t->ids);
	t->ids = (struct map){0};
	t->events = 0;
	t->runs = 0;
}

void plaidml_tree_free(struct plaidml_tree *t)
{
	size_t i;

	for (i = 0; i < t->verb_names.n; i++)
		buf_free(&t->verbs[i].json);
	map_free(&t->ids);
	map_free(&t->clock_ids);
	map_free(&t->verb_names);
	map_free(&t->names);
	free(t->activities);
	free(t->clocks);
	free(t->verbs);
}

/* --- activities --- */

static struct str json_id(const struct plaidml *p, struct buf *b, uint32_t number)
{
	b->n = 0;
	plaidml_put_id(b, map_key(&p->tree.ids, number));
	return json_write_str(b);
}

static void put_id(const struct plaidml *p, struct buf *b, const char *key, uint32_t number)
{
	json_write_key(b, key);
	plaidml_put_id(b, map_key(&p->tree.ids, number));
}

/* Sets the fields that all records of an activity have: id, parent, and cat, which is its verb. */
static void set_place(struct plaidml *p, struct event *e, uint32_t number)
{
	const struct plaidml_activity *a = &p->tree.activities[number];

	event_clear(e);
	event_set(e, EVENT_ID, json_id(p, &p->id, number));
	if (a->parent)
		event_set(e, EVENT_PARENT, json_id(p, &p->parent, a->parent - 1));
	if (a->verb)
		event_set(e, EVENT_CAT, json_write_str(&p->tree.verbs[a->verb - 1].json));
}

/* Writes a clock's id as text, even when it is a number. */
static void set_clock(struct plaidml *p, struct event *e, struct str key)
{
	struct buf *b = &p->clock;

	b->n = 0;
	buf_char(b, '"');
	plaidml_put_id(b, key);
	buf_char(b, '"');
	event_set(e, EVENT_CLOCK, b->p[1] == '"' ? (struct str){b->p + 1, b->n - 2} : json_write_str(b));
}

/* False when a time does not fit in int64. */
static bool set_activity_times(struct plaidml *p, struct event *e, const struct plaidml_activity *a)
{
	const struct plaidml_clock *clock = a->clock ? &p->tree.clocks[a->clock - 1] : NULL;
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
	if (clock && !clock->placed) {
		set_clock(p, e, map_key(&p->tree.clock_ids, a->clock - 1));
	}
	return true;
}

static void set_args(struct plaidml *p, struct event *e, const struct plaidml_activity *a, uint32_t kernel)
{
	struct buf *b = &p->args;

	b->n = 0;
	json_write_begin(b, NULL, '{');
	if (kernel)
		put_id(p, b, "kernel", kernel - 1);
	if (a->domain)
		put_id(p, b, "domain", a->domain - 1);
	/* An activity without a start gets no dur, so write the end to args. */
	if (!a->has_start && a->has_end)
		json_write_int(b, "end", a->end);
	json_write_int(b, "seq", (int64_t)a->seq);
	json_write_end(b, '}');
	event_set(e, EVENT_ARGS, json_write_str(b));
}

bool plaidml_activity_record(struct plaidml *p, struct reader *r, uint32_t number, struct event *e)
{
	struct plaidml_activity *a = &p->tree.activities[number];
	const enum plaidml_role role = a->verb ? p->tree.verbs[a->verb - 1].role : PLAIDML_HOST;
	const enum event_kind kind = role == PLAIDML_EXECUTING ? KIND_KERNEL : KIND_ACTIVITY;
	const struct plaidml_activity *run;
	uint32_t name;

	a->written = true;
	if (!reader_wants(r, kind))
		return false;
	run = role == PLAIDML_HOST || role == PLAIDML_RUN ? a : tree_run(&p->tree, a);
	name = kind == KIND_KERNEL && run && run->kernel ? p->tree.activities[run->kernel - 1].name : 0;
	set_place(p, e, number);
	event_set_kind(e, kind);
	if (name)
		event_set(e, EVENT_NAME, map_key(&p->tree.names, name - 1));
	else if (a->verb)
		event_set(e, EVENT_NAME, e->m[EVENT_CAT]);
	if (!set_activity_times(p, e, a)) {
		reader_lost(r, "time does not fit in 64 bits of nanoseconds; activity skipped", 0, p->record_at);
		return false;
	}
	if (run && run->corr) {
		event_set(e, EVENT_CORR, num_str_u64(p->corr, run->corr));
	}
	if (r->args)
		set_args(p, e, a, run ? run->kernel : 0);
	return true;
}

/* --- metadata --- */

static void read_run(struct plaidml *p, struct str message, struct wire *w)
{
	struct wire_field f;
	struct plaidml_ref ref = {.n = 0};
	uint32_t kernel = 0;

	if (p->tree.activities[p->activity].has_run) /* if there are several RunInfos, the first one is used */
		return;
	if (wire_find(message, 1, WIRE_LEN, &f) && !plaidml_ref_read(&ref, f.bytes, &p->own, false, w))
		return;
	if (ref.n)
		kernel = tree_at(&p->tree, &ref) + 1; /* this may move the array of activities */
	p->tree.activities[p->activity].has_run = true;
	p->tree.activities[p->activity].kernel = kernel;
}

static void read_kernel(struct plaidml *p, struct str message)
{
	struct plaidml_activity *a = &p->tree.activities[p->activity];
	struct str name = plaidml_meta_name(PLAIDML_KERNELINFO, message);

	if (a->has_name || !name.p)
		return;
	p->name.n = 0;
	json_quote(&p->name, name);
	a->has_name = true;
	a->name = (uint32_t)map_put(&p->tree.names, json_write_str(&p->name)) + 1;
}

/* Writes the ids of a kernel's parent and grandparent, which have the metadata of its build and its program. */
static void put_origin(const struct plaidml *p, struct buf *b)
{
	uint32_t build = p->tree.activities[p->activity].parent;
	uint32_t program = build ? p->tree.activities[build - 1].parent : 0;

	if (build)
		put_id(p, b, "build", build - 1);
	if (program)
		put_id(p, b, "program", program - 1);
}

static void put_hex(struct buf *b, struct str bytes)
{
	json_write_key(b, "value");
	buf_char(b, '"');
	buf_hex(b, bytes.p, bytes.n);
	buf_char(b, '"');
}

static struct str tail_of(struct str url)
{
	size_t i;

	for (i = url.n; i > 0 && url.p[i - 1] != '/'; i--)
		;
	return str_from(url, i);
}

static enum event_kind meta_kind(enum plaidml_meta meta)
{
	static const enum event_kind kinds[] = {[PLAIDML_RUNINFO] = KIND_OTHER,
	    [PLAIDML_KERNELINFO] = KIND_KERNELINFO,
	    [PLAIDML_BUILDINFO] = KIND_BUILDINFO,
	    [PLAIDML_PLATFORMINFO] = KIND_PLATFORMINFO,
	    [PLAIDML_DEVICEINFO] = KIND_DEVICEINFO,
	    [PLAIDML_PROGRAMINFO] = KIND_PROGRAMINFO,
	    [PLAIDML_SCHEDULE] = KIND_OTHER,
	    [PLAIDML_UNKNOWN] = KIND_OTHER};

	return kinds[meta];
}

/* Writes the args of a metadata record to p->args. When the message is damaged, returns false and sets *fault. */
static bool put_meta(struct plaidml *p, enum plaidml_meta meta, struct str url, struct str message, const char **fault)
{
	struct buf *b = &p->args;

	b->n = 0;
	json_write_begin(b, NULL, '{');
	if (meta == PLAIDML_KERNELINFO)
		put_origin(p, b);
	if (meta == PLAIDML_UNKNOWN || meta == PLAIDML_SCHEDULE)
		json_write_text(b, "type_url", url);
	if (meta == PLAIDML_UNKNOWN)
		put_hex(b, message);
	if (!plaidml_meta_put(b, meta, message, &p->own, fault))
		return false;
	json_write_end(b, '}');
	return true;
}

bool plaidml_metadata_record(struct plaidml *p, struct reader *r, struct str any, struct event *e)
{
	struct wire_field f;
	struct str url = wire_find(any, 1, WIRE_LEN, &f) ? f.bytes : STR("");
	struct str message = wire_find(any, 2, WIRE_LEN, &f) ? f.bytes : STR("");
	const enum plaidml_meta meta = plaidml_meta_of(url);
	struct wire w = wire_of(message);
	const char *fault = NULL;
	struct str name;
	size_t at;

	if (meta != PLAIDML_UNKNOWN && wire_sound(message, &fault, &at)) {
		if (meta == PLAIDML_RUNINFO)
			read_run(p, message, &w);
		if (meta == PLAIDML_KERNELINFO)
			read_kernel(p, message);
		fault = w.fault;
	}
	if (meta == PLAIDML_UNKNOWN)
		reader_note(r, "metadata of an unknown type; written in hexadecimal (kind other)", 0,
		    p->record_at + (uint64_t)(any.p - p->record.p));
	if (!fault && (meta == PLAIDML_RUNINFO || !reader_wants(r, meta_kind(meta))))
		return false;
	if (fault || !put_meta(p, meta, url, message, &fault)) {
		reader_lost(r, "metadata does not match its message type; skipped", 0,
		    p->record_at + (uint64_t)(any.p - p->record.p));
		return false;
	}
	set_place(p, e, p->activity);
	event_set_kind(e, meta_kind(meta));
	name = meta_kind(meta) == KIND_OTHER ? tail_of(url) : plaidml_meta_name(meta, message);
	if (name.p) {
		p->name.n = 0;
		json_quote(&p->name, name);
		event_set(e, EVENT_NAME, json_write_str(&p->name));
	}
	if (r->args)
		event_set(e, EVENT_ARGS, json_write_str(&p->args));
	return true;
}
