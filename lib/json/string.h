/* string: the text of JSON strings: finds bytes that need escapes, quotes and decodes. */
#ifndef JSON_STRING_H
#define JSON_STRING_H

#include "base/mem.h"
#include "base/str.h"

/* Returns how many bytes at the start of s may be in a string unchanged: ASCII except quote, backslash and controls. */
size_t json_plain(struct str s);

/*
 * json_is_string() returns whether the text of a value is a string; json_inner() returns the text between its quotes.
 */
static inline bool json_is_string(struct str json)
{
	return json.n >= 2 && json.p[0] == '"';
}

static inline struct str json_inner(struct str string)
{
	return (struct str){string.p + 1, string.n - 2};
}

/* Appends the decoded text of a string: `inner` is the text between its quotes, which json_check() must have passed. */
void json_unescape(struct buf *b, struct str inner);

/* Appends s as a JSON string with its quotes: with the shortest escapes, and U+FFFD for bytes that are not UTF-8. */
void json_quote(struct buf *b, struct str s);

/*
 * Appends a JSON string with the fewest escapes: strings with the same decoded text become identical. `room` is
 * scratch memory, which is overwritten.
 */
void json_requote(struct buf *b, struct str string, struct buf *room);

/* Appends the shortest escape of a control character (below 0x20). */
void json_escape(struct buf *b, char control);

/*
 * Appends a text that json_check() passes, with the fewest escapes in its keys and all else verbatim: then each key
 * without a quote, a backslash or a control character is identical to its decoded name.
 */
void json_plain_keys(struct buf *b, struct str text);

#endif
