#include "forest.h"

#include "interval/nest.h"

#include <stdlib.h>

/* While its depth is not known yet. */
#define UNKNOWN UINT64_MAX
#define UNDER_WAY (UINT64_MAX - 1)

static size_t id_number(struct forest *f, struct str rank, struct str id)
{
	size_t key[2];

	if (!id.p)
		return FOREST_NONE;
	key[0] = keys_put(&f->texts, rank);
	key[1] = keys_put(&f->texts, id);
	return map_put(&f->ids, (struct str){(const char *)key, sizeof key});
}

void forest_add(struct forest *f, struct event *e, uint64_t node, bool launch)
{
	struct str rank = event_get(e, EVENT_RANK);
	struct tree t = {.node = node, .launch = launch, .parent = FOREST_NONE, .depth = UNKNOWN};

	t.id = id_number(f, rank, event_get(e, EVENT_ID));
	t.parent_id = id_number(f, rank, event_get(e, EVENT_PARENT));
	hold_push(&f->nodes, e, &t);
}

/* The first record of each id, and by that each one's parent. */
static void find_parents(struct forest *f)
{
	struct tree *t;
	size_t i;

	f->of_id = mem_grow(f->of_id, &f->cap, f->ids.n, sizeof *f->of_id);
	for (i = 0; i < f->ids.n; i++)
		f->of_id[i] = FOREST_NONE;
	for (i = f->nodes.n; i > 0; i--) {
		t = forest_at(f, i - 1, NULL);
		if (t->id != FOREST_NONE)
			f->of_id[t->id] = i - 1;
	}
	for (i = 0; i < f->nodes.n; i++) {
		t = forest_at(f, i, NULL);
		if (t->parent_id != FOREST_NONE)
			t->parent = f->of_id[t->parent_id];
		f->orphans += t->parent_id != FOREST_NONE && t->parent == FOREST_NONE;
	}
}

/* Up to an ancestor whose depth is known, and down again; a circle is cut where it was entered. */
static void find_depth(struct forest *f, size_t i)
{
	size_t at = i, next, below = FOREST_NONE;
	struct tree *t = forest_at(f, at, NULL);
	uint64_t depth;

	/* On the way up, `covered` holds the way back. */
	while (t->depth == UNKNOWN) {
		t->depth = UNDER_WAY;
		t->covered = (int64_t)below;
		below = at;
		if (t->parent == FOREST_NONE)
			break;
		at = t->parent;
		t = forest_at(f, at, NULL);
	}
	if (below == FOREST_NONE)
		return;
	if (t->depth == UNDER_WAY && t->parent != FOREST_NONE) {
		forest_at(f, below, NULL)->parent = FOREST_NONE;
		f->orphans++;
	}
	t = forest_at(f, below, NULL);
	depth = t->parent == FOREST_NONE ? 0 : forest_at(f, t->parent, NULL)->depth + 1;
	for (at = below; at != FOREST_NONE; at = next) {
		t = forest_at(f, at, NULL);
		next = (size_t)t->covered;
		t->depth = depth++;
	}
}

/* What a child takes of its parent's time: what no child before it has, while the parent lasts. */
static void take_time(struct tree *parent, struct event *of, struct event *child)
{
	int64_t start, end;

	if (!parent->timed || !event_get(child, EVENT_TS).p || !event_get(child, EVENT_DUR).p)
		return;
	if (!str_eq(event_get(of, EVENT_CLOCK), event_get(child, EVENT_CLOCK)))
		return;
	start = child->ts > parent->covered ? child->ts : parent->covered;
	end = nest_end(child->ts, child->dur);
	if (end > nest_end(of->ts, of->dur))
		end = nest_end(of->ts, of->dur);
	if (end <= start)
		return;
	parent->self -= num_sub(end, start);
	parent->covered = end;
}

void forest_grow(struct forest *f)
{
	struct event e, of;
	struct tree *t, *up;
	size_t i, at;

	find_parents(f);
	for (i = 0; i < f->nodes.n; i++)
		find_depth(f, i);
	for (i = 0; i < f->nodes.n; i++) {
		t = forest_at(f, i, &e);
		if (event_get(&e, EVENT_TS).p && event_get(&e, EVENT_DUR).p) {
			t->timed = true;
			t->self = num_sub(nest_end(e.ts, e.dur), e.ts);
			t->covered = e.ts;
		}
	}
	for (i = 0; i < f->nodes.n; i++) {
		t = forest_at(f, i, &e);
		if (t->parent != FOREST_NONE) {
			up = forest_at(f, t->parent, &of);
			up->children++;
			take_time(up, &of, &e);
		}
		for (at = t->launch ? t->parent : FOREST_NONE; at != FOREST_NONE; at = up->parent) {
			up = forest_at(f, at, NULL);
			up->launches++;
		}
	}
}

void forest_free(struct forest *f)
{
	hold_free(&f->nodes);
	keys_free(&f->texts);
	map_free(&f->ids);
	free(f->of_id);
}
