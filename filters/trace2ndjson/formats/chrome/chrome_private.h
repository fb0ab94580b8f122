/* chrome_private: the state of the reader of Chrome Trace Event files, which chrome.c and chrome_document.c share. */
#ifndef CHROME_PRIVATE_H
#define CHROME_PRIVATE_H

#include "chrome.h"

#include "json/tree.h"

/* The message for a bracket that closed the array or a document although more events follow. The bracket is removed. */
static const char CHROME_BETWEEN[] = "extra closing bracket between events; removed";

struct chrome {
	enum {
		START,  /* before a document */
		MEMBER, /* in the top-level object, before its next member or its closing brace */
		EVENTS, /* in the array of events */
		OPEN,   /* at the end of the input: the reader returns the begin events that have no end event */
		DONE,
	} where;
	bool document;    /* a document has begun */
	bool bare;        /* the document is an array */
	bool any_events;  /* an array of events has been opened */
	bool member_read; /* in the top-level object: a comma is expected before the next member */
	bool first;
	bool after_comma; /* a comma was read before the current event, at comma_at */
	uint64_t comma_at;
	bool cut; /* the input is cut short, and this was reported */
	struct lines lines;
	struct chrome_event event;
	struct chrome_pairs *pairs;
	/* key, value: the key and the args of a meta record; repaired: a text made valid JSON */
	struct buf key, value, repaired;
	struct json_tree job; /* the value of distributedInfo */
};

/*
 * Called between documents: begins the next one (files are sometimes concatenated), or repairs the text before it. Sets
 * c->where to the next state, which is OPEN when no document and no event follows.
 */
void chrome_start_document(struct chrome *c, struct reader *r);

/* Reads one member of the top-level object. Returns 1 when *e is its meta record, 0 when the caller should continue. */
int chrome_read_member(struct chrome *c, struct reader *r, struct event *e);

/*
 * Reports that the input ends before the trace is complete, and sets c->cut. If reading failed, for example because
 * compressed data is cut short, only that failure is reported.
 */
void chrome_tell_cut(struct chrome *c, struct reader *r, const char *what, uint64_t offset);

#endif
