/* string: writes text as JSON strings, decodes JSON strings, and finds the bytes that need escapes. */
#ifndef JSON_STRING_H
#define JSON_STRING_H

#include "base/str.h"

/* Counts the bytes at the start of s that need no escape: ASCII except quotes, backslashes, control characters. */
size_t json_plain(struct str s);

/*
 * Whether the text of a value is an object or a string. json_inner(): the text between the quotes of a string;
 * json_outer(): the string to which such a text belongs.
 */
static inline bool json_is_object(struct str json)
{
	return json.n && json.p[0] == '{';
}
static inline bool json_is_string(struct str json)
{
	return json.n >= 2 && json.p[0] == '"';
}

static inline struct str json_inner(struct str string)
{
	return (struct str){string.p + 1, string.n - 2};
}
static inline struct str json_outer(struct str inner)
{
	return (struct str){inner.p - 1, inner.n + 2};
}

/* Appends the decoded text of a string: `inner` is the valid JSON between its quotes. */
void json_unescape(struct buf *b, struct str inner);

/* Returns the decoded text: `inner` itself if it has no escapes, otherwise a view of *room, which is overwritten. */
struct str json_decoded(struct buf *room, struct str inner);

/*
 * Gets the decoded text of a string; *name is a view of *text, which is overwritten. Returns false when the JSON is not
 * a string, or when its text is empty or contains a NUL.
 */
bool json_name(struct buf *text, struct str json, struct str *name);

/* Appends s as a JSON string in quotes, with the shortest escapes, and with U+FFFD for bytes that are not UTF-8. */
void json_quote(struct buf *b, struct str s);

/* The same, but overwrites *b, and returns a view of it. */
struct str json_quoted(struct buf *b, struct str s);

/*
 * Rewrites a JSON string with the fewest escapes and appends it: strings with the same decoded text become identical.
 * `room` is scratch memory, which is overwritten.
 */
void json_requote(struct buf *b, struct str string, struct buf *room);

/* Appends the shortest escape of a control character (below 0x20). */
void json_escape(struct buf *b, char control);

/*
 * Appends a JSON text, which json_check() must have accepted, with the fewest escapes in its keys and everything else
 * unchanged. In the result, each key whose name has no quote, backslash or control character is identical to the
 * decoded name.
 */
void json_plain_keys(struct buf *b, struct str text);

#endif
