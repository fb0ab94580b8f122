#include "overheads.h"

#include "base/int_math.h"
#include "base/mem.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/write.h"
#include "nested_calls.h"
#include "record/places.h"
#include "record/value_ids.h"

#include <stdbool.h>
#include <stdlib.h>

/* Roles of a name, as bits; NAME_ROLE_LOOKED: the roles of the name are known. */
enum name_role {
	NAME_ROLE_LOOKED = 1,
	/* an operator that the results contain; all other operators are modules that enclose such operators */
	NAME_ROLE_OPERATOR = 2,
	NAME_ROLE_HIDDEN = 4, /* calls so short that they are not counted as events of an operator */
	NAME_ROLE_LAUNCH = 8,
	NAME_ROLE_BOUND = 16,
	NAME_ROLE_CONVERSION = 32, /* aten::to, which converts nothing if it has no launch */
};

/* nested_call.of is the shape of an operator, SHAPE_NONE for one without a shape, or IS_CALL for a call. */
#define SHAPE_NONE UINT32_MAX
#define IS_CALL (SHAPE_NONE - 1)

/* The properties of an operator that T1 needs. */
struct overheads_op {
	int64_t start, end;
	uint64_t root, seq, parent; /* seq of the parent; 0: no parent */
	bool idle;                  /* a conversion that had nothing to convert: it has no T1 */
	uint32_t name, shape;
	size_t thread;
};

struct overheads_thread {
	struct nested_call *nodes; /* the nodes whose positions are not set yet; they form one or more trees */
	size_t n, cap;
	int64_t end; /* the latest end of `nodes` */
	bool any;    /* the thread has had an operator; `last` is the latest */
	struct overheads_op last;
	struct buf place; /* text of overheads_value.place */
};

/* A call at which T2, T3 and T5 begin or end. `events`: number of events between the previous bound and this one. */
struct overheads_bound {
	int64_t start, end;
	int64_t events;
	uint32_t name;
	bool launches;
};

struct overheads {
	struct overheads_options *options;
	struct overheads_counts counts;
	struct value_ids names, shapes;
	unsigned char *roles; /* by name */
	size_t roles_cap;
	struct places places;
	struct overheads_thread *threads;
	size_t n_threads, cap_threads;
	uint64_t seq;
	struct overheads_bound *bound; /* the bounds of the current operator */
	size_t n_bound, cap_bound;
	size_t *list, cap_list;
	struct overheads_op *all; /* with all_threads: all operators */
	size_t n_all, cap_all;
	struct buf text; /* scratch */
};

/* --- the shapes of inputs --- */

enum { MOST_LEVELS = 8 }; /* maximum depth of a shape; lists of tensors have three levels */

/*
 * Appends the array without the empty arrays at any depth: "[[2, 3], [], [[4]]]" gives "[[2,3],[[4]]]". Returns false
 * when the result is empty, or deeper than `levels`.
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
	iter_init(&w, json);
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

/* Returns the number of the shape in an operator's args ("Input Dims"); SHAPE_NONE when args have no shape. */
static uint32_t number_of_shape(struct overheads *o, struct str args)
{
	struct str dims;

	if (!args.p || args.p[0] != '{')
		return SHAPE_NONE;
	dims = iter_find(args, STR("Input Dims"));
	if (!dims.p)
		dims = iter_find(args, STR("Input dims"));
	o->text.n = 0;
	if (!dims.p || dims.p[0] != '[' || !add_dims(&o->text, dims, MOST_LEVELS))
		return SHAPE_NONE;
	return (uint32_t)value_ids_put(&o->shapes, (struct str){o->text.p, o->text.n});
}

/* --- the names of operators and calls --- */

