/*
 * chrome_writer: event records as a Chrome trace: one JSON object, one event a line (the Trace Event Format; the
 * categories and args are those of PyTorch's Kineto, so that our own reader comes to the same records).
 */
#ifndef CHROME_WRITER_H
#define CHROME_WRITER_H

#include "record/event.h"
#include "base/map.h"
#include "json/tree.h"
#include "viewer_lanes.h"

enum trace_flows { FLOWS_AUTO, FLOWS_ALWAYS, FLOWS_NEVER };

/* The members of an event that a record has in src or args instead of at its top; p == NULL where absent. */
struct chrome_writer_said {
	struct str ph, pid, tid;                                         /* src */
	struct str correlation, stream, bytes, python_id, python_parent; /* args */
};

/* Zero-initialise, set `out` and `flows`; chrome_writer_end() when all were added. */
struct chrome_writer {
	struct out *out;
	enum trace_flows flows;
	uint64_t timeless; /* records without ts */
	struct viewer_lanes tracks;
	/* its own */
	bool events;       /* the array is open */
	uint64_t members;  /* of the top-level object so far */
	struct map names;  /* theirs */
	struct buf later;  /* those that came behind the first event */
	struct json_tree job; /* distributedInfo */
	struct str rank;   /* there */
	struct buf text, args, record; /* of the event being written */
	struct chrome_writer_said said;
};

/* For input.reads: reads all of the record that chrome_writer_add() gets next. */
void chrome_writer_read(void *writer, struct event *e);

/*
 * A record becomes an event: a file's metadata a member of the top-level object, which is kept when events have
 * been written. What events cannot say stands in their member `record`: standard members as they were, null for
 * none; `"record":null` is an event made for the viewer. args and src that are no objects become arguments.
 */
void chrome_writer_add(struct chrome_writer *w, struct event *e);

/* The names of rows that nothing has named, and all that is kept. */
void chrome_writer_end(struct chrome_writer *w);

void chrome_writer_free(struct chrome_writer *w);

#endif
