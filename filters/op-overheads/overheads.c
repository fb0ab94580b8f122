#include "overheads_private.h"

#include "json/iter.h"
#include "json/write.h"
#include "base/num_parse.h"

#include <stdlib.h>

struct overheads *overheads_new(struct overheads_options *options)
{
	struct overheads *o = mem_zero(1, sizeof *o);

	o->options = options;
	o->names.launches = &options->launches;
	o->names.bounds = &options->bounds;
	return o;
}

struct str overheads_name(const struct overheads *o, size_t name)
{
	return name_roles_text(&o->names, name);
}

const struct overheads_counts *overheads_counts(const struct overheads *o)
{
	return &o->counts;
}

bool overheads_any(const struct overheads *o)
{
	return o->any;
}

bool overheads_placed(const struct overheads *o)
{
	return o->placed;
}

/* --- trees --- */

/* Takes the operators in those trees of a thread that begin before the node `until`; these trees must be complete. */
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
		if (!overheads_is_call(&nodes[i]) && name_roles_has(&o->names, nodes[i].name, NAME_ROLE_OPERATOR)) {
			overheads_operator_take(o, thread, nodes, i, root);
			i = nodes[i].until;
			continue;
		}
		o->counts.outside +=
		    overheads_is_bound(o, nodes, i) && name_roles_has(&o->names, nodes[i].name, NAME_ROLE_LAUNCH);
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
		for (m = 0; m < 3; m++) {
			if (place[m].p)
				json_write_json(&t->place, members[m], place[m]);
		}
	}
	return i;
}

/* The position of a record in the tree, as call-tree writes it. */
struct overheads_place {
	int64_t node, depth;
};

static bool find_place(struct event *e, struct overheads_place *p)
{
	struct str key, value;
	struct iter w;
	bool node = false, depth = false;

	event_walk(e);
	if (e->plain)
		return false;
	for (iter_init(&w, e->raw); iter_next(&w, &key, &value) > 0;) {
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
	x->end = event_end(e);
	x->seq = seq;
	x->name = name_roles_put(&o->names, event_get(e, EVENT_NAME));
	x->of = OVERHEADS_IS_CALL;
	if (kind == KIND_OP)
		x->of = o->options->shapes ? input_shapes_put(&o->shapes, event_get(e, EVENT_ARGS)) : INPUT_SHAPES_NONE;
	if (t->n == 1 || x->end > t->end)
		t->end = x->end;
}

/*
 * call-tree numbers nodes in ts order, so a tree consists of the nodes of its thread from its root up to the next root.
 * Input is in the order of call-tree's output or in ts order; in both cases, when a root is read, all earlier trees of
 * its thread are complete.
 */
static void add_placed(struct overheads *o, struct event *e, enum event_kind kind, const struct overheads_place *p)
{
	size_t thread = thread_of(o, e);

	if (p->depth == 0 && o->threads[thread].n)
		settle(o, thread, (uint64_t)p->node);
	if (kind == KIND_OP || kind == KIND_API)
		keep(o, &o->threads[thread], e, kind, (uint64_t)p->node);
}

/*
 * Adds a record without a position in the tree; such records come in ts order. A record that begins when all previous
 * records of its thread have ended begins a new tree.
 */
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
	struct overheads_place p;

	if (event_kind_is_device(kind) || !event_has_time(e) || !event_get(e, EVENT_DUR).p)
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
		o->counts.unplaced += counts;
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
		overheads_operator_between(o, &o->all[i - 1], &o->all[i]);
}

void overheads_free(struct overheads *o)
{
	size_t i;

	for (i = 0; i < o->n_threads; i++) {
		free(o->threads[i].nodes);
		buf_free(&o->threads[i].place);
	}
	free(o->threads);
	name_roles_free(&o->names);
	input_shapes_free(&o->shapes);
	places_free(&o->places);
	free(o->bound);
	free(o->list);
	free(o->all);
	free(o);
}
