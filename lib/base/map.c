#include "base/map.h"

#include "base/hash.h"

#include <stdlib.h>

/* A slot stores a part of the hash together with the number of the key, so that most probes do not access the key. */
struct map_slot {
	/* hash: upper half of the key's hash; number: number of the key + 1, 0 for a free slot */
	uint32_t hash, number;
};

struct map_key {
	const char *p;
	size_t n;
	uint64_t hash;
};

/* The bytes of keys are in pages that never move, so that views of them remain valid. */
struct map_page {
	struct map_page *next;
	size_t used, cap;
	char bytes[];
};

enum { PAGE = 16384, FIRST = 64 };

static inline bool has_key(const struct map *m, size_t number, struct str key)
{
	return m->keys[number].n == key.n && (!key.n || memcmp(m->keys[number].p, key.p, key.n) == 0);
}

static inline size_t find_slot(const struct map *m, struct str key, uint64_t hash, size_t *at)
{
	size_t i = (size_t)hash & m->mask;

	for (; m->slots[i].number; i = (i + 1) & m->mask) {
		size_t number = m->slots[i].number - 1;

		if (m->slots[i].hash == (uint32_t)(hash >> 32) && has_key(m, number, key))
			return number;
	}
	*at = i;
	return MAP_NONE;
}

size_t map_find(const struct map *m, struct str key)
{
	size_t at;

	return m->slots ? find_slot(m, key, hash_str(key), &at) : MAP_NONE;
}

static const char *keep(struct map *m, struct str key)
{
	struct map_page *page = m->pages;
	char *p;

	if (!page || page->cap - page->used < key.n) {
		size_t cap = key.n > PAGE ? key.n : PAGE;

		page = mem_alloc(sizeof *page + cap);
		*page = (struct map_page){m->pages, 0, cap};
		m->pages = page;
	}
	p = page->bytes + page->used;
	if (key.n)
		memcpy(p, key.p, key.n);
	page->used += key.n;
	return p;
}

static void rehash(struct map *m, size_t size)
{
	size_t i, at;

	free(m->slots);
	m->slots = mem_zero(size, sizeof *m->slots);
	m->mask = size - 1;
	for (i = 0; i < m->n; i++) {
		for (at = (size_t)m->keys[i].hash & m->mask; m->slots[at].number;)
			at = (at + 1) & m->mask;
		m->slots[at] = (struct map_slot){(uint32_t)(m->keys[i].hash >> 32), (uint32_t)i + 1};
	}
}

/*
 * Returns the place of the number of the last key with the same length and the same byte in its middle. Most names
 * repeat soon, and to compare a name with one key costs less than a hash of it and a search.
 */
static inline uint32_t *recent_of(struct map *m, struct str key)
{
	const size_t middle = key.n ? (unsigned char)key.p[key.n / 2] : 0;

	return &m->recent[(key.n + 7 * middle) % MAP_RECENT];
}

size_t map_put(struct map *m, struct str key)
{
	uint32_t *recent = recent_of(m, key);
	size_t at = 0, number;
	uint64_t hash;

	if (m->n && has_key(m, *recent, key))
		return *recent;
	hash = hash_str(key);
	if (!m->slots)
		rehash(m, FIRST);
	number = find_slot(m, key, hash, &at);
	*recent = (uint32_t)(number != MAP_NONE ? number : m->n);
	if (number != MAP_NONE)
		return number;
	m->keys = mem_grow(m->keys, &m->cap, m->n + 1, sizeof *m->keys);
	m->keys[m->n] = (struct map_key){keep(m, key), key.n, hash};
	m->slots[at] = (struct map_slot){(uint32_t)(hash >> 32), (uint32_t)m->n + 1};
	if (++m->n > m->mask / 2)
		rehash(m, (m->mask + 1) * 2);
	return m->n - 1;
}

struct str map_key(const struct map *m, size_t i)
{
	return (struct str){m->keys[i].p, m->keys[i].n};
}

void map_free(struct map *m)
{
	struct map_page *next;

	for (; m->pages; m->pages = next) {
		next = m->pages->next;
		free(m->pages);
	}
	free(m->slots);
	free(m->keys);
	*m = (struct map){0};
}

void maps_free_all(struct map *const *list)
{
	while (*list)
		map_free(*list++);
}
