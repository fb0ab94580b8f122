/*
 * tree: an object or array with access by path, for metadata of which a program reads a few values; jsmn finds the
 * tokens. Records and events are read with json/iter, which is faster and needs no memory.
 */
#ifndef JSON_TREE_H
#define JSON_TREE_H

#include "base/fault.h"
#include "base/mem.h"
#include "base/str.h"

/* The largest text that a tree is made of: its bytes, and its keys and values together. */
enum { JSON_TREE_BYTES = 64 << 20, JSON_TREE_TOKENS = 1 << 20 };

/* Zero-initialise; json_tree_free() at the end. */
struct json_tree {
	/* private */
	struct buf text; /* a copy without white space between its tokens, with SCAN_PAD readable bytes behind it */
	void *tokens;    /* jsmn's, in the order of the text; the first is the whole value */
	size_t n, cap;   /* n is 0 while the tree is empty */
};

/*
 * Makes the tree of an object or array, which replaces the one before. Returns false with *f (the reason, and f->byte,
 * its offset) when json_check() refuses the text, when it is another value, or when it is too large; the tree is
 * empty then. SCAN_PAD bytes behind the text must be readable.
 */
bool json_tree_read(struct json_tree *t, struct str text, struct fault *f);

/*
 * The value at a path: keys, and numbers of array elements from 0 on, with dots between them ("devices.0.name"). An empty
 * path is the whole value. A key matches when it spells the name, with escapes or without; of a repeated key the last one
 * counts; a key that has a dot in it cannot be found. Returns the value's text, a string with its quotes, as a view
 * that the next json_tree_read() ends; .p is NULL when there is no such value, as in an empty tree.
 */
struct str json_tree_get(const struct json_tree *t, const char *path);

/*
 * The next member of the outermost object (the key as it is between its quotes) or element of the outermost array
 * (key->p is NULL). *at is 0 for the first one and belongs to this function until it returns false, behind the last one.
 */
bool json_tree_next(const struct json_tree *t, size_t *at, struct str *key, struct str *value);

void json_tree_free(struct json_tree *t);

#endif
