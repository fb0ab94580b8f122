/* field_find: finds the members and elements of a record that a reference names. */
#include "record/field_private.h"

#include "base/mem.h"
#include "json/iter_inline.h"
#include "json/string.h"

/* Returns whether a key, which may contain escapes, is `name`. A key with escapes is longer than its decoded name. */
static bool key_is(struct field *f, struct str key, struct str name)
{
	if (key.n == name.n)
		return memcmp(key.p, name.p, key.n) == 0;
	if (key.n < name.n || !memchr(key.p, '\\', key.n))
		return false;
	f->scratch.n = 0;
	json_unescape(&f->scratch, key);
	return str_eq((struct str){f->scratch.p, f->scratch.n}, name);
}

struct str field_find_member(struct field *f, struct event *e, struct str object, struct str name)
{
	struct str found = {NULL, 0}, key, value;
	struct iter w;
	int r;

	if (!object.n || object.p[0] != '{')
		return found;
	iter_init(&w, object);
	while ((r = iter_next(&w, &key, &value)) > 0) {
		if (key_is(f, key, name))
			found = value;
	}
	e->broken |= r < 0;
	return found;
}

/* Returns whether a key of the text, at any depth, can be `key`; returns true for text that may contain escapes. */
static bool may_have(const struct event *e, struct str text, struct str key)
{
	return text.n && (!e->prefix || key.n < 3 || iter_may_find(text, key.p));
}

static inline void take_top(struct field *f, struct str key, struct str value, struct field_top *top)
{
	if (key_is(f, key, f->name))
		top->whole = value;
	if (field_has_steps(f) && key_is(f, key, f->steps[0].key))
		top->first = value;
	if (str_eq(key, STR("args")))
		top->args = value;
}

void field_find_top(struct field *f, struct event *e, struct field_top *top)
{
	const struct event_listed *m = e->list, *end = m + e->n_listed;
	struct str key, value;
	struct iter w;
	size_t n = 0;
	int r;

	*top = (struct field_top){{NULL, 0}, {NULL, 0}, {NULL, 0}};
	for (; m < end; m++)
		take_top(f, m->key, m->value, top);
	if (e->n_listed)
		return;
	event_iter_init(&w, e);
	while ((r = iter_quick(&w, &key, &value)) > 0) {
		take_top(f, key, value, top);
		event_list_add(e, n++, key, value);
	}
	event_list_end(e, n);
	e->broken |= r < 0;
}

/* Adds a value to f->all, unless it is null: null means that the value is unknown, and is treated as absent. */
static void add(struct field *f, struct str value)
{
	if (value.p[0] == 'n')
		return;
	f->all = mem_grow(f->all, &f->cap_all, f->n_all + 1, sizeof *f->all);
	f->all[f->n_all++] = value;
}

static void follow(struct field *f, struct event *e, struct str at, size_t step);

static void descend(struct field *f, struct event *e, struct str at, size_t step)
{
	if (step + 1 == f->n_steps)
		add(f, at);
	else
		follow(f, e, field_find_member(f, e, at, f->steps[step + 1].key), step + 1);
}

/*
 * Adds the values that the rest of the reference finds. `at` is the value found by the key of `step`; the `[]` of this
 * step, if any, and all later steps have not been followed yet.
 */
static void follow(struct field *f, struct event *e, struct str at, size_t step)
{
	struct str key, value;
	struct iter w;
	int r;

	if (!at.p)
		return;
	if (!f->steps[step].each) {
		descend(f, e, at, step);
		return;
	}
	if (at.p[0] != '[')
		return;
	iter_init(&w, at);
	while ((r = iter_next(&w, &key, &value)) > 0)
		descend(f, e, value, step);
	e->broken |= r < 0;
}

static void find_whole(struct field *f, struct event *e, const struct field_top *top)
{
	struct str whole = top->whole;

	/* A null member counts as absent. */
	if ((!whole.p || whole.p[0] == 'n') && may_have(e, top->args, f->name))
		whole = field_find_member(f, e, top->args, f->name);
	if (whole.p)
		add(f, whole);
}

static void find_steps(struct field *f, struct event *e, const struct field_top *top)
{
	follow(f, e, top->first, 0);
	if (!f->n_all && may_have(e, top->args, f->steps[0].key))
		follow(f, e, field_find_member(f, e, top->args, f->steps[0].key), 0);
}

void field_find_all(struct field *f, struct event *e)
{
	struct field_top top;
	struct str whole;
	size_t i;

	if (f->member != EVENT_N) {
		whole = event_get(e, f->member);
		if (!e->walked)
			return; /* neither the record nor args has such a member */
		if (!whole.p && (f->member == EVENT_TS || f->member == EVENT_DUR))
			whole = e->m[f->member]; /* not an integer: not valid as a time, but still a value */
		if (!whole.p)
			whole = field_find_member(f, e, event_get(e, EVENT_ARGS), f->name);
		if (whole.p) {
			add(f, whole);
			event_check(e, whole);
		}
		return;
	}
	if (!may_have(e, str_from(e->raw, e->prefix), f->steps[0].key))
		return; /* neither the name nor its first step can be a key */
	field_find_top(f, e, &top);
	if (f->quoted && field_has_steps(f))
		find_steps(f, e, &top);
	if (!f->n_all)
		find_whole(f, e, &top);
	if (!f->n_all && !f->quoted && field_has_steps(f))
		find_steps(f, e, &top);
	for (i = 0; i < f->n_all; i++)
		event_check(e, f->all[i]);
}
