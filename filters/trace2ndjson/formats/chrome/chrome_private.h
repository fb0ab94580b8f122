/* chrome_private: the state of the reader of Chrome Trace Event files, which chrome.c and chrome_document.c share. */
#ifndef CHROME_PRIVATE_H
#define CHROME_PRIVATE_H

#include "chrome.h"

#include "json/tree.h"

/* The message for a repaired bracket that closed the array or a document, although more events follow. */
static const char CHROME_BETWEEN[] = "closing bracket between events";

struct chrome {
	enum {
		START,  /* before a document */
		MEMBER, /* in the top-level object, before a member or its end */
		EVENTS, /* in the array of events */
		OPEN,   /* at the end: begins without their ends */
		DONE,
	} where;
	bool document;   /* one began */
	bool bare;       /* the document is an array */
	bool any_events; /* an array of events was opened */
	bool member_read; /* of the top-level object: a comma is due before the next one */
	bool first;
	bool after_comma; /* and where that was */
	uint64_t comma_at;
	bool cut;        /* the input is cut short, and that was told */
	struct lines lines;
	struct chrome_event event;
	struct chrome_pairs *pairs;
	struct buf key, value, repaired; /* of metadata; a repaired text */
	struct json_tree job; /* distributedInfo */
};

/*
 * Between documents: begins the next one (files are sometimes concatenated), or repairs what precedes it. c->where then
 * says what comes next; it is OPEN when no document and no event follows.
 */
void chrome_start_document(struct chrome *c, struct reader *r);

/* Reads one member of the top-level object. Returns 1 when *e is its meta record, 0 when the caller should go on. */
int chrome_read_member(struct chrome *c, struct reader *r, struct event *e);

/*
 * Reports that the input ends at a place where the trace is not complete, and sets c->cut. Compressed data that is cut
 * short has a message already.
 */
void chrome_tell_cut(struct chrome *c, struct reader *r, const char *what, uint64_t offset);

#endif
