#include "overheads.h"

#include "interval/interval_nesting.h"
#include "json/write.h"
#include "json/iter.h"
#include "nested_calls.h"
#include "base/num_parse.h"
#include "base/int_math.h"

#include <stdlib.h>

/* What a name says of an operator or call; LOOKED that this is known. */
enum role {
	LOOKED = 1,
	OPERATOR = 2, /* an operator of that name is one to tell of, not a module round others */
	HIDDEN = 4,   /* calls so short that they are not counted as events below an operator */
	LAUNCH = 8,
	BOUND = 16,
	CONVERSION = 32, /* aten::to: without a launch it had nothing to do */
};

/* nested_call.of: the shape of an operator, or that it is none. */
#define NO_SHAPE UINT32_MAX
#define IS_CALL (UINT32_MAX - 1)

/* A launch or another call that bounds, and how many events came since the one before it. */
struct overheads_bound {
	int64_t start, end;
	int64_t events;
	uint32_t name;
	bool launches;
};

/* What T1 needs of an operator. */
struct overheads_op {
	int64_t start, end;
	uint64_t root, seq, parent; /* seq of its root and parent, 0 for none */
	bool idle;                  /* a conversion that had nothing to do: nothing is told of what is before it */
	uint32_t name, shape;
	size_t thread;
};

struct overheads_thread {
	struct nested_call *nodes; /* of one root or some, not settled yet */
	size_t n, cap;
	int64_t end;             /* the last end of these */
	bool any;
	struct overheads_op last;
	struct buf place;
};

struct str overheads_name(const struct overheads *o, size_t name)
{
	return value_ids_text(&o->names, name);
}

/* --- names --- */

static bool is_hidden(struct str name)
{
	static const char *const hidden[] = {"\"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags\"",
	    "\"cudaPeakAtLastError\"", "\"cudaStreamGetCaptureInfo\"", "\"cudaEventQuery\"", "\"cudaEventRecord\"",
	    NULL};

	return str_in(name, hidden);
}

static bool is_module(struct str name)
{
	static const char *const modules[] = {"\"##", "\"__", "\"module::", "\"DLRM ", "\"DistributedDataParallel"};
	size_t i;

	for (i = 0; i < sizeof modules / sizeof *modules; i++) {
		if (str_starts(name, str_of(modules[i])))
			return true;
	}
	return false;
}

/* What has no name, or one that is no text, goes by the empty one. */
static uint32_t name_of(struct overheads *o, struct str json)
{
	size_t known = o->cap_roles, name;
	unsigned char *role;

	if (!json.n || json.p[0] != '"')
		json = STR("\"\"");
	name = value_ids_put(&o->names, json);
	o->roles = mem_grow(o->roles, &o->cap_roles, name + 1, 1);
	if (known < o->cap_roles)
		memset(o->roles + known, 0, o->cap_roles - known);
	role = &o->roles[name];
	if (*role)
		return (uint32_t)name;
	*role = LOOKED;
	*role |= is_module(json) ? 0 : OPERATOR;
	*role |= is_hidden(json) ? HIDDEN : 0;
	*role |= name_match_first(&o->launches, json) != NAME_MATCH_NONE ? LAUNCH : 0;
	*role |= name_match_first(&o->bounds, json) != NAME_MATCH_NONE ? BOUND : 0;
	*role |= str_eq(json, STR("\"aten::to\"")) ? CONVERSION : 0;
	return (uint32_t)name;
}

static bool has_role(const struct overheads *o, uint32_t name, int role)
{
	return o->roles[name] & role;
}

/* --- shapes --- */

enum { MOST_LEVELS = 8 }; /* of a shape: lists of tensors have three */

/*
 * The array without its empty ones, all the way down: "[[2, 3], [], [[4]]]" is "[[2,3],[[4]]]". False when it is
 * empty, or deeper than `levels`.
 */
static bool add_dims(struct buf *b, struct str json, int levels)
{
	struct str key, value;
	struct iter w;
	size_t before = b->n, at;
	bool any = false;

	if (!levels)
		return false;
	buf_char(b, '[');
	iter_open(&w, json);
	while (iter_next(&w, &key, &value) > 0) {
		at = b->n;
		if (any)
			buf_char(b, ',');
		if (value.n && value.p[0] != '[')
			buf_add(b, value.p, value.n);
		else if (!add_dims(b, value, levels - 1)) {
			b->n = at;
			continue;
		}
		any = true;
	}
	buf_char(b, ']');
	if (!any)
		b->n = before;
	return any;
}

