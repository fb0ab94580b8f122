/* json: one record checked by the letter of RFC 8259, and as a tree; jsmn does the tokenising. */
#ifndef JSON_H
#define JSON_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

enum { JSON_DEPTH = 1024 };

/*
 * Whether the text is one JSON value and nothing else: grammar, numbers, escapes (surrogates paired),
 * UTF-8, no control characters in strings, depth up to JSON_DEPTH. When not, *f has why (static text,
 * of its own for each reason) and where: f->byte, from 0 into the text.
 */
bool json_check(struct str text, struct fault *f);

/* As json_check(); when the text is JSON, *escaped says whether a key in it has an escape: see json_plain_keys(). */
bool json_check_keys(struct str text, bool *escaped, struct fault *f);

/*
 * Appends a text that json_check() passes, with the fewest escapes in its keys, all else byte by byte: then a key
 * without a quote, a backslash or a control character is the name that it spells.
 */
void json_plain_keys(struct buf *b, struct str text);

/* How many bytes at the start of s may stand in a string as they are: ASCII but quote, backslash, controls. */
size_t json_plain(struct str s);

enum json_type { JSON_OBJECT = 1, JSON_ARRAY, JSON_STRING, JSON_OTHER };

/* A node of the tree; nodes lie in document order, so a node's first child stands right behind it. */
struct json_node {
	enum json_type type;
	uint32_t start, end; /* in the text; a string's lie inside its quotes */
	uint32_t size;       /* members of an object, elements of an array */
	uint32_t next;       /* the node behind this one and all below it; a key's next is its value */
};

struct json {
	struct str text;          /* the caller's, as long as the tree is used */
	struct json_node *nodes;  /* nodes[0] is the root; a member is a string node, then its value */
	size_t n, cap;
	struct { void *p; size_t cap; } tokens;
};

/* Makes the tree of a text that json_check() passes; false with *f when it does not. Reuses *j. */
bool json_parse(struct json *j, struct str text, struct fault *f);
void json_free(struct json *j);

/* The value of an object's member (the last of that key, raw text compared), 0 when there is none. */
size_t json_member(const struct json *j, size_t object, struct str key);

/* The text of a node as it stands, a string with its quotes. */
struct str json_text(const struct json *j, size_t node);

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

/* Appends the shortest escape of a control character (below 0x20). */
void json_escape(struct buf *b, char control);

#endif
