/* tree: one record as a tree of nodes; jsmn does the tokenising. */
#ifndef JSON_TREE_H
#define JSON_TREE_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

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

#endif
