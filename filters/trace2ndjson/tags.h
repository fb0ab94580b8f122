/* tags: the members that trace2ndjson puts on every record: --set and --capture. */
#ifndef TAGS_H
#define TAGS_H

#include "record/member_capture.h"

/* Zero-initialise. */
struct tags {
	struct tag {
		enum event_member member; /* EVENT_N: an attachment */
		struct str name;
		struct buf value;         /* JSON text; empty when the file's name has none */
		struct member_capture *capture;
	} *tags;
	size_t n, cap;
	bool attachments; /* some are */
	struct buf more; /* their text: ,"run":7 */
	struct buf own;  /* the same with the record's own */
	struct buf text; /* the record's own as an object */
};

/* NAME=VALUE, or NAME=REGEX when `capture` is set; ends the program when it is not. */
void tags_add(struct tags *t, const char *arg, bool capture);

/* Before the first record of a file: what its name says. */
void tags_open(struct tags *t, const char *path);

/*
 * Sets them on a record; views in *e live until the next call. The last one given of a name counts, before e's own; null
 * takes that away.
 */
void tags_put(struct tags *t, struct event *e);

void tags_free(struct tags *t);

#endif
