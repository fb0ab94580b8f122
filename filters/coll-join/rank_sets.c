#include "rank_sets.h"

#include "base/num_parse.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

void rank_sets_add(struct rank_sets *s, int64_t rank)
{
	s->ranks = mem_grow(s->ranks, &s->cap, s->n + 1, sizeof *s->ranks);
	s->ranks[s->n++] = (int32_t)rank;
}

uint32_t rank_sets_finish(struct rank_sets *s)
{
	size_t i, n = 0;

	if (!s->n)
		return RANK_SETS_NONE;
	qsort(s->ranks, s->n, sizeof *s->ranks, compare);
	for (i = 0; i < s->n; i++) {
		if (!n || s->ranks[n - 1] != s->ranks[i])
			s->ranks[n++] = s->ranks[i];
	}
	s->n = 0;
	return (uint32_t)map_put(&s->sets, (struct str){(const char *)s->ranks, n * sizeof *s->ranks});
}

uint32_t rank_sets_put_list(struct rank_sets *s, struct str list)
{
	struct str item;
	int64_t rank;

	list = str_trim(list);
	if (list.n < 2 || list.p[0] != '[' || list.p[list.n - 1] != ']')
		return RANK_SETS_NONE;
	list = str_trim((struct str){list.p + 1, list.n - 2});
	s->n = 0;
	if (!list.n)
		return RANK_SETS_NONE;
	while (str_split(&list, ',', &item)) {
		item = str_trim(item);
		if (num_int(item, &rank) != NUM_OK || rank < 0 || rank > INT32_MAX) {
			s->n = 0;
			return RANK_SETS_NONE;
		}
		rank_sets_add(s, rank);
	}
	return rank_sets_finish(s);
}

uint32_t rank_sets_put_range(struct rank_sets *s, int64_t start, int64_t stride, int64_t n)
{
	int64_t i;

	if (n < 1 || n > RANK_SETS_MOST || stride < 1 || stride > INT32_MAX || start < 0 || start > INT32_MAX ||
	    start + stride * (n - 1) > INT32_MAX)
		return RANK_SETS_NONE;
	s->n = 0;
	for (i = 0; i < n; i++)
		rank_sets_add(s, start + i * stride);
	return rank_sets_finish(s);
}

const int32_t *rank_sets_get(const struct rank_sets *s, uint32_t set, size_t *n)
{
	const struct str ranks = map_key(&s->sets, set);

	*n = ranks.n / sizeof(int32_t);
	return (const int32_t *)(const void *)ranks.p;
}

bool rank_sets_has(const struct rank_sets *s, uint32_t set, int64_t rank)
{
	size_t low = 0, high, middle;
	const int32_t *ranks = rank_sets_get(s, set, &high);

	while (low < high) {
		middle = (low + high) / 2;
		if (ranks[middle] == rank)
			return true;
		if (ranks[middle] < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

void rank_sets_free(struct rank_sets *s)
{
	map_free(&s->sets);
	free(s->ranks);
}
