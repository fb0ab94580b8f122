/*
 * iter: iterates over the members of an object or the elements of an array, on one level, in one pass and without
 * memory. It is for text that scan found clean or that json_check() passed: an iteration to the end that never returns
 * -1 has checked the whole level (commas, colons, numbers, words); the brackets below it are closed, but the text
 * between them is not checked. On other text it may return -1 or wrong results, but never accesses values outside the
 * text. It may load the SCAN_PAD bytes after the text, as json/scan does, which it calls for long values: they must be
 * readable.
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
 * Gets the next member. Returns 1, with the key as written between its quotes and the value's text (a string with its
 * quotes); 0 after the last member; -1 when the text is not JSON. For elements of an array, key.p == NULL.
 */
int iter_next(struct iter *w, struct str *key, struct str *value);

/*
 * iter_next() in two steps, for callers that parse a value themselves: iter_key() returns as above and leaves w->p at
 * the value's first byte; then call iter_value(), or move w->p to the end of the value.
 */
int iter_key(struct iter *w, struct str *key);
bool iter_value(struct iter *w, struct str *value);

/*
 * Returns false when no key, at any depth, begins with these three bytes written without escapes. False is certain,
 * and much faster to find than with an iteration.
 */
bool iter_may_find(struct str text, const char three[3]);

/* Returns the text of a member, the last one if there are several; .p is NULL when absent. */
struct str iter_find(struct str object, struct str key);

#endif
