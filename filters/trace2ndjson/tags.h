/* tags: the options --set and --capture, which set members on every record of trace2ndjson. */
#ifndef TAGS_H
#define TAGS_H

#include "record/event.h"

/* The memory of tags_put(). Zero-initialise; tags_memory_free(). */
struct tags_memory {
	struct buf own;  /* the record's own attachments, followed by those of the options */
	struct buf text; /* the record's own attachments as an object */
};

/* Zero-initialise; tags_free(). */
struct tags {
	/* private */
	struct tag *list;
	size_t n, cap;
	bool sets_attachments;  /* at least one attachment is set by an option */
	struct buf attachments; /* the attachments that options set, as text: ,"run":7 */
};

void tags_free(struct tags *t);

/* Adds NAME=VALUE or, when `capture` is set, NAME=REGEX. Ends the program when the syntax is wrong. */
void tags_add(struct tags *t, const char *arg, bool capture);

/* Call this before the first record of a file: applies the captures to its name, or to none if path is NULL. */
void tags_begin(struct tags *t, const char *path);

/*
 * Sets the members on a record; views in *e are in *m, and valid until the next call with it, or in *t. If the options
 * give a member several values, the last one is used. It replaces the value in *e; null removes the member.
 */
void tags_put(const struct tags *t, struct tags_memory *m, struct event *e);

void tags_memory_free(struct tags_memory *m);

#endif
