/*
 * tree: gets values from an object or array by their paths. It is for metadata from which a program reads only a few
 * values. jsmn finds the tokens. Records and events are read with json/iter, which is faster and needs no memory.
 */
#ifndef JSON_TREE_H
#define JSON_TREE_H

#include "base/fault.h"
#include "base/str.h"

/* The limits on a tree: the bytes of its text, and the number of its keys and values together. */
enum { JSON_TREE_BYTES = 64 << 20, JSON_TREE_TOKENS = 1 << 20 };

/* Zero-initialise it, and call json_tree_free() at the end. */
struct json_tree {
	/* private */
	struct buf text; /* a copy without white space between its tokens, followed by SCAN_PAD readable bytes */
	void *tokens;    /* jsmn's tokens, in the order of the text; the first is the whole value */
	size_t n, cap;   /* n is 0 while the tree is empty */
};

/*
 * Makes the tree of an object or array; it replaces the preceding tree. Returns false and sets *f (the reason, and its
 * offset in f->at.byte) when json_check() rejects the text, when the value is of another type, or when it is too large;
 * in these cases the tree is empty. SCAN_PAD bytes after the text must be readable.
 */
bool json_tree_read(struct json_tree *t, struct str text, struct fault *f);

/*
 * Returns the value at a path. A path consists of keys and array indexes (counted from 0), separated by dots
 * ("devices.0.name"); an empty path is the whole value. Keys are compared by their decoded text; if a key is repeated,
 * its last value is returned; a key that contains a dot cannot be found. The result is the text of the value (strings
 * include their quotes), as a view that is valid until the next json_tree_read(); .p is NULL when there is no such
 * value, as in an empty tree.
 */
struct str json_tree_get(const struct json_tree *t, const char *path);

/*
 * Gets the next member of the outermost object (the key as written between its quotes) or element of the outermost
 * array (key->p is NULL). *at must be 0 at the first call, and is updated by this function. Returns false after the
 * last member or element.
 */
bool json_tree_next(const struct json_tree *t, size_t *at, struct str *key, struct str *value);

void json_tree_free(struct json_tree *t);

#endif
