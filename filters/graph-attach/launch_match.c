#include "launch_match.h"

#include "alignment.h"
#include "interleaving.h"
#include "base/order.h"

#include <stdlib.h>

#define MATCH(name)                                                                                                    \
	{                                                                                                              \
		"\"" name "\"", sizeof(name) + 1                                                                       \
	}
const struct str match_names[] = {
    MATCH("node"), MATCH("list"), MATCH("order"), MATCH("align"), MATCH("count"), MATCH("ambiguous"), MATCH("none")};

/* --- candidates --- */

/* The captures that are found so far. */
struct candidates {
	uint32_t *captures;
	struct node_map **maps;
	size_t n, cap, cap_maps;
};

/* Adds the captures of a list that serve the rank; returns whether there are any. `map`: see launch_match.maps. */
static bool add_list(
    struct candidates *found, const struct captures *c, size_t list, uint32_t rank, struct node_map *map)
{
	const size_t before = found->n;
	uint32_t i;

	for (i = c->lists[list].first; i != CAPTURES_NONE; i = c->list[i].next) {
		if (!captures_serve(&c->list[i], rank))
			continue;
		found->captures = mem_grow(found->captures, &found->cap, found->n + 1, sizeof *found->captures);
		found->maps = mem_grow(found->maps, &found->cap_maps, found->n + 1, sizeof *found->maps);
		found->captures[found->n] = i;
		found->maps[found->n++] = map;
	}
	return found->n > before;
}

static bool serves(const struct captures *c, size_t list, uint32_t rank)
{
	uint32_t i = c->lists[list].first;

	while (i != CAPTURES_NONE && !captures_serve(&c->list[i], rank))
		i = c->list[i].next;
	return i != CAPTURES_NONE;
}

/* Keeps the captures of the smallest size that holds the tokens, if all have a size and one is large enough. */
static void keep_size(struct candidates *found, const struct captures *c, int64_t tokens)
{
	int64_t least = INT64_MAX, size;
	size_t i, n = 0;

	for (i = 0; i < found->n; i++) {
		size = c->list[found->captures[i]].size;
		if (!size)
			return;
		if (size >= tokens && size < least)
			least = size;
	}
	if (!tokens || least == INT64_MAX)
		return;
	for (i = 0; i < found->n; i++) {
		if (c->list[found->captures[i]].size != least)
			continue;
		found->captures[n] = found->captures[i];
		found->maps[n++] = found->maps[i];
	}
	found->n = n;
}

/* --- the rules --- */

static uint32_t *sorted_names(const struct launch_list *l)
{
	uint32_t *sorted = mem_alloc((l->n + 1) * sizeof *sorted);

	memcpy(sorted, l->names, l->n * sizeof *sorted);
	qsort(sorted, l->n, sizeof *sorted, order_uint32s);
	return sorted;
}

/* Returns the number of names that two sorted lists have in common. */
static size_t count_common(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
	size_t i = 0, j = 0, common = 0;

	while (i < n && j < m) {
		common += a[i] == b[j];
		if (a[i] == b[j])
			i++, j++;
		else if (a[i] < b[j])
			i++;
		else
			j++;
	}
	return common;
}

static struct node_map *add_map(struct launch_match *match)
{
	return &match->own[match->n_own++];
}

/* Rule list, for several streams: the captures that are interleavings of the lists of the streams. */
static void find_interleavings(const struct captures *c, const struct launch_list *l, const uint32_t *sorted,
    struct launch_match *match, struct candidates *found)
{
	struct node_map *map;
	size_t i;

	for (i = 0; i < c->lists_by_name.n; i++) {
		if (!str_eq(buf_str(&c->lists[i].sorted), (struct str){(const char *)sorted, l->n * sizeof *sorted}) ||
		    !serves(c, i, l->rank))
			continue;
		map = add_map(match);
		if (interleaving_map(l->names, l->streams, captures_names(c, c->lists[i].first), l->n, map))
			add_list(found, c, i, l->rank, map);
	}
}

/* Rule align: the captures with the longest common subsequence, of at least 90 % of the longer list. */
static void find_alignments(const struct captures *c, const struct launch_list *l, const uint32_t *sorted,
    struct launch_match *match, struct candidates *found)
{
	long best = -1, length, *lengths = mem_alloc((c->lists_by_name.n + 1) * sizeof *lengths);
	size_t shortest = SIZE_MAX, m, i, longer, least;
	struct node_map *map;

	for (i = 0; i < c->lists_by_name.n; i++) {
		const struct capture *capture = &c->list[c->lists[i].first];

		m = capture->n;
		longer = m > l->n ? m : l->n;
		least = longer - longer / 10;
		lengths[i] = -1;
		if (capture->unknown || !m || l->n < least || m < least || !serves(c, i, l->rank) ||
		    count_common(sorted, l->n, (const uint32_t *)(void *)c->lists[i].sorted.p, m) < least)
			continue;
		length = alignment_length(l->names, l->n, captures_names(c, c->lists[i].first), m, least);
		lengths[i] = length;
		if (length > best || (length == best && length > 0 && m < shortest)) {
			best = length;
			shortest = m;
		}
	}
	for (i = 0; best > 0 && i < c->lists_by_name.n; i++) {
		m = c->list[c->lists[i].first].n;
		if (lengths[i] != best || m != shortest)
			continue;
		map = add_map(match);
		alignment_map(l->names, l->n, captures_names(c, c->lists[i].first), m, (size_t)best, map);
		map->paired = (uint32_t)best;
		add_list(found, c, i, l->rank, map);
	}
	free(lengths);
}

