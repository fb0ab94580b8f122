/* check: whether a text is JSON by the letter of RFC 8259. */
#ifndef JSON_CHECK_H
#define JSON_CHECK_H

#include "base/fault.h"
#include "base/str.h"

enum { JSON_DEPTH = 1024 };

/*
 * Whether the text is one JSON value and nothing else: grammar, numbers, escapes (surrogates paired),
 * UTF-8, no control characters in strings, depth up to JSON_DEPTH. When not, *f has why (static text,
 * of its own for each reason) and where: f->at.byte, from 0 into the text.
 */
bool json_check(struct str text, struct fault *f);

/* As json_check(); when the text is JSON, *escaped says whether a key in it has an escape: see json_plain_keys(). */
bool json_check_keys(struct str text, bool *escaped, struct fault *f);

#endif