/* Returns the number of a name, given as JSON text; a record whose name is not a string has the empty name. */
static uint32_t number_of_name(struct overheads *o, struct str json)
{
	static const char *const hidden[] = {"\"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags\"",
	    "\"cudaPeakAtLastError\"", "\"cudaStreamGetCaptureInfo\"", "\"cudaEventQuery\"", "\"cudaEventRecord\"",
	    NULL};
	static const char *const modules[] = {
	    "\"##", "\"__", "\"module::", "\"DLRM ", "\"DistributedDataParallel", NULL};
	unsigned char *role;
	size_t name;

	if (!json.n || json.p[0] != '"')
		json = STR("\"\"");
	name = value_ids_put(&o->names, json);
	o->roles = mem_grow_zero(o->roles, &o->roles_cap, name + 1, 1);
	role = &o->roles[name];
	if (*role)
		return (uint32_t)name;
	*role = NAME_ROLE_LOOKED;
	*role |= str_starts_in(json, modules) ? 0 : NAME_ROLE_OPERATOR;
	*role |= str_in(json, hidden) ? NAME_ROLE_HIDDEN : 0;
	*role |= name_match_first(&o->options->launches, json) != NAME_MATCH_NONE ? NAME_ROLE_LAUNCH : 0;
	*role |= name_match_first(&o->options->bounds, json) != NAME_MATCH_NONE ? NAME_ROLE_BOUND : 0;
	*role |= str_eq(json, STR("\"aten::to\"")) ? NAME_ROLE_CONVERSION : 0;
	return (uint32_t)name;
}

struct str overheads_name(const struct overheads *o, size_t name)
{
	return value_ids_text(&o->names, name);
}

static inline bool is_call(const struct nested_call *x)
{
	return x->of == IS_CALL;
}

/* Returns whether the name has any of these roles. */
static inline bool has_role(const struct overheads *o, const struct nested_call *x, int roles)
{
	return o->roles[x->name] & roles;
}

/* Returns whether T2, T3 and T5 begin or end at a call; such a call has no event inside it. */
static inline bool is_bound(const struct overheads *o, const struct nested_call *nodes, size_t i)
{
	return is_call(&nodes[i]) && nodes[i].until == i + 1 &&
	       has_role(o, &nodes[i], NAME_ROLE_LAUNCH | NAME_ROLE_BOUND) && !has_role(o, &nodes[i], NAME_ROLE_HIDDEN);
}

/* --- values --- */

static int64_t without_events(int64_t ns, int64_t n, int64_t each)
{
	int64_t r;

	if (__builtin_mul_overflow(n, each, &r) || __builtin_sub_overflow(ns, r, &r))
		return INT64_MIN;
	return r;
}

static void write_value(struct overheads *o, struct overheads_value *v, enum overhead type, int64_t ts, int64_t ns)
{
	v->type = type;
	v->ts = ts;
	v->ns = o->options->clamp && ns < 0 ? 0 : ns;
	o->options->give(o->options->arg, v);
}

static struct overheads_value value_of_op(
    const struct overheads *o, const struct overheads_thread *t, uint32_t name, uint32_t shape)
{
	struct overheads_value v = {.name = overheads_name(o, name), .place = {t->place.p, t->place.n}};

	if (shape != SHAPE_NONE)
		v.shape = value_ids_text(&o->shapes, shape);
	return v;
}

/* Gives T1 between `last` and the next operator `op`, if both have the same parent and the gap is small. */
static void write_gap(struct overheads *o, const struct overheads_op *last, const struct overheads_op *op)
{
	struct overheads_value v;
	int64_t gap = int_sub(op->start, last->end);

	if (op->idle || last->parent != op->parent || gap >= o->options->gap ||
	    (o->options->clamp && gap <= o->options->per_event))
		return;
	v = value_of_op(o, &o->threads[op->thread], op->name, op->shape);
	write_value(o, &v, OVERHEAD_T1, last->end, without_events(gap, 1, o->options->per_event));
}

/* --- operators --- */

/* Returns the number of events in a subtree; hidden calls and the events inside them are not counted. */
static int64_t count_events(const struct overheads *o, const struct nested_call *nodes, size_t i)
{
	size_t until = nodes[i].until;
	int64_t n = 0;

	while (i < until) {
		if (has_role(o, &nodes[i], NAME_ROLE_HIDDEN)) {
			i = nodes[i].until;
		} else {
			i++;
			n++;
		}
	}
	return n;
}

/* Finds the bounds of an operator. Events between them are operators, hidden calls, and calls that contain events. */
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
			    x->start, x->end, events, x->name, has_role(o, x, NAME_ROLE_LAUNCH)};
			events = 0;
		} else if (!is_call(x) || x->until > i + 1 || has_role(o, x, NAME_ROLE_HIDDEN)) {
			events++;
		}
	}
}

