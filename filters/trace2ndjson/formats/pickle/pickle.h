/*
 * pickle: reads Python pickles of plain data, of protocols 2 to 5, as JSON text. Nothing is executed or imported, and
 * no name is looked up: a pickle with any other opcode is refused. The pickle is read once, through the window of its
 * source. In memory are the JSON text of the values that are not complete yet, or that later opcodes can refer to.
 */
#ifndef PICKLE_H
#define PICKLE_H

#include "io/source.h"

/* The limits of a file; a pickle that exceeds one is refused. A limit of 0 is no limit. */
struct pickle_limits {
	uint64_t file;  /* bytes of the pickle, after decompression */
	size_t text;    /* bytes of JSON text: references to one value can make a short pickle a long text */
	size_t stack;   /* values that no list, dictionary or tuple contains yet */
	unsigned depth; /* nesting, at most 255 */
};

/*
 * Reads the one value of a pickle and appends it to *json, with white space between some tokens. Tuples become arrays,
 * keys that are integers become strings, and floating-point numbers that are not finite become strings. The source must
 * have no byte order mark skipped. Returns false if the pickle is refused: *fault has the reason, valid until the
 * next call in this thread, and the offset of the opcode; *json is then undefined.
 */
bool pickle_read(struct source *src, const struct pickle_limits *limits, struct buf *json, struct fault *fault);

/* Whether the bytes begin as a pickle of protocol 2 to 5 with a dictionary or a list. */
bool pickle_begins(struct str head);

#endif
