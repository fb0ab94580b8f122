/* word_table: looks up a text in a fixed list of words, for lists that are searched for every record. */
#ifndef WORD_TABLE_H
#define WORD_TABLE_H

#include "base/str.h"

enum { WORD_TABLE_SLOTS = 128, WORD_TABLE_MOST = WORD_TABLE_SLOTS / 2 };

/*
 * Define it as static, with the first two members set. The slots are filled at the first lookup; before several threads
 * look up words, call word_table_prepare().
 */
struct word_table {
	const struct str *list; /* at most WORD_TABLE_MOST words, all different, none empty */
	size_t n;
	/* private */
	bool ready;
	struct word_table_slot {
		uint64_t head; /* the first eight bytes, padded with zeros */
		uint32_t n;    /* length of the word, 0 for a free slot */
		uint32_t number;
	} slots[WORD_TABLE_SLOTS];
};

/*
 * Returns the first slot to search. It depends only on the first bytes and the length of a word: two words of a list
 * rarely have both in common. The factor was found by trial: no two kinds of records, and no two standard members, have
 * the same first slot.
 */
static inline size_t word_table_first_slot(uint64_t head, size_t n)
{
	return (size_t)((head + n) * 0x8d88348a7eed8d15u >> 57);
}

/* Returns the first eight bytes of a text of n > 0 bytes, padded with zeros. */
static inline uint64_t word_table_head(const char *p, size_t n)
{
	uint64_t head = 0;

	memcpy(&head, p, n < 8 ? n : 8);
	return head;
}

/* The same as word_table_head(), but eight bytes must be readable at p, even if n is less. */
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

/* Fills the slots, unless they are filled. */
void word_table_prepare(struct word_table *w);

/* The part of word_table_find() that searches the slots after the first one; the first lookup fills the slots. */
size_t word_table_search(struct word_table *w, struct str s, uint64_t head);

/*
 * Returns the number of the word s, or w->n when it is not in the list; `head` is word_table_head() of s. Short words
 * in their first slot are found without a function call.
 */
static inline size_t word_table_find(struct word_table *w, struct str s, uint64_t head)
{
	const struct word_table_slot *slot = &w->slots[word_table_first_slot(head, s.n)];

	return slot->head == head && slot->n == s.n && s.n - 1 < 8 ? slot->number : word_table_search(w, s, head);
}

#endif
