#include "renamed_items.h"

#include "base/char_class.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/order.h"

#include <stdlib.h>

enum { MOST_PAIRS = 100000 };

/* --- words of names --- */

struct name_words {
	uint64_t *hashes; /* ascending, each once */
	size_t n, cap;
};

static bool is_of_word(char c)
{
	return is_letter(c) || (unsigned char)c >= 0x80;
}

static struct name_words words_of(struct str name)
{
	struct name_words w = {0};
	struct buf word = {0};
	size_t i;

	for (i = 0; i <= name.n; i++) {
		const bool letter = i < name.n && is_of_word(name.p[i]);

		if (word.n && (!letter || (is_upper(name.p[i]) && !is_upper(name.p[i - 1])))) {
			w.hashes = mem_grow(w.hashes, &w.cap, w.n + 1, sizeof *w.hashes);
			w.hashes[w.n++] = hash_str(buf_str(&word));
			word.n = 0;
		}
		if (letter)
			buf_char(&word, to_lower(name.p[i]));
	}
	buf_free(&word);
	w.n = order_distinct(w.hashes, w.n, sizeof *w.hashes, order_uint64s);
	return w;
}

static double similarity(const struct name_words *a, const struct name_words *b)
{
	size_t i = 0, j = 0, common = 0;

	while (i < a->n && j < b->n) {
		const int order = order_uint64s(&a->hashes[i], &b->hashes[j]);

		common += order == 0;
		i += order <= 0;
		j += order >= 0;
	}
	return common ? (double)common / (double)(a->n + b->n - common) : 0;
}

/* --- pairs --- */

struct candidate {
	size_t gone, added;
	double similarity, total;
};

/* Items that may be paired follow each other: those of one parent, kind and number of calls. */
static int by_group(const void *list, size_t a, size_t b)
{
	const struct renamed_item *x = (const struct renamed_item *)list + a,
				  *y = (const struct renamed_item *)list + b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return order_doubles(&x->calls, &y->calls);
}

static int by_similarity(const void *list, size_t a, size_t b)
{
	const struct candidate *x = (const struct candidate *)list + a, *y = (const struct candidate *)list + b;

	const int order = order_doubles(&y->similarity, &x->similarity);

	return order ? order : order_doubles(&y->total, &x->total);
}

/* Pairs the items order[0 .. n). `alone`: their parent has one item that is gone and one that is new. */
static void pair_group(struct renamed_item *items, const size_t *order, size_t n, bool alone)
{
	struct name_words *words = mem_zero(n, sizeof *words);
	struct candidate *list = NULL;
	size_t i, j, cap = 0, found = 0, *best;

	for (i = 0; i < n; i++)
		words[i] = words_of(items[order[i]].name);
	for (i = 0; i < n; i++) {
		for (j = 0; j < n && items[order[i]].gone; j++) {
			if (items[order[j]].gone)
				continue;
			list = mem_grow(list, &cap, found + 1, sizeof *list);
			list[found++] = (struct candidate){order[i], order[j], similarity(&words[i], &words[j]),
			    items[order[i]].total > items[order[j]].total ? items[order[i]].total
									  : items[order[j]].total};
		}
	}
	best = order_sort(found, by_similarity, list);
	for (i = 0; i < found; i++) {
		const struct candidate *c = &list[best[i]];
		struct renamed_item *gone = &items[c->gone], *added = &items[c->added];

		if (gone->with != SIZE_MAX || added->with != SIZE_MAX || (c->similarity < 0.5 && !alone))
			continue;
		gone->with = c->added;
		added->with = c->gone;
		gone->how = added->how = c->similarity < 0.5 ? "replaced" : "renamed";
	}
	for (i = 0; i < n; i++)
		free(words[i].hashes);
	mem_free(words, list, best);
}

void renamed_items_find(struct renamed_item *items, size_t n)
{
	size_t *order = order_sort(n, by_group, items), i, j, end, sides[2], all[2] = {0, 0}, family = 0;

	for (i = 0; i < n; i++)
		items[i].with = SIZE_MAX;
	for (i = 0; i < n; i = end) {
		const struct renamed_item *first = &items[order[i]];

		if (i >= family) { /* counts the items of the next parent */
			for (all[0] = all[1] = 0; family < n && items[order[family]].parent == first->parent; family++)
				all[items[order[family]].gone]++;
		}
		sides[0] = sides[1] = 0;
		for (end = i; end < family; end++) {
			const struct renamed_item *x = &items[order[end]];

			if (x->kind != first->kind || x->calls < first->calls || x->calls > first->calls)
				break;
			sides[x->gone]++;
		}
		j = sides[0] ? MOST_PAIRS / sides[0] : 0;
		if (sides[1] && sides[1] <= j)
			pair_group(items, order + i, end - i, first->parent && all[0] == 1 && all[1] == 1);
	}
	free(order);
}
