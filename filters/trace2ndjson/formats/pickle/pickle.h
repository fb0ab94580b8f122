/*
 * pickle: reads Python pickles of plain data, of protocols 2 to 5, as JSON text. Nothing is executed or imported, and
 * no name is looked up: a pickle with any other opcode is refused. The pickle is read once, through the window of its
 * source. In memory are the JSON text of the values that are not complete yet, or that later opcodes can refer to.
 *
 * Tuples become arrays, keys that are integers become strings, and floating-point numbers that are not finite become
 * strings. The text has white space between some tokens. If a pickle is refused, *fault has the reason, valid until the
 * next call in this thread, and the offset of the opcode; it has an errno value if a temporary file failed.
 */
#ifndef PICKLE_H
#define PICKLE_H

#include "trace2ndjson/formats/format.h"

/* The limits of a file; a pickle that exceeds one is refused. */
struct pickle_limits {
	uint64_t file;  /* bytes of the pickle, after decompression */
	size_t text;    /* bytes of JSON text at once: references to one value can make a short pickle a long text */
	size_t stack;   /* values that no list, dictionary or tuple contains yet */
	unsigned depth; /* nesting, at most 255 */
};

/*
 * Reads the one value of a pickle and appends it to *json. The source must have no byte order mark skipped. Returns
 * false if the pickle is refused; *json is then undefined.
 */
bool pickle_read(struct source *src, const struct pickle_limits *limits, struct buf *json, struct fault *fault);

/*
 * A list of dictionaries that may be larger than the memory: its dictionaries are returned one by one, and then
 * forgotten. It is the value of `key` in the outermost dictionary, or in the dictionaries of another list of the table.
 */
struct pickle_list {
	const char *key;
	int of;      /* the number of the list whose dictionaries have the key, or PICKLE_ROOT */
	bool nested; /* it is a list of such lists */
};
enum { PICKLE_ROOT = -1 };

struct pickle_member {
	struct str key, value; /* JSON; the key without its quotes; the value of an integer is only in `integer` */
	bool is_integer;
	int64_t integer;
	uint32_t shared; /* if it is not 0: members with the same number in this field have the same value */
};

/* A dictionary. Its views are valid until the next pickle_next(), and SCAN_PAD bytes after them are readable. */
struct pickle_item {
	int list;     /* the number of its list; PICKLE_ROOT: members of the outermost dictionary */
	size_t index; /* of a nested list: the number of the inner list */
	uint64_t at;  /* its offset */
	size_t n;
	struct pickle_member *members; /* a list of the table has the value [] */
};

/*
 * Begins to read a pickle whose dictionaries are returned one by one. Memory does not grow with the file: a value to
 * which the pickle refers again later is read again from the file, or from a temporary file if the source is a pipe or
 * compressed. The source and the lists (n of them, at most 100) must remain valid.
 */
struct pickle *pickle_open(
    struct source *src, const struct pickle_limits *limits, const struct pickle_list *lists, size_t n);

/* Reads the next dictionary. Returns 1; 0 at the end of the pickle; -1 if it is refused. */
int pickle_next(struct pickle *p, struct pickle_item *item, struct fault *fault);

/*
 * Gets an integer of the dictionary that contains the list of the last item. Returns false if no integer
 * has the key before the list.
 */
bool pickle_outer(const struct pickle *p, const char *key, int64_t *v);

/* Returns the number of values in the lists that are not dictionaries with members, and were skipped. */
uint64_t pickle_skipped(const struct pickle *p);

void pickle_close(struct pickle *p);

/* Reports that a pickle is refused, and the consequence for the file; returns false. */
bool pickle_report(struct reader *r, const struct fault *fault, const char *consequence);

/* Whether the bytes begin as a pickle of protocol 2 to 5 with a dictionary or a list. */
bool pickle_begins(struct str head);

#endif
