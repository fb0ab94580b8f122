#include "id_tree.h"

#include "cli/filter.h"

#include <stdlib.h>

/* While its depth is not known yet. */
#define UNKNOWN UINT64_MAX
#define UNDER_WAY (UINT64_MAX - 1)

static size_t id_number(struct id_tree *f, struct str rank, struct str id)
{
	size_t key[2];

	if (!id.p)
		return ID_TREE_NONE;
	key[0] = value_ids_put(&f->texts, rank);
	key[1] = value_ids_put(&f->texts, id);
	return map_put(&f->ids, (struct str){(const char *)key, sizeof key});
}

void id_tree_add(struct id_tree *f, struct event *e, uint64_t node, bool launch)
{
	struct str rank = event_get(e, EVENT_RANK);
	struct tree t = {.node = node, .launch = launch, .parent = ID_TREE_NONE, .depth = UNKNOWN};

	t.id = id_number(f, rank, event_get(e, EVENT_ID));
	t.parent_id = id_number(f, rank, event_get(e, EVENT_PARENT));
	filter_hold(&f->nodes, e, &t);
}

/* The first record of each id, and by that each one's parent. */
static void find_parents(struct id_tree *f)
{
	struct tree *t;
	size_t i;

	f->of_id = mem_grow(f->of_id, &f->cap, f->ids.n, sizeof *f->of_id);
	for (i = 0; i < f->ids.n; i++)
		f->of_id[i] = ID_TREE_NONE;
	for (i = f->nodes.n; i > 0; i--) {
		t = id_tree_at(f, i - 1, NULL);
		if (t->id != ID_TREE_NONE)
			f->of_id[t->id] = i - 1;
	}
	for (i = 0; i < f->nodes.n; i++) {
		t = id_tree_at(f, i, NULL);
		if (t->parent_id != ID_TREE_NONE)
			t->parent = f->of_id[t->parent_id];
		f->orphans += t->parent_id != ID_TREE_NONE && t->parent == ID_TREE_NONE;
	}
}

/* Up to an ancestor whose depth is known, and down again; a circle is cut where it was entered. */
static void find_depth(struct id_tree *f, size_t i)
{
	size_t at = i, next, below = ID_TREE_NONE;
	struct tree *t = id_tree_at(f, at, NULL);
	uint64_t depth;

	/* On the way up, `covered` holds the way back. */
	while (t->depth == UNKNOWN) {
		t->depth = UNDER_WAY;
		t->covered = (int64_t)below;
		below = at;
		if (t->parent == ID_TREE_NONE)
			break;
		at = t->parent;
		t = id_tree_at(f, at, NULL);
	}
	if (below == ID_TREE_NONE)
		return;
	if (t->depth == UNDER_WAY && t->parent != ID_TREE_NONE) {
		id_tree_at(f, below, NULL)->parent = ID_TREE_NONE;
		f->orphans++;
	}
	t = id_tree_at(f, below, NULL);
	depth = t->parent == ID_TREE_NONE ? 0 : id_tree_at(f, t->parent, NULL)->depth + 1;
	for (at = below; at != ID_TREE_NONE; at = next) {
		t = id_tree_at(f, at, NULL);
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
	end = event_end(child);
	if (end > event_end(of))
		end = event_end(of);
	if (end <= start)
		return;
	parent->self -= num_sub(end, start);
	parent->covered = end;
}

void id_tree_grow(struct id_tree *f)
{
	struct event e, of;
	struct tree *t, *up;
	size_t i, at;

	find_parents(f);
	for (i = 0; i < f->nodes.n; i++)
		find_depth(f, i);
	for (i = 0; i < f->nodes.n; i++) {
		t = id_tree_at(f, i, &e);
		if (event_get(&e, EVENT_TS).p && event_get(&e, EVENT_DUR).p) {
			t->timed = true;
			t->self = num_sub(event_end(&e), e.ts);
			t->covered = e.ts;
		}
	}
	for (i = 0; i < f->nodes.n; i++) {
		t = id_tree_at(f, i, &e);
		if (t->parent != ID_TREE_NONE) {
			up = id_tree_at(f, t->parent, &of);
			up->children++;
			take_time(up, &of, &e);
		}
		for (at = t->launch ? t->parent : ID_TREE_NONE; at != ID_TREE_NONE; at = up->parent) {
			up = id_tree_at(f, at, NULL);
			up->launches++;
		}
	}
}

void id_tree_free(struct id_tree *f)
{
	event_queue_free(&f->nodes);
	value_ids_free(&f->texts);
	map_free(&f->ids);
	free(f->of_id);
}
