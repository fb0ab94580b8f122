/* overheads_operator: computes T1 to T5 of one operator from the launches and other events inside it. */
#include "overheads_private.h"
#include "base/int_math.h"

/*
 * A launch, or another call at which T2, T3 and T5 begin or end. `events`: number of events between the previous bound
 * and this one.
 */
struct overheads_bound {
	int64_t start, end;
	int64_t events;
	uint32_t name;
	bool launches;
};

/* --- values --- */

static int64_t less(int64_t ns, int64_t n, int64_t each)
{
	int64_t r;

	if (__builtin_mul_overflow(n, each, &r) || __builtin_sub_overflow(ns, r, &r))
		return INT64_MIN;
	return r;
}

static void give(struct overheads *o, struct overheads_value *v, enum overhead type, int64_t ts, int64_t ns)
{
	v->type = type;
	v->ts = ts;
	v->ns = o->options->clamp && ns < 0 ? 0 : ns;
	o->options->give(o->options->arg, v);
}

static struct overheads_value value_of_op(
    const struct overheads *o, const struct overheads_thread *t, uint32_t name, uint32_t shape)
{
	struct overheads_value v = {.name = name_roles_text(&o->names, name), .place = {t->place.p, t->place.n}};

	if (shape != INPUT_SHAPES_NONE)
		v.shape = input_shapes_text(&o->shapes, shape);
	return v;
}

void overheads_operator_between(struct overheads *o, const struct overheads_op *last, const struct overheads_op *op)
{
	struct overheads_value v;
	int64_t gap = int_sub(op->start, last->end);

	if (op->idle || last->parent != op->parent || gap >= o->options->gap ||
	    (o->options->clamp && gap <= o->options->per_event))
		return;
	v = value_of_op(o, &o->threads[op->thread], op->name, op->shape);
	give(o, &v, OVERHEAD_T1, last->end, less(gap, 1, o->options->per_event));
}

/* --- operators --- */

/* Returns the number of events in a subtree; hidden calls and the events inside them are not counted. */
static int64_t count_events(const struct overheads *o, const struct nested_call *nodes, size_t i)
{
	size_t until = nodes[i].until;
	int64_t n = 0;

	while (i < until) {
		if (name_roles_has(&o->names, nodes[i].name, NAME_ROLE_HIDDEN)) {
			i = nodes[i].until;
		} else {
			i++;
			n++;
		}
	}
	return n;
}

/*
 * Finds the bounds of an operator, such as launches. Events between bounds are operators, calls that contain events,
 * and hidden calls.
 */
static void find_bounds(struct overheads *o, const struct nested_call *nodes, size_t i)
{
	size_t until = nodes[i].until;
	int64_t events = 0;

	o->n_bound = 0;
	for (i++; i < until; i++) {
		const struct nested_call *x = &nodes[i];

		if (overheads_is_bound(o, nodes, i)) {
			o->bound = mem_grow(o->bound, &o->cap_bound, o->n_bound + 1, sizeof *o->bound);
			o->bound[o->n_bound++] = (struct overheads_bound){
			    x->start, x->end, events, x->name, name_roles_has(&o->names, x->name, NAME_ROLE_LAUNCH)};
			events = 0;
		} else if (!overheads_is_call(x) || x->until > i + 1 ||
			   name_roles_has(&o->names, x->name, NAME_ROLE_HIDDEN)) {
			events++;
		}
	}
}

static void give_op(struct overheads *o, struct overheads_value *v, const struct nested_call *x)
{
	size_t i;

	o->list = mem_grow(o->list, &o->cap_list, o->n_bound + 1, sizeof *o->list);
	for (v->n_launches = i = 0; i < o->n_bound; i++) {
		if (o->bound[i].launches)
			o->list[v->n_launches++] = o->bound[i].name;
	}
	v->launches = o->list;
	o->counts.inside += v->n_launches;
	give(o, v, OVERHEAD_OP, x->start, int_sub(x->end, x->start));
}

/* Passes T2 to T5 of an operator with launches to options->give. */
static void give_bounds(struct overheads *o, struct overheads_value *v, const struct nested_call *x, int64_t events)
{
	const struct overheads_bound *b = o->bound, *last = &b[o->n_bound - 1];
	struct overheads_value launch = *v;
	size_t i;

	give(o, v, OVERHEAD_T2, x->start, less(int_sub(b->start, x->start), b->events, o->options->per_event));
	for (i = 0; i < o->n_bound; i++)
		events -= b[i].events + 1;
	give(o, v, OVERHEAD_T3, last->end, less(int_sub(x->end, last->end), events, o->options->per_event));
	if (o->n_bound == 1)
		give(o, v, OVERHEAD_T5, b->end, 0);
	for (i = 1; i < o->n_bound; i++)
		give(o, v, OVERHEAD_T5, b[i - 1].end,
		    less(int_sub(b[i].start, b[i - 1].end), b[i].events, o->options->per_event));
	launch.shape = (struct str){NULL, 0};
	for (i = 0; i < o->n_bound; i++) {
		launch.name = overheads_name(o, b[i].name);
		if (b[i].launches)
			give(o, &launch, OVERHEAD_T4, b[i].start, o->options->launch);
	}
}

void overheads_operator_take(
    struct overheads *o, size_t thread, const struct nested_call *nodes, size_t i, uint64_t root)
{
	struct overheads_thread *t = &o->threads[thread];
	const struct nested_call *x = &nodes[i];
	struct overheads_value v = value_of_op(o, t, x->name, x->of);
	int64_t events = count_events(o, nodes, i);
	struct overheads_op op = {x->start, x->end, root, x->seq, 0, false, x->name, x->of, thread};

	o->counts.ops++;
	v.root = root;
	v.seq = x->seq;
	find_bounds(o, nodes, i);
	if (x->parent != NESTED_CALLS_ROOT)
		op.parent = nodes[x->parent].seq;
	op.idle = !o->n_bound && name_roles_has(&o->names, x->name, NAME_ROLE_CONVERSION);
	give_op(o, &v, x);
	if (o->n_bound)
		give_bounds(o, &v, x, events);
	else if (!op.idle)
		give(o, &v, OVERHEAD_T5, x->start, less(int_sub(x->end, x->start), events, o->options->per_event));
	if (o->options->all_threads) {
		o->all = mem_grow(o->all, &o->cap_all, o->n_all + 1, sizeof *o->all);
		o->all[o->n_all++] = op;
		return;
	}
	if (t->any)
		overheads_operator_between(o, &t->last, &op);
	t->any = true;
	t->last = op;
}
