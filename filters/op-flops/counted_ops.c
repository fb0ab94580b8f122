#include "counted_ops.h"

#include "json/string.h"

/* The last operator of a thread that counts encloses its others until `end`. */
struct counted_thread {
	int64_t end;
	bool experts; /* it is vllm::moe_forward: operators without a rule in it keep their own name */
};

/* An operator whose note is in the queue. */
struct waiting_op {
	int64_t end;
	uint64_t place; /* in the sequence of all queued records */
	uint32_t thread;
	bool counted_inside; /* an operator inside it counts */
	int64_t topk;        /* of vllm::moe_forward: the number of experts for each token, or 0 */
	bool experts;
};

static const struct op_rule *experts_rule(const struct op_rule *rule)
{
	return rule && op_rule_is_moe(rule) ? rule : NULL;
}

/* Returns the note of a record that waits. */
static struct op_note *note_at(struct counted_ops *c, uint64_t place)
{
	return event_queue_at(&c->queue, (size_t)(place - c->popped), NULL);
}

/* Computes the cost of an operator. Returns false if it has no model. */
static bool compute(struct counted_ops *c, struct op_note *note, struct str args)
{
	const struct step_sums *step;

	if (!note->rule || !args.p || !op_call_read(&c->call, args))
		return false;
	c->shapes = true;
	if (experts_rule(note->rule))
		return op_cost_of_moe(&note->cost, &c->call, &c->moe) || (c->moe.inter && !c->moe.topk);
	if (!op_rules_compute(note->rule, &c->call, &note->cost))
		return false;
	step = note->cost.by_step ? step_marks_find(&c->marks, note->ts) : NULL;
	if (step)
		op_cost_of_step(&note->cost, step);
	return true;
}

/* Takes the number of experts for each token from an operator TopK(x, k, ..) inside vllm::moe_forward. */
static void take_topk(struct counted_ops *c, uint32_t thread, struct str args)
{
	size_t i;

	for (i = c->n_waits; i-- > 0;) {
		struct waiting_op *w = &c->waits[i];

		if (w->thread == thread && w->experts) {
			if (!w->topk && op_call_read(&c->call, args))
				op_call_integer(&c->call, 1, &w->topk);
			return;
		}
	}
}

void counted_ops_find(struct counted_ops *c, struct op_note *note, struct event *e, struct str name)
{
	struct counted_thread *t;
	size_t i;

	*note = (struct op_note){.state = OP_NONE, .ts = e->ts, .end = event_end(e)};
	note->thread = (uint32_t)places_put_event(&c->threads, e);
	if (note->thread >= c->cap) {
		i = c->cap;
		c->list = mem_grow(c->list, &c->cap, note->thread + 1, sizeof *c->list);
		for (; i < c->cap; i++)
			c->list[i] = (struct counted_thread){.end = INT64_MIN};
	}
	t = &c->list[note->thread];
	name = json_is_string(name) ? json_inner(name) : name;
	note->rule = op_rules_find(name);
	note->topk = c->n_waits && str_eq(name, STR("TopK"));
	if (note->ts < t->end)
		note->state = t->experts && !note->rule ? OP_NONE : OP_INSIDE;
}

void counted_ops_take(struct counted_ops *c, struct op_note *note, struct str args)
{
	size_t i;

	if (note->topk)
		take_topk(c, note->thread, args);
	if (!compute(c, note, args))
		return;
	if (note->rule->nested || (experts_rule(note->rule) && !c->moe.topk)) {
		note->state = OP_WAITS;
		return;
	}
	note->state = OP_COUNTS;
	c->list[note->thread] = (struct counted_thread){note->end, experts_rule(note->rule) != NULL};
	for (i = 0; i < c->n_waits; i++)
		c->waits[i].counted_inside |= c->waits[i].thread == note->thread;
}

/*
 * An operator that waits inside another one decides about that one: something in it counts. So at most two operators of
 * a thread wait, one of them vllm::moe_forward.
 */
static void drop_enclosing(struct counted_ops *c, const struct op_note *inner)
{
	const bool experts = experts_rule(inner->rule);
	size_t i;

	for (i = c->n_waits; i-- > 0;) {
		if (c->waits[i].thread != inner->thread || (c->waits[i].experts && !experts))
			continue;
		note_at(c, c->waits[i].place)->state = OP_NONE;
		memmove(c->waits + i, c->waits + i + 1, (--c->n_waits - i) * sizeof *c->waits);
	}
}

void counted_ops_pushed(struct counted_ops *c, const struct op_note *note)
{
	if (note->state != OP_WAITS)
		return;
	drop_enclosing(c, note);
	c->waits = mem_grow(c->waits, &c->cap_waits, c->n_waits + 1, sizeof *c->waits);
	c->waits[c->n_waits++] = (struct waiting_op){.end = note->end,
	    .place = c->popped + c->queue.n - 1,
	    .thread = note->thread,
	    .experts = experts_rule(note->rule) != NULL};
	if (c->n_waits == 1 || note->end < c->next_end)
		c->next_end = note->end;
}

/* Sets the notes of the operators inside one that counts. */
static void cover(struct counted_ops *c, const struct waiting_op *w)
{
	const uint64_t last = c->popped + c->queue.n;
	struct op_note *note;
	uint64_t place;

	for (place = w->place + 1; place < last; place++) {
		note = note_at(c, place);
		if (note->state <= OP_BY_STEP || note->thread != w->thread)
			continue;
		if (note->ts >= w->end)
			return;
		if (note->rule || !w->experts)
			note->state = OP_INSIDE;
	}
}

/* Decides whether an operator that ended counts. */
static void decide_op(struct counted_ops *c, const struct waiting_op *w)
{
	struct op_note *note = note_at(c, w->place);

	if (w->experts) {
		struct moe_facts facts = c->moe;
		struct event e;

		facts.topk = w->topk;
		event_queue_at(&c->queue, (size_t)(w->place - c->popped), &e);
		if (!w->topk || !op_call_read(&c->call, event_get(&e, EVENT_ARGS)) ||
		    !op_cost_of_moe(&note->cost, &c->call, &facts)) {
			note->state = OP_NONE;
			return;
		}
	} else if (w->counted_inside) {
		note->state = OP_NONE;
		return;
	}
	note->state = OP_COUNTS;
	cover(c, w);
}

bool counted_ops_advance(struct counted_ops *c, int64_t ts)
{
	struct waiting_op w;
	size_t i;

	if (!c->n_waits || ts < c->next_end)
		return !c->n_waits;
	c->next_end = INT64_MAX;
	/* The innermost operators started last. */
	for (i = c->n_waits; i-- > 0;) {
		w = c->waits[i];
		if (w.end > ts) {
			if (w.end < c->next_end)
				c->next_end = w.end;
			continue;
		}
		memmove(c->waits + i, c->waits + i + 1, (--c->n_waits - i) * sizeof *c->waits);
		decide_op(c, &w);
	}
	return !c->n_waits;
}

void counted_ops_free(struct counted_ops *c)
{
	step_marks_free(&c->marks);
	places_free(&c->threads);
	event_queue_free(&c->queue);
	mem_free(c->list, c->waits);
}
