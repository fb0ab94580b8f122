#include "ranked_sums.h"

#include "base/order.h"

#include <stdlib.h>

size_t ranked_sums_add(struct ranked_sums *s, struct str key, struct str whole, long double value)
{
	const size_t known = s->keys.n, i = map_put(&s->keys, key);
	struct ranked_sum *sum;

	s->list = mem_grow(s->list, &s->cap, i + 1, sizeof *s->list);
	sum = &s->list[i];
	if (i == known) {
		*sum = (struct ranked_sum){.whole = {str_dup(whole), whole.n}};
	} else if (!sum->several) {
		sum->several = !str_eq(whole, sum->whole);
	}
	sum->value += value;
	return i;
}

static int compare_sums(const void *arg, size_t a, size_t b)
{
	const struct ranked_sums *s = arg;

	if (s->list[a].value != s->list[b].value)
		return s->list[a].value < s->list[b].value ? 1 : -1;
	return a < b ? -1 : a > b;
}

size_t *ranked_sums_order(const struct ranked_sums *s)
{
	return order_sort(s->keys.n, compare_sums, s);
}

struct label ranked_sums_label(const struct ranked_sums *s, size_t i)
{
	const struct str brief = ranked_sums_last(map_key(&s->keys, i));
	const struct ranked_sum *sum = &s->list[i];

	return (struct label){.brief = brief, .whole = sum->several || !sum->whole.n ? brief : sum->whole};
}

void ranked_sums_free(struct ranked_sums *s)
{
	size_t i;

	for (i = 0; i < s->keys.n; i++)
		free((char *)(uintptr_t)s->list[i].whole.p);
	free(s->list);
	map_free(&s->keys);
}

struct str ranked_sums_last(struct str key)
{
	size_t n;

	for (n = key.n; n > 0 && key.p[n - 1] != RANKED_SUMS_BETWEEN; n--)
		;
	return str_from(key, n);
}

struct str ranked_sums_first(struct str key)
{
	const struct str last = ranked_sums_last(key);

	return str_head(key, key.n > last.n ? key.n - last.n - 1 : 0);
}
