/* tags: sets members on every record of trace2ndjson: --set and --capture. */
#ifndef TAGS_H
#define TAGS_H

#include "record/event.h"

struct tags *tags_new(void);
void tags_free(struct tags *t);

/* Takes NAME=VALUE, or NAME=REGEX when `capture` is set; ends the program when the syntax is wrong. */
void tags_add(struct tags *t, const char *arg, bool capture);

/* Call it before the first record of a file: evaluates the captures on the file's name. */
void tags_begin(struct tags *t, const char *path);

/*
 * Sets the members on a record; views in *e are valid until the next call. Of several values for a name the last one
 * given counts; it replaces the value in e, and null removes it.
 */
void tags_put(struct tags *t, struct event *e);

#endif
