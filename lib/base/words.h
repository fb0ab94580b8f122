/* words: which word of a fixed list a text is, for lists that are asked for every record. */
#ifndef WORDS_H
#define WORDS_H

#include "base/str.h"

enum { WORDS_SLOTS = 128, WORDS_MOST = WORDS_SLOTS / 2 };

/* Static, with the first two set: the table is made when it is first needed. */
struct words {
	const struct str *list; /* of distinct words, none empty, at most WORDS_MOST */
	size_t n;
	bool ready;
	struct words_slot {
		uint64_t head;  /* the first eight bytes, zeros behind a shorter word */
		uint32_t n;     /* 0: free */
		uint32_t number;
	} slots[WORDS_SLOTS];
};

void words_prepare(struct words *w);

/* Words of a vocabulary seldom share their first bytes and their length. */
static inline size_t words_first_slot(uint64_t head, size_t n)
{
	return (size_t)((head + n) * 0x9e3779b97f4a7c15u >> 57);
}

/* The first eight bytes of a text of n > 0, zeros behind a shorter one. */
static inline uint64_t words_head(const char *p, size_t n)
{
	uint64_t head = 0;

	memcpy(&head, p, n < 8 ? n : 8);
	return head;
}

/* The same where eight bytes can be read whatever n is. */
static inline uint64_t words_head_padded(const char *p, size_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t head;

	memcpy(&head, p, 8);
	return n < 8 ? head & (((uint64_t)1 << 8 * n) - 1) : head;
#else
	return words_head(p, n);
#endif
}

/* The number of the word s, whose head that is, or w->n when it is none. */
static inline size_t words_find(struct words *w, struct str s, uint64_t head)
{
	const struct words_slot *slot;
	size_t at;

	if (!w->ready)
		words_prepare(w);
	for (at = words_first_slot(head, s.n); s.n; at++) {
		slot = &w->slots[at % WORDS_SLOTS];
		if (slot->head == head && slot->n == s.n &&
		    (s.n <= 8 || memcmp(s.p + 8, w->list[slot->number].p + 8, s.n - 8) == 0))
			return slot->number;
		if (!slot->n)
			break;
	}
	return w->n;
}

#endif
