/* live_blocks: the blocks that are allocated now, by device and address: 64 bytes each on average. */
#ifndef LIVE_BLOCKS_H
#define LIVE_BLOCKS_H

#include "base/str.h"

struct live_block {
	int64_t addr, bytes, ts; /* ts: of the allocation */
	uint32_t device;         /* any number but UINT32_MAX */
	uint32_t owner;
};

/* Zero-initialise. live_blocks_free(). */
struct live_blocks {
	size_t n;
	/* private */
	struct live_block *slots;
	size_t mask;
};

/*
 * Adds a block. If a block has this address already, its free is missing: the new one replaces it, *old becomes the
 * replaced one, and the result is true.
 */
bool live_blocks_put(struct live_blocks *b, const struct live_block *block, struct live_block *old);

/* Removes the block with this address and copies it to *block; returns false if no block has it. */
bool live_blocks_take(struct live_blocks *b, uint32_t device, int64_t addr, struct live_block *block);

/* Returns all blocks, b->n of them, sorted by ts, then by device and address. The caller frees the list. */
struct live_block *live_blocks_sorted(const struct live_blocks *b);

void live_blocks_free(struct live_blocks *b);

#endif
