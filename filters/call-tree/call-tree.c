/*
 * call-tree: adds to each call its position in the tree of calls of its thread, and its self time.
 *
 * in:  {"ts":100,"dur":50,"kind":"op","name":"aten::linear","pid":7,"tid":7}
 *      {"ts":110,"dur":30,"kind":"op","name":"aten::addmm","pid":7,"tid":7}
 *      {"ts":120,"dur":10,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":7,"corr":5}
 * out: {"ts":120,"dur":10,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":7,"corr":5,
 *       "depth":2,"node":3,"parent_node":2,"parent_name":"aten::addmm","self":10,"children":0,"launches":0}
 *      {"ts":110,"dur":30,"kind":"op","name":"aten::addmm","pid":7,"tid":7,
 *       "depth":1,"node":2,"parent_node":1,"parent_name":"aten::linear","self":20,"children":1,"launches":1}
 *      {"ts":100,"dur":50,"kind":"op","name":"aten::linear","pid":7,"tid":7,
 *       "depth":0,"node":1,"self":20,"children":1,"launches":1}
 */
#include "thread_calls.h"
#include "tree_position.h"
#include "record/event_api.h"
#include "program/filter.h"
#include "program/opt_fields.h"
#include "program/input_options.h"

#include <inttypes.h>
#include <stdlib.h>

enum { STACK = 256 };

static const char *const crossing_names[] = {"child", "sibling", NULL};

struct call_tree {
	uint32_t kinds;
	uint32_t written; /* -k: the kinds of records that are written, as bits; all bits if it is not given */
	bool preorder;
	struct name_match launches;
	struct thread_calls threads;
	struct linked_calls linked;
	struct buf text;    /* the attachments that are being written */
	struct field label; /* --stack: the field whose values form the stack */
	uint64_t nodes;     /* number of records that got a node so far */
	uint64_t durless;   /* number of calls that are not in a tree because they have no dur */
	struct out out;
};

#define TO(member) OPT_TO(struct call_tree, member)
static const struct opt options[] = {
    {'r', "range", OPT_SET("KIND,...", event_kind_names), TO(kinds),
	"build trees from records of these kinds\n"
	"(default op,api,python,range,primitive,activity)"},
    {'k', "kind", OPT_SET("KIND,...", event_kind_names), TO(written),
	"write only records of these kinds; the trees do not change"},
    {STACK, "stack", OPT_TEXT_OPTIONAL("FIELD"), OPT_TAKE,
	"add the member stack: the names (or the values of FIELD) from the\n"
	"root to the record itself"},
    {0, "crossing", OPT_CHOICE("child|sibling", crossing_names), TO(threads.siblings),
	"if two calls partly overlap, add their common time to the later\n"
	"call (child, default) or to both (sibling, as in PyTorch's profiler)"},
    {0, "launch", OPT_TEXT("REGEX"), OPT_TAKE, "treat calls whose name matches REGEX as launches of device work"},
    {0, "preorder", OPT_FLAG, TO(preorder),
	"write records that are linked by ids in depth-first order: each record\n"
	"before its children"},
    {0},
};

static const struct opt_program program = {
    "Builds the call tree of each thread: depth, parent, children, self time.",
    "[-r KIND,...] [-k KIND,...] [--stack[=FIELD]] [--crossing child|sibling] [--launch REGEX] [--preorder] "
    "[FILE...]",
    "trace2ndjson run.json.gz | ts-sort | call-tree -k op | groupby -g name -f self",
    .reads = "records (op, api, python, range, primitive, activity)",
    .writes = "records",
    .needs = "ts order",
};

/*
 * Returns true if the record is placed in a tree by its id and parent instead of its time: an activity, or device work
 * that names an activity as its parent.
 */
static bool is_linked(const struct call_tree *f, struct event *e, enum event_kind kind)
{
	if (kind == KIND_ACTIVITY)
		return f->kinds >> kind & 1 && (event_get(e, EVENT_ID).p || event_get(e, EVENT_PARENT).p);
	return event_kind_is_device(kind) && f->kinds >> KIND_ACTIVITY & 1 && event_get(e, EVENT_PARENT).p;
}

/* Places a record in the tree of its thread, if it has a dur. */
static void take_timed(
    struct call_tree *f, struct input *in, struct event *e, enum event_kind kind, struct call_node *call)
{
	if (!event_get(e, EVENT_DUR).p) {
		f->durless++;
		input_warning(in, "call without a dur; not placed in a tree");
		if (call->written)
			event_copy(&f->out, e);
		return;
	}
	call->node = ++f->nodes;
	call->launch = kind == KIND_API && name_match_first(&f->launches, event_get(e, EVENT_NAME)) != NAME_MATCH_NONE;
	call->timed = true;
	if (!thread_calls_add(&f->threads, e, call))
		return;
	input_warning(in, f->threads.siblings
			      ? "call partly overlaps an earlier call; their common time is added to both"
			      : "call partly overlaps an earlier call; their common time is added to the later call");
}

