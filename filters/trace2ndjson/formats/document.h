/* document: reads values and lines one by one from a reader's source, with at most one of them in memory. */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "format.h"

/* Returns the next byte that is not white space, or -1 at the end. Consumes only white space, and reports NUL bytes. */
int document_peek(struct reader *r);

/* Consumes white space and, if it is the next byte, c. Returns whether it was the next byte. */
bool document_take(struct reader *r, char c);

/*
 * Loads the next value completely, to the beginning of the source's window. Returns the length of the value. Returns 0
 * when there is no value, when the value is larger than r->max_record, or when the input ends before the end of the
 * value. *cut is true only in the last case.
 */
size_t document_value(struct reader *r, bool *cut);

/*
 * Sets *line to the next line, which may be blank, without its newline; sets *cut when the line has no newline. When
 * the line is longer than r->max_record, sets *over, and sets *line to only the last DOCUMENT_TAIL bytes of the line.
 * The view is valid until more of the source is read. False at the end.
 */
bool document_line(struct reader *r, struct str *line, bool *cut, bool *over);

enum { DOCUMENT_TAIL = 64 };

/*
 * Searches damaged text for a record: returns the offset of the first brace at or after `from` for which test() returns
 * 1. Returns s.n if no record is found, or if test() returns -1, which ends the search: a limit keeps its time linear.
 */
size_t document_find_object(struct str s, size_t from, int (*test)(void *arg, struct str s, size_t at), void *arg);

/*
 * Skips to the first such object in the source at or after the offset `from` of the window. test() may need `look`
 * bytes after a brace, and as many before it. Returns false at the end.
 */
bool document_skip_to_object(
    struct source *src, size_t from, size_t look, int (*test)(void *arg, struct str s, size_t at), void *arg);

/* Skips to the next occurrence of a text; returns false, with everything skipped, if it does not occur. */
bool document_find(struct source *src, struct str text);

/* Returns the value of a member; p is NULL if it is absent or null, or if `object` is not an object. */
struct str document_member(struct str object, const char *key);

/* Returns the text before `at`, without the white space at its end. */
struct str document_before(struct str s, size_t at);

#endif
