/* map: byte strings to small dense numbers, for names, keys and groups. */
#ifndef MAP_H
#define MAP_H

#include "base/str.h"

struct map_slot;
struct map_key;
struct map_page;

/* Zero-initialise; map_free() or keep it. Keys are copied in and stay where they are. */
struct map {
	size_t n; /* how many keys; they are numbered 0 .. n-1 in the order they came */
	/* private */
	struct map_slot *slots;
	struct map_key *keys;
	struct map_page *pages;
	size_t mask, cap;
};

#define MAP_NONE ((size_t)-1)

/* The number of the key, MAP_NONE when it is not there. */
size_t map_find(const struct map *m, struct str key);

/* The number of the key, which is added (a copy) when it is not there: it then equals the old m->n. */
size_t map_put(struct map *m, struct str key);

/* The key of a number < n; the view lives as long as the map. */
struct str map_key(const struct map *m, size_t i);

void map_free(struct map *m);

#endif
