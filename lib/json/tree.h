/*
 * tree: access by path to an object or array, for metadata of which a program reads a few values; jsmn finds the
 * tokens. Records and events are read with json/iter, which is faster and needs no memory.
 */
#ifndef JSON_TREE_H
#define JSON_TREE_H

#include "base/fault.h"
#include "base/mem.h"
#include "base/str.h"

/* The limits on the text of a tree: its bytes, and its keys and values together. */
enum { JSON_TREE_BYTES = 64 << 20, JSON_TREE_TOKENS = 1 << 20 };

/* Zero-initialise; json_tree_free() at the end. */
struct json_tree {
	/* private */
	struct buf text; /* a copy without white space between its tokens, followed by SCAN_PAD readable bytes */
	void *tokens;    /* jsmn's tokens, in the order of the text; the first is the whole value */
	size_t n, cap;   /* n is 0 while the tree is empty */
};

/*
 * Makes the tree of an object or array, which replaces the preceding one. Returns false and sets *f (the reason, and
 * its offset in f->byte) when json_check() rejects the text, when it is another type of value, or when it is too
 * large; the tree is then empty. SCAN_PAD bytes after the text must be readable.
 */
bool json_tree_read(struct json_tree *t, struct str text, struct fault *f);

/*
 * Returns the value at a path: keys, and indexes of array elements from 0 on, separated by dots ("devices.0.name"). An
 * empty path is the whole value. Keys are compared by their decoded text; of a repeated key the last one counts; a key
 * that contains a dot cannot be found. Returns the value's text, a string with its quotes, as a view that is valid
 * until the next json_tree_read(); .p is NULL when there is no such value, as in an empty tree.
 */
struct str json_tree_get(const struct json_tree *t, const char *path);

/*
 * Gets the next member of the outermost object (the key as it is between its quotes) or element of the outermost array
 * (key->p is NULL). *at must be 0 at the first call, and is updated by this function. Returns false after the last
 * one.
 */
bool json_tree_next(const struct json_tree *t, size_t *at, struct str *key, struct str *value);

void json_tree_free(struct json_tree *t);

#endif
