#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "row_table.h"

#include "base/hash.h"
#include "json/scan.h"

#include <stdlib.h>
#include <sys/mman.h>

/* An entry has a number: that of its block, followed by AT_BITS bits with its offset in units of ALIGN. */
enum { FIRST = 64, ALIGN = 8, AT_BITS = 21, BLOCK = ALIGN << AT_BITS, SMALL = 1 << 20 };

/* hash: the lower half of the key's hash; at: number of the entry, 0 if the slot is free */
struct row_table_slot {
	uint32_t hash, at;
};

struct row_table_block {
	char *p;
	size_t n, size; /* n: number of bytes in use */
};

/* An entry is this head, the key and the row. */
struct row_table_head {
	uint32_t key, row, room; /* the lengths of the key and the row, and the space for the row */
};

void row_table_free(struct row_table *t)
{
	while (t->n_blocks--)
		munmap(t->blocks[t->n_blocks].p, t->blocks[t->n_blocks].size);
	mem_free(t->blocks, t->slots);
	*t = (struct row_table){0};
}

static char *entry_at(const struct row_table *t, const struct row_table_slot *slot)
{
	return t->blocks[slot->at >> AT_BITS].p + (size_t)(slot->at & ((1u << AT_BITS) - 1)) * ALIGN;
}

static struct row_table_head head_of(const char *entry)
{
	struct row_table_head head;

	memcpy(&head, entry, sizeof head);
	return head;
}

/* Returns the first slot from index i on that is free or has this hash. */
static struct row_table_slot *probe(const struct row_table *t, size_t i, uint32_t hash)
{
	for (i &= t->mask; t->slots[i].at && t->slots[i].hash != hash; i = (i + 1) & t->mask)
		;
	return &t->slots[i];
}

static bool has_key(const char *entry, struct str key)
{
	return head_of(entry).key == key.n && memcmp(entry + sizeof(struct row_table_head), key.p, key.n) == 0;
}

/* Returns the slot of a key, or the free slot where it belongs. */
static struct row_table_slot *find_slot(const struct row_table *t, struct str key, uint32_t hash)
{
	struct row_table_slot *slot = probe(t, hash, hash);

	while (slot->at && !has_key(entry_at(t, slot), key))
		slot = probe(t, (size_t)(slot - t->slots) + 1, hash);
	return slot;
}

/* Doubles the number of slots. The hashes in them are enough, so that this reads no entry. */
static void grow(struct row_table *t)
{
	const size_t size = t->slots ? 2 * (t->mask + 1) : FIRST, n = t->slots ? t->mask + 1 : 0;
	struct row_table_slot *old = t->slots;
	size_t i, at;

	t->slots = mem_table(size * sizeof *t->slots);
	memset(t->slots, 0, size * sizeof *t->slots);
	t->mask = size - 1;
	for (i = 0; i < n; i++) {
		if (!old[i].at)
			continue;
		for (at = old[i].hash & t->mask; t->slots[at].at; at = (at + 1) & t->mask)
			;
		t->slots[at] = old[i];
	}
	free(old);
}

/*
 * Adds a block with room for an entry of this size. Unused pages take no memory. Huge pages are faster; the first SMALL
 * bytes do without them, so that a small table stays small.
 */
static void add_block(struct row_table *t, size_t entry)
{
	const size_t size = entry + ALIGN > BLOCK ? entry + ALIGN : BLOCK;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		mem_exhausted("rows");
#ifdef MADV_HUGEPAGE
	madvise(p + SMALL, size - SMALL, MADV_HUGEPAGE);
#endif
	t->blocks = mem_grow(t->blocks, &t->blocks_cap, t->n_blocks + 1, sizeof *t->blocks);
	t->blocks[t->n_blocks++] = (struct row_table_block){p, ALIGN, size};
}

/* Adds an entry; returns its number, or 0 if there are too many. */
static size_t add_entry(struct row_table *t, struct str key, struct str row)
{
	const struct row_table_head head = {(uint32_t)key.n, (uint32_t)row.n, (uint32_t)row.n};
	const size_t size = sizeof head + key.n + row.n;
	struct row_table_block *block;
	char *p;
	size_t at;

	/* The bytes after a row can be read, as json/iter requires. */
	if (!t->n_blocks || t->blocks[t->n_blocks - 1].size - t->blocks[t->n_blocks - 1].n < size + SCAN_PAD)
		add_block(t, size + SCAN_PAD);
	block = &t->blocks[t->n_blocks - 1];
	at = (t->n_blocks - 1) << AT_BITS | block->n / ALIGN;
	p = block->p + block->n;
	memcpy(p, &head, sizeof head);
	memcpy(p + sizeof head, key.p, key.n);
	if (row.n)
		memcpy(p + sizeof head + key.n, row.p, row.n);
	block->n += (size + ALIGN - 1) / ALIGN * ALIGN;
	return at > UINT32_MAX ? 0 : at;
}

bool row_table_put(struct row_table *t, struct str key, struct str row, bool replace)
{
	const uint32_t hash = (uint32_t)hash_str(key);
	struct row_table_slot *slot;
	struct row_table_head head;
	char *entry;
	size_t at;

	if (!t->slots || t->n >= t->mask / 4 * 3) /* at most three quarters of the slots are in use */
		grow(t);
	slot = find_slot(t, key, hash);
	if (slot->at) {
		if (!replace)
			return true;
		entry = entry_at(t, slot);
		head = head_of(entry);
		if (row.n <= head.room) {
			head.row = (uint32_t)row.n;
			memcpy(entry, &head, sizeof head);
			if (row.n)
				memcpy(entry + sizeof head + key.n, row.p, row.n);
			return true;
		}
	}
	at = add_entry(t, key, row);
	if (!at)
		return false;
	t->n += !slot->at;
	*slot = (struct row_table_slot){hash, (uint32_t)at};
	return true;
}

void row_table_begin(const struct row_table *t, struct row_table_search *s, struct str key)
{
	*s = (struct row_table_search){(uint32_t)hash_str(key), NULL};
	if (t->slots)
		__builtin_prefetch(&t->slots[s->hash & t->mask]);
}

void row_table_advance(const struct row_table *t, struct row_table_search *s)
{
	const struct row_table_slot *slot = t->slots ? probe(t, s->hash, s->hash) : NULL;

	if (!slot || !slot->at)
		return;
	s->entry = entry_at(t, slot);
	__builtin_prefetch(s->entry);
	__builtin_prefetch(s->entry + 64); /* most entries have less than two cache lines */
}

struct str row_table_end(const struct row_table *t, const struct row_table_search *s, struct str key)
{
	const char *entry = s->entry;
	const struct row_table_slot *slot;
	struct row_table_head head;

	/* The first entry with the hash mostly has the key. */
	if (!entry || !has_key(entry, key)) {
		slot = t->slots ? find_slot(t, key, s->hash) : NULL;
		if (!slot || !slot->at)
			return (struct str){NULL, 0};
		entry = entry_at(t, slot);
	}
	head = head_of(entry);
	return (struct str){entry + sizeof head + head.key, head.row};
}