static void add_to_tree(struct call_tree *f, struct input *in, struct event *e)
{
	enum event_kind kind = event_get_kind(e);
	struct call_node call = {.written = f->written >> kind & 1}, *linked;
	bool timed = event_has_time(e);

	if (timed && !input_in_order(in, e->ts))
		return;
	if (is_linked(f, e, kind)) {
		call.node = ++f->nodes;
		linked_calls_add(&f->linked, e, &call);
		if (f->threads.label) {
			linked = linked_calls_at(&f->linked, f->linked.calls.n - 1, NULL);
			linked->label = f->linked.labels.n;
			tree_position_label(&f->label, e, &f->linked.labels);
			linked->label_n = f->linked.labels.n - linked->label;
		}
	} else if (timed && kind < KIND_N && (f->kinds >> kind & 1)) {
		take_timed(f, in, e, kind, &call);
	} else if (call.written) {
		event_copy(&f->out, e);
	}
}

static void write_linked_call(struct call_tree *f, size_t i, struct buf *stack)
{
	struct linked_calls *l = &f->linked;
	const struct id_tree_node *node = &l->tree.nodes[i];
	struct tree_position p = {.depth = node->depth};
	struct event e;

	p.call = linked_calls_at(l, i, &e);
	if (!p.call->written)
		return;
	if (node->parent != ID_TREE_NONE) {
		p.parent_node = linked_calls_at(l, node->parent, NULL)->node;
		p.parent_name = event_queue_get(&l->calls, node->parent, EVENT_NAME);
	}
	if (f->threads.label)
		p.stack = linked_calls_stack(l, i, stack);
	tree_position_write(&p, &f->out, &e, &f->text);
}

static void finish(struct call_tree *f, const struct input *in)
{
	struct buf stack = {0};
	size_t *order, i;

	thread_calls_end(&f->threads);
	linked_calls_complete(&f->linked);
	order = f->preorder ? linked_calls_preorder(&f->linked) : NULL;
	for (i = 0; i < f->linked.calls.n; i++)
		write_linked_call(f, order ? order[i] : i, &stack);
	free(order);
	buf_free(&stack);
	if (!in->unordered && f->linked.orphans)
		note(
		    "%" PRIu64 " records have a parent that is not in the input; they become roots", f->linked.orphans);
	if (!in->unordered && in->timed && !f->nodes && !f->durless)
		hint("no records of the kinds that form trees (see -r)");
}

static void take_option(void *arg, const struct opt_value *v)
{
	struct call_tree *f = arg;

	if (v->opt->letter == STACK) {
		field_free(&f->label);
		opt_field(&f->label, v->option, v->text ? v->text : "name");
		f->threads.label = &f->label;
	} else {
		opt_name_regex(&f->launches, v->option, v->text);
	}
}

int main(int argc, char **argv)
{
	struct call_tree f = {.linked.calls.each = sizeof(struct call_node)};
	struct input in = {.times = INPUT_SORTED};
	const struct opt_table tables[] = {{options, &f, take_option}, INPUT_OPTIONS(&in), {0}};
	struct event e;
	char **operands;

	err_init(argv[0]);
	thread_calls_init(&f.threads, &f.out);
	operands = opt_read(&program, argc, argv, tables);
	if (!f.kinds)
		f.kinds = 1u << KIND_OP | 1u << KIND_API | 1u << KIND_PYTHON | 1u << KIND_RANGE | 1u << KIND_PRIMITIVE |
			  1u << KIND_ACTIVITY;
	if (!f.written)
		f.written = UINT32_MAX;
	if (!f.launches.n)
		opt_name_regex(&f.launches, "--launch", "^(" LAUNCH_KERNEL "|" LAUNCH_COPY "|" LAUNCH_SET ")");
	input_uses_members(&in, UINT32_MAX, INPUT_MEMBERS);
	if (f.threads.label)
		input_uses(&in, &f.label);
	filter_open(&in, operands, &f.out);
	while (input_next(&in, &e))
		add_to_tree(&f, &in, &e);
	finish(&f, &in);
	filter_in_order(&in, argv, operands);
	thread_calls_free(&f.threads);
	linked_calls_free(&f.linked);
	name_match_free(&f.launches);
	buf_free(&f.text);
	field_free(&f.label);
	return filter_close(&in);
}
