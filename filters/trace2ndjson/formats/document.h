/* document: values and lines, taken one by one from a reader's source: no more than one of them is in memory. */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "format.h"

/* The next byte that is no white space, which stays; -1 at the end of the input. NUL bytes are passed over and told. */
int document_peek(struct reader *r);

/* Takes c, and what white space is before it, when it comes next. */
bool document_take(struct reader *r, char c);

/*
 * The length of the value that comes next, all of which is then in the source's window, at its beginning. 0 when
 * there is none, it is over r->max_record, or the input ends inside it, which *cut tells.
 */
size_t document_value(struct reader *r, bool *cut);

/*
 * The next line, blank or not, without its newline: `cut` when it has none. Of one `over` r->max_record it is only the
 * last DOCUMENT_TAIL bytes. It lives until the source is asked for more. False at the end.
 */
bool document_line(struct reader *r, struct str *line, bool *cut, bool *over);

enum { DOCUMENT_TAIL = 64 };

#endif
