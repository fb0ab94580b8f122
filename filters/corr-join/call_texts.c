#include "call_texts.h"

uint32_t call_texts_put(struct call_texts *t, struct str text)
{
	return text.n ? (uint32_t)map_put(&t->texts[t->young], text) * 2 + t->young + 1 : 0;
}

struct str call_texts_get(const struct call_texts *t, uint32_t number)
{
	return number ? map_key(&t->texts[(number - 1) & 1], (number - 1) / 2) : (struct str){NULL, 0};
}

void call_texts_free(struct call_texts *t)
{
	map_free(&t->texts[0]);
	map_free(&t->texts[1]);
}
