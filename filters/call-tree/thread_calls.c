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
};

struct call_thread {
	struct event_queue open; /* open intervals, each enclosed by the previous one */
	struct buf labels;       /* --stack: the values of the open intervals, separated by commas */
	int64_t root;            /* the end of the outermost interval */
	int64_t at;              /* self times are complete up to this ts */
};

void thread_calls_init(struct thread_calls *t, struct out *out)
{
	*t = (struct thread_calls){
	    .out = out, .places = {.members = {EVENT_RANK, EVENT_PID, EVENT_TID}, .n_members = 3}};
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
	struct tree_position p = {.call = &o->node, .depth = depth, .stack = {t->labels.p, o->labels}};
	int64_t until = o->end < ts ? o->end : ts;

	if (!f->siblings && until > t->at) {
		o->node.self += int_sub(until, t->at);
		t->at = until;
	}
	if (depth) {
		up = event_queue_at(&t->open, depth - 1, NULL);
		/* If a launching call contains others, as a runtime call contains driver calls, only these count. */
		up->node.launches += o->node.launches ? o->node.launches : o->node.launch;
	}
	if (up && o->node.written) {
		p.parent_node = up->node.node;
		p.parent_name = event_queue_get(&t->open, depth - 1, EVENT_NAME);
	}
	if (o->node.written)
		tree_position_write(&p, f->out, &e, &f->text);
	t->labels.n = up ? up->labels : 0;
	event_queue_drop(&t->open);
}

bool thread_calls_add(struct thread_calls *f, struct event *e, const struct call_node *call)
{
	const size_t thread = places_put_event(&f->places, e);
	struct call_thread *t;
	struct open_call new = {.end = event_end(e), .node = *call}, *up = NULL;
	bool crosses = false;

	f->threads = mem_grow(f->threads, &f->cap_threads, thread + 1, sizeof *f->threads);
	for (; f->n_threads <= thread; f->n_threads++)
		f->threads[f->n_threads] = (struct call_thread){.open.each = sizeof(struct open_call)};
	t = &f->threads[thread];
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
		up->node.children++;
		if (f->siblings)
			up->node.self = int_sub(up->node.self, new.node.self);
		else if (e->ts > t->at)
			up->node.self += int_sub(e->ts, t->at);
	} else {
		t->root = new.end;
	}
	t->at = e->ts;
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