static uint32_t shape_of(struct overheads *o, struct event *e)
{
	struct str args = event_get(e, EVENT_ARGS), dims;

	if (!o->shapes || !args.p || args.p[0] != '{')
		return NO_SHAPE;
	dims = iter_find(args, STR("Input Dims"));
	if (!dims.p)
		dims = iter_find(args, STR("Input dims"));
	o->shape.n = 0;
	if (!dims.p || dims.p[0] != '[' || !add_dims(&o->shape, dims, MOST_LEVELS))
		return NO_SHAPE;
	return (uint32_t)value_ids_put(&o->shapes_seen, (struct str){o->shape.p, o->shape.n});
}

/* --- values --- */

static int64_t less(int64_t ns, int64_t n, int64_t each)
{
	int64_t r;

	if (__builtin_mul_overflow(n, each, &r) || __builtin_sub_overflow(ns, r, &r))
		return INT64_MIN;
	return r;
}

static void give(struct overheads *o, struct overhead_value *v, enum overhead type, int64_t ts, int64_t ns)
{
	v->type = type;
	v->ts = ts;
	v->ns = o->clamp && ns < 0 ? 0 : ns;
	o->give(o->arg, v);
}

static struct overhead_value value_of_op(const struct overheads *o, const struct overheads_thread *t, uint32_t name,
    uint32_t shape)
{
	struct overhead_value v = {.name = overheads_name(o, name), .place = {t->place.p, t->place.n}};

	if (shape != NO_SHAPE)
		v.shape = value_ids_text(&o->shapes_seen, shape);
	return v;
}

/* T1, when two operators follow each other: in the same parent, and soon. */
static void give_between(struct overheads *o, const struct overheads_op *last, const struct overheads_op *op)
{
	struct overhead_value v;
	int64_t gap = num_sub(op->start, last->end);

	if (op->idle || last->parent != op->parent || gap >= o->gap || (o->clamp && gap <= o->per_event))
		return;
	v = value_of_op(o, &o->threads[op->thread], op->name, op->shape);
	give(o, &v, OVERHEAD_T1, last->end, less(gap, 1, o->per_event));
}

/* --- operators --- */

static bool is_call(const struct nested_call *x)
{
	return x->of == IS_CALL;
}

/* A call that nothing lies in. */
static bool is_bound(const struct overheads *o, const struct nested_call *nodes, size_t i)
{
	return is_call(&nodes[i]) && nodes[i].until == i + 1 && has_role(o, nodes[i].name, LAUNCH | BOUND) &&
	       !has_role(o, nodes[i].name, HIDDEN);
}

/* The events of a part of the tree but for the hidden calls and what lies in these. */
static int64_t count_events(const struct overheads *o, const struct nested_call *nodes, size_t i)
{
	size_t until = nodes[i].until;
	int64_t n = 0;

	while (i < until) {
		if (has_role(o, nodes[i].name, HIDDEN)) {
			i = nodes[i].until;
		} else {
			i++;
			n++;
		}
	}
	return n;
}

/* The launches of an operator. Other calls that nothing lies in are no events between two of them, unless hidden. */
static void find_bounds(struct overheads *o, const struct nested_call *nodes, size_t i)
{
	size_t until = nodes[i].until;
	int64_t events = 0;

	o->n_bound = 0;
	for (i++; i < until; i++) {
		const struct nested_call *x = &nodes[i];

		if (is_bound(o, nodes, i)) {
			o->bound = mem_grow(o->bound, &o->cap_bound, o->n_bound + 1, sizeof *o->bound);
			o->bound[o->n_bound++] = (struct overheads_bound){
			    x->start, x->end, events, x->name, has_role(o, x->name, LAUNCH)};
			events = 0;
		} else if (!is_call(x) || x->until > i + 1 || has_role(o, x->name, HIDDEN)) {
			events++;
		}
	}
}

static void give_op(struct overheads *o, struct overhead_value *v, const struct nested_call *x)
{
	size_t i;

	o->list = mem_grow(o->list, &o->cap_list, o->n_bound + 1, sizeof *o->list);
	for (v->n_launches = i = 0; i < o->n_bound; i++) {
		if (o->bound[i].launches)
			o->list[v->n_launches++] = o->bound[i].name;
	}
	v->launches = o->list;
	o->inside += v->n_launches;
	give(o, v, OVERHEAD_OP, x->start, num_sub(x->end, x->start));
}