/* Gives T2 to T5 of an operator with launches. */
static void write_bounds(struct overheads *o, struct overheads_value *v, const struct nested_call *x, int64_t events)
{
	const struct overheads_bound *b = o->bound, *last = &b[o->n_bound - 1];
	struct overheads_value launch = *v;
	size_t i;

	write_value(
	    o, v, OVERHEAD_T2, x->start, without_events(int_sub(b->start, x->start), b->events, o->options->per_event));
	for (i = 0; i < o->n_bound; i++)
		events -= b[i].events + 1;
	write_value(
	    o, v, OVERHEAD_T3, last->end, without_events(int_sub(x->end, last->end), events, o->options->per_event));
	if (o->n_bound == 1)
		write_value(o, v, OVERHEAD_T5, b->end, 0);
	for (i = 1; i < o->n_bound; i++)
		write_value(o, v, OVERHEAD_T5, b[i - 1].end,
		    without_events(int_sub(b[i].start, b[i - 1].end), b[i].events, o->options->per_event));
	launch.shape = (struct str){NULL, 0};
	for (i = 0; i < o->n_bound; i++) {
		launch.name = overheads_name(o, b[i].name);
		if (b[i].launches)
			write_value(o, &launch, OVERHEAD_T4, b[i].start, o->options->launch);
	}
}

/*
 * Gives the duration and T2 to T5 of an operator, node i of the nodes of a thread, with their positions; and T1, the
 * gap to the previous operator of the thread, unless all_threads is set. `root` is the seq of the root of the
 * operator's tree.
 */
static void add_operator(struct overheads *o, size_t thread, const struct nested_call *nodes, size_t i, uint64_t root)
{
	struct overheads_thread *t = &o->threads[thread];
	const struct nested_call *x = &nodes[i];
	struct overheads_value v = value_of_op(o, t, x->name, x->of);
	int64_t events = count_events(o, nodes, i);
	struct overheads_op op = {x->start, x->end, root, x->seq, 0, false, x->name, x->of, thread};
	size_t b;

	o->counts.ops++;
	v.root = root;
	v.seq = x->seq;
	find_bounds(o, nodes, i);
	o->list = mem_grow(o->list, &o->cap_list, o->n_bound + 1, sizeof *o->list);
	for (b = 0; b < o->n_bound; b++) {
		if (o->bound[b].launches)
			o->list[v.n_launches++] = o->bound[b].name;
	}
	v.launches = o->list;
	o->counts.inside += v.n_launches;
	if (x->parent != NESTED_CALLS_ROOT)
		op.parent = nodes[x->parent].seq;
	op.idle = !o->n_bound && has_role(o, x, NAME_ROLE_CONVERSION);
	write_value(o, &v, OVERHEAD_OP, x->start, int_sub(x->end, x->start));
	if (o->n_bound)
		write_bounds(o, &v, x, events);
	else if (!op.idle)
		write_value(o, &v, OVERHEAD_T5, x->start,
		    without_events(int_sub(x->end, x->start), events, o->options->per_event));
	if (o->options->all_threads) {
		o->all = mem_grow(o->all, &o->cap_all, o->n_all + 1, sizeof *o->all);
		o->all[o->n_all++] = op;
		return;
	}
	if (t->any)
		write_gap(o, &t->last, &op);
	t->any = true;
	t->last = op;
}

struct overheads *overheads_new(struct overheads_options *options)
{
	struct overheads *o = mem_zero(1, sizeof *o);

	o->options = options;
	return o;
}

const struct overheads_counts *overheads_counts(const struct overheads *o)
{
	return &o->counts;
}

/* --- trees --- */

/* Takes the operators in those trees of a thread that begin before the node `until`; these trees must be complete. */
static void add_trees(struct overheads *o, size_t thread, uint64_t until)
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
	nested_calls_set_positions(nodes, n);
	for (i = 0; i < n;) {
		if (nodes[i].parent == NESTED_CALLS_ROOT)
			root = nodes[i].seq;
		if (!is_call(&nodes[i]) && has_role(o, &nodes[i], NAME_ROLE_OPERATOR)) {
			add_operator(o, thread, nodes, i, root);
			i = nodes[i].until;
			continue;
		}
		o->counts.outside += is_bound(o, nodes, i) && has_role(o, &nodes[i], NAME_ROLE_LAUNCH);
		i++;
	}
	t->n -= n;
	memmove(nodes, nodes + n, t->n * sizeof *nodes);
}

