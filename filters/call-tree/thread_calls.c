#include "thread_calls.h"

#include "program/filter.h"
#include "interval/interval_nesting.h"
#include "tree_position.h"

#include <stdlib.h>

/* An open interval, stored with its record. */
struct open_call {
	int64_t end;
	size_t labels; /* length of the thread's labels, up to that of this call */
	struct call_node node;
	size_t closest; /* depth of the call that --closest found, or CLOSEST_CALL_NONE */
};

struct call_thread {
	struct event_queue open; /* open intervals, each enclosed by the previous one */
	struct buf labels;       /* --stack: the values of the open intervals, separated by commas */
	int64_t root;            /* the end of the outermost interval */
	int64_t at;              /* self times are complete up to this ts */
};

void thread_calls_init(struct thread_calls *t, struct closest_call *closest, struct out *out)
{
	*t = (struct thread_calls){
	    .closest = closest, .out = out, .places = {.members = {EVENT_RANK, EVENT_PID, EVENT_TID}, .n_members = 3}};
}

/* Writes `o`, the innermost open interval of a thread, and its record; `up` is its parent or NULL. */
static void write_innermost(struct thread_calls *f, struct call_thread *t, const struct open_call *o,
    const struct open_call *up, const struct event *e)
{
	struct tree_position p = {.call = &o->node, .depth = t->open.n - 1, .stack = {t->labels.p, o->labels}};
	struct event closest;

	if (up) {
		p.parent = &up->node;
		p.parent_name = event_queue_get(&t->open, t->open.n - 2, EVENT_NAME);
	}
	if (o->closest != CLOSEST_CALL_NONE) {
		p.closest = &((struct open_call *)event_queue_at(&t->open, o->closest, &closest))->node;
		p.closest_depth = o->closest;
		p.closest_record = &closest;
	}
	tree_position_write(&p, f->closest, f->out, e, &f->text);
}

/*
 * Closes the innermost interval: it has ended, or a call that begins inside it at ts outlasts it. In the second case,
 * the time from ts on belongs to the new call.
 */
static void close_innermost(struct thread_calls *f, struct call_thread *t, int64_t ts)
{
	size_t depth = t->open.n - 1;
	struct event e;
	struct open_call *o = event_queue_at(&t->open, depth, &e), *up = NULL;
	int64_t until = o->end < ts ? o->end : ts;

	if (!f->siblings && until > t->at) {
		o->node.self += int_sub(until, t->at);
		t->at = until;
	}
	if (depth) {
		up = event_queue_at(&t->open, depth - 1, NULL);
		/*
		 * A launching call can contain other launching calls: for example, a runtime call contains driver
		 * calls. Then only the inner calls are counted.
		 */
		up->node.launches += o->node.launches ? o->node.launches : o->node.launch;
	}
	if (o->node.written)
		write_innermost(f, t, o, up, &e);
	t->labels.n = up ? up->labels : 0;
	event_queue_drop(&t->open);
}

static struct call_thread *thread_of(struct thread_calls *f, struct event *e)
{
	size_t i = places_put_event(&f->places, e);

	f->threads = mem_grow(f->threads, &f->cap_threads, i + 1, sizeof *f->threads);
	for (; f->n_threads <= i; f->n_threads++)
		f->threads[f->n_threads] = (struct call_thread){.open.each = sizeof(struct open_call)};
	return &f->threads[i];
}

/* Updates the parent `up` of a call that begins; its duration is `self` if common time counts for both calls. */
static void open_below(
    const struct thread_calls *f, struct call_thread *t, struct open_call *up, int64_t ts, int64_t self)
{
	up->node.children++;
	if (f->siblings)
		up->node.self = int_sub(up->node.self, self);
	else if (ts > t->at)
		up->node.self += int_sub(ts, t->at);
}

bool thread_calls_add(struct thread_calls *f, struct event *e, enum event_kind kind, const struct call_node *call)
{
	struct call_thread *t = thread_of(f, e);
	struct open_call new = {.end = event_end(e), .node = *call, .closest = CLOSEST_CALL_NONE}, *up = NULL;
	bool crosses = false;

	while (t->open.n) {
		up = event_queue_at(&t->open, t->open.n - 1, NULL);
		if (nesting_holds(t->root, up->end, e->ts, new.end))
			break;
		crosses |= up->end > e->ts;
		close_innermost(f, t, e->ts);
	}
	if (f->siblings)
		new.node.self = int_sub(new.end, e->ts);
	if (up && t->open.n) {
		new.closest = up->closest;
		open_below(f, t, up, e->ts, new.node.self);
	} else {
		t->root = new.end;
	}
	t->at = e->ts;
	if (closest_call_matches(f->closest, e, kind, t->open.n))
		new.closest = t->open.n;
	if (f->label) {
		if (t->labels.n)
			buf_char(&t->labels, ',');
		tree_position_label(f->label, e, &t->labels);
	}
	new.labels = t->labels.n;
	filter_hold(&t->open, e, &new);
	return crosses;
}

void thread_calls_end(struct thread_calls *f)
{
	size_t i;

	for (i = 0; i < f->n_threads; i++) {
		while (f->threads[i].open.n)
			close_innermost(f, &f->threads[i], INT64_MAX);
	}
}

void thread_calls_free(struct thread_calls *f)
{
	size_t i;

	for (i = 0; i < f->n_threads; i++) {
		event_queue_free(&f->threads[i].open);
		buf_free(&f->threads[i].labels);
	}
	free(f->threads);
	places_free(&f->places);
	buf_free(&f->text);
}
