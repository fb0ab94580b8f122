/*
 * tracewriter: event records as a Chrome trace: one JSON object, one event a line (the Trace Event Format; the
 * categories and args are those of PyTorch's Kineto, so that our own reader comes to the same records).
 */
#ifndef TRACEWRITER_H
#define TRACEWRITER_H

#include "record/event.h"
#include "base/map.h"
#include "tracks.h"

enum trace_flows { FLOWS_AUTO, FLOWS_ALWAYS, FLOWS_NEVER };

/* The members of an event that a record has in src or args instead of at its top; p == NULL where absent. */
struct tracewriter_said {
	struct str ph, pid, tid;                                         /* src */
	struct str correlation, stream, bytes, python_id, python_parent; /* args */
};

/* Zero-initialise, set `out` and `flows`; tracewriter_end() when all were added. */
struct tracewriter {
	struct out *out;
	enum trace_flows flows;
	uint64_t timeless; /* records without ts */
	struct tracks tracks;
	/* its own */
	bool events;       /* the array is open */
	uint64_t members;  /* of the top-level object so far */
	struct map names;  /* theirs */
	struct buf later;  /* those that came behind the first event */
	struct buf rank;   /* what distributedInfo says of it */
	struct buf text, args, record; /* of the event being written */
	struct tracewriter_said said;
};

/* For input.reads: reads all of the record that tracewriter_add() gets next. */
void tracewriter_read(void *writer, struct event *e);

/*
 * A record becomes an event: a file's metadata a member of the top-level object, which is kept when events have
 * been written. What events cannot say stands in their member `record`: standard members as they were, null for
 * none; `"record":null` is an event made for the viewer. args and src that are no objects become arguments.
 */
void tracewriter_add(struct tracewriter *w, struct event *e);

/* The names of rows that nothing has named, and all that is kept. */
void tracewriter_end(struct tracewriter *w);

void tracewriter_free(struct tracewriter *w);

#endif