/* Returns whether kernels can have the names of nodes, some of which are unknown. */
static bool may_be(const uint32_t *names, const uint32_t *nodes, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!launch_match_may_be(names[i], nodes[i]))
			return false;
	}
	return true;
}

/* Rule count: the captures with unknown names that have the same number of nodes, of the same kinds and known names. */
static void find_counts(const struct captures *c, const struct launch_list *l, struct candidates *found)
{
	size_t i;

	for (i = 0; i < c->lists_by_name.n; i++) {
		const struct capture *capture = &c->list[c->lists[i].first];

		if (capture->unknown && capture->n == l->n &&
		    may_be(l->names, captures_names(c, c->lists[i].first), l->n))
			add_list(found, c, i, l->rank, NULL);
	}
}

static enum match_rule apply_rules(struct launch_matches *m, const struct launch_list *l, size_t list,
    struct launch_match *match, struct candidates *found)
{
	const struct captures *c = m->captures;
	uint32_t *sorted = NULL;
	enum match_rule rule = MATCH_LIST;

	if (list != MAP_NONE)
		add_list(found, c, list, l->rank, NULL);
	if (!found->n && l->n) {
		sorted = sorted_names(l);
		match->own = mem_zero(c->lists_by_name.n + 1, sizeof *match->own);
		if (l->n_streams > 1)
			find_interleavings(c, l, sorted, match, found);
		else
			find_alignments(c, l, sorted, match, found);
		rule = l->n_streams > 1 ? MATCH_LIST : MATCH_ALIGN;
	}
	if (!found->n && l->n_streams == 1 && l->n) {
		find_counts(c, l, found);
		rule = MATCH_COUNT;
	}
	free(sorted);
	keep_size(found, c, l->tokens);
	return found->n ? rule : MATCH_NONE;
}

struct launch_match *launch_match_find(struct launch_matches *m, const struct launch_list *l)
{
	const struct str names = {(const char *)l->names, l->n * sizeof *l->names};
	const size_t list = l->n_streams == 1 ? map_find(&m->captures->lists_by_name, names) : MAP_NONE;
	const int64_t key[] = {(int64_t)list, l->rank, l->tokens};
	struct candidates found = {0};
	struct launch_match *match;
	size_t known = m->keys.n, i = SIZE_MAX;

	if (list != MAP_NONE)
		i = map_put(&m->keys, STR_BYTES(key));
	if (i < known)
		return m->list[i];
	match = mem_zero(1, sizeof *match);
	match->kernels = (uint32_t)l->n;
	match->rule = apply_rules(m, l, list, match, &found);
	match->captures = found.captures;
	match->maps = found.maps;
	match->n = found.n;
	if (i == SIZE_MAX)
		return match;
	match->shared = true;
	m->list = mem_grow(m->list, &m->cap, i + 1, sizeof(struct launch_match *));
	m->list[i] = match;
	return match;
}

/* --- results --- */

int32_t launch_match_node(const struct launch_match *match, size_t i, uint32_t kernel)
{
	const struct node_map *map = match->maps[i];

	return map ? node_map_get(map->runs, map->n_runs, kernel) : (int32_t)kernel;
}

/* Compares the values of a kernel in all captures. */
static void compare(struct launch_match *match, const struct captures *c, uint32_t kernel, uint32_t *agreed)
{
	const uint32_t *values;
	size_t i, v;
	int32_t node;

	for (i = 0; i < match->n; i++) {
		node = launch_match_node(match, i, kernel);
		for (v = 0; node < 0 && v < c->n_values; v++)
			agreed[v] = CAPTURES_NONE;
		if (node < 0)
			return;
		values = c->values_of + (c->list[match->captures[i]].first + (size_t)node) * c->n_values;
		for (v = 0; v < c->n_values; v++) {
			if (!i)
				agreed[v] = values[v];
			if (agreed[v] == values[v])
				continue;
			match->differ |= 1u << (v < 31 ? v : 31);
			agreed[v] = CAPTURES_NONE;
		}
	}
}

const uint32_t *launch_match_agreed(struct launch_match *match, const struct captures *c, uint32_t kernel)
{
	uint32_t k;

	if (!match->compared) {
		match->agreed = mem_alloc((match->kernels + 1) * c->n_values * sizeof *match->agreed);
		for (k = 0; k < match->kernels; k++)
			compare(match, c, k, match->agreed + k * c->n_values);
		match->compared = true;
	}
	return match->agreed + kernel * c->n_values;
}

static void free_match(struct launch_match *match)
{
	while (match->n_own)
		free(match->own[--match->n_own].runs);
	mem_free(match->own, match->captures, match->maps, match->agreed, match);
}

void launch_match_free(struct launch_match *match)
{
	if (match && !match->shared)
		free_match(match);
}

void launch_matches_free(struct launch_matches *m)
{
	size_t i;

	for (i = 0; i < m->keys.n; i++)
		free_match(m->list[i]);
	map_free(&m->keys);
	free(m->list);
}
