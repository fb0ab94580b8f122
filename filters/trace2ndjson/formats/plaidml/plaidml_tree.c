#include "plaidml_tree.h"

#include "base/int_math.h"
#include "json/string.h"

#include <stdlib.h>

enum {
	CLIMB = 64,  /* maximum number of steps up to a RunInfo (logs need 2), in case parents form a circle */
	SWEEPS = 64, /* maximum number of passes over the linked clocks; logs with two clocks need only one */
};

uint32_t plaidml_tree_at(struct plaidml_tree *t, const struct plaidml_ref *ref)
{
	const size_t i = map_put(&t->ids, (struct str){ref->key, ref->n});

	t->activities = mem_grow_zero(t->activities, &t->cap, t->ids.n, sizeof *t->activities);
	return (uint32_t)i;
}

/* Returns 1 + the index of the activity with this id; 0 when there is no id. */
static uint32_t object_at(struct plaidml_tree *t, const struct plaidml_ref *ref)
{
	return ref->n ? plaidml_tree_at(t, ref) + 1 : 0;
}

static uint32_t verb_at(struct plaidml_tree *t, struct str name)
{
	const size_t i = map_put(&t->verb_names, name);
	struct plaidml_verb *verb;

	t->verbs = mem_grow_zero(t->verbs, &t->verbs_cap, t->verb_names.n, sizeof *t->verbs);
	verb = &t->verbs[i];
	if (verb->json.n)
		return (uint32_t)i + 1;
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
	const uint32_t id = plaidml_tree_at(t, &ev->id), parent = object_at(t, &ev->parent),
		       domain = object_at(t, &ev->domain);
	struct plaidml_activity *a = &t->activities[id];

	t->events++;
	if (!a->seq)
		a->seq = t->events;
	if (parent)
		a->parent = parent;
	if (domain)
		a->domain = domain;
	if (ev->clock.n) {
		a->clock = (uint32_t)map_put(&t->clock_ids, (struct str){ev->clock.key, ev->clock.n}) + 1;
		t->clocks = mem_grow_zero(t->clocks, &t->clocks_cap, t->clock_ids.n, sizeof *t->clocks);
		t->clocks[0].placed = true;
	}
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

void plaidml_tree_align(struct plaidml_tree *t)
{
	struct plaidml_clock *parent, *child;
	struct edges edges = {0};
	int64_t least = 0;
	bool moved = true;
	int sweep;
	size_t i;

	find_edges(t, &edges);
	for (sweep = 0; moved && sweep < SWEEPS; sweep++) {
		moved = false;
		for (i = 0; i < edges.pairs.n; i++) {
			parent = &t->clocks[edges.e[i].parent];
			child = &t->clocks[edges.e[i].child];
			if (parent->placed == child->placed)
				continue;
			/* One of the two clocks is placed; the other is placed relative to it. */
			if (parent->placed)
				child->epoch = int_add(parent->epoch, edges.e[i].delta);
			else
				parent->epoch = int_sub(child->epoch, edges.e[i].delta);
			parent->placed = child->placed = moved = true;
		}
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

const struct plaidml_activity *plaidml_tree_run(const struct plaidml_tree *t, const struct plaidml_activity *a)
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
	memset(t->activities, 0, t->cap * sizeof *t->activities);
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
