#include "live_blocks.h"

#include "base/hash.h"

#include <stdlib.h>

enum { SLOTS_FIRST = 1024 };

/* A slot is free if its device is 0; the others have the number of their device plus 1. */
static size_t first_slot(const struct live_blocks *b, uint32_t device, int64_t addr)
{
	return (size_t)hash_pair((uint64_t)addr, device) & b->mask;
}

/* Returns the slot of a block, or the free slot in which it belongs. */
static struct live_block *find_slot(const struct live_blocks *b, uint32_t device, int64_t addr)
{
	size_t i = first_slot(b, device, addr);

	while (b->slots[i].device && (b->slots[i].device != device || b->slots[i].addr != addr))
		i = (i + 1) & b->mask;
	return &b->slots[i];
}

static void grow(struct live_blocks *b)
{
	const size_t n = b->slots ? b->mask + 1 : 0;
	struct live_block *before = b->slots;
	size_t i;

	b->mask = (n ? n * 2 : SLOTS_FIRST) - 1;
	b->slots = mem_zero(b->mask + 1, sizeof *b->slots);
	for (i = 0; i < n; i++) {
		if (before[i].device)
			*find_slot(b, before[i].device, before[i].addr) = before[i];
	}
	free(before);
}

bool live_blocks_put(struct live_blocks *b, const struct live_block *block, struct live_block *old)
{
	struct live_block *slot;
	bool replaced;

	if (!b->slots || b->n >= (b->mask + 1) / 4 * 3)
		grow(b);
	slot = find_slot(b, block->device + 1, block->addr);
	replaced = slot->device > 0;
	if (replaced) {
		*old = *slot;
		old->device--;
	}
	*slot = *block;
	slot->device++;
	b->n += !replaced;
	return replaced;
}

bool live_blocks_take(struct live_blocks *b, uint32_t device, int64_t addr, struct live_block *block)
{
	struct live_block *slot;
	size_t hole, i, first;

	if (!b->n)
		return false;
	slot = find_slot(b, device + 1, addr);
	if (!slot->device)
		return false;
	*block = *slot;
	block->device--;
	b->n--;
	/* Blocks after the hole move into it, unless this would put them before the slot where their search begins. */
	hole = (size_t)(slot - b->slots);
	for (i = (hole + 1) & b->mask; b->slots[i].device; i = (i + 1) & b->mask) {
		first = first_slot(b, b->slots[i].device, b->slots[i].addr);
		if (((i - first) & b->mask) < ((i - hole) & b->mask))
			continue;
		b->slots[hole] = b->slots[i];
		hole = i;
	}
	b->slots[hole].device = 0;
	return true;
}

static int compare_blocks(const void *a, const void *b)
{
	const struct live_block *x = a, *y = b;
	const int ts = int_compare(x->ts, y->ts), device = int_compare(x->device, y->device);

	return ts ? ts : device ? device : int_compare(x->addr, y->addr);
}

struct live_block *live_blocks_sorted(const struct live_blocks *b)
{
	struct live_block *list = mem_alloc((b->n + 1) * sizeof *list);
	size_t i, n = 0;

	for (i = 0; b->slots && i <= b->mask; i++) {
		if (!b->slots[i].device)
			continue;
		list[n] = b->slots[i];
		list[n++].device--;
	}
	qsort(list, n, sizeof *list, compare_blocks);
	return list;
}

void live_blocks_free(struct live_blocks *b)
{
	free(b->slots);
}
