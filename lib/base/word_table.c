#include "base/word_table.h"

void word_table_prepare(struct word_table *w)
{
	struct str word;
	uint64_t head;
	size_t at;
	uint32_t i;

	if (w->ready)
		return;
	for (i = 0; i < w->n && i < WORD_TABLE_MOST; i++) {
		word = w->list[i];
		head = word_table_head(word.p, word.n);
		for (at = word_table_first_slot(head, word.n); w->slots[at % WORD_TABLE_SLOTS].n; at++)
			;
		w->slots[at % WORD_TABLE_SLOTS] = (struct word_table_slot){head, (uint32_t)word.n, i};
	}
	w->ready = true;
}

size_t word_table_search(struct word_table *w, struct str s, uint64_t head)
{
	const struct word_table_slot *slot;
	size_t at;

	word_table_prepare(w);
	for (at = word_table_first_slot(head, s.n); s.n; at++) {
		slot = &w->slots[at % WORD_TABLE_SLOTS];
		if (slot->head == head && slot->n == s.n &&
		    (s.n <= 8 || memcmp(s.p + 8, w->list[slot->number].p + 8, s.n - 8) == 0))
			return slot->number;
		if (!slot->n)
			break;
	}
	return w->n;
}