/* --- records --- */

static size_t thread_of(struct overheads *o, struct event *e)
{
	const struct str place[] = {event_get(e, EVENT_RANK), event_get(e, EVENT_PID), event_get(e, EVENT_TID)};
	static const char *const members[] = {"rank", "pid", "tid"};
	size_t i = places_put(&o->places, place, 3), m;

	o->threads = mem_grow(o->threads, &o->cap_threads, i + 1, sizeof *o->threads);
	for (; o->n_threads <= i; o->n_threads++) {
		struct overheads_thread *t = &o->threads[o->n_threads];

		*t = (struct overheads_thread){0};
		for (m = 0; m < 3; m++)
			json_write_json(&t->place, members[m], place[m]);
	}
	return i;
}

/* Finds the position of a record in the tree, as call-tree writes it. */
static bool find_place(struct event *e, int64_t *node, int64_t *depth)
{
	struct str key, value;
	struct iter w;
	bool has_node = false, has_depth = false;

	event_walk(e);
	if (e->reading == EVENT_PLAIN)
		return false;
	for (iter_init(&w, e->raw); iter_next(&w, &key, &value) > 0;) {
		if (str_eq(key, STR("node")))
			has_node = num_int(value, node) == NUM_OK && *node > 0;
		else if (str_eq(key, STR("depth")))
			has_depth = num_int(value, depth) == NUM_OK && *depth >= 0;
	}
	return has_node && has_depth;
}

/*
 * call-tree numbers nodes in ts order, so a tree consists of the nodes of its thread from its root up to the next root.
 * Input is in the order of call-tree's output or in ts order; in both cases, when a root is read, all earlier trees of
 * its thread are complete. Records without a position come in ts order: a record that begins when all previous records
 * of its thread have ended begins a new tree.
 */
void overheads_add(struct overheads *o, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const bool counts = kind == KIND_OP || kind == KIND_API;
	struct overheads_thread *t;
	struct nested_call *x;
	int64_t node, depth;
	size_t thread;
	bool placed;

	if (event_kind_is_device(kind) || !event_has_time(e) || !event_get(e, EVENT_DUR).p)
		return;
	if (!counts && o->counts.any && !o->counts.placed)
		return;
	placed = find_place(e, &node, &depth);
	if (!o->counts.any && (counts || placed)) {
		o->counts.any = true;
		o->counts.placed = placed;
	}
	if (o->counts.placed ? !placed : !counts) {
		o->counts.unplaced += counts;
		return;
	}
	thread = thread_of(o, e);
	t = &o->threads[thread];
	if (t->n && (o->counts.placed ? depth == 0 : e->ts >= t->end))
		add_trees(o, thread, o->counts.placed ? (uint64_t)node : UINT64_MAX);
	if (!counts)
		return;
	t->nodes = mem_grow(t->nodes, &t->cap, t->n + 1, sizeof *t->nodes);
	x = &t->nodes[t->n++];
	x->start = e->ts;
	x->end = event_end(e);
	x->seq = o->counts.placed ? (uint64_t)node : ++o->seq;
	x->name = number_of_name(o, event_get(e, EVENT_NAME));
	x->of = IS_CALL;
	if (kind == KIND_OP)
		x->of = o->options->shapes ? number_of_shape(o, event_get(e, EVENT_ARGS)) : SHAPE_NONE;
	if (t->n == 1 || x->end > t->end)
		t->end = x->end;
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
		add_trees(o, i, UINT64_MAX);
	if (!o->n_all)
		return;
	qsort(o->all, o->n_all, sizeof *o->all, by_root);
	for (i = 1; i < o->n_all; i++)
		write_gap(o, &o->all[i - 1], &o->all[i]);
}

void overheads_free(struct overheads *o)
{
	size_t i;

	for (i = 0; i < o->n_threads; i++) {
		free(o->threads[i].nodes);
		buf_free(&o->threads[i].place);
	}
	value_ids_free(&o->names);
	value_ids_free(&o->shapes);
	buf_free(&o->text);
	places_free(&o->places);
	mem_free(o->threads, o->roles, o->bound, o->list, o->all, o);
}
