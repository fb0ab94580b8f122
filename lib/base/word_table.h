/* word_table: which word of a fixed list a text is, for lists that are asked for every record. */
#ifndef WORD_TABLE_H
#define WORD_TABLE_H

#include "base/str.h"

enum { WORD_TABLE_SLOTS = 128, WORD_TABLE_MOST = WORD_TABLE_SLOTS / 2 };

/* Static, with the first two set: the table is made when it is first needed. */
struct word_table {
	const struct str *list; /* of distinct words, none empty, at most WORD_TABLE_MOST */
	size_t n;
	/* private */
	bool ready;
	struct word_table_slot {
		uint64_t head;  /* the first eight bytes, zeros behind a shorter word */
		uint32_t n;     /* 0: free */
		uint32_t number;
	} slots[WORD_TABLE_SLOTS];
};

/* Words of a vocabulary seldom share their first bytes and their length. */
static inline size_t word_table_first_slot(uint64_t head, size_t n)
{
	return (size_t)((head + n) * 0x9e3779b97f4a7c15u >> 57);
}

/* The first eight bytes of a text of n > 0, zeros behind a shorter one. */
static inline uint64_t word_table_head(const char *p, size_t n)
{
	uint64_t head = 0;

	memcpy(&head, p, n < 8 ? n : 8);
	return head;
}

/* The same where eight bytes can be read whatever n is. */
static inline uint64_t word_table_head_padded(const char *p, size_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t head;

	memcpy(&head, p, 8);
	return n < 8 ? head & (((uint64_t)1 << 8 * n) - 1) : head;
#else
	return word_table_head(p, n);
#endif
}

/* word_table_find() past the first slot, or before the table is made. */
size_t word_table_search(struct word_table *w, struct str s, uint64_t head);

/* The number of the word s, whose head that is, or w->n when it is none. No call for a short word in its first slot. */
static inline size_t word_table_find(struct word_table *w, struct str s, uint64_t head)
{
	const struct word_table_slot *slot = &w->slots[word_table_first_slot(head, s.n)];

	return slot->head == head && slot->n == s.n && s.n - 1 < 8 ? slot->number : word_table_search(w, s, head);
}

#endif
