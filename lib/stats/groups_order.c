/* groups_order: sorts groups for the rows of a table, and finds the subtotals that they belong to. */
#include "stats/groups_private.h"
#include "stats/groups_state.h"

#include "base/order.h"

#include <stdlib.h>

/* --- subtotals --- */

size_t groups_count_keys(const struct groups *g, size_t group)
{
	size_t n = g->n_keys;
	uint32_t id;

	for (; g->n_subtotals; n--) {
		memcpy(&id, map_key(&g->tuples, group).p + (n - 1) * sizeof id, sizeof id);
		if (id != GROUPS_ANY)
			break;
	}
	return n;
}

void groups_cells_blank(const struct groups *g, struct table *t, size_t group)
{
	const struct value empty = {.type = VALUE_STRING, .text = STR("\"\"")};
	size_t i;

	for (i = groups_count_keys(g, group); i < g->n_keys; i++)
		table_set(t, i, &empty);
}

size_t groups_level(const struct groups *g, size_t group)
{
	size_t level = 1, n, i;

	if (!g->n_subtotals)
		return level;
	n = groups_count_keys(g, group);
	for (i = 0; i + 1 < n; i++)
		level += g->keys[i].subtotal;
	return level;
}

bool groups_parent(const struct groups *g, size_t group, size_t *parent)
{
	const struct str text = {(const char *)g->tuple, g->n_keys * sizeof *g->tuple};
	size_t n = 0, i;

	if (g->n_subtotals) {
		for (n = groups_count_keys(g, group) - 1; n && !g->keys[n - 1].subtotal;)
			n--;
	}
	*parent = GROUPS_NONE;
	if (!n)
		return true;
	memcpy(g->tuple, map_key(&g->tuples, group).p, text.n);
	for (i = n; i < g->n_keys; i++)
		g->tuple[i] = GROUPS_ANY;
	*parent = map_find(&g->tuples, text);
	return *parent != GROUPS_NONE;
}

size_t *groups_parents(const struct groups *g)
{
	size_t *parents, i;

	if (!g->n_subtotals)
		return NULL;
	parents = mem_zero(g->n, sizeof *parents);
	for (i = 0; i < g->n; i++)
		groups_parent(g, i, &parents[i]);
	return parents;
}

/* --- order --- */

/* Compares values for sorting. Equal numbers that are different keys are ordered by their texts. */
static int compare_values(const struct value *a, const struct value *b)
{
	const int rank = value_rank(a), ranks = rank - value_rank(b);
	const int order = ranks || rank ? ranks : value_compare_numbers(a, b);

	return order ? order : str_cmp(a->text, b->text);
}

static int compare_key(const struct groups *g, size_t a, size_t b, size_t key)
{
	struct value left, right;

	groups_key(g, a, key, &left);
	groups_key(g, b, key, &right);
	return compare_values(&left, &right);
}

static int compare_keys(const struct groups *g, size_t a, size_t b)
{
	size_t key;
	int c = 0;

	for (key = 0; key < g->n_keys && !c; key++)
		c = compare_key(g, a, b, key);
	return c;
}

/* Compares groups by their keys, and groups with equal keys by the number of their keys. */
static int compare_all_keys(const void *arg, size_t a, size_t b)
{
	const struct groups *g = arg;
	const size_t n_a = groups_count_keys(g, a), n_b = groups_count_keys(g, b);
	const int c = compare_keys(g, a, b);

	return c ? c : (n_a < n_b) - (n_a > n_b);
}

size_t *groups_sort_keys(const struct groups *g)
{
	return order_sort(g->n, compare_all_keys, g);
}

static int compare_results(const struct aggregate_result *a, const struct aggregate_result *b)
{
	static const int rank[] = {[AGGREGATE_NUMBER] = 0, [AGGREGATE_TEXT] = 1, [AGGREGATE_ABSENT] = 2};

	if (rank[a->type] != rank[b->type])
		return rank[a->type] - rank[b->type];
	return a->type == AGGREGATE_NUMBER ? number_compare(&b->number, &a->number) : str_cmp(a->text, b->text);
}

/* The data of a group that determine its position. */
struct ordered {
	struct aggregate_result result;
	uint64_t records; /* number of records; 0 if the order does not depend on it */
};

struct ordering {
	const struct groups *groups;
	struct groups_order order;
	struct ordered *list;  /* by group */
	const size_t *parents; /* by group; NULL if there are no subtotals */
};

static int compare_groups(const void *arg, size_t a, size_t b)
{
	const struct ordering *by = arg;
	const struct ordered *left = &by->list[a], *right = &by->list[b];
	int c = by->order.by == GROUPS_BY_KEY ? compare_key(by->groups, a, b, by->order.which)
					      : compare_results(&left->result, &right->result);

	if (!c)
		c = (left->records < right->records) - (left->records > right->records);
	return c ? c : compare_keys(by->groups, a, b);
}

/*
 * Compares groups when there are subtotals. A subtotal precedes its own groups. Other groups are compared by their
 * ancestors directly below the smallest subtotal that contains both.
 */
static int compare_rows(const void *arg, size_t a, size_t b)
{
	const struct ordering *by = arg;
	const size_t level_a = groups_level(by->groups, a), level_b = groups_level(by->groups, b);
	size_t i;

	for (i = level_b; i < level_a; i++)
		a = by->parents[a];
	for (i = level_a; i < level_b; i++)
		b = by->parents[b];
	if (a == b)
		return (level_a > level_b) - (level_a < level_b);
	while (by->parents[a] != by->parents[b]) {
		a = by->parents[a];
		b = by->parents[b];
	}
	return compare_groups(arg, a, b);
}

size_t *groups_sort(
    const struct groups *g, const struct aggregate_set *a, struct groups_order order, const size_t *parents)
{
	const struct ordering by = {g, order, mem_zero(g->n, sizeof *by.list), parents};
	size_t *numbers, i;

	for (i = 0; i < g->n; i++) {
		if (order.by == GROUPS_BY_RESULT)
			aggregate_result(a, order.which, i, (struct aggregate_scale){1, 1}, &by.list[i].result);
		if (order.by == GROUPS_BY_RECORDS || order.then_records)
			by.list[i].records = aggregate_records(a, i);
	}
	numbers = order_sort(g->n, parents ? compare_rows : compare_groups, &by);
	free(by.list);
	return numbers;
}
