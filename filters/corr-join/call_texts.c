#include "call_texts.h"

#include "base/map.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

struct call_texts {
	struct map texts[2];
	/*
	 * Index of the map that takes new texts. The other map is freed when all calls with texts in it have been
	 * dropped.
	 */
	unsigned young;
	bool any;
	int64_t since; /* the ts of the stream when this map became the young map */
};

struct call_texts *call_texts_new(void)
{
	return mem_zero(1, sizeof(struct call_texts));
}

void call_texts_free(struct call_texts *t)
{
	map_free(&t->texts[0]);
	map_free(&t->texts[1]);
	free(t);
}

uint32_t call_texts_put(struct call_texts *t, struct str text)
{
	return text.n ? (uint32_t)map_put(&t->texts[t->young], text) * 2 + t->young + 1 : 0;
}

struct str call_texts_get(const struct call_texts *t, uint32_t number)
{
	return number ? map_key(&t->texts[(number - 1) & 1], (number - 1) / 2) : (struct str){NULL, 0};
}

/*
 * The texts of a call are in the map that was young when the call was added. When the young map is older than the
 * lifetime of a call, all calls with texts in the other map have been dropped.
 */
int64_t call_texts_age(struct call_texts *t, int64_t ts, uint64_t life)
{
	if (!t->any) {
		t->any = true;
		t->since = ts;
	} else if ((uint64_t)ts - (uint64_t)t->since > life) {
		t->young = !t->young;
		map_free(&t->texts[t->young]);
		t->since = ts;
	}
	return t->since;
}
