/* check: checks whether a text is JSON by the strict rules of RFC 8259. */
#ifndef JSON_CHECK_H
#define JSON_CHECK_H

#include "base/fault.h"
#include "base/str.h"

enum { JSON_DEPTH = 1024, JSON_DEPTH_MORE = JSON_DEPTH + 64 };

/*
 * Returns whether the text is exactly one JSON value. Checks the grammar, numbers, escapes (surrogates must be in
 * pairs) and UTF-8. Strings must not contain control characters, and the depth must be at most JSON_DEPTH. If the text
 * is not JSON, sets f->what to the reason (static text, a different one for each reason) and f->at.byte to the offset
 * of the error, counted from 0. `f` may be NULL.
 */
bool json_check(struct str text, struct fault *f);

/* The same with the depth JSON_DEPTH_MORE: for texts that have values of records in further brackets. */
bool json_check_deep(struct str text, struct fault *f);

/* The same as json_check(); for JSON, also sets *escaped: whether a key has an escape (see json_plain_keys()). */
bool json_check_keys(struct str text, bool *escaped, struct fault *f);

#endif
