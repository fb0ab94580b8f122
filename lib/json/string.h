/* string: the text of JSON strings: which bytes need escapes, quoting, and what a string says. */
#ifndef JSON_STRING_H
#define JSON_STRING_H

#include "base/mem.h"
#include "base/str.h"

/* How many bytes at the start of s may stand in a string as they are: ASCII but quote, backslash, controls. */
size_t json_plain(struct str s);

/* Whether the text of a value is a string, and what stands between its quotes. */
static inline bool json_is_string(struct str json)
{
	return json.n >= 2 && json.p[0] == '"';
}

static inline struct str json_inner(struct str string)
{
	return (struct str){string.p + 1, string.n - 2};
}

/* Appends what a string says: `inner` is the text between its quotes, valid by json_check(). */
void json_unescape(struct buf *b, struct str inner);

/* Appends s as a JSON string with its quotes: shortest escapes, bytes that are not UTF-8 as U+FFFD. */
void json_quote(struct buf *b, struct str s);

/*
 * Appends a JSON string with the fewest escapes: strings that say the same become the same text. `room` is memory to
 * work in; what it holds is lost.
 */
void json_requote(struct buf *b, struct str string, struct buf *room);

/* Appends the shortest escape of a control character (below 0x20). */
void json_escape(struct buf *b, char control);

/*
 * Appends a text that json_check() passes, with the fewest escapes in its keys, all else byte by byte: then a key
 * without a quote, a backslash or a control character is the name that it spells.
 */
void json_plain_keys(struct buf *b, struct str text);

#endif