/* T2 to T5 of an operator with launches. */
static void give_bounds(struct overheads *o, struct overhead_value *v, const struct nested_call *x, int64_t events)
{
	const struct overheads_bound *b = o->bound, *last = &b[o->n_bound - 1];
	struct overhead_value launch = *v;
	size_t i;

	give(o, v, OVERHEAD_T2, x->start, less(num_sub(b->start, x->start), b->events, o->per_event));
	for (i = 0; i < o->n_bound; i++)
		events -= b[i].events + 1;
	give(o, v, OVERHEAD_T3, last->end, less(num_sub(x->end, last->end), events, o->per_event));
	if (o->n_bound == 1)
		give(o, v, OVERHEAD_T5, b->end, 0);
	for (i = 1; i < o->n_bound; i++)
		give(o, v, OVERHEAD_T5, b[i - 1].end,
		    less(num_sub(b[i].start, b[i - 1].end), b[i].events, o->per_event));
	launch.shape = (struct str){NULL, 0};
	for (i = 0; i < o->n_bound; i++) {
		launch.name = overheads_name(o, b[i].name);
		if (b[i].launches)
			give(o, &launch, OVERHEAD_T4, b[i].start, o->launch);
	}
}

static void take_op(struct overheads *o, size_t thread, const struct nested_call *nodes, size_t i, uint64_t root)
{
	struct overheads_thread *t = &o->threads[thread];
	const struct nested_call *x = &nodes[i];
	struct overhead_value v = value_of_op(o, t, x->name, x->of);
	int64_t events = count_events(o, nodes, i);
	struct overheads_op op = {x->start, x->end, root, x->seq, 0, false, x->name, x->of, thread};

	o->ops++;
	v.root = root;
	v.seq = x->seq;
	find_bounds(o, nodes, i);
	if (x->parent != NESTED_CALLS_ROOT)
		op.parent = nodes[x->parent].seq;
	op.idle = !o->n_bound && has_role(o, x->name, CONVERSION);
	give_op(o, &v, x);
	if (o->n_bound)
		give_bounds(o, &v, x, events);
	else if (!op.idle)
		give(o, &v, OVERHEAD_T5, x->start, less(num_sub(x->end, x->start), events, o->per_event));
	if (o->all_threads) {
		o->all = mem_grow(o->all, &o->cap_all, o->n_all + 1, sizeof *o->all);
		o->all[o->n_all++] = op;
		return;
	}
	if (t->any)
		give_between(o, &t->last, &op);
	t->any = true;
	t->last = op;
}

/* Of what a thread has kept, the trees whose nodes come before `until`: all of them are there. */
static void settle(struct overheads *o, size_t thread, uint64_t until)
{
	struct overheads_thread *t = &o->threads[thread];
	struct nested_call *nodes = t->nodes;
	size_t n = 0, i;
	uint64_t root = 0;

	if (!t->n)
		return;
	nested_calls_sort(nodes, t->n);
	while (n < t->n && nodes[n].seq < until)
		n++;
	nested_calls_settle(nodes, n);
	for (i = 0; i < n;) {
		if (nodes[i].parent == NESTED_CALLS_ROOT)
			root = nodes[i].seq;
		if (!is_call(&nodes[i]) && has_role(o, nodes[i].name, OPERATOR)) {
			take_op(o, thread, nodes, i, root);
			i = nodes[i].until;
			continue;
		}
		o->outside += is_bound(o, nodes, i) && has_role(o, nodes[i].name, LAUNCH);
		i++;
	}
	t->n -= n;
	memmove(nodes, nodes + n, t->n * sizeof *nodes);
}

/* --- records --- */

static size_t thread_of(struct overheads *o, struct event *e)
{
	struct scope_place place = {event_get(e, EVENT_RANK), event_get(e, EVENT_PID), event_get(e, EVENT_TID)};
	size_t i = scopes_put(&o->places, 0, SCOPE_THREAD, &place);

	o->threads = mem_grow(o->threads, &o->cap_threads, i + 1, sizeof *o->threads);
	for (; o->n_threads <= i; o->n_threads++) {
		struct overheads_thread *t = &o->threads[o->n_threads];

		*t = (struct overheads_thread){0};
		if (place.rank.p)
			json_write_json(&t->place, "rank", place.rank);
		if (place.pid.p)
			json_write_json(&t->place, "pid", place.pid);
		if (place.tid.p)
			json_write_json(&t->place, "tid", place.tid);
	}
	return i;
}

