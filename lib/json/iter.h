/*
 * iter: iterates over the members of an object or the elements of an array, on one level, in one pass and without
 * allocating memory. It is for text that scan found clean or that json_check() accepted. An iteration that reaches the
 * end without returning -1 has checked its whole level (commas, colons, numbers, words). On the levels below, it has
 * only checked that brackets are closed. On any other text the iteration may return -1 or wrong results, but never
 * values outside the text. The SCAN_PAD bytes after the text must be readable: an iteration may load them, and so may
 * json/scan, which it calls for long values.
 */
#ifndef ITER_H
#define ITER_H

#include "base/str.h"

struct iter {
	const char *p, *end;
	char close; /* '}' or ']', 0 when the text is neither an object nor an array */
	bool first;
};

/* Starts at the first byte of text that is not white space. */
void iter_init(struct iter *w, struct str text);

/*
 * Gets the next member. Returns 1, with the key as written between its quotes, and the text of the value (strings
 * include their quotes). Returns 0 after the last member, or -1 when the text is not JSON. For elements of an array,
 * key->p is NULL.
 */
int iter_next(struct iter *w, struct str *key, struct str *value);

/*
 * iter_next() in two steps, for callers that parse a value themselves: iter_key() has the same return values as
 * iter_next() and leaves w->p at the first byte of the value. After that, call iter_value(), or move w->p to the end of
 * the value.
 */
int iter_key(struct iter *w, struct str *key);
bool iter_value(struct iter *w, struct str *value);

/*
 * iter_array() starts at the first element of an array; returns false when the text is absent or not an array.
 * iter_element() gets the next element; returns false after the last one.
 */
bool iter_array(struct iter *w, struct str text);
bool iter_element(struct iter *w, struct str *value);

/*
 * Returns whether a key, at any depth, may begin with these three bytes, written without escapes. False means that no
 * key does; true means only that one may. This is much faster than an iteration.
 */
bool iter_may_find(struct str text, const char three[3]);

/* Returns the value of the member with this key, the last one if there are several; .p is NULL if the key is absent. */
struct str iter_find(struct str object, struct str key);

#endif
