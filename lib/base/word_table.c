#include "base/word_table.h"

void word_table_prepare(struct word_table *w)
{
	struct str word;
	uint64_t head;
	size_t at;
	uint32_t i;

	for (i = 0; i < w->n && i < WORD_TABLE_MOST; i++) {
		word = w->list[i];
		head = word_table_head(word.p, word.n);
		for (at = word_table_first_slot(head, word.n); w->slots[at % WORD_TABLE_SLOTS].n; at++)
			;
		w->slots[at % WORD_TABLE_SLOTS] = (struct word_table_slot){head, (uint32_t)word.n, i};
	}
	w->ready = true;
}
