/* check: checks whether a text is JSON strictly by RFC 8259. */
#ifndef JSON_CHECK_H
#define JSON_CHECK_H

#include "base/fault.h"
#include "base/str.h"

enum { JSON_DEPTH = 1024 };

/*
 * Returns whether the text is exactly one JSON value: checks grammar, numbers, escapes (surrogates in pairs), UTF-8,
 * that strings contain no control characters, and that the depth is at most JSON_DEPTH. If not, sets f->what to the
 * reason (static text, a different one for each reason) and f->at.byte to its offset, from 0 in the text.
 */
bool json_check(struct str text, struct fault *f);

/* The same; if the text is JSON, sets *escaped to whether a key in it has an escape: see json_plain_keys(). */
bool json_check_keys(struct str text, bool *escaped, struct fault *f);

#endif
