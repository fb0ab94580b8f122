/* tags: the members that trace2ndjson puts on every record: --set and --capture. */
#ifndef TAGS_H
#define TAGS_H

#include "record/event.h"

struct tags *tags_new(void);
void tags_free(struct tags *t);

/* NAME=VALUE, or NAME=REGEX when `capture` is set; ends the program when it is not. */
void tags_add(struct tags *t, const char *arg, bool capture);

/* Before the first record of a file: what its name says. */
void tags_begin(struct tags *t, const char *path);

/*
 * Sets them on a record; views in *e live until the next call. The last one given of a name counts, before e's own; null
 * takes that away.
 */
void tags_put(struct tags *t, struct event *e);

#endif
