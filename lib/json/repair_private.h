/* repair_private: the state of one repair, and the functions shared by the files of repair. */
#ifndef REPAIR_PRIVATE_H
#define REPAIR_PRIVATE_H

#include "json/repair.h"

#include "json/check.h"

/* Bare quotes are searched for only in records with at most this number of strings. */
enum { REPAIR_MOST_STRINGS = 500 };

struct repair_member {
	size_t at;  /* offset of the opening quote of its key in the output */
	size_t key; /* length of the key, without its quotes */
	bool empty; /* the member has no value */
};

struct repair {
	const char *end; /* end of the text */
	struct buf *to;  /* the output; NULL: nothing is written */
	uint32_t repairs;
	struct repair_member *members; /* members of the outermost object */
	size_t n_members, cap_members;
};

/* The reader's position in the grammar. It is small because the search for ends of strings copies it. */
struct repair_spot {
	const char *p;
	bool after; /* p is after a value or in an empty object or array; otherwise it is before a value or a key */
	size_t depth;
	uint64_t objects[JSON_DEPTH / 64]; /* one bit for each open bracket: set for a brace */
};

/* The reason why repair_read_on() stopped. */
enum repair_reading { REPAIR_AT_STRING, REPAIR_AT_END, REPAIR_BROKEN };

/* Appends to the output, if there is one. */
static inline void repair_put(struct repair *r, const char *p, size_t n)
{
	if (r->to)
		buf_add(r->to, p, n);
}

/* Adds a class of repairs to r->repairs if there is an output. */
static inline void repair_note(struct repair *r, enum repair_class c)
{
	if (r->to)
		r->repairs |= 1u << c;
}

/* repair_string.c */

/* Writes a string with the text s, in quotes and with its damage repaired. */
void repair_put_string(struct repair *r, struct str s);

/* Returns the next quote from p on, or NULL; sets *escaped to whether a backslash makes this quote an escape. */
const char *repair_next_quote(const char *p, const char *end, bool *escaped);

/*
 * Returns the first quote from p on that is not escaped, or NULL. By JSON's grammar, it ends the string whose text
 * begins at p.
 */
static inline const char *repair_first_end(const char *p, const char *end)
{
	bool escaped;

	do {
		p = repair_next_quote(p, end, &escaped);
	} while (p && escaped && ++p);
	return p;
}

/* repair_scalar.c */

/*
 * Reads and writes a value that is not a string, an object or an array; returns false when it is not a value in any
 * known notation.
 */
bool repair_scalar(struct repair *r, struct repair_spot *at);

/* repair_grammar.c */

/* Returns the position at the first byte of the text. */
static inline struct repair_spot repair_start_of(struct str text)
{
	return (struct repair_spot){.p = text.p};
}

/* Returns whether the innermost open bracket is a brace. */
static inline bool repair_in_object(const struct repair_spot *at)
{
	return at->depth && at->objects[(at->depth - 1) / 64] >> (at->depth - 1) % 64 & 1;
}

/*
 * Reads up to the next string that is a value, and stops at its opening quote; after that, the caller must move at->p
 * past the string. REPAIR_AT_END means that the text is an object and was read completely.
 */
enum repair_reading repair_read_on(struct repair *r, struct repair_spot *at);

/* repair_quotes.c */

/*
 * Stores the ends of all strings that are values, in order, in ends[], which has room for REPAIR_MOST_STRINGS. Returns
 * whether the text has exactly one best reading: see QUOTE in repair.c.
 */
bool repair_find_ends(struct repair *r, struct str text, const char **ends);

#endif
