/* repair_private: the state of one repair, and the functions that its parts call in each other. */
#ifndef REPAIR_PRIVATE_H
#define REPAIR_PRIVATE_H

#include "json/repair.h"

#include "json/check.h"

enum { REPAIR_MOST_STRINGS = 500 }; /* in a record whose bare quotes are to be found */

struct repair_member {
	size_t at;  /* offset in the output of its key's opening quote */
	size_t key; /* the length of the key's text */
	bool empty; /* it has no value */
};

struct repair {
	const char *end; /* of the text */
	struct buf *to;  /* the output; NULL: only reading */
	uint32_t repairs;
	struct repair_member *members; /* of the object itself */
	size_t n_members, cap_members;
};

/* Where in the grammar the reader is. Small, because the search for ends copies it. */
struct repair_spot {
	const char *p;
	bool after;   /* behind a value, or in an empty bracket; else before a value or a key */
	size_t depth;
	uint64_t objects[JSON_DEPTH / 64]; /* a bit for each open bracket: it is a brace */
};

/* Where repair_read_on() stopped. */
enum repair_reading { REPAIR_AT_STRING, REPAIR_AT_END, REPAIR_BROKEN };

/* Appends to the output, if there is one. */
static inline void repair_put(struct repair *r, const char *p, size_t n)
{
	if (r->to)
		buf_add(r->to, p, n);
}

/* Notes that damage of that class was repaired in the output. */
static inline void repair_note(struct repair *r, enum repair_class c)
{
	if (r->to)
		r->repairs |= 1u << c;
}

/* repair_string.c */

/* Puts a string, quotes included, whose text is s. */
void repair_put_string(struct repair *r, struct str s);

/* The next quote from p on, or NULL; *escaped: a backslash before it makes it an escape. */
const char *repair_next_quote(const char *p, const char *end, bool *escaped);

/* The quote that ends the string whose text begins at p by the letter of JSON, or NULL. */
static inline const char *repair_first_end(const char *p, const char *end)
{
	bool escaped;

	do {
		p = repair_next_quote(p, end, &escaped);
	} while (p && escaped && ++p);
	return p;
}

/* repair_scalar.c */

/* Reads and puts a value that is neither string nor bracket; false: not a value by any notation known here. */
bool repair_scalar(struct repair *r, struct repair_spot *at);

/* repair_grammar.c */

/* The place before the first byte of the text. */
static inline struct repair_spot repair_start_of(struct str text)
{
	return (struct repair_spot){.p = text.p};
}

/* Whether the innermost open bracket is a brace. */
static inline bool repair_in_object(const struct repair_spot *at)
{
	return at->depth && at->objects[(at->depth - 1) / 64] >> (at->depth - 1) % 64 & 1;
}

/*
 * Reads on to the next string that is a value, and stops at its opening quote; the caller moves at->p past its end.
 * REPAIR_AT_END: the text is an object, and this is all of it.
 */
enum repair_reading repair_read_on(struct repair *r, struct repair_spot *at);

/* repair_quotes.c */

/*
 * Finds where the values that are strings end, in turn, if the text has exactly one best reading (see QUOTE in
 * repair.c); ends[] has room for REPAIR_MOST_STRINGS.
 */
bool repair_find_ends(struct repair *r, struct str text, const char **ends);

#endif
