#include "base/words.h"

void words_prepare(struct words *w)
{
	struct str word;
	uint64_t head;
	size_t at;
	uint32_t i;

	for (i = 0; i < w->n && i < WORDS_MOST; i++) {
		word = w->list[i];
		head = words_head(word.p, word.n);
		for (at = words_first_slot(head, word.n); w->slots[at % WORDS_SLOTS].n; at++)
			;
		w->slots[at % WORDS_SLOTS] = (struct words_slot){head, (uint32_t)word.n, i};
	}
	w->ready = true;
}