/* The place that call-tree has told. */
struct placed {
	int64_t node, depth;
};

static bool find_place(struct event *e, struct placed *p)
{
	struct str key, value;
	struct iter w;
	bool node = false, depth = false;

	event_walk(e);
	if (e->plain)
		return false;
	for (iter_open(&w, e->raw); iter_next(&w, &key, &value) > 0;) {
		if (str_eq(key, STR("node")))
			node = num_int(value, &p->node) == NUM_OK && p->node > 0;
		else if (str_eq(key, STR("depth")))
			depth = num_int(value, &p->depth) == NUM_OK && p->depth >= 0;
	}
	return node && depth;
}

static void keep(struct overheads *o, struct overheads_thread *t, struct event *e, enum event_kind kind, uint64_t seq)
{
	struct nested_call *x;

	t->nodes = mem_grow(t->nodes, &t->cap, t->n + 1, sizeof *t->nodes);
	x = &t->nodes[t->n++];
	x->start = e->ts;
	x->end = nesting_end(e->ts, e->dur);
	x->seq = seq;
	x->name = name_of(o, event_get(e, EVENT_NAME));
	x->of = kind == KIND_OP ? shape_of(o, e) : IS_CALL;
	if (t->n == 1 || x->end > t->end)
		t->end = x->end;
}

/*
 * Numbers are given in ts order, so a tree has all those from its root's to the next root's on its thread. When
 * call-tree writes a root, or when it comes in ts order, the trees before it on its thread are complete.
 */
static void add_placed(struct overheads *o, struct event *e, enum event_kind kind, const struct placed *p)
{
	size_t thread = thread_of(o, e);

	if (p->depth == 0 && o->threads[thread].n)
		settle(o, thread, (uint64_t)p->node);
	if (kind == KIND_OP || kind == KIND_API)
		keep(o, &o->threads[thread], e, kind, (uint64_t)p->node);
}

/* One without a place, in ts order: what begins when all before it has ended begins a new tree. */
static void add_ordered(struct overheads *o, struct event *e, enum event_kind kind)
{
	size_t thread = thread_of(o, e);

	if (o->threads[thread].n && e->ts >= o->threads[thread].end)
		settle(o, thread, UINT64_MAX);
	keep(o, &o->threads[thread], e, kind, ++o->seq);
}

void overheads_add(struct overheads *o, struct event *e)
{
	enum event_kind kind = event_get_kind(e);
	bool counts = kind == KIND_OP || kind == KIND_API, placed;
	struct placed p;

	if (event_kind_is_device(kind) || !event_get(e, EVENT_TS).p || !event_get(e, EVENT_DUR).p ||
	    event_get(e, EVENT_CLOCK).p)
		return;
	if (!counts && o->any && !o->placed)
		return;
	placed = find_place(e, &p);
	if (!o->any && (counts || placed)) {
		o->any = true;
		o->placed = placed;
	}
	if (o->placed && placed)
		add_placed(o, e, kind, &p);
	else if (o->placed)
		o->unplaced += counts;
	else if (counts)
		add_ordered(o, e, kind);
}

static int by_root(const void *a, const void *b)
{
	const struct overheads_op *x = a, *y = b;

	if (x->root != y->root)
		return x->root < y->root ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

void overheads_end(struct overheads *o)
{
	size_t i;

	for (i = 0; i < o->n_threads; i++)
		settle(o, i, UINT64_MAX);
	if (!o->n_all)
		return;
	qsort(o->all, o->n_all, sizeof *o->all, by_root);
	for (i = 1; i < o->n_all; i++)
		give_between(o, &o->all[i - 1], &o->all[i]);
}

void overheads_free(struct overheads *o)
{
	size_t i;

	for (i = 0; i < o->n_threads; i++) {
		free(o->threads[i].nodes);
		buf_free(&o->threads[i].place);
	}
	free(o->threads);
	name_match_free(&o->launches);
	name_match_free(&o->bounds);
	value_ids_free(&o->names);
	value_ids_free(&o->shapes_seen);
	scopes_free(&o->places);
	free(o->roles);
	free(o->bound);
	free(o->list);
	free(o->all);
	buf_free(&o->shape);
}
