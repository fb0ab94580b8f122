/*
 * iter: the members of an object and the elements of an array, one level, in one pass without memory.
 * For text that scan found clean or json_check passed: a walk to the end that does not return -1 has checked
 * all of that level (commas, colons, numbers, words); the brackets below it close, and what is between them
 * is not checked. On other text it may return -1 or nonsense, but never takes a byte from outside the text. Like
 * json/scan, which it calls for what is long, it may look at the SCAN_PAD bytes behind the text: they must be
 * readable.
 */
#ifndef ITER_H
#define ITER_H

#include "base/str.h"

struct iter {
	const char *p, *end;
	char close; /* '}' or ']', 0 when the text is neither object nor array */
	bool first;
};

/* Begins at the first byte of text that is no white space. */
void iter_init(struct iter *w, struct str text);

/*
 * The next member: 1, with the key as it stands between its quotes and the value's text (a string with
 * its quotes); 0 after the last one; -1 when it is not JSON. An array's elements have key.p == NULL.
 */
int iter_next(struct iter *w, struct str *key, struct str *value);

/*
 * iter_next() in two steps, for callers that read a value themselves: iter_key() as above, with w->p left at
 * the value's first byte; then iter_value(), or w->p moved behind the value.
 */
int iter_key(struct iter *w, struct str *key);
bool iter_value(struct iter *w, struct str *value);

/*
 * False when no key that begins with those three bytes, written without escapes, is anywhere in the text, however
 * deep: for certain, and far sooner than a walk finds it out.
 */
bool iter_may_find(struct str text, const char three[3]);

/* The text of a member, of the last one where there are several; .p is NULL when there is none. */
struct str iter_find(struct str object, struct str key);

#endif
